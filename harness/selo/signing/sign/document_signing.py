"""Signs a prepared document at a PAdES baseline level.

1. Check the key, its certificate and the document; refuse on any fault.
2. Fill the signature field of the capacity: the laboratory certifies, later signers approve.
3. Timestamp the signature (B-T), embed revocation lists in the same revision so that no byte
   follows the signature (B-LT), and add a timestamp over the whole document (B-LTA).
4. Validate the result as a third party would, and only then return it.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, PdfTimeStamper
from pyhanko.sign.signers.pdf_byterange import BuildProps
from pyhanko.sign.signers.pdf_signer import (
    DSSContentSettings,
    SigDSSPlacementPreference,
    TimestampDSSContentSettings,
)

from selo.signing.keys import is_demonstration
from selo.signing.keys.certificates import certificate_name, may_sign_documents
from selo.signing.keys.timestamps import format_utc
from selo.signing.sign.appearance import SignatureStatement, StatementStampStyle
from selo.signing.signature_report import ExpectedSignatures, level_fault
from selo.signing.signer_policy import identify_signer
from selo.signing.signing_enums import PROGRAM, Capacity, Level, SignatureStanding
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify import ValidationKnowledge, inspect_signatures
from selo.signing.verify.certificate_chain import (
    CHAIN_ERRORS,
    REVOCATION_IF_KNOWN,
    REVOCATION_REQUIRED,
    chain_problem,
    validation_context,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from asn1crypto import crl, x509
    from pyhanko_certvalidator import ValidationContext

    from selo.signing.keys import SigningKey
    from selo.signing.keys.timestamps import TimestampClient
    from selo.signing.signature_report import Inspection, SignatureFault
    from selo.signing.signer_policy import SignerPolicy
    from selo.text import Words

_DIGEST_ALGORITHM: Final = "sha256"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureRequest:
    """The signature to make, with the means for it."""

    capacity: Capacity
    #: The capacity as it is printed on the page.
    capacity_text: Words
    level: Level
    #: A demonstration document takes a demonstration key and no other, and vice versa.
    demonstration: bool
    fonts: tuple[Path, ...]
    stamper: TimestampClient | None = None
    trust: tuple[x509.Certificate, ...] = ()
    revocations: tuple[crl.CertificateList, ...] = ()
    #: Roots that the operator declares to issue qualified certificates.
    qualified: tuple[x509.Certificate, ...] = ()
    #: Who may sign in which capacity; none if nobody says.
    policy: SignerPolicy | None = None
    #: The person whom the document announces in this capacity.
    announced: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedDocument:
    """A document with one more signature, and the statement of that signature."""

    document: bytes
    statement: SignatureStatement


def sign_document(document: bytes, key: SigningKey, request: SignatureRequest) -> SignedDocument:
    """Return `document` with one more signature, or raise without side effects."""
    now = dt.datetime.now(dt.UTC)
    _require_means(request)
    _require_usable_key(key, request, now)
    standing = _legal_standing(key, request)
    is_first = _require_turn(document, key, request)
    statement = SignatureStatement(
        name=certificate_name(key.certificate),
        capacity=request.capacity_text,
        at=now,
        level=request.level,
        standing=standing,
        demonstration=request.demonstration,
    )
    style = StatementStampStyle(lines=tuple(statement.lines()), fonts=request.fonts)
    signer = PdfSigner(
        _signature_metadata(request, certify=is_first),
        key.signer,
        timestamper=request.stamper,
        stamp_style=style,
    )
    signed = io.BytesIO()
    try:
        signer.sign_pdf(
            _AppendOnlyWriter(io.BytesIO(document)), existing_fields_only=True, output=signed
        )
        if request.level is Level.LTA and request.stamper is not None:
            signed = _add_document_timestamp(signed, request, request.stamper)
    except CHAIN_ERRORS as error:
        # The signer's chain was validated before, so this is the chain of the time authority.
        raise SigningRefused("tsa-chain", problem=error) from error
    except SigningError as error:
        raise SigningRefused("signing", problem=error) from error
    result = signed.getvalue()
    _require_acceptance(result, request)
    return SignedDocument(document=result, statement=statement)


class _AppendOnlyWriter(IncrementalPdfFileWriter):
    """Appends a revision without changing the document's metadata.

    pyHanko would write its own name into the metadata with each signature.
    """

    def _update_meta(self) -> None:
        pass


def _add_document_timestamp(
    signed: io.BytesIO, request: SignatureRequest, stamper: TimestampClient
) -> io.BytesIO:
    """Return the document with a timestamp over the whole file."""
    timestamper = PdfTimeStamper(stamper, request.capacity.timestamp_field)
    sealed: io.BytesIO = timestamper.timestamp_pdf(
        _AppendOnlyWriter(signed),
        _DIGEST_ALGORITHM,
        _needs_validation_data(request),
        dss_settings=TimestampDSSContentSettings(include_vri=False, update_before_ts=True),
    )
    return sealed


def _needs_validation_data(request: SignatureRequest) -> ValidationContext:
    return validation_context(
        request.trust, revocations=request.revocations, mode=REVOCATION_REQUIRED
    )


def _require_usable_key(key: SigningKey, request: SignatureRequest, now: dt.datetime) -> None:
    certificate = key.certificate
    who = {"source": key.source, "name": certificate_name(certificate)}
    if is_demonstration(certificate) and not request.demonstration:
        raise SigningRefused("demonstration-key", **who)
    if request.demonstration and not is_demonstration(certificate):
        raise SigningRefused("demonstration-document", **who)
    if now > certificate.not_valid_after:
        raise SigningRefused("expired", **who, until=format_utc(certificate.not_valid_after))
    if now < certificate.not_valid_before:
        raise SigningRefused("not-yet", **who, start=format_utc(certificate.not_valid_before))
    identity = identify_signer(certificate)
    if request.announced is not None and not identity.is_called(request.announced):
        raise SigningRefused("other-name", **who, announced=request.announced)
    if request.policy is not None and not request.policy.allows(identity, request.capacity):
        raise SigningRefused("not-allowed", **who, capacity=request.capacity.value)
    if not may_sign_documents(certificate):
        raise SigningRefused("usage", **who)
    if request.trust:
        mode = REVOCATION_REQUIRED if request.level.reaches(Level.LT) else REVOCATION_IF_KNOWN
        problem = _chain_problem(key, request.trust, request.revocations, mode)
        if problem is not None:
            raise SigningRefused("chain", **who, problem=problem)


def _chain_problem(
    key: SigningKey,
    roots: Sequence[x509.Certificate],
    revocations: Sequence[crl.CertificateList],
    revocation_mode: str,
) -> str | None:
    context = validation_context(roots, revocations=revocations, mode=revocation_mode)
    return chain_problem(key.certificate, context, usage={"non_repudiation"}, others=key.others)


def _require_means(request: SignatureRequest) -> None:
    """Refuse if time authority, trust roots, revocation lists or fonts are missing."""
    if request.level.reaches(Level.T) and request.stamper is None:
        raise SigningRefused("tsa-needed", level=request.level.value)
    if request.level.reaches(Level.LT) and not (request.trust and request.revocations):
        raise SigningRefused("trust-needed", level=request.level.value)
    if not request.fonts:
        raise SigningRefused("font-needed")


def _legal_standing(key: SigningKey, request: SignatureRequest) -> SignatureStanding:
    if not request.qualified or request.demonstration:
        return SignatureStanding.ADVANCED
    problem = _chain_problem(key, request.qualified, request.revocations, REVOCATION_IF_KNOWN)
    return SignatureStanding.QUALIFIED if problem is None else SignatureStanding.ADVANCED


def _require_turn(document: bytes, key: SigningKey, request: SignatureRequest) -> bool:
    """Return whether this is the first signature; refuse if it is not this signer's turn."""
    inspection = inspect_signatures(
        document, request.trust, knowledge=ValidationKnowledge(revocations=request.revocations)
    )
    codes = {fault.code for fault in inspection.faults}
    if "unreadable" in codes:
        raise SigningRefused("no-pdf", problem=inspection.faults[0])
    signed = {signature.field for signature in inspection.signatures}
    field = request.capacity.field
    if field in signed:
        raise SigningRefused("signed", capacity=request.capacity.value)
    if field not in inspection.empty:
        raise SigningRefused("unprepared", field=field)
    own_key = identify_signer(key.certificate).key
    if own_key in {person.identity.key for person in inspection.people}:
        # Four-eyes rule: nobody counter-signs their own signature.
        raise SigningRefused("same-key", name=certificate_name(key.certificate))
    for earlier in request.capacity.earlier:
        if earlier.field in inspection.empty:
            raise SigningRefused("order", capacity=request.capacity.value, first=earlier.value)
    first_fault = _first_fault(inspection, request) if signed else None
    if first_fault is not None:
        raise SigningRefused("broken", problem=first_fault)
    return not signed


