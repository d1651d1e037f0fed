"""The whole verification of one document, check by check, in an order that a person can follow."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.law import today
from selo.report.model.dossier import DocumentKind
from selo.report.requirements import stands_against
from selo.verdict.overall import Overall
from selo.verification.document_parts import Unreadable, enclosed_checks, opened, report_checks
from selo.verification.installed_files import installed, introduced
from selo.verification.recomputation import laid_out, recomputed
from selo.verification.signature_checks import signature_checks
from selo.verification.verification_report import Check, failed, holds, left_open, warned

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from asn1crypto import x509

    from selo.examine.exchange.workers import Reached
    from selo.law.loader import Law
    from selo.report.model.report_model import Report
    from selo.signing.verify import Known
    from selo.verification.document_parts import Opened


#: So much of what stands in the way of a certificate is named; more is counted.
_MOST: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What whoever verifies brings along."""

    trust: Sequence[x509.Certificate] = ()
    known: Known | None = None
    #: Where files lie that travel beside the document.
    beside: Path | None = None
    #: An installation to compare with, and a vendor to ask.
    installation: Path | None = None
    vendor: Reached | None = None
    #: Whether the pages are made again from the report and compared, which takes a while.
    pages: bool = False
    today: dt.date | None = None


def verified(document: bytes, law: Law, asked: Asked) -> Iterator[Check]:
    """Yield everything that was looked at, and how it came out."""
    try:
        found = opened(document)
    except Unreadable as error:
        yield failed("document", "document.unreadable", problem=error)
        return
    report = found.report
    yield holds("document", f"document.{report.kind}", number=report.number)
    yield _concludes(report)
    yield from report_checks(found)
    yield from _kind(report)
    yield from signature_checks(document, report, asked.trust, asked.known)
    yield from _attachments(found, law, asked)
    yield _pages(document, found) if asked.pages else warned("pages", "pages.not-compared")
    yield from _validity(report, asked.today or today())
    if asked.installation is not None:
        yield from installed(report, asked.installation)
    if asked.vendor is not None:
        yield from introduced(report, asked.vendor)


def _concludes(report: Report) -> Check:
    """Return what the document says of the product: a genuine one may well say no."""
    key = f"concludes.{report.overall}"
    if report.overall is Overall.CONFORMS:
        return holds("conclusion", key)
    return warned("conclusion", key)


def _kind(report: Report) -> Iterator[Check]:
    """Yield whether a certificate may be one, by all that it says itself."""
    if report.kind is not DocumentKind.CERTIFICATE:
        return
    stands = stands_against(report)
    if stands:
        named = ", ".join(stand.key for stand in stands[:_MOST])
        yield failed("kind", "kind.not-allowed", count=len(stands), named=named)
    else:
        yield holds("kind")


def _attachments(found: Opened, law: Law, asked: Asked) -> Iterator[Check]:
    files: dict[str, bytes] = {}
    for check, data in enclosed_checks(found, asked.beside):
        yield check
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-verify-") as place:
        forms = laid_out(Path(place), files)
        yield from recomputed(found.report, law, Path(place), forms, edged=asked.pages)


def _pages(document: bytes, found: Opened) -> Check:
    """Return whether the pages say what the report says: they are made again, byte for byte."""
    from selo.report.pdf import prepared  # noqa: PLC0415 - the typesetter is slow to load

    try:
        made = prepared(found.report, found.attached)
    except SeloError as error:
        return failed("pages", "pages.refused", problem=error)
    return holds("pages") if document.startswith(made) else failed("pages", "pages.differ")


def _validity(report: Report, day: dt.date) -> Iterator[Check]:
    """Yield whether the document holds today, and whether its law is the law."""
    until = report.dates.valid_until
    if until is not None and day > until:
        yield left_open("validity", "validity.over", until=until)
    elif report.kind is DocumentKind.CERTIFICATE:
        yield holds("validity", "validity.until", until=until) if until else holds("validity")
    for norm in report.norms:
        if norm.standing != "in-force" or not norm.certain:
            # The document says so itself, on its first page: told here, and nothing is wrong.
            yield warned(f"law {norm.instrument}", f"law.{norm.standing}", law=norm.citation.pt)
