"""The signatures of a document, and whether they are those that its report announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.report.model.dossier import DocumentKind
from selo.signing import Capacity
from selo.signing.signature_report import Expected
from selo.signing.verify import look
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
    from selo.signing.signature_report import Fault, Inspection, SignatureReport
    from selo.signing.verify import Known

#: Faults that say only that nobody told us whom to trust.
_UNTRUSTED_CODES = frozenset({"unknown", "stamp-unknown"})


def check_signatures(
    document: bytes, report: Report, trust: Sequence[x509.Certificate], known: Known | None
) -> Iterator[DocumentCheck]:
    """Yield a check for each signature, for the file as a whole, and for what it demonstrates."""
    if report.kind is DocumentKind.PRE_CHECK:
        found = look(document, trust, known=known)
        if found.signatures:
            yield failed_check("signatures", "signatures.pre-check")
        else:
            yield open_check("signatures", "signatures.not-asked")
        return
    wanted = tuple(dict.fromkeys(Capacity(signatory.role) for signatory in report.signatories))
    found = look(document, trust, known=known, expected=Expected(capacities=wanted))
    for signature in found.signatures:
        yield from _check_signature(signature, trusting=bool(trust))
    yield from _check_file(found, trusting=bool(trust))
    yield from _check_signatories(found, report)
    yield from _check_demonstration(found, report)


def _check_signature(one: SignatureReport, *, trusting: bool) -> Iterator[DocumentCheck]:
    name = f"signature {one.field}"
    slots = {
        "signer": one.signer,
        "level": one.level or "–",
        "at": one.stamped_at or one.claimed_at,
    }
    stamp = {name: value for name, value in slots.items() if name != "level"}
    grave = _grave_faults(one.faults, trusting=trusting)
    for fault in grave:
        yield failed_check(name, f"/sign.fault.{fault.code}", **fault.slots)
    if one.faults and not grave:
        yield open_check(name, "signature.untrusted", **slots)
    elif not grave:
        yield (
            passed_check(name, "timestamp", **stamp)
            if one.is_timestamp
            else passed_check(name, "signature", **slots)
        )


def _check_file(found: Inspection, *, trusting: bool) -> Iterator[DocumentCheck]:
    grave = _grave_faults(found.faults, trusting=trusting)
    for fault in grave:
        yield failed_check("signatures", f"/sign.fault.{fault.code}", **fault.slots)
    if grave:
        return
    if not found.signatures:
        yield failed_check("signatures", "signatures.none")
    else:
        yield passed_check("signatures", count=len(found.people))


def _check_signatories(found: Inspection, report: Report) -> Iterator[DocumentCheck]:
    """Yield whether each capacity was signed in by somebody else, and by whom it announces."""
    by_key: dict[tuple[str, str], list[SignatureReport]] = {}
    for person in found.people:
        by_key.setdefault((person.issuer, person.serial), []).append(person)
    for same in by_key.values():
        if len(same) > 1:
            fields = ", ".join(one.field for one in same)
            yield failed_check(
                "signatures", "signatures.same-key", signer=same[0].signer, fields=fields
            )
    for person in found.people:
        names = [
            signatory.name for signatory in report.signatories if person.capacity == signatory.role
        ]
        if names and not any(_names_the_person(name, person.signer) for name in names):
            yield warning_check(
                f"signatory {person.field}", "signatory", signer=person.signer, name=names[0]
            )


def _names_the_person(name: str, signer: str) -> bool:
    """Return whether a certificate names a person as the document does, or with more words."""
    return " ".join(name.split()).casefold() in " ".join(signer.split()).casefold()


def _grave_faults(faults: Sequence[Fault], *, trusting: bool) -> list[Fault]:
    """Return the faults that are wrong whomever one trusts."""
    return [fault for fault in faults if trusting or fault.code not in _UNTRUSTED_CODES]


def _check_demonstration(found: Inspection, report: Report) -> Iterator[DocumentCheck]:
    """Yield whether demonstration keys sign demonstrations, and only those."""
    keys = {person.demonstration for person in found.people}
    if keys and keys != {report.demonstration}:
        yield failed_check("demonstration", "demonstration.differs")
    elif report.demonstration:
        yield warning_check("demonstration", "demonstration" if keys else "demonstration.unsigned")
