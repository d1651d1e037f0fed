"""Romanised Cantonese names follow the one scheme that law editors find written down."""

import re
import unicodedata

import pytest

ROW = re.compile(r"^\| (\S+) \| (long|short|clean) \| (.+) \|$", re.MULTILINE)
#: The accent of each sound: combining acute, combining circumflex, none.
ACCENT = {"long": {"\u0301"}, "short": {"\u0302"}, "clean": set()}


@pytest.fixture(scope="module")
def scheme(root):
    text = (root / "docs/law-editors.md").read_text(encoding="utf-8")
    rows = ROW.findall(text[text.index("### Romanised names") :])
    return {name: (sound, scanned.split(", ")) for name, sound, scanned in rows}


def names_of_annex(law):
    """Return the words of each name of the annex: between the dash and the bracket."""
    return [
        word
        for located in law.provisions.values()
        if located.instrument.id == "portaria-96-85-m"
        for word in re.search(r"— (.+?) \(", located.provision.text.pt)[1].split()
    ]


def test_every_name_of_the_annex_is_spelled_as_the_scheme_says(law, scheme):
    names = names_of_annex(law)

    assert len(names) >= 27
    assert set(names) == set(scheme)


def test_the_accent_is_that_of_the_sound(scheme):
    for name, (sound, _) in scheme.items():
        marks = {sign for sign in unicodedata.normalize("NFD", name) if unicodedata.combining(sign)}
        assert marks == ACCENT[sound], name


def test_every_repair_of_a_name_is_one_that_the_scheme_lists(law, scheme):
    repaired = [
        one for one in law.sources.log.repairs if one.judgement == "96-85-m--romanised-names"
    ]

    assert len(repaired) >= 12
    for one in repaired:
        assert one.scanned in scheme[one.read][1], one


def test_the_glossary_spells_the_names_alike(law, scheme):
    used = {
        word
        for term in law.glossary.terms
        if term.id.startswith("tile")
        for phrase in term.pt
        for word in phrase.split()
        if word[0].isupper()
    }

    assert {"Tâng", "Lôk", "Mât"} <= used
    assert used <= set(scheme)


def test_a_sound_that_is_printed_without_damage_stays_as_published(law):
    assert "«Hóí»" in law.find("portaria-21-96-m/3/a").provision.text.pt
