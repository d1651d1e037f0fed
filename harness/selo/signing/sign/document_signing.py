"""Signing a prepared document, at any baseline level of PAdES, one signer after the other.

1. The key, its certificate and the document are looked at; whatever is wrong refuses.
2. The box of the capacity is filled: first the laboratory certifies, later others approve.
3. With a time authority the signature is timestamped; with revocation lists they are embedded in
   the same revision, so that no byte follows the signature; at the highest level a timestamp over
   the whole document follows.
4. What came out is inspected as a stranger would, and only then handed back.
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
from selo.signing.keys.certificates import name, signs_documents
from selo.signing.sign.appearance import SignatureStatement, Style
from selo.signing.signature_report import ExpectedSignatures, level_fault
from selo.signing.signing_enums import PROGRAM, Capacity, Level, SignatureStanding
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify import ValidationKnowledge, inspect_signatures
from selo.signing.verify.certificate_chain import (
    BROKEN,
    IF_KNOWN,
    REQUIRED,
    chain_problem,
    validation_context,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from asn1crypto import crl, x509
    from pyhanko_certvalidator import ValidationContext

    from selo.signing.keys import SigningKey
    from selo.signing.keys.timestamps import Stamper
    from selo.signing.signature_report import Inspection, SignatureFault
    from selo.text.multilingual import Words

_DIGEST: Final = "sha256"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureRequest:
    """What kind of signature is asked for."""

    capacity: Capacity
    #: The capacity, in words for the page.
    says: Words
    level: Level
    #: What the document says of itself; a demonstration key and a real document never meet.
    demonstration: bool
    fonts: tuple[Path, ...]
    stamper: Stamper | None = None
    trust: tuple[x509.Certificate, ...] = ()
    revocations: tuple[crl.CertificateList, ...] = ()
    #: Roots whose chains the operator declares to be of qualified certificates.
    qualified: tuple[x509.Certificate, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedDocument:
    """A document with one more signature, and what that signature says of itself."""

    document: bytes
    statement: SignatureStatement


def sign_document(document: bytes, key: SigningKey, wanted: SignatureRequest) -> SignedDocument:
    """Return `document` with one more signature, or raise and leave everything as it was."""
    now = dt.datetime.now(dt.UTC)
    _complete(wanted)
    _usable(key, wanted, now)
    standing = _legal_standing(key, wanted)
    first = _ready(document, key, wanted)
    statement = SignatureStatement(
        name=name(key.certificate),
        capacity=wanted.says,
        at=now,
        level=wanted.level,
        standing=standing,
        demonstration=wanted.demonstration,
    )
    style = Style(lines=tuple(statement.lines()), fonts=wanted.fonts)
    signer = PdfSigner(
        _metadata(wanted, certify=first), key.signer, timestamper=wanted.stamper, stamp_style=style
    )
    signed = io.BytesIO()
    try:
        signer.sign_pdf(_Appending(io.BytesIO(document)), existing_fields_only=True, output=signed)
        if wanted.level is Level.LTA and wanted.stamper is not None:
            signed = _add_document_timestamp(signed, wanted, wanted.stamper)
    except BROKEN as error:
        # Our own chain was looked at before: this one is the time authority's.
        raise SigningRefused("tsa-chain", problem=error) from error
    except SigningError as error:
        raise SigningRefused("signing", problem=error) from error
    result = signed.getvalue()
    _require_acceptance(result, wanted)
    return SignedDocument(document=result, statement=statement)


class _Appending(IncrementalPdfFileWriter):
    """Adds to a document without touching what it says of itself.

    pyHanko would write itself into the metadata with each signature, and rewrite them on the way.
    """

    def _update_meta(self) -> None:
        pass


def _add_document_timestamp(
    signed: io.BytesIO, wanted: SignatureRequest, stamper: Stamper
) -> io.BytesIO:
    """Return the document with a timestamp over all of it."""
    stamping = PdfTimeStamper(stamper, wanted.capacity.timestamp_field)
    sealed: io.BytesIO = stamping.timestamp_pdf(
        _Appending(signed),
        _DIGEST,
        _needs_validation_data(wanted),
        dss_settings=TimestampDSSContentSettings(include_vri=False, update_before_ts=True),
    )
    return sealed


def _needs_validation_data(wanted: SignatureRequest) -> ValidationContext:
    return validation_context(wanted.trust, revocations=wanted.revocations, mode=REQUIRED)


def _usable(key: SigningKey, wanted: SignatureRequest, now: dt.datetime) -> None:
    certificate = key.certificate
    who = {"source": key.source, "name": name(certificate)}
    if is_demonstration(certificate) and not wanted.demonstration:
        raise SigningRefused("demonstration-key", **who)
    if wanted.demonstration and not is_demonstration(certificate):
        raise SigningRefused("demonstration-document", **who)
    if now > certificate.not_valid_after:
        raise SigningRefused("expired", **who, until=_moment(certificate.not_valid_after))
    if now < certificate.not_valid_before:
        raise SigningRefused("not-yet", **who, start=_moment(certificate.not_valid_before))
    if not signs_documents(certificate):
        raise SigningRefused("usage", **who)
    if wanted.trust:
        mode = REQUIRED if wanted.level.reaches(Level.LT) else IF_KNOWN
        wrong = _chain(key, wanted.trust, wanted.revocations, mode)
        if wrong is not None:
            raise SigningRefused("chain", **who, problem=wrong)


def _chain(
    key: SigningKey,
    roots: Sequence[x509.Certificate],
    revocations: Sequence[crl.CertificateList],
    mode: str,
) -> str | None:
    light = validation_context(roots, revocations=revocations, mode=mode)
    return chain_problem(key.certificate, light, usage={"non_repudiation"}, others=key.others)


def _complete(wanted: SignatureRequest) -> None:
    """Refuse a level whose means are not at hand."""
    if wanted.level.reaches(Level.T) and wanted.stamper is None:
        raise SigningRefused("tsa-needed", level=wanted.level.value)
    if wanted.level.reaches(Level.LT) and not (wanted.trust and wanted.revocations):
        raise SigningRefused("trust-needed", level=wanted.level.value)
    if not wanted.fonts:
        raise SigningRefused("font-needed")


def _legal_standing(key: SigningKey, wanted: SignatureRequest) -> SignatureStanding:
    if not wanted.qualified or wanted.demonstration:
        return SignatureStanding.ADVANCED
    wrong = _chain(key, wanted.qualified, wanted.revocations, IF_KNOWN)
    return SignatureStanding.QUALIFIED if wrong is None else SignatureStanding.ADVANCED


def _ready(document: bytes, key: SigningKey, wanted: SignatureRequest) -> bool:
    """Return whether nobody signed yet; refuse a document that is not this signer's turn."""
    found = inspect_signatures(
        document, wanted.trust, known=ValidationKnowledge(revocations=wanted.revocations)
    )
    codes = {fault.code for fault in found.faults}
    if "unreadable" in codes:
        raise SigningRefused("no-pdf", problem=found.faults[0])
    signed = {signature.field for signature in found.signatures}
    field = wanted.capacity.field
    if field in signed:
        raise SigningRefused("signed", capacity=wanted.capacity.value)
    if field not in found.empty:
        raise SigningRefused("unprepared", field=field)
    own = key.certificate.issuer.human_friendly, f"{key.certificate.serial_number:x}"
    if own in {(person.issuer, person.serial) for person in found.people}:
        # Two capacities are two people: nobody counter-signs what they signed themselves.
        raise SigningRefused("same-key", name=name(key.certificate))
    for earlier in wanted.capacity.earlier:
        if earlier.field in found.empty:
            raise SigningRefused("order", capacity=wanted.capacity.value, first=earlier.value)
    wrong = _wrong(found, wanted) if signed else None
    if wrong is not None:
        raise SigningRefused("broken", problem=wrong)
    return not signed


