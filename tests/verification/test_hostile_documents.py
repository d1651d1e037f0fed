"""Documents that were made to harm whoever verifies them: exit 6 with a name, and nothing else."""

import io
import multiprocessing
import os
import resource
import zlib

import msgspec
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.often import often
from tests.verification.conftest import bound, wrong

from selo.errors import UsageError
from selo.report.content.house_edge import parse_edge
from selo.report.model.results_model import DeviationRecord, HouseEdge
from selo.signing.attached_files import UnreadablePdf, read_attached_files
from selo.signing.sign.document_facts import read_document_facts
from selo.signing.signing_errors import SigningRefused
from selo.storage.limited_process import LimitExceeded
from selo.verification.installed_files import check_installation
from selo.verification.verification_report import CheckState, exit_code_of

_MIB = 1 << 20


def zeros(mebibytes):
    """Return a stream that unpacks to so many mebibytes, packed twice, without making them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(_MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    # The checksum of n zeros: the first sum stays 1, the second counts them.
    checksum = (((mebibytes * _MIB) % 65521) << 16 | 1).to_bytes(4)
    return zlib.compress(b"\x78\x9c" + piece * mebibytes + b"\x03\x00" + checksum, 9)


def saved(pdf):
    out = io.BytesIO()
    pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return out.getvalue()


def attaching(*specs):
    """Return a PDF whose tree of attachments holds just these names and file specifications."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    names = []
    for name, make in specs:
        names += [String(name), make(pdf)]
    tree = pdf.make_indirect(Dictionary(Names=Array(names)))
    pdf.Root.Names = Dictionary(EmbeddedFiles=tree)
    return saved(pdf)


def specification(data, name="report.json", **more):
    def make(pdf):
        stream = pdf.make_stream(data)
        for key, value in more.items():
            stream[f"/{key}"] = value
        return pdf.make_indirect(
            Dictionary(Type=Name.Filespec, F=name, UF=name, EF=Dictionary(F=stream, UF=stream))
        )

    return make


@pytest.fixture(scope="module")
def bomb():
    packed = Array([Name.FlateDecode, Name.FlateDecode])
    return attaching(("report.json", specification(zeros(4096), Filter=packed)))


def test_a_small_file_does_not_unpack_to_gigabytes(bomb, verify):
    # Children of a new process only: those of other tests count for ever.
    ours, theirs = multiprocessing.Pipe()
    fresh = multiprocessing.get_context("fork").Process(
        target=_tell_memory_of_children, args=(theirs, verify, bomb)
    )
    fresh.start()
    theirs.close()
    checks, used, inherited = ours.recv()
    fresh.join()

    assert len(bomb) < 20_000
    assert wrong(checks) == {"document": "document.unreadable"}
    assert "takes more than 512 MiB" in checks[0].slots["problem"]
    assert exit_code_of(checks) == 6
    # A fork counts the memory of this test's worker as its own.
    assert 0 < used - inherited < 600 * 1024


def _tell_memory_of_children(told, verify, document):
    inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    checks = verify(document)
    told.send((checks, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, inherited))


def test_it_is_not_signed_either(bomb):
    with pytest.raises(SigningRefused):
        read_document_facts(bomb)


def test_a_bomb_in_the_objects_of_the_file_is_named():
    with pytest.raises((UnreadablePdf, LimitExceeded)):
        read_attached_files(_with_a_bomb_as_object_stream())


def _with_a_bomb_as_object_stream():
    body = zeros(4096)
    stream = (
        b"5 0 obj << /Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode] /Length "
        + str(len(body)).encode() + b" >> stream\n" + body + b"\nendstream endobj\n"
    )  # fmt: skip
    head = b"%PDF-1.7\n"
    at = len(head) + len(stream)
    rows = b"".join(
        kind.to_bytes(1) + place.to_bytes(4) + number.to_bytes(1)
        for kind, place, number in [
            (0, 0, 0),
            (2, 5, 0),
            (0, 0, 0),
            (0, 0, 0),
            (1, at, 0),
            (1, 9, 0),
        ]
    )
    table = (
        b"4 0 obj << /Type /XRef /Size 6 /W [1 4 1] /Root 1 0 R /Length "
        + str(len(rows)).encode() + b" >> stream\n" + rows + b"\nendstream endobj\n"
    )  # fmt: skip
    return head + stream + table + b"startxref\n" + str(at).encode() + b"\n%%EOF\n"


