"""What the pages say: where evidence stands, what counts add up to, and who said what of what."""

import re

import msgspec
import paper
import pytest
import synthetic

from selo.law.files.provision_file import Way
from selo.report.model.report_model import DocumentKind
from selo.report.model.results_model import SelftestRecord, WayResult
from selo.report.pdf import pdf_document as document
from selo.report.pdf.document_pages import render_document_html
from selo.report.pdf.results_table import results_by_instrument
from selo.report.phrases.composition import words
from selo.text import say
from selo.verdict.provision_verdict import Result, VerdictReason

BOTH = ("pt", "zh")
GAMES = ("fish-prawn-crab",)
replace = msgspec.structs.replace


def page(report):
    return render_document_html(report, BOTH, [])


def looked(way, decisive, *, at_least=False):
    return WayResult(
        way=way,
        result=Result.CONFORMS,
        reason=VerdictReason.EXAMINED,
        cases=131,
        decisive=decisive,
        at_least=at_least,
    )


def lines_of(report):
    """Return the lines of the table of results by the ids of their provisions."""
    return {
        line.provision.id: line
        for group in results_by_instrument(report, BOTH)
        for article in group.articles
        for line in article.provisions
    }


def with_first(report, **changes):
    """Return the report with its first provision changed, and the id of that."""
    first, *others = report.provisions
    return replace(report, provisions=[replace(first, **changes), *others]), first.id


# Results and evidence.


def test_where_counting_stopped_it_says_at_least(law):
    parts = [looked(Way.EXAMINATION, 11, at_least=True), looked(Way.PROCEDURE, 2)]
    report = synthetic.report(law, games=GAMES)
    report, name = with_first(report, parts=parts, cases=133, decisive=13)

    assert lines_of(report)[name].at_least
    assert '<td class="num">≥ 13</td>' in page(report)


def test_where_all_were_counted_it_does_not(law):
    report = synthetic.report(law, games=GAMES)
    report, name = with_first(report, parts=[looked(Way.PROCEDURE, 13)], decisive=13)

    assert not lines_of(report)[name].at_least


@pytest.mark.parametrize(
    ("way", "words_of"), [(Way.CONFIGURATION, "1.ª linha"), (Way.STATISTICS, "sorteios")]
)
def test_what_no_line_decides_says_where_its_evidence_stands(law, way, words_of):
    report = synthetic.report(law, games=GAMES)
    report, _ = with_first(report, parts=[looked(way, 2)], evidence=None)

    assert f'<td class="num">{words_of} <span' in page(report)


def test_evidence_on_the_first_line_of_all_is_told_by_its_number(law):
    report = synthetic.report(law, games=GAMES)
    report, name = with_first(report, parts=[looked(Way.CONFIGURATION, 2)], evidence=0)

    assert lines_of(report)[name].places == []


def test_what_people_witnessed_names_the_form(law):
    report = synthetic.report(law, games=GAMES)
    witnessed = [one.id for one in report.provisions if one.witnesses]

    assert witnessed
    assert all(lines_of(report)[name].forms == ["witness-1"] for name in witnessed)


def test_what_people_witnessed_stands_under_its_instrument(law):
    report = synthetic.report(law)
    made = page(report)
    section = made[made.index('id="s-witnessed"') : made.index('id="s-item"')]
    norms = {one.instrument: one for one in report.norms}

    for one in report.provisions:
        if one.witnesses:
            head = section.index(norms[one.instrument].citation.pt)
            assert section.index(one.citation.pt, head) > head


# The first page.


@pytest.mark.parametrize("budget", ["quick", "standard", "full"])
def test_the_extent_stands_on_the_first_page_and_in_the_statement(law, budget):
    report = synthetic.report(law, games=GAMES)
    report = replace(
        report,
        method=replace(report.method, budget=budget),
        statement=replace(report.statement, extent=words(f"report.extent.{budget}")),
    )
    made = page(report)
    first = made[: made.index('class="toc"')]
    statement = made[made.index('id="s-statement"') : made.index('id="s-results"')]

    assert words(f"document.first.extent.{budget}").pt in first
    assert words(f"document.first.extent.{budget}").zh in first
    assert words(f"report.extent.{budget}").zh in statement


def test_the_gazettes_of_six_instruments_stand_on_the_first_page(law):
    report = synthetic.report(law)
    made = page(report)
    first = made[: made.index('class="toc"')]

    assert len(report.norms) == 6
    for norm in report.norms:
        assert norm.gazette.pt in first
        assert norm.gazette.zh in first


