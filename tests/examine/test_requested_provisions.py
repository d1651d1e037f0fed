"""``--provision``: what was asked is told by itself; what was found on the way is never hidden."""

import json
import re
import sys

import jsonschema
import pytest

from selo.cli.schemas.published_schemas import build_schema
from selo.report.content.report_builder import build_report
from selo.report.pdf.document_pages import render_document_html
from selo.report.pdf.results_table import outside_provisions_of, results_by_instrument

ASKED = "portaria-21-96-m/5/d"
#: The provision on prizes that the planted fault breaks; cases about article 5 meet it.
BROKEN = "portaria-21-96-m/6/h"
VENDOR = f"{sys.executable} fixtures/planted/vendor.py fish-prawn-crab"
FAULT = "pays-a-chosen-figure-180-to-one"


@pytest.fixture(scope="module")
def examined(selo, tmp_path_factory):
    """Examine a vendor; return how it ended, what was printed, and the folder."""

    def examine(fault, *asked):
        folder = tmp_path_factory.mktemp("run") / "run"
        words = [word for one in asked for word in ("--provision", one)]
        done = selo(
            "examine", "--vendor", f"{VENDOR} {fault}", "--game", "fish-prawn-crab",
            "--rulings", "defaults", *words, "--out", str(folder),
        )  # fmt: skip
        return done.returncode, done.stdout, folder

    return examine


@pytest.fixture(scope="module")
def other(examined):
    """A vendor that breaks another provision than the one asked for."""
    return examined(FAULT, ASKED)


def test_a_breach_of_another_provision_is_told_apart_and_counts(other):
    code, said, folder = other
    asked, found, apart = said.partition("other provisions, not requested (")

    assert code == 1
    assert found
    assert f"conforms  {ASKED}" in asked
    assert f"violates  {BROKEN}" in apart
    assert f"violates  {BROKEN}" not in asked
    assert asked.index("Findings on other provisions, not requested: 1") < asked.index("F-001")
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    jsonschema.validate(result, build_schema("examine"))
    assert result["outside"] == {"provisions": [BROKEN], "findings": ["F-001"]}
    assert result["summary"]["overall"]["overall"] == "violates"


@pytest.mark.full
def test_what_was_asked_for_and_is_broken_is_not_told_apart(examined):
    code, said, folder = examined(FAULT, BROKEN)

    assert code == 1
    assert f"violates  {BROKEN}" in said
    assert "not requested" not in said
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["outside"] == {"provisions": [], "findings": []}


@pytest.mark.full
@pytest.mark.full
def test_of_a_lawful_vendor_nothing_is_found_on_the_way(examined):
    code, said, _ = examined("lawful", ASKED)

    assert code == 0
    assert f"conforms  {ASKED}" in said
    assert "not requested" not in said


@pytest.mark.full
def test_documents_tell_apart_what_was_found_on_the_way(other, selo, tmp_path):
    _, _, folder = other
    done = selo(
        "report", str(folder), "--kind", "pre-check", "--lang", "en", "--format", "terminal",
        "--format", "json", "--format", "html", "--out", str(tmp_path / "told"),
    )  # fmt: skip
    text = (tmp_path / "told" / "report.txt").read_text(encoding="utf-8")
    report = json.loads((tmp_path / "told" / "report.json").read_bytes())
    page = (tmp_path / "told" / "report.html").read_text(encoding="utf-8")

    assert done.returncode == 1
    asked, _, apart = text.partition("other provisions, not requested (")
    assert f"conforms  {ASKED}" in asked
    assert f"violates  {BROKEN}" in apart
    assert report["outside"] == {"provisions": [BROKEN], "findings": ["F-001"]}
    # One mark at the finding, and one at the provision that it blames.
    chips = re.findall(r'<li class="chip">(.*?)</li>', page)
    assert len([one for one in chips if ">其他條文<" in one]) == 2
    # Nobody is told that the law does not ask for what nobody asked us.
    left = [one for one in report["provisions"] if one["reason"] == "left-out"]
    assert left
    assert {one["because"]["en"] for one in left} == {
        "This examination was requested for other provisions only."
    }


@pytest.mark.full
def test_the_table_of_the_document_is_that_of_what_was_asked(other, law):
    report = build_report(other[2], law)

    shown = [
        line.provision.id
        for norm in results_by_instrument(report, ("pt", "zh"))
        for article in norm.articles
        for line in article.provisions
    ]
    assert shown == [ASKED]
    assert [one.id for one in outside_provisions_of(report)] == [BROKEN]
    results = render_document_html(report, ("pt", "zh"), ()).partition('class="leaf results"')[2]
    assert results.index("Outras disposições") > results.index("alínea d) do artigo 5.º")
    assert "alínea h) do artigo 6.º" in results.partition("Outras disposições")[2]
