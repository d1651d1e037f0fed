"""A finding tells the truth at a glance, in every format and language."""

import datetime as dt
import re

import msgspec
import pytest
from tests.report import synthetic

from selo.cases.case_numbers import CaseNumbers, NumberRanges
from selo.examine.findings.finding import (
    Finding,
    FindingOrigin,
    collect_grounds,
    sort_by_harm,
)
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.content.report_builder import build_report
from selo.report.formats.html_report import render_html
from selo.report.formats.junit import render_junit
from selo.report.formats.report_json import encode_report
from selo.report.formats.sarif import render_sarif
from selo.report.formats.terminal_summary import render_text
from selo.report.pdf.document_pages import render_document_html
from selo.report.phrases.labels import Labels
from selo.report.phrases.summary_phrases import describe_totals
from selo.verdict.overall import total_results
from selo.verdict.rulings import Ruling, RulingSource

FISH = "fish-prawn-crab"
POINT = "21-96-m-6--stake-in-the-prize"
SMALL = "portaria-21-96-m/6/a"
LANGUAGES = ("pt", "zh", "en")
LABELS = {
    "pt": "contra a leitura adoptada",
    "zh": "違反所採納之解讀",
    "en": "against the reading adopted",
}


def finding(law, **changes):
    """Return a finding against an adopted reading, whose second of three bets is judged."""
    bets = [
        {"bet": "big", "stake": 300},
        {"bet": "small", "stake": 100},
        {"bet": "any-three-of-figure", "stake": 200},
    ]
    ruled = Ruling(
        divergence=POINT, reading="to-one", source=RulingSource.FILE,
        by="Demonstration authority 1", on=dt.date(2026, 1, 31),
    )  # fmt: skip
    usual = {
        "id": "F-001",
        "verdict": "violates",
        "game": FISH,
        "provisions": [SMALL],
        "cause": "",
        "times": 3,
        "ways": 1,
        "first": 7,
        "method": "settle",
        "params": {"game": FISH, "options": {}, "outcome": {"dice": ["fish"] * 3}, "bets": bets},
        "bet": 1,
        "expected": {"result": "win", "prize": 100, "commission": 0, "stake": 100},
        "observed": {"result": "win", "prize": 0, "commission": 0, "stake": 100},
        "money": -100,
        "law": list(collect_grounds(law, [], [SMALL])),
        "readings": [],
        "against": [(POINT, "for-one")],
        "origin": FindingOrigin(
            selo="0.1.0", spec_digest="", rulings={POINT: "to-one"}, adopted=[ruled]
        ),
        "parts": ["prize"],
        "cases": CaseNumbers.of(NumberRanges([7, 8, 20])),
    }
    return Finding(**{**usual, **changes})


@pytest.fixture(scope="module")
def told(law):
    """Return the report on that finding alone, as each format tells it."""
    sheet = FindingSheetWriter(Labels(law), "MOP", 2, law).write(finding(law))
    made = synthetic.report(law, games=[FISH], findings=1)
    provisions = [
        msgspec.structs.replace(one, findings=["F-001"] if one.id == SMALL else [])
        for one in made.provisions
    ]
    provisions = [
        msgspec.structs.replace(one, result="violates") if one.id == SMALL else one
        for one in provisions
    ]
    report = msgspec.structs.replace(made, findings=[sheet], provisions=provisions)
    formats = {"html": render_html(report), "sarif": render_sarif(report).decode()}
    formats |= {"json": encode_report(report).decode()}
    for language in LANGUAGES:
        formats[f"text {language}"] = render_text(report, language).decode()
        formats[f"junit {language}"] = render_junit(report, language).decode()
        formats[f"pdf {language}"] = render_document_html(report, (language,), ())
    return formats


def test_a_finding_against_an_adopted_reading_says_so_in_every_format(told):
    for name, text in told.items():
        languages = [one for one in LANGUAGES if name.endswith(f" {one}")] or LANGUAGES
        if name != "json":
            assert all(LABELS[one] in text.lower() for one in languages), name
        for language in languages:
            assert "AGAINST THE LAW" not in text or language != "en", name


