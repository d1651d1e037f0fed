"""Checks the seed of a document: what was committed to, whether that was revealed, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.examine.run.seed_commitment import SealedSeed
from selo.report.model.dossier import Dossier
from selo.signing.verify import inspect_stamp
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from selo.examine.run.evidence_header import Header
    from selo.report.model.report_model import Report
    from selo.verification.document_law import LawSources


def check_seed(
    report: Report, header: Header, footer: Mapping[str, Any], sources: LawSources
) -> Iterator[DocumentCheck]:
    """Check that the revealed seed is the one that was committed to, and when that was."""
    if header.commitment is None:
        if report.method.seed.commitment is not None:
            yield failed_check("seed", "seed.never-committed")
        if sources.commitment is not None:
            yield failed_check("seed", "seed.other", commitment="–")
        return
    try:
        sealed = msgspec.convert(footer["sealed"], SealedSeed)
    except (msgspec.ValidationError, KeyError) as error:
        yield failed_check("seed", "seed.not-revealed", problem=error)
        return
    fits = (
        sealed.commitment == header.commitment == report.method.seed.commitment
        and sealed.number == header.terms.seed == report.method.seed.number
    )
    if not fits or header.commitment_token != report.method.seed.token:
        yield failed_check("seed", "seed.differs", commitment=sealed.commitment)
        return
    yield from _check_time(report, header, header.commitment, sources)


def _check_time(
    report: Report, header: Header, commitment: str, sources: LawSources
) -> Iterator[DocumentCheck]:
    """Check when the seed was committed to; without a proof of that the check stays open."""
    proven = False
    if header.commitment_token is not None:
        check = _check_stamp(report, header.commitment_token, commitment, sources)
        yield check
        proven = True
    if sources.commitment is not None:
        if sources.commitment == commitment:
            yield passed_check("commitment", "seed.published", commitment=commitment)
        else:
            yield failed_check("commitment", "seed.other", commitment=commitment)
        proven = True
    if sources.registered_at is not None:
        slots = {"at": sources.registered_at, "commitment": commitment}
        if not _is_late(report, sources.registered_at):
            yield passed_check("commitment", "seed.registered", **slots)
        elif not proven:
            day = report.dates.first_day
            yield failed_check("commitment", "seed.registered-late", day=day, **slots)
        proven = True
    if not proven:
        yield open_check("seed", "seed.when", commitment=commitment)


def _is_late(report: Report, at: dt.datetime) -> bool:
    """Return whether a time is after the first day of the test."""
    zone = Dossier(time_zone=report.dates.time_zone).zone()
    return at.astimezone(zone).date() > report.dates.first_day


def _check_stamp(report: Report, token: str, commitment: str, sources: LawSources) -> DocumentCheck:
    policy = sources.policy
    stamp = inspect_stamp(
        token,
        commitment,
        () if policy is None else policy.roots,
        () if policy is None else policy.revocations,
        at=sources.signed_at,
    )
    if not stamp.is_intact or stamp.at is None:
        return failed_check("seed", "seed.stamp-refused")
    slots = {"at": stamp.at, "authority": stamp.authority, "commitment": commitment}
    if _is_late(report, stamp.at):
        return failed_check("seed", "seed.late", day=report.dates.first_day, **slots)
    if not stamp.is_trusted:
        return open_check("seed", "seed.stamp-untrusted", **slots)
    return passed_check("seed", "seed.stamped", **slots)
