"""Verifies one document, check by check, in an order that a person can follow."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.gate.permission_signature import Trust
from selo.law.status import macau_today
from selo.report.model.dossier import DocumentKind
from selo.report.requirements import find_obstacles
from selo.verdict.overall import Overall
from selo.verification.document_parts import (
    UnreadableDocument,
    check_attachments,
    check_report,
    open_document,
)
from selo.verification.installed_files import check_installation, check_vendor
from selo.verification.permission_checks import check_permissions
from selo.verification.recomputation import check_recomputation, write_attachments
from selo.verification.signature_checks import check_signatures
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from asn1crypto import x509

    from selo.examine.exchange import VendorEndpoint
    from selo.law import Law
    from selo.report.model.report_model import Report
    from selo.signing.signer_policy import SignerPolicy
    from selo.signing.verify import ValidationKnowledge
    from selo.verification.document_parts import DocumentParts


#: Further missing requirements of a certificate are only counted.
_MAX_REQUIREMENTS_NAMED: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationRequest:
    """What a verifier provides beside the document."""

    trust: Sequence[x509.Certificate] = ()
    known: ValidationKnowledge | None = None
    #: Who may sign in which capacity.
    policy: SignerPolicy | None = None
    #: The folder of the files that travel beside the document.
    beside: Path | None = None
    #: An installation to compare with, and a vendor to ask.
    installation: Path | None = None
    vendor: VendorEndpoint | None = None
    #: Whether the pages are rendered again from the report and compared, which takes a while.
    pages: bool = False
    today: dt.date | None = None


def verify_document(
    document: bytes, law: Law, request: VerificationRequest
) -> Iterator[DocumentCheck]:
    """Yield all checks of a document."""
    try:
        parts = open_document(document)
    except UnreadableDocument as error:
        yield failed_check("document", "document.unreadable", problem=error)
        return
    report = parts.report
    yield passed_check("document", f"document.{report.kind}", number=report.number)
    yield _check_conclusion(report)
    yield from check_report(parts)
    yield from _check_kind(report)
    yield from check_signatures(document, report, request.trust, request.known, request.policy)
    yield from _check_attachments(parts, law, request)
    yield (
        _check_pages(document, parts)
        if request.pages
        else warning_check("pages", "pages.not-compared")
    )
    yield from _check_validity(report, request.today or macau_today())
    if request.installation is not None:
        yield from check_installation(report, request.installation)
    if request.vendor is not None:
        yield from check_vendor(report, request.vendor)


def _check_conclusion(report: Report) -> DocumentCheck:
    """Return the conclusion of the document as a check; a genuine document may well say no."""
    key = f"concludes.{report.overall}"
    if report.overall is Overall.CONFORMS:
        return passed_check("conclusion", key)
    return warning_check("conclusion", key)


def _check_kind(report: Report) -> Iterator[DocumentCheck]:
    """Check that a certificate meets the requirements of one, by its own contents."""
    if report.kind is not DocumentKind.CERTIFICATE:
        return
    missing = find_obstacles(report)
    if missing:
        named = ", ".join(requirement.key for requirement in missing[:_MAX_REQUIREMENTS_NAMED])
        yield failed_check("kind", "kind.not-allowed", count=len(missing), named=named)
    else:
        yield passed_check("kind")


def _check_attachments(
    parts: DocumentParts, law: Law, request: VerificationRequest
) -> Iterator[DocumentCheck]:
    files: dict[str, bytes] = {}
    for check, data in check_attachments(parts, request.beside):
        yield check
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-verify-") as folder:
        forms = write_attachments(Path(folder), files)
        yield from check_recomputation(parts.report, law, Path(folder), forms, edged=request.pages)
        revocations = () if request.known is None else request.known.revocations
        trust = Trust(roots=list(request.trust), revocations=list(revocations))
        yield from check_permissions(Path(folder), law, trust)


def _check_pages(document: bytes, parts: DocumentParts) -> DocumentCheck:
    """Check that rendering the report again gives the same pages, byte for byte."""
    from selo.report.pdf import render_signable_pdf  # noqa: PLC0415 - the typesetter is slow to load

    try:
        pages = render_signable_pdf(parts.report, parts.attached)
    except SeloError as error:
        return failed_check("pages", "pages.refused", problem=error)
    return (
        passed_check("pages")
        if document.startswith(pages)
        else failed_check("pages", "pages.differ")
    )


def _check_validity(report: Report, day: dt.date) -> Iterator[DocumentCheck]:
    """Check that the document is valid today, and warn of law that is not certainly in force."""
    until = report.dates.valid_until
    if until is not None and day > until:
        yield open_check("validity", "validity.over", until=until)
    elif report.kind is DocumentKind.CERTIFICATE:
        yield (
            passed_check("validity", "validity.until", until=until)
            if until
            else passed_check("validity")
        )
    for norm in report.norms:
        if norm.standing != "in-force" or not norm.certain:
            # The first page says so too, so the document is not at fault.
            yield warning_check(
                f"law {norm.instrument}", f"law.{norm.standing}", law=norm.citation.pt
            )