def test_the_reading_who_adopted_it_and_what_would_be_lawful_is_in_every_format(told):
    for name, text in told.items():
        assert "Demonstration authority 1" in text, name
        assert "2026-01-31" in text, name
        assert "for-one" in text, name
        assert POINT in text, name


def test_bets_stand_in_the_order_in_which_they_were_sent_and_the_judged_one_is_marked(told):
    lines = told["text en"].splitlines()
    (first,) = [at for at, line in enumerate(lines) if "1. big" in line]

    assert [line.strip()[:1] for line in lines[first : first + 3]] == ["1", "▶", "3"]
    assert "▶ 2. small" in lines[first + 1]
    assert re.search(r"<b>.*▶ 2\. small", told["pdf en"], re.DOTALL)
    assert told["html"].index('class="judged"') > told["html"].index('class="bets"')


def test_a_finding_points_to_its_cases_in_every_format(told):
    for name, text in told.items():
        assert "7-8, 20" in text, name


def test_without_a_ruling_of_another_reading_a_finding_is_against_the_law(law):
    sheet = FindingSheetWriter(Labels(law), "MOP", 2, law).write(finding(law, against=[]))

    assert sheet.label == "violates"
    assert sheet.notes == []


def test_words_that_a_violated_provision_refers_to_are_quoted(law):
    # Article 2, 3 of Craps: an additional bet on Come is taken on the conditions of number 2,
    # whose last words cap what it wins.
    come, cap = "portaria-97-85-m/2/3", "portaria-97-85-m/2/2/close"
    grounds = {ground.provision: ground for ground in collect_grounds(law, [], [come])}

    assert grounds[cap].is_referred_to
    assert "nunca poderá exceder a importância da aposta inicial" in grounds[cap].text["pt"]
    assert not grounds[come].is_referred_to


def test_findings_come_in_the_order_of_harm(law):
    against_law = {"against": []}
    listed = [
        finding(law, id="protocol", verdict="protocol", against=[], money=None),
        finding(law, id="against"),
        finding(law, id="little", **against_law, money=-100, times=1),
        finding(law, id="much", **against_law, money=-100, times=9),
        finding(law, id="more", **against_law, money=5000, times=1),
    ]

    assert [one.id for one in sort_by_harm(listed)] == [
        "more", "much", "little", "against", "protocol",
    ]  # fmt: skip


def figures(pattern, text):
    return [int(figure.replace(",", "")) for figure in re.findall(pattern, text)]


@pytest.fixture(scope="module")
def several_ways(examined, planted, law):
    """The report on a game of which only a part is verified, in several ways."""
    vendor = f"{planted} fish-prawn-crab pays-a-chosen-figure-180-to-one"
    return build_report(examined(vendor, "--game", FISH, "--rulings", "defaults"), law)


@pytest.mark.parametrize(
    "vendor", ["report", "faulty", pytest.param("several_ways", marks=pytest.mark.full)]
)
def test_cover_table_page_and_terminal_have_the_same_counts(vendor, request):
    report = request.getfixturevalue(vendor)
    totals = msgspec.structs.asdict(total_results(report.counts, report.aside))
    line = describe_totals(report.counts, report.aside)
    cover = render_document_html(report, ("en",), ())
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", cover, re.DOTALL)
    counted = [figures(r'<td class="num">([\d,]+)</td>', row) for row in rows]
    by_game = [row for row in counted if len(row) == len(totals) - 1]

    tiles = figures(r"<b>([\d,]+)</b><span class=\"label\">", cover)
    columns = [sum(column) for column in zip(*by_game[: len(report.games)], strict=True)]

    assert tiles[: len(totals)] == list(totals.values())
    assert columns == list(totals.values())[1:]
    assert line.en in render_text(report, "en").decode()
    assert line.en in render_html(report)
    assert totals["provisions"] == len(report.provisions) == sum(columns)


def test_the_first_page_has_the_same_totals_whatever_was_tried(law):
    report = synthetic.report(law)
    tried = [msgspec.structs.replace(one, cases=0) for one in report.provisions]

    pages = [
        render_document_html(one, ("en",), ())
        for one in (report, msgspec.structs.replace(report, provisions=tried))
    ]

    assert len({tuple(figures(r"<b>([\d,]+)</b><span", page)[:5]) for page in pages}) == 1