@pytest.mark.parametrize(
    "specs",
    [
        [("report.json", specification(b"{}")), ("report.json", specification(b"[]"))],
        [("report.json", specification(b"{}", name="other.json"))],
        [("report.json", lambda pdf: Dictionary(F="report.json", EF=Dictionary(
            F=pdf.make_stream(b"{}"), UF=pdf.make_stream(b"[]"))))],
        [("report.json", lambda _: Dictionary(F="report.json"))],
        [("report.json", lambda _: String("no file"))],
    ],
    ids=["twice", "two-names", "two-contents", "no-content", "no-file"],
)  # fmt: skip
def test_an_attachment_that_readers_could_show_in_two_ways_is_refused(specs):
    with pytest.raises(UnreadablePdf):
        read_attached_files(attaching(*specs))


@pytest.mark.parametrize(
    "name",
    often(["..", "", "x" * 30_000, "a/b", "\u202egnp", "\x1b[31m", "\0"], "..", "x" * 30_000),
)
def test_no_name_of_an_attachment_harms(material, verify, name):
    report, files = material

    checks = verify(bound(report, {**files, name: b"x"}))

    assert exit_code_of(checks) == 6
    assert "attachment.unknown" in wrong(checks).values() or "document" in wrong(checks)


def test_a_tree_of_attachments_without_an_end_is_refused():
    pdf = pikepdf.new()
    pdf.add_blank_page()
    tree = pdf.make_indirect(Dictionary())
    tree.Kids = Array([tree])
    pdf.Root.Names = Dictionary(EmbeddedFiles=tree)

    try:
        found = read_attached_files(saved(pdf))
    except (UnreadablePdf, LimitExceeded):
        found = {}

    assert found == {}


def test_an_alias_bomb_in_an_attached_form_is_named(material, verify):
    report, files = material
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)
    )
    checks = verify(bound(report, {**files, "witness-1.yaml": bomb.encode()}))

    assert exit_code_of(checks) == 6


def test_an_installation_with_pipes_and_links_is_looked_through(material, tmp_path):
    report, _ = material
    names = [file.path for file in report.item.files][:2]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / names[0])
    (tmp_path / names[1]).symlink_to("/dev/zero")
    (tmp_path / "extra.bin").write_bytes(b"x")

    checks = list(check_installation(report, tmp_path, is_named=True))

    named = {check.slots.get("file"): check for check in checks}
    assert named[names[0]].slots["problem"] == "not a regular file"
    assert named[names[1]].slots["problem"] == "outside of its folder"
    assert (named["extra.bin"].key, named["extra.bin"].state) == ("file.extra", CheckState.WARNING)
    assert all(check.state is not CheckState.HOLDS for check in checks)


_NUMBERS = ("1e999999999", "1e-999999999", "1/1e999999999", "nan", "inf", "9" * 5000, "", "1/")


def of_kind(record, field, value):
    """Return the fields of a record of a report with one of them changed."""
    plain = {
        HouseEdge: {"game": "g", "bet": "b", "name": "n", "exact": "1/36", "decimal": "2.78%"},
        DeviationRecord: {
            "deviation": "d", "name": {"pt": "d", "zh": "d", "en": "d"}, "game": "g",
            "outcomes": "draw", "test": "t", "sample": 1, "power": "1", "risk": "0",
        },
    }[record]  # fmt: skip
    return {**plain, field: [value, value] if field == "interval" else value}


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (DeviationRecord, "wanted"),
        (DeviationRecord, "power"),
        *((HouseEdge, field) for field in ("exact", "declared", "observed", "interval")),
    ],
)
def test_no_number_of_a_report_takes_for_ever_to_work_out(record, field):
    """Python works 1e999999999 out digit by digit."""
    assert msgspec.convert(of_kind(record, field, "1/36"), record, strict=False)
    for text in _NUMBERS:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(of_kind(record, field, text), record, strict=False)


@pytest.mark.parametrize("text", _NUMBERS)
def test_no_declared_edge_takes_for_ever_to_work_out(text):
    with pytest.raises(UsageError):
        parse_edge(text)
