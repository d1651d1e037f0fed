"""Three kinds that cannot be mistaken for one another, on every page."""

import io

import msgspec
import paper
import pikepdf
import pytest
import synthetic

from selo.report.model.report_model import DocumentKind
from selo.report.pdf import pdf_document as document
from selo.report.pdf.pdf_document import signature_boxes_of

PRE_CHECK = ("VERIFICAÇÃO PRÉVIA — NÃO É RELATÓRIO NEM CERTIFICADO", "預檢——並非報告或證書")
DEMONSTRATION = ("DEMONSTRAÇÃO — SEM QUALQUER EFEITO", "示範——不具任何效力")
TITLES = {
    DocumentKind.PRE_CHECK: ("Verificação prévia", "預檢"),
    DocumentKind.TEST_REPORT: ("Relatório de ensaio", "檢測報告"),
    DocumentKind.CERTIFICATE: ("Certificado de conformidade", "合格證書"),
}


@pytest.fixture(scope="module")
def made(law):
    """Return one document of each kind, the first two of them demonstrations."""
    return {
        kind: document.render_document(
            synthetic.report(law, kind=kind, games=("pai-kao",), demonstration=demonstration),
            synthetic.FILES,
        )
        for kind, demonstration in (
            (DocumentKind.PRE_CHECK, True),
            (DocumentKind.TEST_REPORT, True),
            (DocumentKind.CERTIFICATE, False),
        )
    }


@pytest.mark.parametrize("kind", DocumentKind)
def test_every_page_names_its_kind_and_no_other(made, kind):
    for text in paper.pages(made[kind].pdf)[3:]:
        for other, titles in TITLES.items():
            assert (titles[0] in text) is (other is kind)


def test_a_pre_check_says_on_every_page_what_it_is_not(made):
    for text in paper.pages(made[DocumentKind.PRE_CHECK].pdf):
        for words in PRE_CHECK:
            assert words in text.replace("\n", " ")


@pytest.mark.parametrize("kind", [DocumentKind.PRE_CHECK, DocumentKind.TEST_REPORT])
def test_a_demonstration_says_so_on_every_page(made, kind):
    for text in paper.pages(made[kind].pdf):
        for words in DEMONSTRATION:
            assert words in text.replace("\n", " ")


def test_a_document_that_is_neither_has_no_band(made):
    text = paper.words(made[DocumentKind.CERTIFICATE].pdf)

    for words in (*PRE_CHECK, *DEMONSTRATION):
        assert words not in text


def test_a_pre_check_leaves_no_room_for_signatures(made):
    assert made[DocumentKind.PRE_CHECK].boxes == {}
    assert "Não é assinado" in paper.words(made[DocumentKind.PRE_CHECK].pdf)


def test_a_pre_check_has_no_rosette(made):
    def rosettes(kind):
        with pikepdf.open(io.BytesIO(made[kind].pdf)) as pdf:
            return sum(str(one.get("/Alt")) == "Selo" for one, _ in paper.elements(pdf))

    assert rosettes(DocumentKind.PRE_CHECK) == 0
    assert rosettes(DocumentKind.TEST_REPORT) == rosettes(DocumentKind.CERTIFICATE) == 1


@pytest.mark.parametrize(
    ("kind", "signatories", "fields", "room"),
    [
        (DocumentKind.TEST_REPORT, [], None, ["laboratory"]),
        (DocumentKind.TEST_REPORT, None, None, ["laboratory", "bureau"]),
        (DocumentKind.CERTIFICATE, None, ["bureau"], ["bureau"]),
        (DocumentKind.PRE_CHECK, None, None, []),
        (DocumentKind.PRE_CHECK, None, ["laboratory"], ["laboratory"]),
    ],
)
def test_room_is_left_for_whoever_signs_or_is_asked_for(law, kind, signatories, fields, room):
    report = synthetic.report(law, kind=kind, games=("pai-kao",))
    if signatories is not None:
        report = msgspec.structs.replace(report, signatories=signatories)

    assert [one.role for one in signature_boxes_of(report, fields)] == room
