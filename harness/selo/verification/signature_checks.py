"""Checks the signatures of a document against those that its report announces.

A trusted timestamp proves that the document existed at that time, so the days that it states are
compared with it: nothing in it happened later.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from selo.report.model.dossier import DocumentKind, Dossier
from selo.signing import Capacity, Level
from selo.signing.keys.timestamps import CLOCK_TOLERANCE
from selo.signing.signature_report import ExpectedSignatures, Revocation
from selo.signing.verify import inspect_signatures
from selo.verification.verification_report import (
    CheckState,
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asn1crypto import x509

    from selo.report.model.report_model import Report
    from selo.signing.signature_report import Inspection, SignatureFault, SignatureReport
    from selo.signing.signer_policy import SignerPolicy
    from selo.signing.verify import ValidationKnowledge

#: Who must sign a document of each kind.
_REQUIRED_CAPACITIES: Final = {
    DocumentKind.PRE_CHECK: (),
    DocumentKind.TEST_REPORT: (Capacity.LABORATORY,),
    DocumentKind.CERTIFICATE: (Capacity.LABORATORY, Capacity.BUREAU),
}
#: The levels whose time somebody else proves.
_STAMPED_LEVELS: Final = frozenset({Level.T, Level.LT, Level.LTA})
#: Faults that only say that the trust anchor is not known here.
_UNTRUSTED_CODES = frozenset({"unknown", "stamp-unknown"})


def check_signatures(
    document: bytes,
    report: Report,
    trust: Sequence[x509.Certificate],
    known: ValidationKnowledge | None,
    policy: SignerPolicy | None = None,
) -> Iterator[DocumentCheck]:
    """Check each signature, the file as a whole, the signatories and the demonstration mark.

    `policy` says who may sign; without one nobody is known to be allowed to certify.
    """
    if report.kind is DocumentKind.PRE_CHECK:
        inspection = inspect_signatures(document, trust, knowledge=known)
        if inspection.signatures:
            yield failed_check("signatures", "signatures.pre-check")
        else:
            yield open_check("signatures", "signatures.not-asked")
        return
    announced = (Capacity(signatory.role) for signatory in report.signatories)
    capacities = tuple(dict.fromkeys((*_REQUIRED_CAPACITIES[report.kind], *announced)))
    inspection = inspect_signatures(
        document, trust, knowledge=known, expected=ExpectedSignatures(capacities=capacities)
    )
    for signature in inspection.signatures:
        yield from _check_signature(signature, trusting=bool(trust))
    yield from _check_file(inspection, trusting=bool(trust))
    yield from _check_signatories(inspection, report)
    if trust and inspection.people:
        yield from _check_policy(inspection, policy)
        yield from _check_revocation(inspection)
    yield from _check_demonstration(inspection, report)


def find_signing_time(signatures: Iterable[DocumentCheck]) -> dt.datetime | None:
    """Return when a document was signed, as the earliest trusted timestamp proves."""
    stamps = [
        dt.datetime.fromisoformat(check.slots["at"])
        for check in signatures
        if check.state is CheckState.HOLDS
        and (
            check.key == "timestamp"
            or (check.key == "signature" and check.slots["level"] in _STAMPED_LEVELS)
        )
    ]
    return min(stamps, default=None)


def signing_day(report: Report, signed_at: dt.datetime | None) -> dt.date:
    """Return the day on which a document was signed: its day of issue, or a later one if proven."""
    issued = report.dates.issued
    return issued if signed_at is None else max(issued, _day_in_zone(report, signed_at))


def check_dates(report: Report, signed_at: dt.datetime | None) -> Iterator[DocumentCheck]:
    """Check the days that a document states against the time at which it was signed."""
    if signed_at is None:
        return
    dates, day = report.dates, _day_in_zone(report, signed_at)
    latest = max(filter(None, (dates.received, dates.first_day, dates.last_day, dates.issued)))
    if latest > _day_in_zone(report, signed_at + CLOCK_TOLERANCE):
        yield failed_check("dates", "dates.later", day=latest, signed=day)
    elif dates.valid_until is not None and dates.valid_until < day:
        yield failed_check("dates", "dates.over", day=dates.valid_until, signed=day)
    elif dates.issued < day:
        yield warning_check("dates", "dates.issued-earlier", day=dates.issued, signed=day)
    else:
        yield passed_check("dates", signed=day)


def _day_in_zone(report: Report, moment: dt.datetime) -> dt.date:
    return moment.astimezone(Dossier(time_zone=report.dates.time_zone).zone()).date()


def _check_signature(signature: SignatureReport, *, trusting: bool) -> Iterator[DocumentCheck]:
    name = f"signature {signature.field}"
    slots = {
        "signer": signature.signer,
        "level": signature.level or "–",
        "at": signature.stamped_at or signature.claimed_at,
    }
    stamp = {name: value for name, value in slots.items() if name != "level"}
    grave = _grave_faults(signature.faults, trusting=trusting)
    for fault in grave:
        yield failed_check(name, f"/sign.fault.{fault.code}", **fault.slots)
    if signature.faults and not grave:
        yield open_check(name, "signature.untrusted", **slots)
    elif not grave:
        yield (
            passed_check(name, "timestamp", **stamp)
            if signature.is_timestamp
            else passed_check(name, "signature", **slots)
        )


def _check_file(inspection: Inspection, *, trusting: bool) -> Iterator[DocumentCheck]:
    grave = _grave_faults(inspection.faults, trusting=trusting)
    for fault in grave:
        yield failed_check("signatures", f"/sign.fault.{fault.code}", **fault.slots)
    if grave:
        return
    if not inspection.signatures:
        yield failed_check("signatures", "signatures.none")
    else:
        yield passed_check("signatures", count=len(inspection.people))


def _check_signatories(inspection: Inspection, report: Report) -> Iterator[DocumentCheck]:
    """Check that every capacity was signed by a different key, of the person announced for it."""
    by_key: dict[str, list[SignatureReport]] = {}
    for person in inspection.people:
        by_key.setdefault(person.identity.key, []).append(person)
    for signatures in by_key.values():
        if len(signatures) > 1:
            fields = ", ".join(signature.field for signature in signatures)
            yield failed_check(
                "signatures", "signatures.same-key", signer=signatures[0].signer, fields=fields
            )
    for person in inspection.people:
        names = [
            signatory.name for signatory in report.signatories if person.capacity == signatory.role
        ]
        if not any(person.identity.is_called(name) for name in names):
            yield open_check(
                f"signatory {person.field}",
                "signatory",
                signer=person.signer,
                name=names[0] if names else "–",
            )


def _check_policy(inspection: Inspection, policy: SignerPolicy | None) -> Iterator[DocumentCheck]:
    """Check that each signer may sign in their capacity."""
    if policy is None or not policy.signers:
        yield open_check("signers", "signers.unchecked")
        return
    for person in inspection.people:
        name = f"signer {person.field}"
        slots = {"signer": person.signer, "capacity": person.capacity or "–"}
        if person.capacity is not None and policy.allows(person.identity, person.capacity):
            yield passed_check(name, f"signer.{person.capacity}", signer=person.signer)
        else:
            yield failed_check(name, "signer.not-allowed", **slots)


def _check_revocation(inspection: Inspection) -> Iterator[DocumentCheck]:
    """Check that a list was at hand that says whether each signer was revoked."""
    for signature in inspection.signatures:
        if signature.revocation is Revocation.UNKNOWN and not signature.faults:
            yield open_check(
                f"revocation {signature.field}", "revocation.unknown", signer=signature.signer
            )


def _grave_faults(faults: Sequence[SignatureFault], *, trusting: bool) -> list[SignatureFault]:
    """Return the faults that count whatever trust anchors are known."""
    return [fault for fault in faults if trusting or fault.code not in _UNTRUSTED_CODES]


def _check_demonstration(inspection: Inspection, report: Report) -> Iterator[DocumentCheck]:
    """Check that demonstration keys sign demonstrations, and only those."""
    keys = {person.demonstration for person in inspection.people}
    if keys and keys != {report.demonstration}:
        yield failed_check("demonstration", "demonstration.differs")
    elif report.demonstration:
        yield warning_check("demonstration", "demonstration" if keys else "demonstration.unsigned")
