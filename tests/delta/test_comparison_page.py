"""Two runs on one HTML page: changed verdicts, new and fixed findings, without network."""

import os
import sys

import pytest

LAWFUL = f"{sys.executable} fixtures/adapters/python/reference.py"
BROKEN = f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"


@pytest.fixture(scope="module")
def compared(selo, tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared")
    for name, vendor in (("old", LAWFUL), ("new", BROKEN)):
        words = ("--vendor", vendor, "--game", "pai-kao", "--rulings", "defaults")
        selo("examine", *words, "--out", folder / name)
    page = folder / "page.html"
    return selo("diff", folder / "old", folder / "new", "--html", page), page


def test_the_page_shows_what_changed_in_three_languages(compared):
    done, page = compared

    text = page.read_text(encoding="utf-8")
    assert done.returncode == 2, done.stderr
    assert "portaria-96-85-m/annex/98" in text
    for language in ("New findings: 1", "Constatações novas: 1", "新發現：1"):
        assert language in text
    assert "Fixed findings" not in text
    assert 'class="chip conforms"' in text
    assert 'class="chip violates"' in text


def test_a_page_that_is_there_is_not_overwritten(compared, selo):
    _, page = compared
    page.with_name("mine.html").write_text("mine")

    done = selo(
        "diff", page.parent / "old", page.parent / "new", "--html", page.parent / "mine.html"
    )

    assert done.returncode == 3
    assert page.with_name("mine.html").read_text() == "mine"


def test_the_page_loads_nothing_and_is_accessible(compared, page, violations, ours):
    page.goto(compared[1].as_uri())

    drawn, characters = ours(page)
    assert drawn >= characters > 40
    # A page from a file is told so by the browser; nothing else is said.
    assert [said for said in page.said if not said.startswith("Unsafe attempt")] == []
    assert [url for url in page.fetched if not url.startswith(("file:", "data:"))] == []
    assert violations(page) == {}


def test_a_report_is_opened_in_the_browser(compared, selo, tmp_path):
    opened = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    script.chmod(0o755)

    done = selo(
        "report", compared[1].parent / "old", "--format", "json", "--open",
        "--out", tmp_path / "out", environment={**os.environ, "BROWSER": f"{script} %s"},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert opened.read_text().strip() == (tmp_path / "out" / "report.html").as_uri()
