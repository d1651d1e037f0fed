"""Opens a document as one side of a comparison: its evidence in a folder, and its law."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from selo.delta import ComparedSide, SideKind
from selo.errors import SeloError
from selo.evidence import EvidenceReader
from selo.evidence.merkle import Root
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER
from selo.examine.run.canonical_run import require_canonical_answers
from selo.examine.run.evidence_header import header_of
from selo.examine.run.evidence_replay import replay_evidence
from selo.examine.run.plan_comparison import with_plan_of
from selo.text import user_error
from selo.verification.document_law import LawSources, open_document_law
from selo.verification.document_parts import check_attachments, open_document
from selo.verification.recomputation import write_attachments
from selo.verification.verification_report import CheckState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.signing.signer_policy import SignerPolicy
    from selo.verification.document_parts import DocumentParts


class DocumentSideBroken(SeloError):
    """A document that cannot be compared: altered, or without its evidence or its law."""

    code = "tampered"


def sources_at_hand(law: Law, policy: SignerPolicy | None = None, *, is_signed: bool) -> LawSources:
    """Return the sources of law of somebody who has this law and this policy at hand."""
    return LawSources(at_hand=law, given=None, policy=policy, is_signed=is_signed)


@contextlib.contextmanager
def open_document_side(
    document: bytes, sources: LawSources, beside: Path | None, *, prove: bool = True
) -> Iterator[ComparedSide]:
    """Yield the side of a document; its evidence is proven unless that was done already.

    `beside` is the folder of the files that travel beside the document.
    """
    parts = open_document(document)
    with tempfile.TemporaryDirectory(prefix="selo-side-") as name:
        folder = Path(name)
        write_attachments(folder, _read_files(parts, beside))
        try:
            header = header_of(folder, EvidenceReader(folder).header())
        except FileNotFoundError as error:
            raise user_error("evidence-absent") from error
        with open_document_law(parts.report, header, folder, sources) as found:
            if found.law is None:
                raise DocumentSideBroken(found.checks[-1].message("en"))
            if prove:
                planned = with_plan_of(found.law, folder, header)
                replay_evidence(folder, planned, root=Root(parts.report.evidence.root))
                require_canonical_answers(folder, found.law, header)
            yield ComparedSide(
                kind=SideKind.DOCUMENT,
                folder=folder,
                header=header,
                law=found.law,
                canonical=header.canonical,
                answers=None if header.canonical is None else folder / CANONICAL_FOLDER,
                report=parts.report,
            )


def _read_files(parts: DocumentParts, beside: Path | None) -> dict[str, bytes]:
    """Return the files of a document; raise for one that is not what the report says."""
    files = {}
    for check, data in check_attachments(parts, beside):
        if check.state is CheckState.FAILED:
            raise DocumentSideBroken(check.message("en"))
        if data is not None:
            files[check.slots["file"]] = data
    return files
