"""The document as PDF: what stands in it, what it is made of, and what it says of itself."""

import datetime as dt
import io
import re
import subprocess

import msgspec
import paper
import pikepdf
import pytest
import synthetic
from tests.tools import need

from selo.errors import UsageError
from selo.report.content.attachments import Enclosure
from selo.report.model.dossier import Body
from selo.report.model.report_model import DocumentKind, MissingRequirement, Report
from selo.report.pdf import pdf_document as document
from selo.report.pdf.weasyprint_layout import TypesetPages
from selo.text.message_catalogue import say
from selo.vendors.sandbox import GUARANTEES

GAMES = ("fish-prawn-crab",)
HAN = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-zÀ-ÿ]{4,}")


@pytest.fixture(scope="module")
def told(law):
    return synthetic.report(law, games=GAMES, demonstration=True)


@pytest.fixture(scope="module")
def drawn(told):
    return document.render_document(told, synthetic.FILES)


@pytest.fixture(scope="module")
def opened(drawn):
    with pikepdf.open(io.BytesIO(drawn.pdf)) as pdf:
        yield pdf


@pytest.fixture
def unlaid(monkeypatch):
    """Leave out the layout, which takes seconds; return what was to be laid out."""
    asked = []
    empty = pikepdf.new()
    empty.add_blank_page()
    saved = io.BytesIO()
    empty.save(saved, deterministic_id=True)

    def typeset(html, *_):
        asked.append(html)
        return TypesetPages(pdf=saved.getvalue(), pages=1, places={})

    monkeypatch.setattr(document, "typeset", typeset)
    return asked


# What a reader sees.


def test_the_first_page_tells_what_an_inspector_needs(told, drawn):
    first = re.sub(r"\s+", " ", paper.pages(drawn.pdf)[0])

    for words in (
        told.statement.verdict.pt,
        told.statement.verdict.zh,
        "Reference games 1.0 — Reference vendor",
        "Portaria n.º 21/96/M, de 12 de Fevereiro",
        "二月十二日第21/96/M號訓令",
        told.item.files[0].sha256,
        "18 977",
        "2026-01-20 – 2026-01-22",
        told.method.spec_digest,
        "4711",
        told.number,
        "Demonstration signatory of the bureau",
        "2027-01-31",
        f"selo verify {told.number}.pdf",
        told.evidence.root,
    ):
        assert words.replace(" ", "") in first.replace(" ", ""), words


LONG_NAME = "Companhia de Desenvolvimento de Equipamentos de Jogo, Limitada 博彩設備有限公司 " * 4


def names_without_end(report):
    """Return the report with names, addresses and a first finding as long as anybody likes."""
    long, told = LONG_NAME, synthetic.twice(LONG_NAME, LONG_NAME)
    replace = msgspec.structs.replace
    body = Body(name=long, address=long, contact=long, licence=long)
    first = replace(report.findings[0], title=told, required=told, seen=told)
    return replace(
        report,
        issuer=body,
        client=body,
        place=long,
        item=replace(report.item, product=long, version=long, vendor=long),
        findings=[first],
        signatories=[replace(one, name=long) for one in report.signatories],
    )


def falling_short(report):
    """Return a certificate that falls short of nearly everything that it may fall short of."""
    games = [one.game for one in report.games]
    keys = [
        *(f"isolation:{name}" for name in GUARANTEES[1:]),
        "isolation:opened",
        *(f"extent:text:{game}" for game in games),
        "extent:budget",
        *(f"extent:{kind}:{game}" for game in games[1:] for kind in ("power", "kills")),
    ]
    missing = [MissingRequirement(key=key, says=synthetic.twice("x", "x")) for key in keys]
    replace = msgspec.structs.replace
    return replace(report, kind=DocumentKind.CERTIFICATE, findings=[], shortfalls=missing)


