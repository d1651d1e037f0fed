"""The empty form: what it asks, for whom, and that it reads back as it was written."""

import html
import re
from pathlib import Path

import msgspec
import pytest

from selo.law.spec_digest import compute_spec_digest
from selo.verdict.observations import Person, Photo
from selo.verdict.witness.form import Form, InspectedItem, all_games, blank_form, form_to_yaml
from selo.verdict.witness.form_html import form_page
from selo.yaml_file import parse_yaml

GAME = "fish-prawn-crab"


def read_back(text):
    return parse_yaml(text, Path("witness.yaml")).convert(Form)


@pytest.fixture(scope="module")
def form(law):
    return blank_form(law, all_games(law))


def test_the_form_asks_for_exactly_what_the_law_files_leave_to_people(law, form):
    # Read from the files themselves, not through the program.
    found = [
        f"{path.parent.parent.name}/{provision['id']}"
        for folder in law.folders
        for file in folder.articles
        for path in [file.document.path]
        for provision in file.document.plain["provisions"]
        if "inspection" in [provision["verified_by"], *provision.get("also", [])]
    ]

    assert [entry.id for entry in form.entries] == found
    assert "portaria-21-96-m/1/b/1" in found


def test_the_form_of_one_game_asks_for_that_game_only(law):
    asked = blank_form(law, [GAME])

    assert {entry.id.split("/")[0] for entry in asked.entries} == {"portaria-21-96-m"}
    assert asked.games == [GAME]
    assert asked.spec_digest == compute_spec_digest(law)


def test_the_form_reads_back_as_it_was_written(form):
    assert read_back(form_to_yaml(form)) == form


def test_a_filled_form_reads_back_whatever_people_write(form):
    awkward = 'a: "b" # \\ {c} «ç» 檯\n- x\t☐'
    entry = msgspec.structs.replace(
        form.entries[0],
        observation=awkward,
        place=awkward,
        examiner=Person(name=awkward, number="0010"),
        photos=[Photo(file="a b.jpg", sha256="0" * 64)],
    )
    filled = msgspec.structs.replace(form, entries=[entry], item=InspectedItem(vendor=awkward))

    assert read_back(form_to_yaml(filled)) == filled


def test_every_entry_says_in_both_languages_what_only_a_person_sees(form):
    for entry in form.entries:
        assert entry.look_at.pt
        assert entry.look_at.zh
        assert entry.citation.pt
        assert entry.citation.zh


def test_the_page_holds_every_text_of_the_form_in_both_languages(form, law):
    shown = html.unescape(form_page(form, law))

    for entry in form.entries:
        for words in (entry.text.pt, entry.text.zh, entry.look_at.pt, entry.look_at.zh):
            assert words is None or words in shown
        assert entry.id in shown


def test_the_page_needs_nothing_from_elsewhere(form, law):
    shown = form_page(form, law)

    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", shown)


def test_the_page_says_where_the_law_was_published_in_portuguese_only(law):
    shown = form_page(blank_form(law, ["craps"]), law)

    assert "僅以葡文公布。" in shown


def test_what_stands_in_a_form_cannot_become_markup(law, form):
    entry = msgspec.structs.replace(form.entries[0], look_at=form.entries[0].look_at)
    evil = msgspec.structs.replace(
        form, form="<script>", entries=[entry], spec_digest='"}</style><b>'
    )

    shown = form_page(evil, law)

    assert "<script>" not in shown
    assert "</style><b>" not in shown


def test_the_same_law_gives_the_same_form(law, form):
    assert form_to_yaml(blank_form(law, all_games(law))) == form_to_yaml(form)
    assert form_page(form, law) == form_page(blank_form(law, all_games(law)), law)


def test_no_sentence_stands_in_the_template(root):
    text = (root / "reports" / "witness" / "form.html").read_text(encoding="utf-8")
    bare = re.sub(r"\{[#%{].*?[#%}]\}|<style>.*?</style>|<[^>]*>", "", text, flags=re.DOTALL)

    assert not re.findall(r"\w{3,}", bare)