def _wrong(found: Inspection, wanted: SignatureRequest) -> SignatureFault | None:
    """Return the first thing that is wrong; without roots nobody can be trusted."""
    faults = [
        *found.faults,
        *(fault for signature in found.signatures for fault in signature.faults),
    ]
    for fault in faults:
        if wanted.trust or fault.code not in {"unknown", "stamp-unknown"}:
            return fault
    return None


def _metadata(wanted: SignatureRequest, *, certify: bool) -> PdfSignatureMetadata:
    lasting = wanted.level.reaches(Level.LT)
    return PdfSignatureMetadata(
        field_name=wanted.capacity.field,
        md_algorithm=_DIGEST,
        subfilter=SigSeedSubFilter.PADES,
        certify=certify,
        docmdp_permissions=MDPPerm.FILL_FORMS,
        reason=f"{wanted.says.pt} · {wanted.says.zh}",
        # Signed with the rest, so that a document that lost its last timestamp tells on itself.
        app_build_props=BuildProps(name=PROGRAM, revision=wanted.level.value),
        embed_validation_info=lasting,
        validation_context=_needs_validation_data(wanted) if lasting else None,
        # Any other placing writes the lists after the signature, where nothing covers them.
        dss_settings=DSSContentSettings(
            include_vri=False, placement=SigDSSPlacementPreference.TOGETHER_WITH_SIGNATURE
        ),
    )


def _require_acceptance(result: bytes, wanted: SignatureRequest) -> None:
    """Refuse what our own inspection would not accept."""
    expected = ExpectedSignatures(capacities=(wanted.capacity,))
    known = ValidationKnowledge(revocations=wanted.revocations)
    found = inspect_signatures(result, wanted.trust, known=known, expected=expected)
    wrong = _wrong(found, wanted)
    if wrong is None and wanted.trust:
        own = next(person for person in found.people if person.capacity is wanted.capacity)
        if own.level is None or not own.level.reaches(wanted.level):
            wrong = level_fault(own.field, wanted.level)
    if wrong is not None:
        raise SigningRefused("self-check", problem=wrong)


def _moment(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds")
