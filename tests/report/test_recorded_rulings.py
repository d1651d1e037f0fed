"""A ruling by which nothing was examined is told so, with its reason, in every format."""

import msgspec
import pytest

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.report.formats.html_report import render_html
from selo.report.formats.junit import render_junit
from selo.report.formats.report_json import encode_report
from selo.report.formats.sarif import render_sarif
from selo.report.formats.terminal_summary import render_text
from selo.report.pdf.document_pages import render_document_html
from selo.verdict.rulings import adopt_rulings, list_recorded

POINT = "21-96-m-1-b--details-of-the-cup"


@pytest.fixture(scope="module")
def recorded(law):
    default = next(one.default for one in law.divergences if one.id == POINT)
    return list(list_recorded(law, adopt_rulings(law, {POINT: default})))


@pytest.mark.parametrize(
    "render",
    [
        lambda report: render_text(report, "en"),
        encode_report,
        lambda report: render_junit(report, "en"),
        render_sarif,
        lambda report: render_html(report).encode(),
        lambda report: render_document_html(report, ("pt", "zh"), ()).encode(),
    ],
    ids=["terminal", "json", "junit", "sarif", "html", "pdf"],
)
def test_every_format_says_which_ruling_was_recorded_and_why(report, recorded, render):
    told = msgspec.structs.replace(
        report, method=msgspec.structs.replace(report.method, recorded=recorded)
    )

    said, unsaid = render(told).decode(), render(report).decode()

    (one,) = recorded
    words = [one.because.en, one.because.pt, one.because.zh]
    assert POINT in said
    assert any(word in said for word in words)
    assert not any(word in unsaid for word in words)


def test_an_examination_says_which_of_its_rulings_examine_nothing(law, sealed):
    from selo.report.content.report_builder import build_report  # noqa: PLC0415 - slow to import

    made = build_report(sealed, law)

    assert {one.divergence for one in made.method.recorded} == {
        one.id
        for one in law.divergences
        if one.not_executable is not None and one.id.startswith("96-85-m")
    }


@pytest.mark.parametrize("command", ["explain", "odds", "steps"])
def test_a_command_that_takes_a_ruling_without_effect_says_so(capsys, recorded, command):
    more = {"explain": ["--throw", "fish,fish,crab", "--bet", "big:100"]}.get(command, [])
    (one,) = recorded
    given = [command, "fish-prawn-crab", *more, "--ruling", f"{POINT}={one.reading}"]

    run_command(parse_arguments([*given, "--lang", "en"]))

    assert capsys.readouterr().err.strip() == (
        f"{POINT} = {one.reading}: ruling recorded, not examined. {one.because.en}"
    )
