"""Consistency proofs (RFC 9162, section 2.1.4): one tree contains another, or nobody can say so."""

import hashlib
import itertools

import pytest

from selo.registry.tree_heads import consistency_path, tree_hash, verify_consistency


def leaves(count):
    return [hashlib.sha256(b"\x00" + bytes([number])).digest() for number in range(count)]


def root(hashes):
    """Return the root by the definition of section 2.1.1, written apart from the program."""
    if len(hashes) == 1:
        return hashes[0]
    split = max(1 << power for power in range(8) if 1 << power < len(hashes))
    return hashlib.sha256(b"\x01" + root(hashes[:split]) + root(hashes[split:])).digest()


@pytest.mark.parametrize("size", range(1, 20))
def test_the_root_is_that_of_the_standard(size):
    assert tree_hash(leaves(size)) == root(leaves(size))


PAIRS = list(itertools.combinations_with_replacement(range(1, 17), 2))


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_a_tree_contains_every_earlier_one_and_no_other(old, new):
    hashes = leaves(new)
    earlier, later = (old, root(hashes[:old])), (new, root(hashes))
    path = consistency_path(hashes, old)

    assert verify_consistency(earlier, later, path)
    # Another past, another present, or another proof; sizes are bound by the signature of a head.
    assert not verify_consistency((old, b"\x01" * 32), later, path)
    assert not verify_consistency(earlier, (new, b"\x01" * 32), path)
    assert not verify_consistency(earlier, later, [*path, b"\x01" * 32])
    for at in range(len(path)):
        assert not verify_consistency(earlier, later, [*path[:at], *path[at + 1 :]])
        spoilt = [*path[:at], b"\x01" * 32, *path[at + 1 :]]
        assert not verify_consistency(earlier, later, spoilt)


def test_a_shorter_tree_contains_no_longer_one():
    hashes = leaves(5)

    assert not verify_consistency((5, root(hashes)), (3, root(hashes[:3])), [])
    assert not verify_consistency((0, b""), (3, root(hashes[:3])), hashes[:1])
