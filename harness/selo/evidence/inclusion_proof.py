"""Inclusion proofs of lines (RFC 9162, section 2.1.3)."""

from __future__ import annotations

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
        leaf=merkle.leaf_hash(proof.line.encode()),
        path=[bytes.fromhex(sibling) for sibling in proof.path],
    )
