"""Findings in the document: pictures, both texts, what it costs; and hostile names."""

import io
import re

import msgspec
import paper
import pikepdf
import pytest
import synthetic
from markupsafe import escape

from selo.report.model.dossier import Body, Opinion
from selo.report.model.report_model import DocumentKind, MissingRequirement
from selo.report.pdf import pdf_document as document
from selo.report.pdf.document_pages import render_document_html

GAMES = ("pai-kao", "craps")
NAME = (
    "\u202eLong <script>alert(1)</script> & \"quoted\" 'name' {{ 7*7 }} \x1b[31m "
    "شركة الألعاب עברית 🎲🧿 简体 한국 Z̷̛̭̣͔̮̭͓̫̙̳̪̈́̓̑̇̔̒a "
) * 3
LONG = "W" * 180


@pytest.fixture(scope="module")
def told(law):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, games=GAMES, findings=4)
    item = msgspec.structs.replace(
        report.item,
        vendor=NAME[:200],
        product=LONG,
        version="",
        contact="",
        random=None,
        files=[msgspec.structs.replace(report.item.files[0], path="/".join([LONG[:90]] * 9))],
    )
    return msgspec.structs.replace(
        report,
        item=item,
        issuer=Body(name=NAME),
        client=Body(),
        recipients=[],
        place="",
        number=NAME,
        opinions=[Opinion(says=synthetic.twice(NAME, NAME), basis=NAME, by=NAME)],
        known_issues=[LONG * 4, NAME],
        missing=[MissingRequirement(key="overall", says=synthetic.twice(NAME, NAME))],
        faults=[{"code": "late", "raw": NAME * 3}],
    )


@pytest.fixture(scope="module")
def drawn(told):
    return document.render_document(told, synthetic.FILES)


def closed(text):
    return re.sub(r"\s+", "", text)


def test_a_sheet_tells_requirement_observation_and_money(told, drawn):
    text = closed(paper.words(drawn.pdf))

    for one in told.findings:
        for words in (one.title, one.required, one.seen, one.difference):
            assert closed(words.pt) in text, one.id
            assert closed(words.zh) in text, one.id
        assert closed(one.replay) in text
        if one.per_million:
            assert "MOP138888,89porcada1000000depatacas" in text
            assert "每投注1,000,000澳門元為MOP138,888.89" in text


def test_a_sheet_quotes_the_law_in_each_language_in_which_it_was_published(told, drawn):
    text = closed(paper.words(drawn.pdf))

    for one in told.findings:
        for ground in one.law:
            if ground.provision in one.provisions:
                assert closed(ground.text.pt) in text, ground.provision
    assert "僅以葡文公布。" in text


def test_dice_and_tiles_are_drawn_and_said(drawn):
    with pikepdf.open(io.BytesIO(drawn.pdf)) as pdf:
        says = {str(one.Alt) for one, _ in paper.elements(pdf) if one.S == "/Figure"}

    assert "Pedras: 1/4, 3/3 · 骨牌：1/4、3/3" in says
    assert "Dados: fora da mesa, 6 · 骰子：落在檯外、6" in says


def test_nothing_of_a_hostile_name_becomes_markup(told):
    made = render_document_html(told, ("pt", "zh"), [])

    assert "<script" not in made
    assert "&lt;script&gt;" in made
    assert "49" not in re.findall(r"quoted.{0,40}", made)[0]


def test_a_hostile_name_is_seen_as_it_is(drawn):
    text = closed(paper.words(drawn.pdf))

    assert r"\u202eLong<script>alert(1)</script>" in text
    assert r"\x1b[31m" in text
    assert "[U+1F9FF]" in text


def test_nothing_hostile_leaves_the_margins(drawn):
    left, right = 18 / 25.4 * 72, (210 - 18) / 25.4 * 72

    for page, word, (x1, _, x2, _) in paper.boxes(drawn.pdf):
        assert left - 1.5 <= x1 <= x2 <= right + 1.5, (page, word)


def test_words_do_not_run_over_one_another(drawn):
    by_page = {}
    for page, word, box in paper.boxes(drawn.pdf):
        by_page.setdefault(page, []).append((word, box))

    for page, found in by_page.items():
        found.sort(key=lambda one: (one[1][1], one[1][0]))
        for at, (word, (x1, y1, x2, y2)) in enumerate(found):
            for other, (a1, b1, a2, b2) in found[at + 1 : at + 60]:
                wide = min(x2, a2) - max(x1, a1)
                high = min(y2, b2) - max(y1, b1)
                # Fonts are higher than their letters; half a line over another is too much.
                assert wide < 3 or high < min(y2 - y1, b2 - b1) / 2, (page, word, other)


def test_an_empty_field_says_that_nothing_was_stated(drawn):
    assert closed(paper.words(drawn.pdf)).count("nãoindicado未註明") > 8


def test_a_file_name_to_verify_is_one_that_a_shell_takes(told):
    made = render_document_html(told, ("pt", "zh"), [])

    assert re.search(r"selo verify \w[\w.\-\[\]+]*\.pdf", made)


def test_a_file_name_is_never_taken_for_an_option(law):
    report = synthetic.report(law, games=("pai-kao",), number="--trust=/etc/passwd")

    assert "selo verify trust--etc-passwd.pdf" in render_document_html(report, ("pt", "zh"), [])


def test_without_findings_the_document_says_so(law):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, games=("pai-kao",))
    made = render_document_html(report, ("pt", "zh"), [])

    assert "Nenhuma constatação de qualquer espécie." in made
    assert "未有任何違規或其他發現。" in made


def test_findings_beyond_the_sheets_stand_in_a_table_and_that_is_said(law):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, games=GAMES, findings=106)
    made = render_document_html(report, ("pt", "zh"), [])

    assert made.count('class="sheet ') == 100
    assert "As primeiras 100 constatações têm folha própria; as restantes 6" in made
    assert all(one.id in made for one in report.findings)


def test_a_finding_in_the_table_tells_law_money_and_how_to_replay_it(law):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, games=GAMES, findings=106)
    made = render_document_html(report, ("pt", "zh"), [])
    table = made[made.index('class="tight rest"') :]

    for one in report.findings[100:]:
        row = re.search(rf"<tr><td>findings/{one.id}\.json</td>.*?</tr>", table)[0]
        broken = next(ground for ground in one.law if ground.provision in one.provisions)
        for language in ("pt", "zh"):
            assert (broken.citation.get(language) or "") in row, one.id
        assert one.provisions[0] not in row
        if one.per_million:
            assert "MOP 138\u00a0888,89" in row


def test_a_sheet_may_go_on_over_the_page(root):
    styles = (root / "reports" / "document" / "document.css").read_text(encoding="utf-8")

    assert not re.search(r"\.sheet \{[^}]*break-inside: avoid", styles)


def test_findings_beyond_the_table_are_counted(law):
    report = synthetic.report(law, kind=DocumentKind.TEST_REPORT, games=("pai-kao",), findings=1)
    many = msgspec.structs.replace(report, findings=report.findings * 2500)
    made = render_document_html(many, ("pt", "zh"), [])

    assert "Mais 400 constatações constam apenas de report.json." in made.replace("\u00a0", " ")


def test_english_comes_third_when_it_is_asked_for(law):
    report = synthetic.report(law, games=("pai-kao",))
    made = render_document_html(report, ("pt", "zh", "en"), [])

    assert '<span lang="en">Certificate of conformity</span>' in made
    assert f'<p lang="en">{escape(report.statement.rule.en)}</p>' in made
    assert 'lang="en"' not in render_document_html(report, ("pt", "zh"), [])