@pytest.mark.full
def test_a_certificate_of_six_games_begins_with_one_page(law):
    report = synthetic.report(law, demonstration=True)
    report = replace(
        report,
        provisions=[],
        articles=[],
        edges=[],
        open_points=[],
        totals=replace(report.totals, both=2, unseen=9),
    )

    pages = paper.pages(document.render_pdf(report, synthetic.FILES))

    assert report.evidence.root in pages[0]
    assert "Índice" in pages[1]


def test_the_command_to_verify_names_the_root_that_it_needs(law):
    report = synthetic.report(law, games=GAMES)
    made = page(report)

    assert made.count(f"selo verify {report.number}.pdf --trust ROOT.pem") == 2
    assert words("document.verify.trust").pt in made


# The rest.


def test_a_certificate_has_no_section_of_what_it_lacks(law):
    certificate = page(synthetic.report(law, games=GAMES))
    report = page(synthetic.report(law, games=GAMES, kind=DocumentKind.TEST_REPORT))

    assert 'id="s-missing"' not in certificate
    assert 'id="s-missing"' in report


def test_readings_without_effect_are_counted_and_no_id_stands_for_words(law):
    report = synthetic.report(law, games=GAMES)
    idle = replace(report.method.adopted[0], divergence="21-96-m--idle-point", decides=False)
    method = replace(report.method, adopted=[*report.method.adopted, *[idle] * 221])
    made = page(replace(report, method=method))

    assert "mais 221 leituras" in made
    assert "另採納 221 項解讀" in made
    assert "idle-point" not in made


def test_what_is_said_of_the_item_stands_in_each_language(law):
    report = synthetic.report(law, games=GAMES)
    item = replace(report.item, condition=synthetic.twice("completo", "完整"), variant="V-1")
    made = page(replace(report, item=item))

    assert re.search(r'completo · <span lang="zh-Hant">完整</span>', made)
    assert made.count("V-1") == 1


def test_the_machine_is_told_in_each_language(law):
    report = synthetic.report(law, games=GAMES)
    method = replace(report.method, environment={"cores": "2", "machine": "x86_64"})
    made = page(replace(report, method=method))

    for told in ("núcleos: 2", "處理器核心：2", "arquitectura: x86_64", "架構：x86_64"):
        assert told in made


def test_every_section_stands_clear_of_the_one_before(root):
    styles = (root / "reports" / "document" / "document.css").read_text(encoding="utf-8")

    assert not re.search(r"section\.leaf \{[^}]*margin-bottom: 0", styles)


def test_a_plot_of_edges_names_its_bets_in_both_languages(law):
    report = synthetic.report(law, games=GAMES)
    edge = replace(report.edges[0], label=synthetic.twice("Pequeno", "小"))
    made = page(replace(report, edges=[edge]))
    plot = made[made.index("<svg", made.index('id="s-edges"')) :]

    assert ">Pequeno</text>" in plot
    assert ">小</text>" in plot


# How well the method tells.


def plain(html):
    """Return the text of a page, its tags read as blanks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_a_document_prints_the_score_by_provision_in_both_languages(law):
    row = SelftestRecord(
        game="fish-prawn-crab", kind="pairs", vendors=61, faults=122, findings=130, found=117,
        concealed=5, cleared=0, untouched=2536, accused=3, hidden=26,
    )  # fmt: skip
    report = synthetic.report(law, games=GAMES)

    told = plain(page(replace(report, selftest=[row])))

    assert "Auto-ensaio por disposição" in told
    assert "按條文之自我檢測" in told
    assert re.search(r"duas falhas 兩個缺陷 61 117 5 0 2\D?536 3 26", told)
    assert "按條文之自我檢測" not in plain(page(replace(report, selftest=[])))


# The law of the day.


@pytest.mark.parametrize(
    ("as_stored", "is_law", "told"),
    [(True, False, "as-stored"), (False, False, "revoked"), (True, True, None)],
)
def test_the_first_page_says_that_a_text_was_not_the_law(law, as_stored, is_law, told):
    report = synthetic.report(law, games=GAMES, kind=DocumentKind.TEST_REPORT)
    norms = [replace(one, is_law=is_law, certain=True, standing="revoked") for one in report.norms]
    report = replace(report, norms=norms, method=replace(report.method, text_as_stored=as_stored))
    made = page(report)
    first = made[: made.index('class="toc"')]

    for key in ("as-stored", "revoked"):
        for language in BOTH:
            warning = say(f"document.first.{key}", language, day=report.method.as_of)
            assert (warning in first) is (key == told)


def test_the_table_of_results_says_the_force_of_each_provision(law):
    report = synthetic.report(law, games=GAMES)
    made = page(report)
    table = made[made.index('id="s-results"') :]
    forces = {worded.force for one in report.provisions for worded in one.force}

    assert len(forces) > 1
    for force in forces:
        assert all(say(f"force.{force}", language) in table for language in BOTH)
