"""The whole verification of one document, check by check, in an order that a person can follow."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.law import today
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

    from selo.examine.exchange.workers import VendorEndpoint
    from selo.law.loader import Law
    from selo.report.model.report_model import Report
    from selo.signing.verify import Known
    from selo.verification.document_parts import DocumentParts


#: So much of what stands in the way of a certificate is named; more is counted.
_MAX_REQUIREMENTS_NAMED: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationRequest:
    """What whoever verifies brings along."""

    trust: Sequence[x509.Certificate] = ()
    known: Known | None = None
    #: Where files lie that travel beside the document.
    beside: Path | None = None
    #: An installation to compare with, and a vendor to ask.
    installation: Path | None = None
    vendor: VendorEndpoint | None = None
    #: Whether the pages are made again from the report and compared, which takes a while.
    pages: bool = False
    today: dt.date | None = None


def verify_document(
    document: bytes, law: Law, asked: VerificationRequest
) -> Iterator[DocumentCheck]:
    """Yield everything that was looked at, and how it came out."""
    try:
        found = open_document(document)
    except UnreadableDocument as error:
        yield failed_check("document", "document.unreadable", problem=error)
        return
    report = found.report
    yield passed_check("document", f"document.{report.kind}", number=report.number)
    yield _check_conclusion(report)
    yield from check_report(found)
    yield from _check_kind(report)
    yield from check_signatures(document, report, asked.trust, asked.known)
    yield from _check_attachments(found, law, asked)
    yield (
        _check_pages(document, found)
        if asked.pages
        else warning_check("pages", "pages.not-compared")
    )
    yield from _check_validity(report, asked.today or today())
    if asked.installation is not None:
        yield from check_installation(report, asked.installation)
    if asked.vendor is not None:
        yield from check_vendor(report, asked.vendor)


def _check_conclusion(report: Report) -> DocumentCheck:
    """Return what the document says of the product: a genuine one may well say no."""
    key = f"concludes.{report.overall}"
    if report.overall is Overall.CONFORMS:
        return passed_check("conclusion", key)
    return warning_check("conclusion", key)


def _check_kind(report: Report) -> Iterator[DocumentCheck]:
    """Yield whether a certificate may be one, by all that it says itself."""
    if report.kind is not DocumentKind.CERTIFICATE:
        return
    stands = find_obstacles(report)
    if stands:
        named = ", ".join(stand.key for stand in stands[:_MAX_REQUIREMENTS_NAMED])
        yield failed_check("kind", "kind.not-allowed", count=len(stands), named=named)
    else:
        yield passed_check("kind")


def _check_attachments(
    found: DocumentParts, law: Law, asked: VerificationRequest
) -> Iterator[DocumentCheck]:
    files: dict[str, bytes] = {}
    for check, data in check_attachments(found, asked.beside):
        yield check
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-verify-") as place:
        forms = write_attachments(Path(place), files)
        yield from check_recomputation(found.report, law, Path(place), forms, edged=asked.pages)


def _check_pages(document: bytes, found: DocumentParts) -> DocumentCheck:
    """Return whether the pages say what the report says: they are made again, byte for byte."""
    from selo.report.pdf import render_signable_pdf  # noqa: PLC0415 - the typesetter is slow to load

    try:
        made = render_signable_pdf(found.report, found.attached)
    except SeloError as error:
        return failed_check("pages", "pages.refused", problem=error)
    return (
        passed_check("pages")
        if document.startswith(made)
        else failed_check("pages", "pages.differ")
    )


def _check_validity(report: Report, day: dt.date) -> Iterator[DocumentCheck]:
    """Yield whether the document holds today, and whether its law is the law."""
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
            # The document says so itself, on its first page: told here, and nothing is wrong.
            yield warning_check(
                f"law {norm.instrument}", f"law.{norm.standing}", law=norm.citation.pt
            )
