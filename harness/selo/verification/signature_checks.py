"""Checks the signatures of a document against those that its report announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.report.model.dossier import DocumentKind
from selo.signing import Capacity
from selo.signing.signature_report import ExpectedSignatures
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
    from selo.signing.verify import ValidationKnowledge

#: Faults that only say that the trust anchor is not known here.
_UNTRUSTED_CODES = frozenset({"unknown", "stamp-unknown"})


def check_signatures(
    document: bytes,
    report: Report,
    trust: Sequence[x509.Certificate],
    known: ValidationKnowledge | None,
) -> Iterator[DocumentCheck]:
    """Check each signature, the file as a whole, the signatories and the demonstration mark."""
    if report.kind is DocumentKind.PRE_CHECK:
        inspection = inspect_signatures(document, trust, knowledge=known)
        if inspection.signatures:
            yield failed_check("signatures", "signatures.pre-check")
        else:
            yield open_check("signatures", "signatures.not-asked")
        return
    capacities = tuple(dict.fromkeys(Capacity(signatory.role) for signatory in report.signatories))
    inspection = inspect_signatures(
        document, trust, knowledge=known, expected=ExpectedSignatures(capacities=capacities)
    )
    for signature in inspection.signatures:
        yield from _check_signature(signature, trusting=bool(trust))
    yield from _check_file(inspection, trusting=bool(trust))
    yield from _check_signatories(inspection, report)
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
    by_key: dict[tuple[str, str], list[SignatureReport]] = {}
    for person in inspection.people:
        by_key.setdefault((person.issuer, person.serial), []).append(person)
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
        if names and not any(_names_the_person(name, person.signer) for name in names):
            yield warning_check(
                f"signatory {person.field}", "signatory", signer=person.signer, name=names[0]
            )


def _names_the_person(name: str, signer: str) -> bool:
    """Return whether the signer's name in a certificate contains the name in the document."""
    return " ".join(name.split()).casefold() in " ".join(signer.split()).casefold()


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
