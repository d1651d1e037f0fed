"""Case sheets: what a finding is, in words and in money, worked out by hand beside them."""

import json
from fractions import Fraction

import msgspec
import pytest

from selo.examine.conclusion.result import ExaminationResult
from selo.report.content.finding_sheets import FindingSheetWriter, fingerprint_of
from selo.report.content.house_edge import is_exact_edge, parse_edge
from selo.report.content.report_builder import build_report
from selo.report.content.tested_item import find_adapter, strip_folders
from selo.report.formats.html_report import render_html
from selo.report.formats.sarif import render_sarif
from selo.report.formats.terminal_summary import render_text
from selo.report.pdf.document_pages import render_document_html
from selo.report.phrases import money_format
from selo.report.phrases.labels import Labels
from selo.text.multilingual import Words


@pytest.fixture(scope="module")
def wrong_prize(examined, planted, law):
    """The report on a vendor that pays 180 to one where the law says 150."""
    vendor = f"{planted} fish-prawn-crab pays-a-chosen-figure-180-to-one"
    return build_report(examined(vendor, "--game", "fish-prawn-crab", "--rulings", "defaults"), law)


def test_a_sheet_says_what_the_law_requires_and_what_the_vendor_did(wrong_prize):
    sheet = wrong_prize.findings[0]

    # Article 6, h): a hundred and fifty times the stake, which is one pataca.
    assert "MOP 150,00" in sheet.required.pt
    assert "MOP 180.00" in sheet.seen.zh


def test_a_sheet_names_the_bet_as_the_law_does(wrong_prize):
    title = wrong_prize.findings[0].title

    assert title.pt.startswith("Três dados de uma figura escolhida (")
    assert title.zh.startswith("指定圍骰（")


def test_the_cost_of_a_million_is_that_of_one_throw_in_216(wrong_prize):
    # Thirty patacas too much for each pataca, in one throw of 216. Such odds are no slip by which
    # the law could have been misread, but every such bet of the plan was paid so.
    sheet = wrong_prize.findings[0]
    assert (sheet.per_million, sheet.per_million_is) == ("138,888.89", "counted")
    assert round(Fraction(30 * 1_000_000, 216) * 100) == 13_888_889


def test_the_change_of_the_house_edge_is_told(wrong_prize):
    # Article 6, h): 150 to one in one throw of 216, the stake is lost in the other 215.
    lawful, paid = Fraction(215 - 150, 216), Fraction(215 - 180, 216)

    edge = wrong_prize.findings[0].edge.en

    assert f"{float(lawful):.4%}" in edge
    assert f"{float(paid):.4%}" in edge


@pytest.mark.parametrize(
    ("language", "caveat"),
    [
        ("pt", "no máximo, se todas as apostas deste género fossem assim liquidadas"),
        ("zh", "至多為 MOP 138,888.89（假設所有同類投注均如此結算）"),
        ("en", "at most, if every such bet were settled like this"),
    ],
)
def test_a_bound_is_told_as_one_wherever_it_stands(wrong_prize, language, caveat):
    bound = msgspec.structs.replace(wrong_prize.findings[0], per_million_is="at-most")
    report = msgspec.structs.replace(wrong_prize, findings=[bound])

    assert caveat in render_text(report, language).decode()
    assert caveat in render_html(report)
    assert caveat in render_document_html(report, (language,), ())
    (found,) = json.loads(render_sarif(report))["runs"][0]["results"]
    assert found["properties"]["perMillionIs"] == "at-most"


def test_every_sheet_quotes_the_law_in_both_languages(wrong_prize):
    for sheet in wrong_prize.findings:
        blamed = [ground for ground in sheet.law if ground.provision in sheet.provisions]
        assert blamed
        assert all(ground.text.pt and ground.text.zh for ground in blamed)


def kept(folder):
    """Return the findings as they lie in the folder of a run."""
    return msgspec.json.decode(
        (folder / "result.json").read_bytes(), type=ExaminationResult
    ).findings


