"""The tree, against the reference vectors of Certificate Transparency and the RFC itself.

Roots and paths are those of the test suite of the reference implementation of RFC 6962, whose
tree RFC 9162 keeps. What they do not cover is compared with the definitions of RFC 9162, sections
2.1.1 and 2.1.3.1, written out here without any thought of speed.
"""

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selo.evidence.merkle import Frontier, leaf_hash, leaf_hashes, verify_path

INPUTS = [
    bytes.fromhex(one)
    for one in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
#: Index, size, path.
PATHS = [
    (0, 1, []),
    (0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (5, 8, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip
LARGEST = 40


def split(size):
    """Return k, the largest power of two smaller than the size."""
    k = 1
    while 2 * k < size:
        k *= 2
    return k


def mth(entries):
    """Return MTH(D_n) of section 2.1.1."""
    if not entries:
        return hashlib.sha256().digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\x00" + entries[0]).digest()
    k = split(len(entries))
    return hashlib.sha256(b"\x01" + mth(entries[:k]) + mth(entries[k:])).digest()


def path_of(index, entries):
    """Return PATH(m, D_n) of section 2.1.3.1."""
    if len(entries) == 1:
        return []
    k = split(len(entries))
    if index < k:
        return [*path_of(index, entries[:k]), mth(entries[k:])]
    return [*path_of(index - k, entries[k:]), mth(entries[:k])]


def grown(entries, *, watched=None, steps=None):
    frontier = Frontier(watched=watched)
    hashes = leaf_hashes(entries)
    for start, end in steps or [(0, len(hashes))]:
        frontier.add(hashes[start:end])
    return frontier


@pytest.mark.parametrize("size", range(9))
def test_the_roots_are_those_of_certificate_transparency(size):
    assert grown(INPUTS[:size]).root() == ROOTS[size]


@pytest.mark.parametrize(("index", "size", "path"), PATHS)
def test_the_paths_are_those_of_certificate_transparency(index, size, path):
    frontier = grown(INPUTS[:size], watched=index)

    assert [one.hex() for one in frontier.path()] == path


@pytest.mark.parametrize(("index", "size", "path"), PATHS)
def test_the_paths_of_certificate_transparency_lead_to_its_roots(index, size, path):
    hashes = [bytes.fromhex(one) for one in path]
    root = bytes.fromhex(ROOTS[size])

    assert verify_path(root, index=index, size=size, leaf=leaf_hash(INPUTS[index]), path=hashes)


@given(
    st.lists(st.integers(0, 20), max_size=8),
    st.randoms(use_true_random=False),
)
@settings(database=None, deadline=None, max_examples=40)
def test_the_root_does_not_depend_on_how_lines_came(sizes, draw):
    entries = [draw.randbytes(draw.randrange(5)) for _ in range(sum(sizes))]
    ends = [sum(sizes[: count + 1]) for count in range(len(sizes))]
    steps = list(zip([0, *ends], ends, strict=False))

    assert grown(entries, steps=steps).digest() == mth(entries)


def test_every_leaf_of_every_small_tree_has_the_path_of_the_definition():
    draw = random.Random(3)  # noqa: S311 - the same lines each time
    entries = [draw.randbytes(4) for _ in range(LARGEST)]
    for size in range(1, LARGEST + 1):
        step = draw.randrange(1, size + 1)
        steps = [(start, min(start + step, size)) for start in range(0, size, step)]
        for index in range(size):
            frontier = grown(entries[:size], watched=index, steps=steps)

            assert frontier.path() == path_of(index, entries[:size])


def test_every_path_of_the_definition_leads_to_its_root_and_to_no_other():
    entries = [bytes([number]) for number in range(33)]
    for size in range(1, len(entries) + 1):
        root = mth(entries[:size])
        for index in range(size):
            path = path_of(index, entries[:size])
            right = {"index": index, "size": size, "leaf": leaf_hash(entries[index]), "path": path}

            assert verify_path(root, **right)
            assert not verify_path(mth(entries[: size - 1]), **right)
            assert not verify_path(root, **right | {"leaf": leaf_hash(b"another")})
            assert not verify_path(root, **right | {"path": [*path, bytes(32)]})
            assert not path or not verify_path(root, **right | {"path": path[:-1]})
            assert not path or not verify_path(root, **right | {"path": [bytes(32), *path[1:]]})


@pytest.mark.parametrize("index", [-1, 8, 9])
def test_an_index_outside_of_the_tree_is_never_proved(index):
    path = path_of(0, INPUTS)

    assert not verify_path(mth(INPUTS), index=index, size=8, leaf=leaf_hash(INPUTS[0]), path=path)


def test_a_path_proves_no_other_place():
    size = 21
    entries = [bytes([number]) for number in range(size)]
    root = mth(entries)
    for index in range(size):
        path = path_of(index, entries)
        places = [
            other
            for other in range(size)
            if verify_path(root, index=other, size=size, leaf=leaf_hash(entries[index]), path=path)
        ]

        assert places == [index]


def test_an_inner_hash_cannot_pass_for_a_line():
    inner = leaf_hash(INPUTS[0]) + leaf_hash(INPUTS[1])

    assert leaf_hash(inner).hex() != ROOTS[2]


def test_the_path_of_a_leaf_that_never_came_is_refused():
    with pytest.raises(IndexError):
        grown(INPUTS, watched=8).path()