@pytest.mark.parametrize(
    "languages", [("pt", "zh"), pytest.param(("pt", "zh", "en"), marks=pytest.mark.full)]
)
@pytest.mark.parametrize(
    "change",
    [pytest.param(lambda report: report, marks=pytest.mark.full), names_without_end, falling_short],
)
def test_the_first_page_is_one_page_even_with_six_games_and_a_finding(law, languages, change):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, findings=1, demonstration=True)
    few = change(
        msgspec.structs.replace(report, provisions=[], articles=[], edges=[], open_points=[])
    )

    pages = paper.pages(document.render_pdf(few, synthetic.FILES, languages=languages))

    assert "selo verify" in pages[0]
    assert say("document.contents", "zh") in pages[1]


def test_revoked_law_is_said_on_page_one(drawn):
    first = re.sub(r"\s+", " ", paper.pages(drawn.pdf)[0])

    assert "o texto guardado foi aplicado tal como está, a pedido expresso" in first
    assert "revogado" in first


def test_every_article_is_told_in_both_languages(told, drawn):
    text = re.sub(r"\s+", "", paper.words(drawn.pdf))

    for one in told.articles:
        for language in ("pt", "zh"):
            assert one.citation.get(language).replace(" ", "") in text, one.number
            if one.heading is not None:
                assert one.heading.get(language).replace(" ", "") in text, one.number


def test_every_provision_is_told_with_its_cases_and_its_line_of_evidence(told, drawn):
    text = paper.words(drawn.pdf, "-layout")

    for one in told.provisions:
        if one.evidence is not None:
            line = f"{document_figure(one.cases)} +{one.decisive} +2/2 +{one.evidence}"
            assert re.search(line, text), one.id


def document_figure(number):
    return f"{number:,}".replace(",", ".")


def test_every_page_says_its_number_and_how_many_there_are(drawn):
    pages = paper.pages(drawn.pdf)

    assert len(pages) == drawn.pages
    for number, text in enumerate(pages, start=1):
        assert f"Página {number} de {drawn.pages}" in text
        assert f"第{number}頁，共{drawn.pages}頁" in text.replace(" ", "")


def test_every_page_carries_kind_and_number(told, drawn):
    for text in paper.pages(drawn.pdf):
        assert "Certificado de conformidade" in text
        assert "合格證書" in text
        assert told.number in text


def test_the_end_is_visible(drawn):
    assert "Fim do documento" in paper.pages(drawn.pdf)[-1]


def test_contents_give_the_page_on_which_a_section_begins(drawn):
    pages = paper.pages(drawn.pdf)
    listed = re.search(
        r"Assinaturas.*?(\d+)", paper.words(drawn.pdf, "-layout", "-f", "2", "-l", "2")
    )

    assert "Assinaturas" in pages[int(listed[1]) - 1]


def test_nothing_is_written_outside_of_the_margins(drawn):
    left, right = 18 / 25.4 * 72, (210 - 18) / 25.4 * 72

    for page, word, (x1, y1, x2, y2) in paper.boxes(drawn.pdf):
        assert left - 1 <= x1 < x2 <= right + 1, (page, word)
        assert 0 <= y1 < y2 <= 842, (page, word)


