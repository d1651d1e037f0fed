"""Whatever is done to a signed document is noticed, and named."""

import datetime as dt
import io
import random

import pikepdf
import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from tests.tools import needs

from selo.signing.keys import demo_authority as made
from selo.signing.keys.certificates import load_certificates
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.sign import document_signing
from selo.signing.sign.document_signing import sign_document
from selo.signing.signature_report import Changes, ExpectedSignatures, Revocation, SignatureCoverage
from selo.signing.signing_enums import Capacity, Level, SignatureStanding
from selo.signing.verify.certificate_chain import validation_context
from selo.signing.verify.document_inspection import (
    ValidationKnowledge,
    inspect_file,
    inspect_signatures,
)

from .conftest import PASSPHRASE, alone, asn1, holes

YEAR = dt.timedelta(days=365)


def codes(found):
    return {fault.code for fault in found.faults} | {
        fault.code for one in found.signatures for fault in one.faults
    }


class Appending(IncrementalPdfFileWriter):
    """Adds a revision that changes nothing but what the test changes."""

    def _update_meta(self):
        pass


def appended(document, change):
    """Return `document` with a revision in which `change` was done to it."""
    writer = Appending(io.BytesIO(document))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def other_content(writer):
    page = writer.root["/Pages"]["/Kids"][0].get_object()
    drawn = writer.add_object(generic.StreamObject(stream_data=b"0 0 99 99 re f"))
    page["/Contents"] = generic.ArrayObject([page.raw_get("/Contents"), drawn])
    writer.update_container(page)


def other_attachment(writer):
    held = writer.root["/Names"]["/EmbeddedFiles"]["/Names"][1].get_object()
    stream = held["/EF"]["/F"]
    stream._data = b"{}"  # noqa: SLF001 - there is no other way to replace it
    stream._encoded_data = None  # noqa: SLF001
    writer.update_container(stream)


def other_title(writer):
    info = writer.trailer_view["/Info"]
    info["/Title"] = generic.pdf_string("Outro")
    writer.update_container(info)


def other_metadata(writer):
    stream = generic.StreamObject(stream_data=b"<x/>")
    writer.root["/Metadata"] = writer.add_object(stream)
    writer.update_root()


def other_permissions(writer):
    writer.root["/Perms"] = generic.DictionaryObject()
    writer.update_root()


def another_annotation(writer):
    page = writer.root["/Pages"]["/Kids"][0].get_object()
    note = generic.DictionaryObject(
        {
            generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
            generic.pdf_name("/Subtype"): generic.pdf_name("/Text"),
            generic.pdf_name("/Contents"): generic.pdf_string("conforme"),
        }
    )
    page["/Annots"].append(writer.add_object(note))
    writer.update_container(page["/Annots"])


def other_appearance(writer):
    fields = writer.root["/AcroForm"]["/Fields"]
    (signed,) = [one.get_object() for one in fields if one.get_object()["/T"] == "Selo-laboratory"]
    drawn = generic.StreamObject(stream_data=b"0 0 99 99 re f")
    signed["/AP"] = generic.DictionaryObject({generic.pdf_name("/N"): writer.add_object(drawn)})
    writer.update_container(signed)


def nothing_at_all(writer):
    writer.add_object(generic.DictionaryObject())
    writer.update_root()


CHANGES = [
    other_content,
    other_attachment,
    other_title,
    other_metadata,
    other_permissions,
    another_annotation,
    other_appearance,
    nothing_at_all,
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("level", "signers"), [("b-b", 1), ("b-lta", 2)])
def test_a_revision_that_was_appended_is_noticed(signed, roots, change, level, signers):
    found = inspect_signatures(appended(signed(level, signers), change), roots)

    assert not found.good
    assert {"appended", "revision", "changed"} <= codes(found)
    assert all(one.changes is Changes.OTHER for one in found.signatures)


@pytest.mark.parametrize("change", [one for one in CHANGES[:6] if one is not other_permissions])
def test_a_first_signature_that_changes_what_it_signs_is_noticed(
    paper, key, wanted, roots, change, monkeypatch
):
    """A signature covers its own revision: whoever holds the key could draw over a page in it."""

    class Changing(document_signing._AppendOnlyWriter):  # noqa: SLF001 - the forger has our program
        def __init__(self, document):
            super().__init__(document)
            if not self.prev.embedded_signatures:
                change(self)

    monkeypatch.setattr(document_signing, "_AppendOnlyWriter", Changing)
    monkeypatch.setattr(document_signing, "_require_acceptance", lambda *_: None)
    document = sign_document(paper, key("laboratory"), wanted()).document

    found = inspect_signatures(document, roots)

    assert codes(found) == {"revision"}