def _first_fault(inspection: Inspection, request: SignatureRequest) -> SignatureFault | None:
    """Return the first fault; without trust roots, unknown signers are not faults."""
    faults = [
        *inspection.faults,
        *(fault for signature in inspection.signatures for fault in signature.faults),
    ]
    for fault in faults:
        if request.trust or fault.code not in {"unknown", "stamp-unknown"}:
            return fault
    return None


def _signature_metadata(request: SignatureRequest, *, certify: bool) -> PdfSignatureMetadata:
    long_term = request.level.reaches(Level.LT)
    return PdfSignatureMetadata(
        field_name=request.capacity.field,
        md_algorithm=_DIGEST_ALGORITHM,
        subfilter=SigSeedSubFilter.PADES,
        certify=certify,
        docmdp_permissions=MDPPerm.FILL_FORMS,
        reason=f"{request.capacity_text.pt} · {request.capacity_text.zh}",
        # The level is signed, so that a document that lost its last timestamp can be recognised.
        app_build_props=BuildProps(name=PROGRAM, revision=request.level.value),
        embed_validation_info=long_term,
        validation_context=_needs_validation_data(request) if long_term else None,
        # Any other placement writes the lists after the signature, outside the signed range.
        dss_settings=DSSContentSettings(
            include_vri=False, placement=SigDSSPlacementPreference.TOGETHER_WITH_SIGNATURE
        ),
    )


def _require_acceptance(result: bytes, request: SignatureRequest) -> None:
    """Refuse a result that our own validation would not accept."""
    expected = ExpectedSignatures(capacities=(request.capacity,))
    knowledge = ValidationKnowledge(revocations=request.revocations)
    inspection = inspect_signatures(result, request.trust, knowledge=knowledge, expected=expected)
    fault = _first_fault(inspection, request)
    if fault is None and request.trust:
        own_signature = next(
            person for person in inspection.people if person.capacity is request.capacity
        )
        if own_signature.level is None or not own_signature.level.reaches(request.level):
            fault = level_fault(own_signature.field, request.level)
    if fault is not None:
        raise SigningRefused("self-check", problem=fault)
