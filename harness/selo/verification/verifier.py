"""Verifies one document, check by check, in an order that a person can follow."""

from __future__ import annotations

import datetime as dt
import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.gate.permission_signature import Trust
from selo.law.status import macau_today
from selo.registry.certificate_lookup import ListFreshness
from selo.registry.certificate_states import CertificateState
from selo.registry.status import ask_registry
from selo.report.model.dossier import DocumentKind
from selo.report.requirements import find_obstacles, find_shortfalls, is_insisted_by
from selo.signing.signer_policy import SignerPolicy
from selo.storage.bounded_read import UNTRUSTED_INPUT_ERRORS, is_shortage
from selo.verdict.overall import Overall
from selo.verification.chain_checks import ChainSources, check_chain
from selo.verification.document_law import LawSources
from selo.verification.document_parts import (
    UnreadableDocument,
    check_attachments,
    check_report,
    open_document,
)
from selo.verification.installed_files import check_installation, check_vendor
from selo.verification.permission_checks import check_permissions
from selo.verification.recomputation import check_recomputation, write_attachments
from selo.verification.signature_checks import check_dates, check_signatures, find_signing_time
from selo.verification.submission_checks import check_vendor_files
from selo.verification.verification_report import (
    CheckState,
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asn1crypto import x509

    from selo.examine.exchange import VendorEndpoint
    from selo.law import Law
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.status import RegistrySource
    from selo.report.model.report_model import Report
    from selo.signing.verify import ValidationKnowledge
    from selo.verification.document_parts import DocumentParts

#: Further missing requirements of a certificate are only counted.
_MAX_REQUIREMENTS_NAMED: Final = 5
#: The folder of the files that travel beside an earlier certificate.
_EARLIER_FOLDER: Final = "predecessor"


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
    #: Whether the installation was named, so that everything in it belongs to it.
    named_folder: bool = False
    vendor: VendorEndpoint | None = None
    #: Whether the pages are rendered again from the report and compared, which takes a while.
    pages: bool = False
    #: A registry to ask, and the policy under which it is trusted.
    registry: RegistrySource | None = None
    registry_policy: RegistryPolicy | None = None
    #: The commitment to the seed as it was published before the run.
    commitment: str | None = None
    #: The law files of a document from before they travelled inside.
    law: Path | None = None
    today: dt.date | None = None
    #: How many certificates that carry over from this one were verified before it.
    depth: int = 0


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
    try:
        yield from _check_document(document, parts, law, request)
    except UNTRUSTED_INPUT_ERRORS as error:
        if is_shortage(error):
            raise
        problem = f"{type(error).__name__}: {error}"
        yield failed_check("document", "document.unreadable", problem=problem)
    if request.registry is not None:
        yield from check_registry(
            document, report.number, request.registry, request.registry_policy
        )
    if request.installation is not None:
        yield from check_installation(report, request.installation, is_named=request.named_folder)
    if request.vendor is not None:
        yield from check_vendor(report, request.vendor)


def _check_document(
    document: bytes, parts: DocumentParts, law: Law, request: VerificationRequest
) -> Iterator[DocumentCheck]:
    """Yield the checks of the document itself."""
    report = parts.report
    yield passed_check("document", f"document.{report.kind}", number=report.number)
    yield _check_conclusion(report)
    yield from check_report(parts)
    yield from _check_kind(report)
    signatures = list(
        check_signatures(document, report, request.trust, request.known, request.policy)
    )
    yield from signatures
    sources = _law_sources(report, law, request, signatures)
    found = [*check_dates(report, sources.signed_at)]
    yield from found
    for check in _check_attachments(parts, sources, request):
        found.append(check)
        yield check
    # Pages are made of what was found to follow; a report made to break the typesetter is not.
    is_sound = all(check.state is not CheckState.FAILED for check in found)
    yield (
        _check_pages(document, parts)
        if request.pages and is_sound
        else warning_check("pages", "pages.not-compared")
    )
    yield from _check_validity(report, request.today or macau_today())
    # A field that nobody can compute again is named as somebody's word.
    yield warning_check("word")


def _check_conclusion(report: Report) -> DocumentCheck:
    """Return the conclusion of the document as a check; a genuine document may well say no."""
    key = f"concludes.{report.overall}"
    if report.overall is Overall.CONFORMS:
        return passed_check("conclusion", key)
    return warning_check("conclusion", key)


def _check_kind(report: Report) -> Iterator[DocumentCheck]:
    """Check that a certificate meets the requirements of one, by its own contents."""
    if report.kind is not DocumentKind.CERTIFICATE:
        if report.shortfalls:
            yield failed_check("kind", "kind.shortfalls")
        return
    missing = find_obstacles(report)
    engine = report.method.engine
    later = [one.key for one in missing if not is_insisted_by(engine, one.key)]
    missing = [one for one in missing if is_insisted_by(engine, one.key)]
    if later:
        named = ", ".join(later[:_MAX_REQUIREMENTS_NAMED])
        yield open_check("kind", "kind.older", count=len(later), named=named)
    fallen_short = [one.key for one in find_shortfalls(report) if is_insisted_by(engine, one.key)]
    named_short = [one.key for one in report.shortfalls]
    if not missing and named_short != (fallen_short if report.demonstration and engine else []):
        yield failed_check("kind", "kind.shortfalls")
    elif missing:
        named = ", ".join(requirement.key for requirement in missing[:_MAX_REQUIREMENTS_NAMED])
        yield failed_check("kind", "kind.not-allowed", count=len(missing), named=named)
    else:
        yield passed_check("kind")


def _law_sources(
    report: Report, law: Law, request: VerificationRequest, signatures: Sequence[DocumentCheck]
) -> LawSources:
    """Return where the law of a document may come from, once its signatures were checked."""
    return LawSources(
        at_hand=law,
        given=request.law,
        policy=request.policy or SignerPolicy(roots=tuple(request.trust)),
        is_signed=bool(request.trust)
        and all(check.state is not CheckState.FAILED for check in signatures),
        signed_at=find_signing_time(signatures),
        commitment=request.commitment,
        registered_at=_registered_at(report, request),
    )


def _registered_at(report: Report, request: VerificationRequest) -> dt.datetime | None:
    """Return when a trusted registry entered the commitment to the seed of a document."""
    commitment = report.method.seed.commitment
    if commitment is None or request.registry is None or request.registry_policy is None:
        return None
    answer = ask_registry(request.registry, request.registry_policy, digests=[commitment])
    if answer.problems or answer.freshness(dt.datetime.now(dt.UTC)) is ListFreshness.FUTURE:
        return None
    return answer.commitments.get(commitment)


def _chain_sources(sources: LawSources, request: VerificationRequest) -> ChainSources:
    """Return how an earlier certificate is verified: by the same trust, on another day."""
    # Its files may have the same names as those of the later one.
    beside = None if request.beside is None else request.beside / _EARLIER_FOLDER

    def verify(document: bytes, day: dt.date) -> Iterator[DocumentCheck]:
        earlier = VerificationRequest(
            trust=request.trust,
            known=request.known,
            policy=request.policy,
            beside=beside,
            today=day,
            depth=request.depth + 1,
        )
        return verify_document(document, sources.at_hand, earlier)

    return ChainSources(
        law=sources,
        beside=beside,
        registry=request.registry,
        registry_policy=request.registry_policy,
        depth=request.depth,
        verify=verify,
    )


def _check_attachments(
    parts: DocumentParts, sources: LawSources, request: VerificationRequest
) -> Iterator[DocumentCheck]:
    files: dict[str, bytes] = {}
    for check, data in check_attachments(parts, request.beside):
        yield check
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-verify-") as folder:
        forms = write_attachments(Path(folder), files)
        yield from check_recomputation(parts, sources, Path(folder), forms)
        yield from check_chain(parts.report, Path(folder), _chain_sources(sources, request))
        revocations = () if request.known is None else request.known.revocations
        trust = Trust(roots=list(request.trust), revocations=list(revocations))
        yield from check_permissions(
            Path(folder), sources.at_hand, trust, sources.policy,
            tested=parts.report.dates.first_day, today=request.today or macau_today(),
        )  # fmt: skip
        yield from check_vendor_files(parts.report, Path(folder), trust, sources.policy)


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
        if not norm.is_law:
            # The first page says so too, so the document is not at fault.
            yield warning_check(
                f"law {norm.instrument}",
                f"law.{norm.standing}{'' if norm.certain else '.perhaps'}",
                law=norm.citation.pt,
            )


def check_registry(
    document: bytes,
    number: str,
    registry: RegistrySource,
    policy: RegistryPolicy | None,
    now: dt.datetime | None = None,
) -> Iterator[DocumentCheck]:
    """Check that a registry knows exactly this document, and that it is valid today.

    The registry is a log, a published copy of one, a status list, or the code of one certificate.
    """
    now = now or dt.datetime.now(dt.UTC)
    digest = hashlib.sha256(document).hexdigest()
    answer = ask_registry(registry, policy, numbers=[number])
    if policy is None:
        yield open_check("registry-trust", "registry.untrusted")
    if answer.problems or answer.head is None:
        yield failed_check("registry", "registry.broken", problem=", ".join(answer.problems))
        return
    head = answer.head
    slots = {"certificate": number, "day": head.at.date(), "age": max((now - head.at).days, 0)}
    freshness = answer.freshness(now)
    if freshness is ListFreshness.EXPIRED:
        yield open_check("registry", "registry.stale", until=head.expires.date(), **slots)
        return
    if freshness is ListFreshness.FUTURE:
        yield open_check("registry", "registry.future", **slots)
        return
    state = answer.state_of(number, now)
    record = next((one for one in answer.records if one.number == number), None)
    if record is not None and record.document != digest:
        yield failed_check("registry", "registry.other-document", **slots)
    elif state is CertificateState.VALID:
        yield passed_check("registry", "registry.valid", **slots)
    elif record is not None and state is CertificateState.SUPERSEDED:
        yield open_check("registry", "registry.superseded", successor=record.successor, **slots)
    else:
        yield open_check("registry", f"registry.{state}", **slots)
