"""Looking at the signatures of a document as a stranger would: offline, believing nothing.

1. Every signed range is hashed, and the hole in it holds one container and nothing else.
2. From the last to the first, each timestamp is believed if its authority is trusted at the time
   that the one after it proves, and each signature at the time that its timestamp proves.
3. Between one signed revision and the next, nothing changed but what signing changes.
4. The last signed byte is the last byte of the file.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asn1crypto import crl, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import enumerate_sig_fields

from selo.signing.atomic_write import read_whole
from selo.signing.signature_report import (
    ExpectedSignatures,
    Inspection,
    SignatureFault,
    level_fault,
)
from selo.signing.signing_enums import Capacity
from selo.signing.verify.signature_validation import EmbeddedSignature, validate_signature
from selo.signing.verify.trust_context import TrustContext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

    from selo.signing.signature_report import SignatureReport


@dataclass(frozen=True, kw_only=True, slots=True)
class ValidationKnowledge:
    """What else the one who looks knows, besides the roots that are trusted."""

    #: Newer revocation lists than those in the document.
    revocations: tuple[crl.CertificateList, ...] = ()
    #: Roots whose chains are of qualified certificates.
    qualified: tuple[x509.Certificate, ...] = ()
    #: The present, if it is not now.
    now: dt.datetime | None = None


def inspect_file(
    path: Path,
    trust: Sequence[x509.Certificate] = (),
    *,
    known: ValidationKnowledge | None = None,
    expected: ExpectedSignatures | None = None,
) -> Inspection:
    """Return what can be said of the signatures in the file `path`."""
    return inspect_signatures(read_whole(path), trust, known=known, expected=expected)


def inspect_signatures(
    document: bytes,
    trust: Sequence[x509.Certificate] = (),
    *,
    known: ValidationKnowledge | None = None,
    expected: ExpectedSignatures | None = None,
) -> Inspection:
    """Return what can be said of the signatures in `document`."""
    known = known or ValidationKnowledge()
    light = TrustContext(
        trust=tuple(trust),
        revocations=known.revocations,
        qualified=known.qualified,
        now=known.now or dt.datetime.now(dt.UTC),
    )
    try:
        found = _inspect(document, light)
    except Exception as error:  # noqa: BLE001 - a file made to break us is a finding about the file
        problem = f"{type(error).__name__}: {error}"
        found = Inspection(faults=(SignatureFault(code="unreadable", slots={"problem": problem}),))
    if expected is None:
        return found
    missing = tuple(_missing(found, expected))
    return Inspection(
        signatures=found.signatures, empty=found.empty, faults=(*found.faults, *missing)
    )


def _inspect(document: bytes, light: TrustContext) -> Inspection:
    reader = PdfFileReader(io.BytesIO(document), strict=True)
    fields = list(enumerate_sig_fields(reader))
    embedded: list[EmbeddedPdfSignature] = reader.embedded_signatures
    light = light.with_embedded(*_embedded_data(reader))
    reports: list[SignatureReport] = []
    for one in reversed(embedded):
        seen = EmbeddedSignature(embedded=one, document=document, certifies=_certifies(reader, one))
        reports.insert(0, validate_signature(seen, light, later=reports))
    faults = list(_of_the_file(document, reader, embedded))
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
    """Return the certificates and revocation lists that the document carries."""
    if "/DSS" not in reader.root:
        return (), ()
    store = reader.root["/DSS"]
    held = [one.get_object().data for one in store["/Certs"]] if "/Certs" in store else []
    lists = [one.get_object().data for one in store["/CRLs"]] if "/CRLs" in store else []
    return tuple(map(x509.Certificate.load, held)), tuple(map(crl.CertificateList.load, lists))


def _certifies(reader: PdfFileReader, one: EmbeddedPdfSignature) -> bool:
    if "/Perms" not in reader.root or "/DocMDP" not in reader.root["/Perms"]:
        return False
    certifying = reader.root["/Perms"].raw_get("/DocMDP").reference
    return bool(one.sig_field.raw_get("/V").reference == certifying)


def _of_the_file(
    document: bytes, reader: PdfFileReader, embedded: Sequence[EmbeddedPdfSignature]
) -> Iterator[SignatureFault]:
    if not embedded:
        yield SignatureFault(code="unsigned")
        return
    _, _, start, length = embedded[-1].byte_range
    loose = len(document) - int(start) - int(length)
    if loose < 0:
        yield SignatureFault(code="cut", slots={"count": str(-loose)})
    elif loose:
        yield SignatureFault(code="appended", slots={"count": str(loose)})
    if reader.total_revisions != len(embedded) + 1:
        yield SignatureFault(code="revision")
    if not _certifies(reader, embedded[0]):
        yield SignatureFault(code="uncertified")


def _missing(found: Inspection, expected: ExpectedSignatures) -> Iterator[SignatureFault]:
    """Yield what a file that was cut back, or never finished, lacks."""
    signed = {person.capacity for person in found.people}
    for capacity in Capacity:
        if capacity in expected.capacities and capacity not in signed:
            yield SignatureFault(code="missing", slots={"capacity": capacity.value})
    if expected.signatures is not None and len(found.people) < expected.signatures:
        counts = {"found": str(len(found.people)), "expected": str(expected.signatures)}
        yield SignatureFault(code="fewer", slots=counts)
    if expected.level is None:
        return
    for person in found.people:
        if person.level is None or not person.level.reaches(expected.level):
            yield level_fault(person.field, expected.level)
