"""``selo odds`` as a person types it."""

import json
from fractions import Fraction

import pytest


def test_the_table_shows_chances_and_edge(selo):
    done = selo("odds", "fish-prawn-crab")

    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert lines[0] == "fish-prawn-crab"
    assert "small 48.6111% 0.0000% 51.3889% 1/36 2.7778%" in lines
    assert "number 4, 17 1.3889% 0.0000% 98.6111% 7/24 29.1667%" in lines


def test_json_keeps_exact_fractions(selo):
    done = selo("odds", "three-card-baccarat", "--json")

    game = json.loads(done.stdout)[0]
    beat = next(one for one in game["figures"] if one["bet"] == "beat-banker")
    assert done.returncode == 0
    assert game["packs"] == 1
    assert Fraction(beat["win"]) == Fraction(195_898_240, 407_170_400)
    assert sum(Fraction(one["probability"]) for one in beat["ends"]) == 1


def test_a_ruling_changes_the_figures(selo):
    ruling = "21-96-m-7--triples-and-other-bets=every-bet-on-a-total"

    done = selo("odds", "fish-prawn-crab", "--json", "--ruling", ruling)

    figures = json.loads(done.stdout)[0]["figures"]
    six = next(one for one in figures if one["bet"] == "number" and one["choice"] == 6)
    assert six["win"] == "1/24"


def test_other_readings_are_named_with_the_bets_they_change(selo):
    done = selo("odds", "fish-prawn-crab", "--readings", "--json")

    others = json.loads(done.stdout)[0]["other_readings"]
    triples = [one for one in others if one["reading"] == "every-bet-on-a-total"]
    assert [one["divergence"] for one in triples] == ["21-96-m-7--triples-and-other-bets"]
    assert {(one["bet"], one["choice"]) for one in triples[0]["figures"]} == {
        ("number", 6), ("number", 9), ("number", 12), ("number", 15),
    }  # fmt: skip


def test_packs_change_the_odds_of_a_game_dealt_from_a_shoe(selo):
    done = selo("odds", "three-card-baccarat", "--packs", "8", "--json")

    game = json.loads(done.stdout)[0]
    figures = next(one for one in game["figures"] if one["bet"] == "three-figures")
    assert game["packs"] == 8
    assert Fraction(figures["win"]) == Fraction(96 * 95 * 94, 416 * 415 * 414)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("roulette",), "there is no game 'roulette' with bets"),
        (("pai-kao",), "there is no game 'pai-kao' with bets"),
        (("craps", "--packs", "2"), "the number of packs of craps cannot be chosen"),
        (("bacara", "--packs", "0"), "odds cannot be counted for 0 packs"),
        (("bacara", "--packs", "99"), "odds cannot be counted for 99 packs"),
        (("craps", "--ruling", "nothing"), "'nothing' is not a ruling"),
        (("craps", "--ruling", "nothing=at-all"), "unknown divergence 'nothing'"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_says_what_to_do(selo, arguments, said):
    done = selo("odds", *arguments)

    assert done.returncode == 3
    assert said in done.stderr
    assert "hint: " in done.stderr
    assert done.stdout == ""
