"""Pages and terminal output of a run in Portuguese and Chinese have no raw English ids."""

import html
import re

import pytest
from tests.cli.test_language_of_output import english_ids, raw_words

from selo.report.formats.html_report import render_html
from selo.report.formats.terminal_summary import render_text
from selo.report.pdf.document_pages import render_document_html

LANGUAGES = ("pt", "zh")
#: What is typed and not read: code, files, fields of a dossier in brackets, calls of the kernel.
TYPED = re.compile(r"[\w/.-]+\.(?:py|mjs|java|c|rs)\b|[(（][a-z_.]+[)）]|io_uring")
BLOCKS = re.compile(r"(?s)<(pre|code|script|style|svg)\b.*?</\1>")
#: English beside the two languages, and what no language is named for.
ENGLISH = re.compile(r'(?s)<(\w+)[^>]*\blang="en"[^>]*>.*?</\1>')


@pytest.fixture(scope="module")
def ids(law):
    return english_ids(law)


def raw_ids_in(page, ids):
    """Return the ids in what a page shows to people, English parts left out."""
    shown = re.sub(r"<[^>]+>", "\n", ENGLISH.sub(" ", BLOCKS.sub(" ", page)))
    return raw_words(TYPED.sub(" ", html.unescape(shown)), ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_is_told_on_the_terminal_without_raw_ids(faulty, ids, language):
    assert raw_words(render_text(faulty, language).decode(), ids) == set()


def test_a_document_shows_no_raw_ids(faulty, ids):
    assert raw_ids_in(render_document_html(faulty, LANGUAGES, []), ids) == set()


def test_the_page_of_a_report_shows_no_raw_ids_beside_its_english(faulty, ids):
    assert raw_ids_in(render_html(faulty), ids) == set()


def test_a_raw_id_in_a_page_is_found(ids):
    page = '<p lang="pt">dados: fish</p><p lang="en">fish</p><code>crab</code> (place) a/selo_x.py'

    assert raw_ids_in(page, ids) == {"fish"}