def test_pyhanko_alone_lets_another_title_pass(signed, roots):
    document = appended(signed("b-b"), other_title)
    (one,) = PdfFileReader(io.BytesIO(document)).embedded_signatures

    assert validate_pdf_signature(one, validation_context(roots)).bottom_line


@pytest.mark.parametrize("more", [b"\n", b"%", b"% a comment\n", b"\0" * 40])
def test_bytes_after_the_end_are_counted(signed, roots, more):
    found = inspect_signatures(signed("b-lta", 2) + more, roots)

    assert codes(found) == {"appended"}
    assert found.faults[0].slots == {"count": str(len(more))}


def test_another_end_after_the_end_is_noticed(signed, roots):
    assert not inspect_signatures(signed("b-lta", 2) + b"%%EOF\n", roots).good


@pytest.mark.parametrize("level", ["b-b", "b-lta"])
def test_a_document_cut_back_to_an_earlier_revision_lacks_a_signature(signed, roots, level):
    whole = signed(level, 2)
    expected = ExpectedSignatures(capacities=tuple(Capacity), signatures=2)
    ends = [start + len(around) - length for around, _, (length, start) in holes(whole)]

    for end in ends[:-1]:
        found = inspect_signatures(whole[:end], roots, expected=expected)

        assert codes(found) & {"missing", "level"}, end
        assert ("missing" in codes(found)) == ("fewer" in codes(found)), end


def test_by_itself_a_document_without_its_last_signer_is_in_order(signed, roots):
    first = holes(signed("b-lta", 2))[1]
    around, _, (length, start) = first

    # Which is why a verifier says who must have signed.
    assert inspect_signatures(signed("b-lta", 2)[: start + len(around) - length], roots).good


def test_a_document_that_lost_its_last_timestamp_tells_on_itself(signed, roots):
    around, _, (length, start) = holes(signed("b-lta"))[0]

    found = inspect_signatures(signed("b-lta")[: start + len(around) - length], roots)

    assert codes(found) == {"level"}


def test_a_document_cut_off_anywhere_else_is_noticed(signed, roots):
    whole = signed("b-lta", 2)
    chance = random.Random(6)  # noqa: S311 - a sample, not a secret
    ends = {start + len(around) - length for around, _, (length, start) in holes(whole)}

    for cut in chance.sample(range(1, len(whole)), 8):
        if cut not in ends:
            assert not inspect_signatures(whole[:cut], roots).good, cut


def test_a_document_that_was_written_anew_has_lost_its_signatures(signed, roots):
    again = io.BytesIO()
    with pikepdf.open(io.BytesIO(signed("b-b"))) as pdf:
        pdf.save(again)

    assert not inspect_signatures(again.getvalue(), roots).good


@needs("pdfsig")
def test_flipped_bytes_in_the_signed_range_are_noticed_by_poppler_and_by_us(signed, roots, pdfsig):
    document = signed("b-lt")
    ((_, _, (length, start)),) = holes(document)
    chance = random.Random(7)  # noqa: S311 - a sample, not a secret
    sample = chance.sample([*range(length), *range(start, len(document))], 6)

    for at in sample:
        spoilt = bytearray(document)
        spoilt[at] ^= 1 << chance.randrange(8)
        found = inspect_signatures(bytes(spoilt), roots)
        said = pdfsig(bytes(spoilt))

        assert not found.good, at
        assert not any("Signature is Valid" in one["text"] for one in said), at


def test_flipped_bytes_in_the_hole_are_noticed(signed, roots):
    document = signed("b-t")
    ((_, inside, (length, start)),) = holes(document)
    chance = random.Random(8)  # noqa: S311 - a sample, not a secret
    used = length + 2 * len(inside.rstrip(b"\0"))

    for at in [length, start - 1, *chance.sample(range(length, used), 12), start - 9]:
        spoilt = bytearray(document)
        spoilt[at] ^= 1 << chance.randrange(8)

        assert not inspect_signatures(bytes(spoilt), roots).good, at


def test_a_letter_in_the_other_case_is_noticed_though_it_means_the_same(signed, roots):
    document = bytearray(signed("b-b"))
    ((_, _, (length, start)),) = holes(bytes(document))
    at = next(at for at in range(length, start) if chr(document[at]) in "ABCDEF")
    document[at] ^= 0x20

    assert codes(inspect_signatures(bytes(document), roots)) == {"container"}


