"""Validates all signatures of a document offline, as a third party would.

1. Hash every signed range; the gap in it holds one container and nothing else.
2. From last to first: trust each timestamp if its authority is trusted at the time proven by the
   next one, and each signature at the time proven by its timestamp.
3. Compare consecutive revisions, the unsigned one with the first: only the changes that signing
   makes are allowed.
4. Require that the last signed byte is the last byte of the file.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asn1crypto import crl, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import enumerate_sig_fields

from selo.signing.signature_report import (
    ExpectedSignatures,
    Inspection,
    SignatureFault,
    level_fault,
)
from selo.signing.signing_enums import Capacity
from selo.signing.verify.revisions import (
    has_active_content,
    has_signed_base,
    refers_to_later_objects,
)
from selo.signing.verify.signature_validation import EmbeddedSignature, validate_signature
from selo.signing.verify.trust_context import TrustContext
from selo.storage import read_bounded, run_limited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

    from selo.signing.signature_report import SignatureReport


@dataclass(frozen=True, kw_only=True, slots=True)
class ValidationKnowledge:
    """What the verifier knows in addition to the trusted roots."""

    #: Revocation lists in addition to those in the document.
    revocations: tuple[crl.CertificateList, ...] = ()
    #: Roots that issue qualified certificates.
    qualified: tuple[x509.Certificate, ...] = ()
    #: Time of validation; the current time if omitted.
    now: dt.datetime | None = None


def inspect_file(
    path: Path,
    trust: Sequence[x509.Certificate] = (),
    *,
    knowledge: ValidationKnowledge | None = None,
    expected: ExpectedSignatures | None = None,
) -> Inspection:
    """Return the validation result of all signatures in the file `path`."""
    return inspect_signatures(read_bounded(path), trust, knowledge=knowledge, expected=expected)


def inspect_signatures(
    document: bytes,
    trust: Sequence[x509.Certificate] = (),
    *,
    knowledge: ValidationKnowledge | None = None,
    expected: ExpectedSignatures | None = None,
) -> Inspection:
    """Return the validation result of all signatures in `document`."""
    knowledge = knowledge or ValidationKnowledge()
    context = TrustContext(
        trust=tuple(trust),
        revocations=knowledge.revocations,
        qualified=knowledge.qualified,
        now=knowledge.now or dt.datetime.now(dt.UTC),
    )
    try:
        # The reader unpacks whatever the file claims to hold.
        inspection = run_limited(lambda: _inspect_document(document, context))
    except Exception as error:  # noqa: BLE001 - a file made to break us is a finding about the file
        problem = f"{type(error).__name__}: {error}"
        inspection = Inspection(
            faults=(SignatureFault(code="unreadable", slots={"problem": problem}),)
        )
    if expected is None:
        return inspection
    missing = tuple(_missing_faults(inspection, expected))
    return Inspection(
        signatures=inspection.signatures,
        empty=inspection.empty,
        faults=(*inspection.faults, *missing),
    )


def _inspect_document(document: bytes, context: TrustContext) -> Inspection:
    reader = PdfFileReader(io.BytesIO(document), strict=True)
    fields = list(enumerate_sig_fields(reader))
    embedded: list[EmbeddedPdfSignature] = reader.embedded_signatures
    context = context.with_embedded(*_embedded_data(reader))
    reports: list[SignatureReport] = []
    for pdf_signature in reversed(embedded):
        signature = EmbeddedSignature(
            embedded=pdf_signature,
            document=document,
            certifies=_is_certifying(reader, pdf_signature),
        )
        reports.insert(0, validate_signature(signature, context, later=reports))
    faults = list(_file_faults(document, reader, embedded))
    if len(embedded) != sum(1 for _, value, _ in fields if value is not None):
        faults.append(SignatureFault(code="foreign"))
    return Inspection(
        signatures=tuple(reports),
        empty=tuple(str(name) for name, value, _ in fields if value is None),
        faults=tuple(faults),
    )


def _embedded_data(
    reader: PdfFileReader,
) -> tuple[tuple[x509.Certificate, ...], tuple[crl.CertificateList, ...]]:
    """Return the certificates and revocation lists in the document security store."""
    if "/DSS" not in reader.root:
        return (), ()
    store = reader.root["/DSS"]
    certificates = (
        [stream.get_object().data for stream in store["/Certs"]] if "/Certs" in store else []
    )
    revocation_lists = (
        [stream.get_object().data for stream in store["/CRLs"]] if "/CRLs" in store else []
    )
    return tuple(map(x509.Certificate.load, certificates)), tuple(
        map(crl.CertificateList.load, revocation_lists)
    )


def _is_certifying(reader: PdfFileReader, signature: EmbeddedPdfSignature) -> bool:
    if "/Perms" not in reader.root or "/DocMDP" not in reader.root["/Perms"]:
        return False
    certifying = reader.root["/Perms"].raw_get("/DocMDP").reference
    return bool(signature.sig_field.raw_get("/V").reference == certifying)


def _file_faults(
    document: bytes, reader: PdfFileReader, embedded: Sequence[EmbeddedPdfSignature]
) -> Iterator[SignatureFault]:
    if not embedded:
        yield SignatureFault(code="unsigned")
        return
    _, _, start, length = embedded[-1].byte_range
    uncovered = len(document) - int(start) - int(length)
    if uncovered < 0:
        yield SignatureFault(code="cut", slots={"count": str(-uncovered)})
    elif uncovered:
        yield SignatureFault(code="appended", slots={"count": str(uncovered)})
    if (
        reader.total_revisions != len(embedded) + 1
        or not has_signed_base(reader)
        or refers_to_later_objects(document, reader)
    ):
        yield SignatureFault(code="revision")
    if has_active_content(document):
        yield SignatureFault(code="active")
    if not _is_certifying(reader, embedded[0]):
        yield SignatureFault(code="uncertified")


def _missing_faults(
    inspection: Inspection, expected: ExpectedSignatures
) -> Iterator[SignatureFault]:
    """Yield the expected signatures that a truncated or unfinished file lacks."""
    signed = {person.capacity for person in inspection.people}
    for capacity in Capacity:
        if capacity in expected.capacities and capacity not in signed:
            yield SignatureFault(code="missing", slots={"capacity": capacity.value})
    if expected.signatures is not None and len(inspection.people) < expected.signatures:
        counts = {"found": str(len(inspection.people)), "expected": str(expected.signatures)}
        yield SignatureFault(code="fewer", slots=counts)
    if expected.level is None:
        return
    for person in inspection.people:
        if person.level is None or not person.level.reaches(expected.level):
            yield level_fault(person.field, expected.level)
