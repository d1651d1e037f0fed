"""The empty form: what it asks, for whom, and that it reads back as it was written."""

import html
import re
from pathlib import Path

import msgspec
import pytest

from selo.law.spec_digest import spec_digest
from selo.verdict.observations import Person, Photo
from selo.verdict.witness.form import Form, Item, all_games, blank, written
from selo.verdict.witness.form_html import page
from selo.yaml_file import parse

GAME = "fish-prawn-crab"


def read_back(text):
    return parse(text, Path("witness.yaml")).convert(Form)


@pytest.fixture(scope="module")
def form(law):
    return blank(law, all_games(law))


def test_the_form_asks_for_exactly_what_the_law_files_leave_to_people(law, form):
    # Read from the files themselves, not through the program.
    found = [
        f"{path.parent.name}/{provision['id']}"
        for folder in law.folders
        for file in folder.articles
        for path in [file.document.path]
        for provision in file.document.plain["provisions"]
        if "inspection" in [provision["verified_by"], *provision.get("also", [])]
    ]

    assert [entry.id for entry in form.entries] == found
    assert "portaria-21-96-m/1/b/1" in found


def test_the_form_of_one_game_asks_for_that_game_only(law):
    asked = blank(law, [GAME])

    assert {entry.id.split("/")[0] for entry in asked.entries} == {"portaria-21-96-m"}
    assert asked.games == [GAME]
    assert asked.spec_digest == spec_digest(law)


def test_the_form_reads_back_as_it_was_written(form):
    assert read_back(written(form)) == form


def test_a_filled_form_reads_back_whatever_people_write(form):
    awkward = 'a: "b" # \\ {c} «ç» 檯\n- x\t☐'
    entry = msgspec.structs.replace(
        form.entries[0],
        observation=awkward,
        place=awkward,
        examiner=Person(name=awkward, number="0010"),
        photos=[Photo(file="a b.jpg", sha256="0" * 64)],
    )
    filled = msgspec.structs.replace(form, entries=[entry], item=Item(vendor=awkward))

    assert read_back(written(filled)) == filled


def test_every_entry_says_in_both_languages_what_only_a_person_sees(form):
    for entry in form.entries:
        assert entry.look_at.pt
        assert entry.look_at.zh
        assert entry.citation.pt
        assert entry.citation.zh


def test_the_page_holds_every_text_of_the_form_in_both_languages(form, law):
    shown = html.unescape(page(form, law))

    for entry in form.entries:
        for words in (entry.text.pt, entry.text.zh, entry.look_at.pt, entry.look_at.zh):
            assert words is None or words in shown
        assert entry.id in shown


def test_the_page_needs_nothing_from_elsewhere(form, law):
    shown = page(form, law)

    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", shown)


def test_the_page_says_where_the_law_was_published_in_portuguese_only(law):
    shown = page(blank(law, ["craps"]), law)

    assert "僅以葡文公布。" in shown


def test_what_stands_in_a_form_cannot_become_markup(law, form):
    entry = msgspec.structs.replace(form.entries[0], look_at=form.entries[0].look_at)
    evil = msgspec.structs.replace(
        form, form="<script>", entries=[entry], spec_digest='"}</style><b>'
    )

    shown = page(evil, law)

    assert "<script>" not in shown
    assert "</style><b>" not in shown


def test_the_same_law_gives_the_same_form(law, form):
    assert written(blank(law, all_games(law))) == written(form)
    assert page(form, law) == page(blank(law, all_games(law)), law)


def test_no_sentence_stands_in_the_template(root):
    text = (root / "reports" / "witness" / "form.html").read_text(encoding="utf-8")
    bare = re.sub(r"\{[#%{].*?[#%}]\}|<style>.*?</style>|<[^>]*>", "", text, flags=re.DOTALL)

    assert not re.findall(r"\w{3,}", bare)