def test_a_signer_whom_nobody_trusts_is_unknown(signed, stranger, tmp_path):
    other = asn1(stranger.certificate, tmp_path / "other.pem")

    for trust in ([other], []):
        found = inspect_signatures(signed("b-b"), trust)

        assert codes(found) == {"unknown"}
        assert [(one.intact, one.valid, one.trusted) for one in found.people] == [
            (True, True, False)
        ]


def test_a_time_authority_whom_nobody_trusts_proves_no_time(signed, authority, tmp_path):
    # Trust that ends at the signer: the certificate of the laboratory itself.
    own = asn1(authority.laboratory.certificate, tmp_path / "own.pem")

    found = inspect_signatures(signed("b-t"), [own])

    assert codes(found) == {"stamp-unknown"}
    assert found.people[0].stamped_at is None
    assert found.people[0].level is Level.B


def test_whoever_trusts_an_authority_below_the_root_finds_the_same(signed, keys):
    issuing = load_certificates(keys / "issuing.pem")

    assert inspect_signatures(signed("b-lta", 2), issuing).good


def test_a_root_of_the_same_name_vouches_for_nobody(signed, tmp_path):
    other = asn1(
        alone(made.new_key(), made.subject_name("root")).certificate, tmp_path / "other.pem"
    )

    assert not any(one.trusted for one in inspect_signatures(signed("b-b"), [other]).people)


def test_without_a_timestamp_a_certificate_that_has_expired_since_proves_nothing(signed, roots):
    later = ValidationKnowledge(now=dt.datetime.now(dt.UTC) + 4 * YEAR)

    found = inspect_signatures(signed("b-b"), roots, knowledge=later)

    assert codes(found) == {"expired"}
    assert not found.people[0].in_time


def test_a_timestamp_keeps_a_signature_good_after_its_certificate_expired(signed, roots):
    later = ValidationKnowledge(now=dt.datetime.now(dt.UTC) + 4 * YEAR)

    found = inspect_signatures(signed("b-lta", 2), roots, knowledge=later)

    assert found.good, codes(found)
    assert all(one.in_time for one in found.people)


def test_when_the_last_time_authority_has_expired_nothing_is_proven_any_more(signed, roots):
    later = ValidationKnowledge(now=dt.datetime.now(dt.UTC) + 11 * YEAR)

    assert "expired" in codes(inspect_signatures(signed("b-lta"), roots, knowledge=later))


def test_a_certificate_revoked_before_the_signature_is_named(signed, roots, authority, revoking):
    before = revoking(authority.laboratory.certificate, at=authority.made_at)

    found = inspect_signatures(
        signed("b-t"), roots, knowledge=ValidationKnowledge(revocations=before)
    )

    assert codes(found) == {"revoked"}
    assert found.people[0].revocation is Revocation.REVOKED


def test_a_certificate_revoked_after_the_timestamp_was_good_when_it_signed(
    signed, roots, authority, revoking
):
    after = revoking(
        authority.laboratory.certificate, at=dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    )
    later = ValidationKnowledge(
        now=dt.datetime.now(dt.UTC) + dt.timedelta(days=2), revocations=after
    )

    assert inspect_signatures(signed("b-t"), roots, knowledge=later).good
    assert codes(inspect_signatures(signed("b-b"), roots, knowledge=later)) == {"revoked"}


def test_a_report_tells_everything_about_a_signature(signed, roots, tmp_path, authority):
    path = tmp_path / "signed.pdf"
    path.write_bytes(signed("b-lta", 2))
    certificate = authority.laboratory.certificate

    found = inspect_file(
        path, roots, expected=ExpectedSignatures(capacities=tuple(Capacity), level=Level.LTA)
    )

    first, stamp, second, last = found.signatures
    assert found.good
    assert [one.is_timestamp for one in found.signatures] == [False, True, False, True]
    assert first.capacity is Capacity.LABORATORY
    assert first.signer == "DEMONSTRATION examiner 1 / DEMONSTRAÇÃO / 示範"
    assert first.serial == f"{certificate.serial_number:x}"
    assert first.valid_until == certificate.not_valid_after_utc
    assert first.standing is SignatureStanding.ADVANCED
    assert first.revocation is Revocation.GOOD
    assert first.demonstration
    assert first.coverage is SignatureCoverage.REVISION
    assert first.changes is Changes.SIGNATURES
    assert second.changes is Changes.TIMESTAMPS
    assert last.coverage is SignatureCoverage.FILE
    assert [one.ends_file for one in found.signatures] == [False, False, False, True]
    assert abs(first.claimed_at - first.stamped_at) < dt.timedelta(minutes=1)
    assert stamp.stamped_at >= first.stamped_at