def read_qr_code(pdf, folder):
    """Return what a reader of others sees in the code of the first page."""
    need("zbarimg")
    page = folder / "page"
    paper.tool("pdftoppm", "-r", "150", "-l", "1", "-png", "-singlefile", "-", str(page), data=pdf)
    command = ["zbarimg", "--quiet", "--raw", page.with_suffix(".png")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_qr_code_of_the_first_page_holds_number_and_root(told, drawn, tmp_path):
    lines = read_qr_code(drawn.pdf, tmp_path).splitlines()

    assert told.number in lines
    assert f"root {told.evidence.root}" in lines


def test_the_qr_code_is_the_address_that_the_dossier_names(told, tmp_path):
    page = "https://registry.example/certificates/SELO-7"
    drawn = document.render_document(msgspec.structs.replace(told, page=page), synthetic.FILES)

    assert read_qr_code(drawn.pdf, tmp_path) == page


# What it is made of.


def test_qpdf_finds_nothing_wrong(drawn, tmp_path):
    path = tmp_path / "document.pdf"
    path.write_bytes(drawn.pdf)

    code, said = paper.tool("qpdf", "--check", str(path), data=b"")

    assert code == 0, said


def test_every_font_is_embedded_in_part_and_is_one_of_ours(drawn):
    rows = paper.tool("pdffonts", "-", data=drawn.pdf)[1].splitlines()[2:]

    assert rows
    for row in rows:
        assert re.match(r"[A-Z]{6}\+Selo-", row), row
        assert re.search(r" yes yes yes ", row), row


def test_bookmarks_lead_to_sections_and_articles(opened):
    with opened.open_outline() as outline:
        titles = [one.title for one in outline.root]
        below = {one.title: [child.title for child in one.children] for one in outline.root}

    assert "12. Assinaturas · 簽署" in titles
    assert "Peixe-Camarão-Caranguejo · 魚蝦蟹骰寶" in below["2. Resultados por artigo · 逐條結果"]


def test_objects_are_packed_in_small_streams(opened):
    packed = [one for one in opened.objects if isinstance(one, pikepdf.Stream)]

    assert len(opened.objects) < 260 * len(opened.pages)
    assert packed


def test_attachments_are_the_files_with_their_relationship(opened, told):
    attached = {name: opened.attachments[name] for name in opened.attachments}
    relations = {str(one.UF): str(one.AFRelationship) for one in opened.Root.AF}

    assert set(attached) == {"report.json", *synthetic.FILES}
    for name, data in synthetic.FILES.items():
        assert attached[name].get_file().read_bytes() == data
    assert relations == {
        "report.json": "/Alternative",
        "evidence.jsonl.zst": "/Data",
        "plan.json": "/Source",
        "specs.lock.json": "/Source",
        "witness-1.yaml": "/Supplement",
    }
    read = msgspec.json.decode(attached["report.json"].get_file().read_bytes(), type=Report)
    assert read == told


def test_evidence_that_is_too_large_travels_beside(told, unlaid):
    beside = msgspec.structs.replace(told.attachments[0], attached=False, size=20_000_000)
    report = msgspec.structs.replace(told, attachments=[beside, *told.attachments[1:]])

    with pikepdf.open(io.BytesIO(document.render_pdf(report, synthetic.FILES))) as pdf:
        assert set(pdf.attachments) == {"report.json", *synthetic.FILES} - {beside.name}
    assert "a par do PDF" in unlaid[0]
    assert beside.sha256 in unlaid[0]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "is not there"),
        ({**synthetic.FILES, "plan.json": b"{}"}, "not the file that the report names"),
    ],
)
def test_an_attachment_that_is_missing_or_another_is_refused(told, files, says):
    with pytest.raises(UsageError, match=says):
        document.render_pdf(told, files)


@pytest.mark.usefixtures("unlaid")
def test_attachments_come_from_a_folder_or_as_enclosures_too(told, tmp_path):
    for name, data in synthetic.FILES.items():
        (tmp_path / name).write_bytes(data)
    enclosures = [
        Enclosure(name=name, kind="", data=data) for name, data in synthetic.FILES.items()
    ]

    made = {document.render_pdf(told, given) for given in (synthetic.FILES, tmp_path, enclosures)}

    assert len(made) == 1


# What it says of itself.


def test_it_says_that_it_is_both_standards(opened):
    metadata = opened.Root.Metadata.read_bytes().decode()

    assert "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>" in metadata
    assert "<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in metadata


def test_its_dates_are_those_of_the_report(opened, told):
    day = f"D:{told.dates.issued:%Y%m%d}000000Z"

    assert str(opened.docinfo["/CreationDate"]) == day
    assert str(opened.docinfo["/ModDate"]) == day
    assert str(opened.Root.AF[0].EF.F.Params.CreationDate) == day