def test_that_a_question_was_not_answered_alike_is_told_in_every_document(wrong_prize, broken, law):
    sentence = Words(pt="Não respondeu igual.", zh="回答不一。", en="It did not answer alike.")
    finding = msgspec.structs.replace(kept(broken)[0], unlike=sentence)

    sheet = FindingSheetWriter(Labels(law), "MOP", 2, law).write(finding)

    report = msgspec.structs.replace(wrong_prize, findings=[sheet])
    assert sheet.seen.pt.endswith(". Não respondeu igual.")
    assert "回答不一。" in render_html(report)
    assert "回答不一。" in render_document_html(report, ("pt", "zh"), ())
    assert "It did not answer alike." in render_sarif(report).decode()


def test_a_step_that_was_not_kept_is_told_in_every_language(broken, law):
    required = Words(pt="um", zh="一", en="one")
    acts = [{"act": "force", "outcome": {}}, {"act": "go-on"}]
    finding = msgspec.structs.replace(
        kept(broken)[0], game="fish-prawn-crab", method="round", cause="order", required=required,
        params={"acts": acts}, expected={}, observed={"act": 1, "event": "light-sign"},
    )  # fmt: skip

    sheet = FindingSheetWriter(Labels(law), "MOP", 2, law).write(finding)

    assert sheet.required == required
    # The words of the sign are those of specs/portaria-21-96-m/events.yaml.
    assert ("quadro aceso" in sheet.seen.pt, "燈牌亮着" in sheet.seen.zh) == (True, True)


def test_findings_of_one_report_are_told_apart_by_their_fingerprints(wrong_prize):
    found = [one.fingerprint for one in wrong_prize.findings]

    assert len(set(found)) == len(found)


def test_a_fingerprint_does_not_depend_on_the_case_that_showed_it(broken):
    one = kept(broken)[0]
    other = msgspec.structs.replace(one, id="F-999", times=7, first=1, params={"a": [], "b": []})

    assert fingerprint_of(other) == fingerprint_of(one)


@pytest.mark.parametrize(
    ("amount", "decimals", "told"),
    [
        (15_000, 2, "MOP 150.00"),
        (1, 2, "MOP 0.01"),
        (0, 2, "MOP 0.00"),
        (-30, 2, "MOP −0.30"),
        (123_456_789, 2, "MOP 1,234,567.89"),
        ([95, 2], 2, "MOP 0.475"),
        ([1, 3], 0, "MOP 1/3"),
        ([7, 3], 0, "MOP 2 1/3"),
        (5, 0, "MOP 5"),
    ],
)
def test_amounts_are_told_exactly(amount, decimals, told):
    assert money_format.format_amount(amount, "MOP", decimals) == told


@pytest.mark.parametrize(
    ("declared", "exact", "holds"),
    [
        ("1/36", "1/36", True),
        ("2.78%", "1/36", True),
        ("2.8%", "1/36", True),
        ("0.0278", "1/36", True),
        ("2,78 %", "1/36", True),
        ("2.77%", "1/36", False),
        ("1/37", "1/36", False),
        ("0%", "0", True),
        ("-9.83%", "-5003567/50896300", True),
    ],
)
def test_a_declared_edge_holds_to_the_digits_it_is_written_with(declared, exact, holds):
    assert is_exact_edge(declared, Fraction(exact)) is holds


def test_a_declared_edge_may_be_a_part_of_a_hundred():
    assert parse_edge("2.5%") == Fraction(1, 40)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("/usr/bin/python3 game/adapter.py", "python3 game/adapter.py"),
        ("node adapter.mjs --port 1", "node adapter.mjs --port 1"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ('"/home/somebody/my game/run" x', "run x"),
        ("an 'unfinished command", "an 'unfinished command"),
    ],
)
def test_a_command_is_told_without_the_folders_of_the_machine(given, told):
    assert strip_folders(given) == told


def test_the_adapter_is_the_declared_file_that_the_command_starts():
    files = ["a.py", "game/b.py"]

    assert find_adapter("python3 game/b.py", files) == "game/b.py"
    assert find_adapter("python3 elsewhere.py", files) is None
