"""What is said of one signature, given the light in which it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from asn1crypto import cms
from pyhanko.sign.diff_analysis import DiffResult, ModificationLevel
from pyhanko.sign.general import find_unique_cms_attribute
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.status import SignatureCoverageLevel

from selo.signing.cms_container import as_assembled, dug_out, timestamp_of
from selo.signing.keys import is_demonstration
from selo.signing.keys.certificates import name, valid_from, valid_until
from selo.signing.signature_report import (
    Changes,
    Revocation,
    SignatureCoverage,
    SignatureFault,
    SignatureReport,
    level_fault,
)
from selo.signing.signing_enums import PROGRAM, Capacity, Level, SignatureStanding
from selo.signing.verify.revisions import OnlySignatures

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from asn1crypto import x509
    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

    from selo.signing.verify.trust_context import TrustContext

_COVERAGE: Final = {
    SignatureCoverageLevel.ENTIRE_FILE: SignatureCoverage.FILE,
    SignatureCoverageLevel.ENTIRE_REVISION: SignatureCoverage.REVISION,
}
_CHANGES: Final = {
    ModificationLevel.NONE: Changes.NONE,
    ModificationLevel.LTA_UPDATES: Changes.TIMESTAMPS,
    ModificationLevel.FORM_FILLING: Changes.SIGNATURES,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddedSignature:
    """A signature in its document."""

    embedded: EmbeddedPdfSignature
    document: bytes
    certifies: bool

    def hole(self) -> bytes:
        """Return the bytes that the signature does not cover."""
        _, length, start, _ = (int(number) for number in self.embedded.byte_range)
        return self.document[length:start]

    def is_timestamp(self) -> bool:
        """Return whether it is a timestamp over the document."""
        return bool(self.embedded.sig_object_type == "/DocTimeStamp")

    def intact(self) -> bool:
        """Return whether the signed bytes are those that were signed."""
        if self.is_timestamp():
            content = self.embedded.signed_data["encap_content_info"]["content"].parsed
            signed = content["message_imprint"]["hashed_message"].native
        else:
            attributes = self.embedded.signer_info["signed_attrs"]
            signed = find_unique_cms_attribute(attributes, "message_digest").native
        return bool(self.embedded.compute_digest() == signed)

    def ends_file(self) -> bool:
        """Return whether the last signed byte is the last of the file."""
        _, _, start, length = (int(number) for number in self.embedded.byte_range)
        return start + length == len(self.document)


def validate_signature(
    seen: EmbeddedSignature, light: TrustContext, later: Sequence[SignatureReport]
) -> SignatureReport:
    """Return what is said of a signature, given the reports on everything signed `later`."""
    proven = min(
        (one.stamped_at for one in later if one.is_timestamp and one.stamped_at), default=light.now
    )
    if not seen.intact():
        return _report_altered(seen, light)
    if seen.is_timestamp():
        return _timestamp(seen, light, proven)
    return _signature(seen, light, proven, sealed=proven != light.now)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Nothing:
    """What can be said of a signature on other bytes."""

    signing_cert: x509.Certificate
    intact: bool = False
    valid: bool = False
    trusted: bool = False


def _report_altered(seen: EmbeddedSignature, light: TrustContext) -> SignatureReport:
    """Report on a signature on other bytes: who signed them no longer matters."""
    embedded = seen.embedded
    said = _CommonFacts(
        faults=(SignatureFault(code="altered"),),
        level=None,
        claimed_at=embedded.self_reported_timestamp,
        stamped_at=None,
        moment=light.now,
        trusted=False,
        complete=False,
    )
    return _report(seen, _Nothing(signing_cert=embedded.signer_cert), light, said)


def _timestamp(
    seen: EmbeddedSignature, light: TrustContext, proven: dt.datetime
) -> SignatureReport:
    status = validate_pdf_timestamp(seen.embedded, light.at(proven), diff_policy=OnlySignatures())
    chain = light.fault(status, proven)
    faults = [*_integrity_faults(seen, status, chain), *_container(seen, status, None)]
    said = _CommonFacts(
        faults=(*faults, *_change_faults(seen)),
        level=None,
        claimed_at=status.timestamp,
        stamped_at=None if faults else status.timestamp,
        moment=status.timestamp,
        trusted=chain is None,
        complete=chain is None and light.complete(status, proven),
    )
    return _report(seen, status, light, said)


def _signature(
    seen: EmbeddedSignature, light: TrustContext, proven: dt.datetime, *, sealed: bool
) -> SignatureReport:
    embedded = seen.embedded
    token = timestamp_of(cms.ContentInfo.load(embedded.pkcs7_content))
    told = proven if token is None else _timestamp_facts(token)
    status = _validate_status(embedded, light, told, proven)
    stamp: Any = status.timestamp_validity
    wrong = [] if token is None else [*_stamp_faults(token, stamp, light, proven)]
    stamped = token is not None and not wrong
    moment = told if stamped else proven
    if moment != told:
        # A time that nobody vouches for must not make an expired certificate good.
        status = _validate_status(embedded, light, proven, proven)
    chain = light.fault(status, moment)
    complete = chain is None and light.complete(status, moment)
    level = Level.B
    if stamped:
        level = Level.T
        if complete and light.complete(stamp, proven):
            level = Level.LTA if sealed else Level.LT
    faults = [*_integrity_faults(seen, status, chain), *_container(seen, status, token), *wrong]
    announced = _announced_level(embedded)
    if not faults and announced is not None and not level.reaches(announced):
        faults.append(level_fault(embedded.field_name, announced))
    said = _CommonFacts(
        faults=(*faults, *_change_faults(seen)),
        level=level if status.intact and status.valid else None,
        claimed_at=embedded.self_reported_timestamp,
        stamped_at=moment if stamped else None,
        moment=moment,
        trusted=chain is None,
        complete=complete,
    )
    return _report(seen, status, light, said)


def _validate_status(
    embedded: EmbeddedPdfSignature, light: TrustContext, moment: dt.datetime, proven: dt.datetime
) -> Any:
    return validate_pdf_signature(
        embedded, light.at(moment), light.at(proven), diff_policy=OnlySignatures()
    )


def _announced_level(embedded: EmbeddedPdfSignature) -> Level | None:
    """Return the level at which a signature of Selo says it was made."""
    if "/Prop_Build" not in embedded.sig_object:
        return None
    program = embedded.sig_object["/Prop_Build"]["/App"]
    if program.get("/Name") != f"/{PROGRAM}":
        return None
    return Level(program["/REx"])


def _timestamp_facts(token: cms.ContentInfo) -> dt.datetime:
    moment: dt.datetime = (
        token["content"]["encap_content_info"]["content"].parsed["gen_time"].native
    )
    return moment


@dataclass(frozen=True, kw_only=True, slots=True)
class _CommonFacts:
    """What signatures and timestamps have in common, worked out in different ways."""

    faults: tuple[SignatureFault, ...]
    level: Level | None
    claimed_at: dt.datetime | None
    stamped_at: dt.datetime | None
    #: When it was signed, as far as that is known.
    moment: dt.datetime
    trusted: bool
    complete: bool


def _report(
    seen: EmbeddedSignature, status: Any, light: TrustContext, said: _CommonFacts
) -> SignatureReport:
    certificate = status.signing_cert
    embedded = seen.embedded
    revocation = Revocation.GOOD if said.complete else Revocation.UNKNOWN
    if any(fault.code == "revoked" for fault in said.faults):
        revocation = Revocation.REVOKED
    return SignatureReport(
        field=embedded.field_name,
        is_timestamp=seen.is_timestamp(),
        certifies=seen.certifies,
        capacity=Capacity.of(embedded.field_name),
        signer=name(certificate),
        subject=certificate.subject.human_friendly,
        issuer=certificate.issuer.human_friendly,
        serial=f"{certificate.serial_number:x}",
        claimed_at=said.claimed_at,
        stamped_at=said.stamped_at,
        level=said.level,
        standing=_standing_of(status, light),
        intact=status.intact,
        valid=status.valid,
        trusted=said.trusted,
        revocation=revocation,
        valid_from=valid_from(certificate),
        valid_until=valid_until(certificate),
        in_time=valid_from(certificate) <= said.moment <= valid_until(certificate),
        coverage=_coverage(embedded),
        ends_file=seen.ends_file(),
        changes=_changes(embedded),
        demonstration=is_demonstration(certificate),
        faults=said.faults,
    )


def _standing_of(status: Any, light: TrustContext) -> SignatureStanding:
    if not status.trusted or not light.qualified:
        return SignatureStanding.ADVANCED
    roots = {root.dump() for root in light.qualified}
    path = {iter_cert.dump() for iter_cert in status.validation_path.iter_certs(include_root=True)}
    return SignatureStanding.QUALIFIED if roots & path else SignatureStanding.ADVANCED


def _integrity_faults(
    seen: EmbeddedSignature, status: Any, chain: str | None
) -> Iterator[SignatureFault]:
    if not status.intact:
        yield SignatureFault(code="altered")
    elif not status.valid:
        yield SignatureFault(code="forged")
    elif chain is not None:
        yield SignatureFault(code=chain, slots={"signer": name(status.signing_cert)})
    if _coverage(seen.embedded) is SignatureCoverage.PARTIAL:
        yield SignatureFault(code="partial")


def _container(
    seen: EmbeddedSignature, status: Any, token: cms.ContentInfo | None
) -> Iterator[SignatureFault]:
    """Yield a fault if there is a byte in the container that nothing accounts for."""
    inside = dug_out(seen.hole())
    if inside is None:
        yield SignatureFault(code="container")
    elif status.trusted:
        path = status.validation_path.iter_certs(include_root=True)
        raw = None if token is None else token.dump()
        if not as_assembled(inside, path, raw):
            yield SignatureFault(code="container")


def _stamp_faults(
    token: cms.ContentInfo, stamp: Any, light: TrustContext, proven: dt.datetime
) -> Iterator[SignatureFault]:
    if stamp is None or not (stamp.intact and stamp.valid):
        yield SignatureFault(code="stamp-altered")
        return
    chain = light.fault(stamp, proven)
    if chain is not None:
        yield SignatureFault(code=f"stamp-{chain}", slots={"signer": name(stamp.signing_cert)})
    elif not as_assembled(token.dump(), stamp.validation_path.iter_certs(include_root=True), None):
        yield SignatureFault(code="container")


def _coverage(embedded: EmbeddedPdfSignature) -> SignatureCoverage:
    found: Any = embedded.coverage
    return _COVERAGE.get(found, SignatureCoverage.PARTIAL)


def _changes(embedded: EmbeddedPdfSignature) -> Changes:
    result = _difference(embedded)
    if not isinstance(result, DiffResult):
        return Changes.OTHER
    return _CHANGES.get(result.modification_level, Changes.OTHER)


def _change_faults(seen: EmbeddedSignature) -> Iterator[SignatureFault]:
    if _changes(seen.embedded) is Changes.OTHER:
        yield SignatureFault(code="changed", slots={"what": str(_difference(seen.embedded))})


def _difference(embedded: EmbeddedPdfSignature) -> Any:
    # pyHanko declares it as None and sets it later.
    return embedded.diff_result
