"""Boxes on the page before anyone signs."""

import io
import subprocess

import pikepdf
import pytest
from pikepdf import Name
from tests.tools import needs

from selo.signing.sign.signature_fields import SignatureBox, add_signature_fields, box_at_anchor
from selo.signing.signing_enums import Capacity
from selo.signing.signing_errors import SigningRefused

from .conftest import laid_out


def box(capacity=Capacity.LABORATORY, **other):
    given = {"page": 0, "left": 60, "bottom": 100, "right": 280, "top": 180}
    return SignatureBox(capacity=capacity, **{**given, **other})


def opened(document):
    return pikepdf.open(io.BytesIO(document))


def spoken(element, path=()):
    """Yield each element of the structure with the kinds of elements above it."""
    kids = element.get(Name.K)
    for kid in list(kids) if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and Name.S in kid:
            yield kid, path
            yield from spoken(kid, (*path, str(kid.S)))


def test_the_same_document_and_boxes_give_the_same_bytes(printed):
    first = add_signature_fields(printed, [box()])

    assert add_signature_fields(printed, [box()]) == first


@needs("qpdf")
def test_qpdf_finds_nothing_wrong_with_a_prepared_document(paper, tmp_path):
    path = tmp_path / "paper.pdf"
    path.write_bytes(paper)

    said = subprocess.run(["qpdf", "--check", path], capture_output=True, check=False, timeout=60)

    assert said.returncode == 0, said.stdout


def test_each_box_is_a_tagged_form_that_a_screen_reader_can_name(paper):
    with opened(paper) as pdf:
        forms = [kid for kid, _ in spoken(pdf.Root.StructTreeRoot) if Name.Form == kid.S]
        named = {str(form.K.Obj.T): str(form.K.Obj.TU) for form in forms}
        parents = pikepdf.NumberTree(pdf.Root.StructTreeRoot.ParentTree)

        assert named == {
            "Selo-laboratory": "Assinatura do laboratório · 檢測實驗所之簽名",
            "Selo-bureau": "Assinatura da entidade fiscalizadora · 監察機關之簽名",
        }
        for form in forms:
            assert parents[int(form.K.Obj.StructParent)].objgen == form.objgen


def test_a_box_is_read_after_its_page_and_before_the_next(paper):
    with opened(paper) as pdf:
        read = [(str(kid.S), path) for kid, path in spoken(pdf.Root.StructTreeRoot)]
        kinds = [kind for kind, _ in read]

        assert kinds.index("/H1") < kinds.index("/Form") < kinds.index("/H2")
        assert not any("/Table" in path or "/P" in path for kind, path in read if kind == "/Form")


def test_a_box_in_the_middle_of_a_long_table_stays_outside_of_it(fonts):
    printed = laid_out(fonts, pages=1, rows=90)

    prepared = add_signature_fields(printed, [box(page=1)])

    with opened(prepared) as pdf:
        above = [path for kid, path in spoken(pdf.Root.StructTreeRoot) if Name.Form == kid.S]
        assert len(pdf.pages) > 3
        assert above
        assert not any("/Table" in path for path in above)


def test_objects_lie_in_many_small_streams(fonts):
    prepared = add_signature_fields(laid_out(fonts, pages=2, rows=40), [box()])

    with opened(prepared) as pdf:
        counts = [
            int(one.N)
            for one in pdf.objects
            if isinstance(one, pikepdf.Stream) and one.get(Name.Type) == Name.ObjStm
        ]
    assert len(counts) > 3
    assert max(counts) <= 100


def test_a_box_stands_where_the_template_put_its_anchor(printed):
    found = box_at_anchor(printed, "bureau", Capacity.BUREAU, width=200, height=80)

    with opened(printed) as pdf:
        _, _, left, top, _ = pdf.Root.Names.Dests.Names[1]
    assert (found.page, found.left, found.top) == (0, float(left), float(top))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        pytest.param({"page": 9}, "box-page", id="on-no-page"),
        pytest.param({"right": 900}, "box-place", id="off-the-page"),
        pytest.param({"right": 60}, "box-place", id="without-width"),
    ],
)
def test_a_box_that_is_nowhere_is_refused(printed, wrong, reason):
    with pytest.raises(SigningRefused) as refused:
        add_signature_fields(printed, [box(**wrong)])

    assert refused.value.reason == reason


def test_a_document_is_prepared_only_once(paper):
    with pytest.raises(SigningRefused, match="already has a form"):
        add_signature_fields(paper, [box()])


def test_an_anchor_that_is_not_there_is_named(printed):
    with pytest.raises(SigningRefused, match="'nowhere'"):
        box_at_anchor(printed, "nowhere", Capacity.BUREAU, width=1, height=1)


@pytest.mark.parametrize("junk", [b"", b"%PDF-1.7\n", b"no pdf at all"])
def test_what_is_no_pdf_is_refused(junk):
    with pytest.raises(SigningRefused, match="is not a PDF"):
        add_signature_fields(junk, [box()])


def test_an_encrypted_document_is_refused(printed):
    locked = io.BytesIO()
    with opened(printed) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="a", user="b"))

    with pytest.raises(SigningRefused, match="encrypted"):
        add_signature_fields(locked.getvalue(), [box()])
