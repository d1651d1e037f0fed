"""Checks the signatures of a document against those that its report announces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.dossier import DocumentKind
from selo.signing import Capacity
from selo.signing.signature_report import ExpectedSignatures, Revocation
from selo.signing.verify import inspect_signatures
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
