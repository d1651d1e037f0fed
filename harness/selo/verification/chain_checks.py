"""Checks what a document carries over from an earlier certificate.

1. The earlier certificate is inside or beside the document, and is the one that the run names.
2. It is genuine: it is verified as any other, on the day on which the later document was issued, or
   on which it was signed if a timestamp proves that this was later.
3. Every provision carried over could be carried over (`selo.delta.carry_over`), from where and as
   often as the document says.
4. A registry says that it stands today, and stood on the first day of the later examination;
   without one that stays open, and of a list or a code, which know one state each, the first day.

Certificates before it are verified as far back as a provision may be carried over.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.delta import CarryDecision, EarlierCertificate, read_change_policy
from selo.errors import SeloError
from selo.evidence import EvidenceReader
from selo.examine.behaviour.canonical_set import PREDECESSOR_FILE
from selo.examine.run.evidence_header import header_of
from selo.registry.certificate_lookup import ListFreshness
from selo.registry.certificate_states import CertificateRecord, CertificateState
from selo.registry.status import ask_registry
from selo.storage import read_bounded
from selo.verification.document_law import open_document_law
from selo.verification.document_parts import UnreadableDocument
from selo.verification.document_side import open_document_side
from selo.verification.signature_checks import signing_day
from selo.verification.verification_report import (
    CheckState,
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from selo.examine.behaviour import Predecessor
    from selo.examine.run.evidence_header import Header
    from selo.registry.certificate_lookup import RegistryAnswer
    from selo.registry.certificate_states import KnownCertificate
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.status import RegistrySource
    from selo.report.model.report_model import Report
    from selo.verification.document_law import LawSources

#: States of an earlier certificate from which a later one may have been made.
_SOUND_STATES = (CertificateState.VALID, CertificateState.SUPERSEDED, CertificateState.EXPIRED)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChainSources:
    """What a verifier has at hand to check a chain of certificates."""

    law: LawSources
    beside: Path | None
    registry: RegistrySource | None
    registry_policy: RegistryPolicy | None
    #: How many certificates lie between this one and the document that is verified.
    depth: int
    #: Verifies an earlier certificate, as of a day.
    verify: Callable[[bytes, dt.date], Iterable[DocumentCheck]]


def check_chain(report: Report, folder: Path, sources: ChainSources) -> Iterator[DocumentCheck]:
    """Check what the document whose files lie in `folder` carries over, if it does."""
    try:
        header = header_of(folder, EvidenceReader(folder).header())
    except (SeloError, ValueError, OSError):
        # Told where the evidence is checked.
        return
    predecessor = header.predecessor
    if predecessor is None:
        return
    number = predecessor.certificate
    if sources.depth >= read_change_policy().limits.times:
        yield warning_check("predecessor", "chain.not-followed", certificate=number)
        return
    try:
        document = read_bounded(folder / PREDECESSOR_FILE)
    except OSError:
        yield open_check("predecessor", "chain.absent", certificate=number)
        return
    if hashlib.sha256(document).hexdigest() != predecessor.sha256:
        yield failed_check("predecessor", "chain.other-document", certificate=number)
        return
    genuine = _check_genuine(document, report, number, sources)
    yield genuine
    if genuine.state is not CheckState.FAILED:
        yield _check_carried(document, report, header, folder, sources)
        yield _check_state(document, report.dates.first_day, number, sources)


def _check_genuine(
    document: bytes, report: Report, number: str, sources: ChainSources
) -> DocumentCheck:
    """Return whether the earlier certificate is genuine."""
    checks = list(sources.verify(document, signing_day(report, sources.law.signed_at)))
    for state, make, key in (
        (CheckState.FAILED, failed_check, "chain.not-genuine"),
        (CheckState.OPEN, open_check, "chain.unproven"),
    ):
        bad = next((check for check in checks if check.state is state), None)
        if bad is not None:
            return make("predecessor", key, certificate=number, problem=bad.message("en"))
    return passed_check("predecessor", "chain.genuine", certificate=number)


def _check_carried(
    document: bytes, report: Report, header: Header, folder: Path, sources: ChainSources
) -> DocumentCheck:
    """Return whether each provision that is carried over may be."""
    predecessor = header.predecessor
    if predecessor is None:
        return failed_check("carried", "chain.not-allowed", provision="–", obstacle="–")
    number = predecessor.certificate
    try:
        with (
            open_document_law(report, header, folder, sources.law) as found,
            open_document_side(document, sources.law, sources.beside, prove=False) as earlier,
        ):
            if found.law is None or earlier.report is None:
                return open_check("carried", "chain.unproven", certificate=number, problem="law")
            problem = _find_mismatch(earlier.report, report, predecessor)
            if problem is not None:
                return failed_check("carried", problem, certificate=number)
            decision = CarryDecision(
                earlier=EarlierCertificate(
                    report=earlier.report,
                    header=earlier.header,
                    law=earlier.law,
                    canonical=earlier.canonical,
                ),
                law=found.law,
                terms=header.terms,
                description=header.description,
                canonical=header.canonical,
                first_day=report.dates.first_day,
                policy=read_change_policy(),
            )
            allowed = decision.carried()
            obstacles = decision.obstacles()
    except (SeloError, UnreadableDocument, OSError) as error:
        return failed_check("predecessor", "chain.not-genuine", certificate=number, problem=error)
    for name, link in predecessor.carried.items():
        if allowed.get(name) != link:
            reason = obstacles.get(name) or "chain"
            return failed_check("carried", "chain.not-allowed", provision=name, obstacle=reason)
    return passed_check(
        "carried", "chain.carried", certificate=number, count=len(predecessor.carried)
    )


def _find_mismatch(earlier: Report, report: Report, predecessor: Predecessor) -> str | None:
    """Return why a document is not the earlier certificate that a run names, if it is not."""
    named = predecessor.certificate, predecessor.evidence_root
    if (earlier.number, earlier.evidence.root) != named:
        return "chain.other-document"
    if earlier.demonstration and not report.demonstration:
        return "chain.demonstration"
    return None


def _check_state(
    document: bytes, first_day: dt.date, number: str, sources: ChainSources
) -> DocumentCheck:
    """Return whether a registry says that the earlier certificate stands, and stood on a day."""
    registry = sources.registry
    if registry is None:
        return open_check("predecessor state", "chain.state-unknown", certificate=number)
    now = dt.datetime.now(dt.UTC)
    answer = ask_registry(registry, sources.registry_policy, numbers=[number])
    record = next((one for one in answer.records if one.number == number), None)
    if (
        answer.problems
        or answer.head is None
        or record is None
        or answer.freshness(now) is not ListFreshness.CURRENT
    ):
        return open_check("predecessor state", "chain.state-unknown", certificate=number)
    unsound = next(_unsound_states(answer, record, first_day, now), None)
    if record.document != hashlib.sha256(document).hexdigest():
        return failed_check("predecessor state", "chain.other-document", certificate=number)
    if unsound is not None:
        return failed_check("predecessor state", "chain.state", certificate=number, state=unsound)
    return passed_check("predecessor state", "chain.stands", certificate=number)


def _unsound_states(
    answer: RegistryAnswer, record: KnownCertificate, first_day: dt.date, now: dt.datetime
) -> Iterator[CertificateState]:
    """Yield states of a certificate, today and when it was carried over from, that forbid it."""
    today = answer.state_of(record.number, now)
    if today not in _SOUND_STATES:
        yield today
    if isinstance(record, CertificateRecord):
        then, before = (record.state_on(first_day - dt.timedelta(days=ago)) for ago in (0, 1))
        # A registry may have come to know it later.
        if then not in (*_SOUND_STATES, CertificateState.UNKNOWN):
            yield then
        # One superseded on that very day may have been so by what was examined.
        if before is CertificateState.SUPERSEDED:
            yield before