def test_its_title_is_in_both_languages_and_shown(opened, told):
    title = str(opened.docinfo["/Title"])

    assert "Certificado de conformidade n.º SELO-2026-0001" in title
    assert "合格證書（編號SELO-2026-0001）" in title
    assert bool(opened.Root.ViewerPreferences.DisplayDocTitle)
    assert told.evidence.root in str(opened.docinfo["/Keywords"])


# Readers who hear it.


def test_chinese_is_declared_chinese_and_portuguese_portuguese(opened):
    said = {"zh-Hant": "", "pt": ""}
    contents = [paper.marked(opened, page)[0] for page in range(len(opened.pages))]
    order = {page.objgen: index for index, page in enumerate(opened.pages)}
    for one, language in paper.elements(opened):
        kids = one.get("/K")
        kids = list(kids) if isinstance(kids, pikepdf.Array) else [kids]
        for kid in kids:
            if isinstance(kid, int) and "/Alt" not in one:
                said[language] += contents[order[one.Pg.objgen]].get(int(kid), "") + "\n"

    assert len(HAN.findall(said["zh-Hant"])) > 2000
    assert not HAN.search(said["pt"]), HAN.search(said["pt"])
    # Latin names and digests stand in Chinese sentences too; whole Portuguese sentences do not.
    assert "disposição" not in said["zh-Hant"]


def test_heads_and_feet_are_not_read_aloud(opened, told):
    for page in range(len(opened.pages)):
        read, unread = paper.marked(opened, page)

        assert any(told.number in one or "SELO" in one for one in unread), page
        assert "Página" in "".join(unread)
        assert "Página" not in "".join(read.values())


def test_pictures_and_plots_have_words(opened):
    figures = [one for one, _ in paper.elements(opened) if one.S == "/Figure"]

    assert len(figures) >= 4
    assert all(str(one.Alt).strip() for one in figures)


def test_tables_have_heads(opened):
    kinds = [str(one.S) for one, _ in paper.elements(opened)]

    assert kinds.count("/TH") > 50
    assert kinds.count("/H1") == 1
    assert kinds.count("/H2") == 13


# Where people sign.


def test_room_for_signatures_is_returned_and_lies_on_the_last_pages(drawn):
    assert set(drawn.boxes) == {"laboratory", "bureau"}
    for place in drawn.boxes.values():
        assert place.page == drawn.pages - 1
        assert place.right - place.left == pytest.approx(92 / 25.4 * 72, abs=0.5)
        assert place.top - place.bottom == pytest.approx(34 / 25.4 * 72, abs=0.5)


def test_the_room_for_a_signature_is_empty(drawn):
    for place in drawn.boxes.values():
        for page, word, (x1, y1, x2, y2) in paper.boxes(drawn.pdf):
            apart = (
                page != place.page + 1
                or x2 <= place.left
                or x1 >= place.right
                or y2 <= 841.89 - place.top
                or y1 >= 841.89 - place.bottom
            )
            assert apart, word


def test_signing_can_fill_the_room(drawn):
    from selo.signing.sign.signature_fields import SignatureBox, add_signature_fields  # noqa: PLC0415 - only here
    from selo.signing.signing_enums import Capacity  # noqa: PLC0415 - the same

    boxes = [
        SignatureBox(
            capacity=Capacity(role),
            page=place.page,
            left=place.left,
            bottom=place.bottom,
            right=place.right,
            top=place.top,
        )
        for role, place in drawn.boxes.items()
    ]

    with pikepdf.open(io.BytesIO(add_signature_fields(drawn.pdf, boxes))) as pdf:
        fields = [str(one.T) for one in pdf.Root.AcroForm.Fields]

    assert {"Selo-laboratory", "Selo-bureau"} <= set(fields)


@pytest.mark.usefixtures("unlaid")
def test_a_document_of_another_day_is_another_document(told):
    dates = msgspec.structs.replace(told.dates, issued=dt.date(2026, 2, 1))
    later = msgspec.structs.replace(told, dates=dates)

    assert document.render_pdf(told, synthetic.FILES) != document.render_pdf(later, synthetic.FILES)
