"""The signatures of a document, and whether they are those that its report announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.report.model.dossier import DocumentKind
from selo.signing import Capacity
from selo.signing.signature_report import Expected
from selo.signing.verify import look
from selo.verification.verification_report import Check, failed, holds, left_open, warned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asn1crypto import x509

    from selo.report.model.report_model import Report
    from selo.signing.signature_report import Fault, Inspection, SignatureReport
    from selo.signing.verify import Known

#: Faults that say only that nobody told us whom to trust.
_UNKNOWN = frozenset({"unknown", "stamp-unknown"})


def signature_checks(
    document: bytes, report: Report, trust: Sequence[x509.Certificate], known: Known | None
) -> Iterator[Check]:
    """Yield a check for each signature, for the file as a whole, and for what it demonstrates."""
    if report.kind is DocumentKind.PRE_CHECK:
        found = look(document, trust, known=known)
        if found.signatures:
            yield failed("signatures", "signatures.pre-check")
        else:
            yield left_open("signatures", "signatures.not-asked")
        return
    wanted = tuple(dict.fromkeys(Capacity(signatory.role) for signatory in report.signatories))
    found = look(document, trust, known=known, expected=Expected(capacities=wanted))
    for signature in found.signatures:
        yield from _signature(signature, trusting=bool(trust))
    yield from _file(found, trusting=bool(trust))
    yield from _people(found, report)
    yield from _demonstrated(found, report)


def _signature(one: SignatureReport, *, trusting: bool) -> Iterator[Check]:
    name = f"signature {one.field}"
    slots = {
        "signer": one.signer,
        "level": one.level or "–",
        "at": one.stamped_at or one.claimed_at,
    }
    stamp = {name: value for name, value in slots.items() if name != "level"}
    grave = _grave(one.faults, trusting=trusting)
    for fault in grave:
        yield failed(name, f"/sign.fault.{fault.code}", **fault.slots)
    if one.faults and not grave:
        yield left_open(name, "signature.untrusted", **slots)
    elif not grave:
        yield (
            holds(name, "timestamp", **stamp)
            if one.is_timestamp
            else holds(name, "signature", **slots)
        )


def _file(found: Inspection, *, trusting: bool) -> Iterator[Check]:
    grave = _grave(found.faults, trusting=trusting)
    for fault in grave:
        yield failed("signatures", f"/sign.fault.{fault.code}", **fault.slots)
    if grave:
        return
    if not found.signatures:
        yield failed("signatures", "signatures.none")
    else:
        yield holds("signatures", count=len(found.people))


def _people(found: Inspection, report: Report) -> Iterator[Check]:
    """Yield whether each capacity was signed in by somebody else, and by whom it announces."""
    by_key: dict[tuple[str, str], list[SignatureReport]] = {}
    for person in found.people:
        by_key.setdefault((person.issuer, person.serial), []).append(person)
    for same in by_key.values():
        if len(same) > 1:
            fields = ", ".join(one.field for one in same)
            yield failed("signatures", "signatures.same-key", signer=same[0].signer, fields=fields)
    for person in found.people:
        names = [
            signatory.name for signatory in report.signatories if person.capacity == signatory.role
        ]
        if names and not any(_alike(name, person.signer) for name in names):
            yield warned(
                f"signatory {person.field}", "signatory", signer=person.signer, name=names[0]
            )


def _alike(name: str, signer: str) -> bool:
    """Return whether a certificate names a person as the document does, or with more words."""
    return " ".join(name.split()).casefold() in " ".join(signer.split()).casefold()


def _grave(faults: Sequence[Fault], *, trusting: bool) -> list[Fault]:
    """Return the faults that are wrong whomever one trusts."""
    return [fault for fault in faults if trusting or fault.code not in _UNKNOWN]


def _demonstrated(found: Inspection, report: Report) -> Iterator[Check]:
    """Yield whether demonstration keys sign demonstrations, and only those."""
    keys = {person.demonstration for person in found.people}
    if keys and keys != {report.demonstration}:
        yield failed("demonstration", "demonstration.differs")
    elif report.demonstration:
        yield warned("demonstration", "demonstration" if keys else "demonstration.unsigned")
