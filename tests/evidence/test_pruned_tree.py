"""A pruned tree leads to the root of the whole, and to no other."""

import hashlib
import random

import pytest

from selo.evidence import block
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.inclusion_proof import (
    BrokenTree,
    HiddenSubtree,
    ShownLine,
    check_proof,
    plan_pruning,
    prove_case,
    root_of_items,
)
from selo.evidence.merkle import salt_of

LINES = [f'{{"n":{n}}}' for n in range(40)]
SECRET = bytes(range(32))


def tree_hash(leaves):
    """Return the hash of RFC 9162, section 2.1.1, written down as it stands there."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


def pruned(size, shown):
    hashes = b"".join(hashlib.sha256(b"\0" + line.encode()).digest() for line in LINES[:size])
    return [
        ShownLine(at=item, line=LINES[item]) if isinstance(item, int) else item
        for item in plan_pruning(hashes, sorted(shown))
    ]


@pytest.mark.parametrize("size", range(1, 41))
def test_every_choice_of_leaves_leads_to_the_root(size):
    drawn = random.Random(size)  # noqa: S311 - the same choices on each run
    expected = tree_hash([line.encode() for line in LINES[:size]]).hex()
    for _ in range(6):
        shown = drawn.sample(range(size), drawn.randint(0, size))

        items = pruned(size, shown)

        assert root_of_items(items, size) == expected
        assert {item.at for item in items if isinstance(item, ShownLine)} == {*shown}


def test_moved_dropped_added_and_repeated_leaves_do_not():
    items, size = pruned(21, [3, 4, 17]), 21
    root = root_of_items(items, size)
    forgeries = [
        items[:-1],
        [*items, items[-1]],
        items[1:],
        [items[0], *items],
        [items[1], items[0], *items[2:]],
        [ShownLine(at=0, line=LINES[0]), *items],
    ]
    at = next(n for n, item in enumerate(items) if isinstance(item, ShownLine))
    forgeries.append([*items[:at], ShownLine(at=3, line=LINES[4]), *items[at + 1 :]])
    forgeries.append([*items[:at], ShownLine(at=4, line=LINES[3]), *items[at + 1 :]])

    for forged in forgeries:
        try:
            found = root_of_items(forged, size)
        except BrokenTree:
            continue
        assert found != root


def test_another_size_does_not_lead_to_the_root():
    items = pruned(21, [3])
    root = root_of_items(items, 21)

    for size in (20, 22, 32):
        with pytest.raises(BrokenTree):
            root_of_items(items, size)
    whole = [HiddenSubtree(first=0, end=20, hash=root)]
    assert root_of_items(whole, 20) == root, "a bare root shows nothing, of whatever size"


def write_salted(run):
    with EvidenceWriter(run.folder, secret=SECRET) as writer:
        writer.header(run.header)
        writer.lines(run.cases[:7])
        writer.flush()
        writer.lines(run.cases[7:])
        return writer.close(run.footer)


def test_a_salted_root_is_the_tree_over_salts_and_lines(small):
    root = write_salted(small)
    header = small.first.replace(b'"format":1', b'"format":2')
    lines = [header, *small.cases, small.last]

    salted = [salt_of(SECRET, at) + line for at, line in enumerate(lines)]

    assert root == tree_hash(salted).hex()
    assert list(EvidenceReader(small.folder)) == lines
    assert check_proof(prove_case(small.folder, 5), root)


def test_a_salted_run_goes_on_with_its_own_secret(small, another):
    expected = write_salted(another)
    with EvidenceWriter(small.folder, secret=SECRET) as writer:
        writer.header(small.header)
        writer.lines(small.cases[:9])
    writer, _, lines = EvidenceWriter.resume(small.folder)
    writer.lines(small.cases[lines - 1 :])

    assert writer.close(small.footer) == expected


@pytest.mark.parametrize("cut", [1, 20, 43, 44, 60, 100])
def test_a_run_that_is_killed_at_its_first_write_begins_anew(small, cut):
    write_salted(small)
    small.put(small.file.read_bytes()[:cut])

    assert write_salted(small)
    assert EvidenceReader(small.folder).read().lines == len(small.lines)


def test_a_flipped_bit_of_the_secret_is_noticed(small):
    write_salted(small)
    raw = small.file.read_bytes()
    for at in range(block.SALT_FRAME_BYTES):
        small.put(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])

        with pytest.raises(Exception, match=r"digest|block|header"):
            EvidenceReader(small.folder).read()


def test_salts_cannot_be_taken_off(small):
    write_salted(small)
    raw = small.file.read_bytes()
    small.put(raw[block.SALT_FRAME_BYTES :])

    with pytest.raises(Exception, match="digest"):
        EvidenceReader(small.folder).read()
    small.forge([
        small.first.replace(b'"format":1', b'"format":2'), *small.cases, small.last,
    ])  # fmt: skip
    with pytest.raises(Exception, match="header"):
        EvidenceReader(small.folder).read()
