"""Proofs that lines are under a root: of one line, or of many with what is left out as hashes.

1. Of one line: the path to the root (RFC 9162, section 2.1.3).
2. Of many: a pruned tree. The tree (section 2.1.1) splits n leaves at the largest power of two
   below n; written from left to right, it has each leaf that is shown, and one hash for each whole
   subtree in which none is. Nothing else leads to the root: no leaf can be moved, added or dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta

from selo.evidence import merkle
from selo.evidence.block import LINE_LIMIT
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.integrity_scan import KIND_FIELD
from selo.evidence.run_files import CASES_FILE
from selo.json_numbers import LARGEST_INTEGER
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from selo.evidence.evidence_reader import EvidenceSummary
    from selo.evidence.integrity_scan import LinePredicate
    from selo.evidence.merkle import Root
    from selo.evidence.run_files import EvidenceFile

_Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
_KEY_DIGITS: Final = 20
#: Upper bound of the height of a tree with that many leaves.
_MAX_TREE_HEIGHT: Final = 53


class InclusionProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line, and all that is needed to come from it to the root."""

    proof: Literal["selo-evidence"] = "selo-evidence"
    format: Literal[1] = 1
    #: Index among all lines, including header and footer.
    index: Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
    size: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
    #: Sibling hashes from the leaf to the root.
    path: Annotated[list[_Hash], Meta(max_length=_MAX_TREE_HEIGHT)]
    #: The line as a JSON string, so that its bytes survive re-encoding.
    line: Annotated[str, Meta(max_length=LINE_LIMIT)]
    #: What stands before the line in its leaf, if the evidence is salted.
    salt: _Hash | msgspec.UnsetType = msgspec.UNSET


def prove_case(folder: Path, case: int | str, *, root: Root | None = None) -> InclusionProof:
    """Return the proof of a case, by number or key, or of ``header`` or ``footer``.

    The whole evidence is verified first.
    """
    return prove_with_summary(folder, case, root=root)[0]


def prove_with_summary(
    folder: Path, case: int | str, *, root: Root | None = None, book: EvidenceFile = CASES_FILE
) -> tuple[InclusionProof, EvidenceSummary]:
    """Return the proof of a case or of a batch of draws, and the summary of the evidence."""
    summary = EvidenceReader(folder, root=root, book=book).read(sought=_case_predicate(case))
    if summary.found is None:
        raise user_error("evidence-case", case=case)
    proof = InclusionProof(
        index=summary.found.index,
        size=summary.lines,
        path=[sibling.hex() for sibling in summary.found.path],
        line=summary.found.line.decode(),
        salt=msgspec.UNSET if summary.found.salt is None else summary.found.salt.hex(),
    )
    return proof, summary


def _case_predicate(case: int | str) -> LinePredicate:
    if case in {"header", "footer"}:
        return lambda value: value.get(KIND_FIELD) == case
    # A key of twenty hexadecimal digits may happen to be all decimal.
    if isinstance(case, str) and len(case) < _KEY_DIGITS and case.isascii() and case.isdigit():
        case = int(case)
    field = "n" if isinstance(case, int) else "key"
    return lambda value: KIND_FIELD not in value and value.get(field) == case


def check_proof(proof: InclusionProof, root: Root) -> bool:
    """Return whether `proof` shows that its line is under `root`."""
    return merkle.verify_path(
        bytes.fromhex(root),
        index=proof.index,
        size=proof.size,
        leaf=merkle.salted_leaf_hash(
            proof.line.encode(),
            None if proof.salt is msgspec.UNSET else bytes.fromhex(proof.salt),
        ),
        path=[bytes.fromhex(sibling) for sibling in proof.path],
    )


class ShownLine(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="line", gc=False
):
    """A leaf that is shown, with its salt if the evidence is salted."""

    at: int
    #: The line as a JSON string, so that its bytes survive re-encoding.
    line: Annotated[str, Meta(max_length=LINE_LIMIT)]
    salt: _Hash | msgspec.UnsetType = msgspec.UNSET

    def hash(self) -> bytes:
        """Return the hash of the leaf."""
        salt = None if self.salt is msgspec.UNSET else bytes.fromhex(self.salt)
        return merkle.salted_leaf_hash(self.line.encode(), salt)


class HiddenSubtree(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="hidden", gc=False
):
    """The hash of a subtree in which no leaf is shown, and the leaves below it."""

    first: int
    end: int
    hash: _Hash


PrunedItem = ShownLine | HiddenSubtree


class BrokenTree(ValueError):
    """Items that are not the parts of one tree, from left to right."""


def split_point(first: int, end: int) -> int:
    """Return where the leaves from `first` up to `end` are split."""
    return first + (1 << ((end - first - 1).bit_length() - 1))


def plan_pruning(hashes: bytes, shown: Sequence[int]) -> Iterator[int | HiddenSubtree]:
    """Yield the items of a pruned tree from left to right: numbers of `shown` leaves, and subtrees.

    `hashes` are those of all leaves in a row, and `shown` is sorted.
    """
    yield from _prune(hashes, shown, 0, len(hashes) // merkle.HASH_BYTES)


def _prune(
    hashes: bytes, shown: Sequence[int], first: int, end: int
) -> Iterator[int | HiddenSubtree]:
    at = bisect_left(shown, first)
    if at == len(shown) or shown[at] >= end:
        frontier = merkle.Frontier()
        frontier.add(
            [hashes[n * merkle.HASH_BYTES : (n + 1) * merkle.HASH_BYTES] for n in range(first, end)]
        )
        yield HiddenSubtree(first=first, end=end, hash=frontier.digest().hex())
    elif end - first == 1:
        yield first
    else:
        middle = split_point(first, end)
        yield from _prune(hashes, shown, first, middle)
        yield from _prune(hashes, shown, middle, end)


def root_of_items(items: Iterable[PrunedItem], size: int) -> Root:
    """Return the root of a tree of `size` leaves; raise if the items are not its parts."""
    coming = iter(items)
    root = _hash_range(_Cursor(coming), 0, size)
    if next(coming, None) is not None:
        raise BrokenTree("something follows the last leaf")
    return merkle.Root(root.hex())


class _Cursor:
    """The next item, which a subtree may leave to the one beside it."""

    def __init__(self, items: Iterator[PrunedItem]) -> None:
        self._items = items
        self.next: PrunedItem | None = None

    def peek(self) -> PrunedItem:
        if self.next is None:
            self.next = next(self._items, None)
        if self.next is None:
            raise BrokenTree("the end is missing")
        return self.next

    def take(self) -> None:
        self.next = None


def _hash_range(cursor: _Cursor, first: int, end: int) -> bytes:
    item = cursor.peek()
    if isinstance(item, HiddenSubtree) and (item.first, item.end) == (first, end):
        cursor.take()
        return bytes.fromhex(item.hash)
    if end - first <= 1:
        if not isinstance(item, ShownLine) or item.at != first:
            raise BrokenTree(f"leaf {first} is missing")
        cursor.take()
        return item.hash()
    middle = split_point(first, end)
    left = _hash_range(cursor, first, middle)
    return merkle.node_hash(left, _hash_range(cursor, middle, end))
