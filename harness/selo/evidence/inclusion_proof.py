"""The proof that one line is among those of a root: RFC 9162, section 2.1.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta

from selo.evidence import merkle
from selo.evidence.block import LINE_LIMIT
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.integrity_scan import KIND_FIELD
from selo.evidence.run_files import CASES_FILE
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

    from selo.evidence.evidence_reader import EvidenceSummary
    from selo.evidence.integrity_scan import Sought
    from selo.evidence.merkle import Root
    from selo.evidence.run_files import EvidenceFile

_Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
_MAX_SAFE_INTEGER: Final = 2**53 - 1
_KEY_DIGITS: Final = 20
#: A tree of so many lines cannot be higher.
_MAX_TREE_HEIGHT: Final = 53


class InclusionProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line, and all that is needed to come from it to the root."""

    proof: Literal["selo-evidence"] = "selo-evidence"
    format: Literal[1] = 1
    #: Of the line among all lines, header and footer counted.
    index: Annotated[int, Meta(ge=0, le=_MAX_SAFE_INTEGER)]
    size: Annotated[int, Meta(ge=1, le=_MAX_SAFE_INTEGER)]
    #: From the leaf upwards.
    path: Annotated[list[_Hash], Meta(max_length=_MAX_TREE_HEIGHT)]
    #: The line itself, a text in a text, so that not a byte of it is laid out anew.
    line: Annotated[str, Meta(max_length=LINE_LIMIT)]


def prove_case(folder: Path, case: int | str, *, root: Root | None = None) -> InclusionProof:
    """Return the proof of a case, by number or key, or of the ``header`` or ``footer``.

    All of the evidence is read, and nothing is proved if anything of it is altered.
    """
    return prove_with_summary(folder, case, root=root)[0]


def prove_with_summary(
    folder: Path, case: int | str, *, root: Root | None = None, book: EvidenceFile = CASES_FILE
) -> tuple[InclusionProof, EvidenceSummary]:
    """Return the proof of a case, or of a batch of draws, and what is known of all its lines."""
    whole = EvidenceReader(folder, root=root, book=book).read(sought=_case_predicate(case))
    if whole.found is None:
        raise user_error("evidence-case", case=case)
    made = InclusionProof(
        index=whole.found.index,
        size=whole.lines,
        path=[one.hex() for one in whole.found.path],
        line=whole.found.line.decode(),
    )
    return made, whole


def _case_predicate(case: int | str) -> Sought:
    if case in {"header", "footer"}:
        return lambda value: value.get(KIND_FIELD) == case
    # A key of twenty hexadecimal digits may by chance be all decimal.
    if isinstance(case, str) and len(case) < _KEY_DIGITS and case.isascii() and case.isdigit():
        case = int(case)
    field = "n" if isinstance(case, int) else "key"
    return lambda value: KIND_FIELD not in value and value.get(field) == case


def check_proof(proof: InclusionProof, root: Root) -> bool:
    """Tell whether the line of `proof` is among those of `root`."""
    return merkle.verify_path(
        bytes.fromhex(root),
        index=proof.index,
        size=proof.size,
        leaf=merkle.leaf_hash(proof.line.encode()),
        path=[bytes.fromhex(one) for one in proof.path],
    )
