"""Validation of one signature or document timestamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from asn1crypto import cms
from pyhanko.sign.diff_analysis import DiffResult, ModificationLevel
from pyhanko.sign.general import find_unique_cms_attribute
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.status import SignatureCoverageLevel

from selo.signing.cms_container import extract_container, is_canonical_container, timestamp_of
from selo.signing.keys import is_demonstration
from selo.signing.keys.certificates import certificate_name, valid_from, valid_until
from selo.signing.signature_report import (
    Changes,
    Revocation,
    SignatureCoverage,
    SignatureFault,
    SignatureReport,
    level_fault,
)
from selo.signing.signer_policy import identify_signer
from selo.signing.signing_enums import PROGRAM, Capacity, Level, SignatureStanding
from selo.signing.verify.revisions import SignaturesOnlyPolicy

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

    def gap(self) -> bytes:
        """Return the bytes between the two signed ranges."""
        _, length, start, _ = (int(number) for number in self.embedded.byte_range)
        return self.document[length:start]

    def is_timestamp(self) -> bool:
        """Return whether it is a document timestamp."""
        return bool(self.embedded.sig_object_type == "/DocTimeStamp")

    def is_intact(self) -> bool:
        """Return whether the signed bytes are unchanged."""
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
    signature: EmbeddedSignature, context: TrustContext, later: Sequence[SignatureReport]
) -> SignatureReport:
    """Return the report on a signature, given the reports on everything signed `later`."""
    proven = min(
        (report.stamped_at for report in later if report.is_timestamp and report.stamped_at),
        default=context.now,
    )
    if not signature.is_intact():
        return _report_altered(signature, context)
    if signature.is_timestamp():
        return _report_timestamp(signature, context, proven)
    return _report_signature(signature, context, proven, sealed=proven != context.now)


@dataclass(frozen=True, kw_only=True, slots=True)
class _AlteredStatus:
    """The status of a signature whose signed bytes were changed."""

    signing_cert: x509.Certificate
    intact: bool = False
    valid: bool = False
    trusted: bool = False


def _report_altered(signature: EmbeddedSignature, context: TrustContext) -> SignatureReport:
    """Report on a signature whose signed bytes were changed; its chain no longer matters."""
    embedded = signature.embedded
    facts = _CommonFacts(
        faults=(SignatureFault(code="altered"),),
        level=None,
        claimed_at=embedded.self_reported_timestamp,
        stamped_at=None,
        moment=context.now,
        trusted=False,
        looked_up=False,
    )
    return _make_report(
        signature, _AlteredStatus(signing_cert=embedded.signer_cert), context, facts
    )


def _report_timestamp(
    signature: EmbeddedSignature, context: TrustContext, proven: dt.datetime
) -> SignatureReport:
    status = validate_pdf_timestamp(
        signature.embedded, context.at(proven), diff_policy=SignaturesOnlyPolicy()
    )
    chain = context.chain_fault(status, proven)
    faults = [
        *_integrity_faults(signature, status, chain),
        *_container_faults(signature, status, None),
    ]
    facts = _CommonFacts(
        faults=(*faults, *_change_faults(signature)),
        level=None,
        claimed_at=status.timestamp,
        stamped_at=None if faults else status.timestamp,
        moment=status.timestamp,
        trusted=chain is None,
        looked_up=chain is None and context.is_revocation_looked_up(status, proven),
    )
    return _make_report(signature, status, context, facts)


def _report_signature(
    signature: EmbeddedSignature, context: TrustContext, proven: dt.datetime, *, sealed: bool
) -> SignatureReport:
    embedded = signature.embedded
    token = timestamp_of(cms.ContentInfo.load(embedded.pkcs7_content))
    stamped_time = proven if token is None else _time_in(token)
    status = _validate_status(embedded, context, stamped_time, proven)
    stamp: Any = status.timestamp_validity
    stamp_faults = [] if token is None else [*_stamp_faults(token, stamp, context, proven)]
    stamped = token is not None and not stamp_faults
    moment = stamped_time if stamped else proven
    if moment != stamped_time:
        # An untrusted time must not make an expired certificate valid.
        status = _validate_status(embedded, context, proven, proven)
    chain = context.chain_fault(status, moment)
    complete = chain is None and context.is_self_sufficient(status, moment)
    level = Level.B
    if stamped:
        level = Level.T
        if complete and context.is_self_sufficient(stamp, proven):
            level = Level.LTA if sealed else Level.LT
    faults = [
        *_integrity_faults(signature, status, chain),
        *_container_faults(signature, status, token),
        *stamp_faults,
    ]
    announced = _announced_level(embedded)
    if not faults and announced is not None and not level.reaches(announced):
        faults.append(level_fault(embedded.field_name, announced))
    facts = _CommonFacts(
        faults=(*faults, *_change_faults(signature)),
        level=level if status.intact and status.valid else None,
        claimed_at=embedded.self_reported_timestamp,
        stamped_at=moment if stamped else None,
        moment=moment,
        trusted=chain is None,
        looked_up=chain is None and context.is_revocation_looked_up(status, moment),
    )
    return _make_report(signature, status, context, facts)


def _validate_status(
    embedded: EmbeddedPdfSignature, context: TrustContext, moment: dt.datetime, proven: dt.datetime
) -> Any:
    return validate_pdf_signature(
        embedded, context.at(moment), context.at(proven), diff_policy=SignaturesOnlyPolicy()
    )


def _announced_level(embedded: EmbeddedPdfSignature) -> Level | None:
    """Return the level that a signature made by Selo claims."""
    if "/Prop_Build" not in embedded.sig_object:
        return None
    program = embedded.sig_object["/Prop_Build"]["/App"]
    if program.get("/Name") != f"/{PROGRAM}":
        return None
    return Level(program["/REx"])


def _time_in(token: cms.ContentInfo) -> dt.datetime:
    moment: dt.datetime = (
        token["content"]["encap_content_info"]["content"].parsed["gen_time"].native
    )
    return moment


@dataclass(frozen=True, kw_only=True, slots=True)
class _CommonFacts:
    """Facts of the report that signatures and timestamps derive in different ways."""

    faults: tuple[SignatureFault, ...]
    level: Level | None
    claimed_at: dt.datetime | None
    stamped_at: dt.datetime | None
    #: Best known time of signing.
    moment: dt.datetime
    trusted: bool
    #: Whether a list was at hand for every certificate of the chain.
    looked_up: bool


def _make_report(
    signature: EmbeddedSignature, status: Any, context: TrustContext, facts: _CommonFacts
) -> SignatureReport:
    certificate = status.signing_cert
    embedded = signature.embedded
    revocation = Revocation.GOOD if facts.looked_up else Revocation.UNKNOWN
    if any(fault.code == "revoked" for fault in facts.faults):
        revocation = Revocation.REVOKED
    return SignatureReport(
        field=embedded.field_name,
        is_timestamp=signature.is_timestamp(),
        certifies=signature.certifies,
        capacity=Capacity.of_field(embedded.field_name),
        signer=certificate_name(certificate),
        subject=certificate.subject.human_friendly,
        issuer=certificate.issuer.human_friendly,
        serial=f"{certificate.serial_number:x}",
        identity=identify_signer(certificate),
        claimed_at=facts.claimed_at,
        stamped_at=facts.stamped_at,
        level=facts.level,
        standing=_standing_of(status, context),
        intact=status.intact,
        valid=status.valid,
        trusted=facts.trusted,
        revocation=revocation,
        valid_from=valid_from(certificate),
        valid_until=valid_until(certificate),
        in_time=valid_from(certificate) <= facts.moment <= valid_until(certificate),
        coverage=_coverage_of(embedded),
        ends_file=signature.ends_file(),
        changes=_changes_after(embedded),
        demonstration=is_demonstration(certificate),
        faults=facts.faults,
    )


def _standing_of(status: Any, context: TrustContext) -> SignatureStanding:
    if not status.trusted or not context.qualified:
        return SignatureStanding.ADVANCED
    roots = {root.dump() for root in context.qualified}
    path = {
        certificate.dump() for certificate in status.validation_path.iter_certs(include_root=True)
    }
    return SignatureStanding.QUALIFIED if roots & path else SignatureStanding.ADVANCED


def _integrity_faults(
    signature: EmbeddedSignature, status: Any, chain: str | None
) -> Iterator[SignatureFault]:
    if not status.intact:
        yield SignatureFault(code="altered")
    elif not status.valid:
        yield SignatureFault(code="forged")
    elif chain is not None:
        yield SignatureFault(code=chain, slots={"signer": certificate_name(status.signing_cert)})
    if _coverage_of(signature.embedded) is SignatureCoverage.PARTIAL:
        yield SignatureFault(code="partial")


def _container_faults(
    signature: EmbeddedSignature, status: Any, token: cms.ContentInfo | None
) -> Iterator[SignatureFault]:
    """Yield a fault if any byte of the container is not accounted for."""
    container = extract_container(signature.gap())
    if container is None:
        yield SignatureFault(code="container")
    elif status.trusted:
        path = status.validation_path.iter_certs(include_root=True)
        raw = None if token is None else token.dump()
        if not is_canonical_container(container, path, raw):
            yield SignatureFault(code="container")


def _stamp_faults(
    token: cms.ContentInfo, stamp: Any, context: TrustContext, proven: dt.datetime
) -> Iterator[SignatureFault]:
    if stamp is None or not (stamp.intact and stamp.valid):
        yield SignatureFault(code="stamp-altered")
        return
    chain = context.chain_fault(stamp, proven)
    if chain is not None:
        yield SignatureFault(
            code=f"stamp-{chain}", slots={"signer": certificate_name(stamp.signing_cert)}
        )
    elif not is_canonical_container(
        token.dump(), stamp.validation_path.iter_certs(include_root=True), None
    ):
        yield SignatureFault(code="container")


def _coverage_of(embedded: EmbeddedPdfSignature) -> SignatureCoverage:
    coverage: Any = embedded.coverage
    return _COVERAGE.get(coverage, SignatureCoverage.PARTIAL)


def _changes_after(embedded: EmbeddedPdfSignature) -> Changes:
    result = _diff_result(embedded)
    if not isinstance(result, DiffResult):
        return Changes.OTHER
    return _CHANGES.get(result.modification_level, Changes.OTHER)


def _change_faults(signature: EmbeddedSignature) -> Iterator[SignatureFault]:
    if _changes_after(signature.embedded) is Changes.OTHER:
        yield SignatureFault(code="changed", slots={"what": str(_diff_result(signature.embedded))})


def _diff_result(embedded: EmbeddedPdfSignature) -> Any:
    # pyHanko declares it as None and sets it later.
    return embedded.diff_result