def test_what_nobody_signed_is_unsigned(paper, roots):
    found = inspect_signatures(paper, roots)

    assert codes(found) == {"unsigned"}
    assert not found.good
    assert "Selo-laboratory" in found.empty


@pytest.mark.parametrize("junk", [b"", b"%PDF-1.7\n%%EOF\n", b"\xff" * 999])
def test_what_is_no_pdf_is_unreadable_and_never_good(junk, roots):
    found = inspect_signatures(junk, roots)

    assert codes(found) == {"unreadable"}
    assert not found.good


def test_a_signature_that_hides_in_another_kind_of_field_is_noticed(signed, roots):
    spoilt = signed("b-b").replace(b"/ETSI.CAdES.detached", b"/ETSI.XAdES.detached")

    assert not inspect_signatures(spoilt, roots).good


def test_a_real_signature_on_a_demonstration_paper_is_told_apart(
    paper, wanted, stranger, issued, tmp_path
):
    root = asn1(stranger.certificate, tmp_path / "root.pem")
    real = load_pkcs12(issued(stranger, marked=False), PASSPHRASE)
    made = sign_document(paper, real, wanted(demonstration=False, trust=(root,), revocations=()))

    assert [one.demonstration for one in inspect_signatures(made.document, [root]).people] == [
        False
    ]


#: A number of an object that no revision has yet.
LATER = 999


def with_dangling_reference(paper):
    """Return a document whose page has a second content that is not there yet."""
    with pikepdf.open(io.BytesIO(paper)) as pdf:
        page = pdf.pages[0].obj
        content = page.Contents if isinstance(page.Contents, pikepdf.Array) else [page.Contents]
        held = pdf.make_indirect(pikepdf.Stream(pdf, b""))
        page.Contents = pikepdf.Array([*content, held])
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable, qdf=True)
    data = out.getvalue()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        number, size = pdf.pages[0].obj.Contents[-1].objgen[0], int(pdf.trailer.Size)
    assert number < size <= LATER
    there, later = b"    %d 0 R\n  ]" % number, b"%d 0 R\n  ]" % LATER
    assert data.count(there) == 1
    return data.replace(there, later.rjust(len(there)))


@pytest.mark.parametrize("signer", ["laboratory", "bureau"])
def test_no_content_comes_to_life_after_a_signature(paper, key, wanted, roots, signer, monkeypatch):
    """A page may refer to an object that only a later revision has."""

    class Later(document_signing._AppendOnlyWriter):  # noqa: SLF001 - the forger has our program
        def __init__(self, document):
            super().__init__(document)
            if bool(self.prev.embedded_signatures) is (signer == "bureau"):
                self.objects[0, LATER] = generic.StreamObject(stream_data=b"0 0 99 99 re f")
                self._lastobj_id = max(self._lastobj_id, LATER)

    monkeypatch.setattr(document_signing, "_AppendOnlyWriter", Later)
    monkeypatch.setattr(document_signing, "_require_acceptance", lambda *_: None)
    document = with_dangling_reference(paper)
    for name in dict.fromkeys(["laboratory", signer]):
        document = sign_document(document, key(name), wanted(capacity=Capacity(name))).document

    found = inspect_signatures(document, roots)

    with pikepdf.open(io.BytesIO(document)) as pdf:
        assert b"99 99 re" in pdf.pages[0].obj.Contents[-1].read_bytes()
    assert codes(found) == {"revision"}


def script(pdf):
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="this.hidden = 1")


def layer(pdf):
    group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="conforms"))
    state = pikepdf.Dictionary(OFF=pikepdf.Array([group]))
    pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=pikepdf.Array([group]), D=state)


def action_of_a_page(pdf):
    pdf.pages[0].obj.AA = pikepdf.Dictionary(O=pikepdf.Dictionary(S=pikepdf.Name.Hide))


def content_of_another_file(pdf):
    stream = pikepdf.Stream(pdf, b"")
    stream.F = "elsewhere.txt"
    pdf.pages[0].obj.Contents = pdf.make_indirect(stream)


@pytest.mark.parametrize("change", [script, layer, action_of_a_page, content_of_another_file])
def test_whoever_signs_cannot_sign_what_changes_by_itself(
    paper, key, wanted, roots, change, monkeypatch
):
    monkeypatch.setattr(document_signing, "_require_acceptance", lambda *_: None)
    with pikepdf.open(io.BytesIO(paper)) as pdf:
        change(pdf)
        out = io.BytesIO()
        pdf.save(out)
    document = sign_document(out.getvalue(), key("laboratory"), wanted()).document

    assert codes(inspect_signatures(document, roots)) == {"active"}
