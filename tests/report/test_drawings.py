"""Dice, cards and tiles: drawn for every piece there is, and said in words."""

import itertools
import xml.etree.ElementTree as ET

import pytest

from selo.report.svg import equipment_pictures
from selo.rules.compiler import compile_game
from selo.rules.readings.reading_choice import Readings
from selo.text.message_catalogue import say

SVG = "{http://www.w3.org/2000/svg}"
BOTH = ("pt", "zh")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def one(params):
    (picture,) = equipment_pictures.pictures(params, BOTH)
    return picture, ET.fromstring(picture.svg)  # noqa: S314 - our own drawing


def spots(element):
    return len(element.findall(f".//{SVG}circle"))


def test_figures_have_the_colours_of_the_law(law):
    tables = compile_game(law, "fish-prawn-crab", Readings(law, {})).tables

    assert {
        name: colour for name, (colour, _) in tables.faces.items()
    } == equipment_pictures.FIGURES


def test_a_throw_of_figures_says_what_it_shows():
    picture, svg = one({"outcome": {"dice": ["fish", "crab", "rooster"]}})

    assert picture.owner == "throw"
    assert svg.find(f"{SVG}title").text == "Dados: peixe, caranguejo, galo · 骰子：魚、蟹、雞"


def test_every_way_in_which_a_die_may_lie_is_said(law):
    folder = next(one for one in law.folders if one.instrument.game == "fish-prawn-crab")
    ways = next(one.values for one in folder.events.fields if one.id == "lying")
    said = set()

    for way in ways:
        _, svg = one({"outcome": {"dice": ["fish"] * 3, "lying": [way] * 3}})
        said.add(svg.find(f"{SVG}title").text)

    assert len(said) == len(ways) > 3


def test_a_die_that_does_not_lie_flat_is_drawn_otherwise_and_said():
    flat, _ = one({"outcome": {"dice": ["fish"] * 3}})
    stacked, svg = one({"outcome": {"dice": ["fish"] * 3, "lying": ["flat", "flat", "stacked"]}})

    assert stacked.svg != flat.svg
    assert "peixe (sobreposto)" in svg.find(f"{SVG}title").text


@pytest.mark.parametrize("face", range(1, 7))
def test_a_numbered_die_has_as_many_spots_as_its_number(face):
    _, svg = one({"outcome": {"throws": [[face, face]]}})

    assert spots(svg) == 2 * face


def test_a_die_off_the_table_has_no_spots_and_is_said():
    _, svg = one({"outcome": {"throws": [[0, 0]]}})

    assert spots(svg) == 0
    assert "fora da mesa" in svg.find(f"{SVG}title").text


def test_each_throw_of_several_is_numbered():
    found = equipment_pictures.pictures({"outcome": {"throws": [[1, 2], [3, 4]]}}, BOTH)

    assert [picture.label("pt") for picture in found] == ["Lançamento 1", "Lançamento 2"]


@pytest.mark.parametrize("suit", "SHDC")
def test_every_card_of_a_suit_shows_its_rank(suit):
    _, svg = one({"outcome": {"player": [f"{rank}{suit}" for rank in RANKS]}})

    assert tuple(text.text for text in svg.findall(f".//{SVG}text")) == RANKS


def test_hands_of_a_round_stand_apart_with_their_owners():
    found = equipment_pictures.pictures(
        {"outcome": {"banker": ["QC", "9S", "10H"], "seats": {"1": ["KH", "4S", "5D"]}}}, BOTH
    )

    assert [picture.label("zh") for picture in found] == ["莊家", "座位1"]


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(range(1, 7), 2)))
def test_a_tile_has_the_spots_of_both_halves(pair):
    _, svg = one({"a": [f"{pair[0]}/{pair[1]}"]})

    assert spots(svg) == sum(pair)


def test_the_outcome_that_a_script_forces_last_is_drawn():
    acts = [
        {"act": "force", "outcome": {"dice": ["fish", "fish", "fish"]}},
        {"act": "go-on"},
        {"act": "force", "outcome": {"dice": ["coin", "coin", "crab"]}},
    ]
    _, svg = one({"acts": acts})

    assert svg.find(f"{SVG}title").text.startswith("Dados: moeda, moeda, caranguejo")


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"outcome": {}},
        {"outcome": {"player": ["<script>", "AS"]}},
        {"a": []},
        {"acts": [{"act": "go-on"}]},
    ],
)
def test_what_is_no_equipment_is_not_drawn(params):
    assert equipment_pictures.pictures(params, BOTH) == []


def test_every_owner_has_words():
    for owner in ("throw", "throw-of", "player", "banker", "croupier", "seat", "place", "hand"):
        assert say(f"drawing.owner.{owner}", "zh", n="1", name="1")
