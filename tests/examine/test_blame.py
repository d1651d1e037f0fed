"""From differences to verdicts: what is blamed on what, what is open, and what is not known."""

import functools
import sys
from pathlib import Path

import msgspec
import pytest

from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

VENDORS = Path(__file__).with_name("blamed_vendors.py")
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FISH = "portaria-21-96-m"
POINT = "21-96-m-6--stake-in-the-prize"
#: The provisions of article 6 that name a prize, and that the point on the stake does not list.
PRIZES = [f"{FISH}/6/{name}" for name in ("b", "c/1", "c/2", "c/3", "d", "e", "f", "g")]
PRIZES += [f"{FISH}/6/j/{line}" for line in range(2, 7)]


@pytest.fixture(scope="module")
def examined(selo, tmp_path_factory):
    """Return what an examination of a vendor came to."""

    @functools.cache
    def of(name, *options):
        folder = tmp_path_factory.mktemp("blame") / "run"
        vendor = f"{sys.executable} {VENDORS} {name}"
        shown = ("--visible", str(FIXTURES))
        done = selo("examine", "--vendor", vendor, *shown, "--out", str(folder), *options)
        assert (folder / "result.json").is_file(), done.stderr
        return msgspec.json.decode((folder / "result.json").read_bytes())

    return of


RULED = ("--rulings", "defaults")


def verdicts(result):
    return {one["provision"]: one["result"] for one in result["summary"]["provisions"]}


def broken(result):
    return [name for name, said in verdicts(result).items() if said == "violates"]


def followed(result, provision, point):
    (told,) = [one for one in result["summary"]["provisions"] if one["provision"] == provision]
    return next(one for one in told["followed"] if one["divergence"] == point)


# A prize that is one stake low.


@pytest.mark.parametrize("options", [RULED, pytest.param((), marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("vendor", "provision"),
    [
        ("number-nine", f"{FISH}/6/j/6"),
        pytest.param("trio", "despacho-78-2008/9/8/2", marks=pytest.mark.full),
    ],
)
def test_one_wrong_prize_is_blamed_on_its_own_provision(examined, vendor, provision, options):
    result = examined(vendor, *options)

    assert broken(result) == [provision]
    assert [one["provisions"] for one in result["findings"]] == [[provision]]
    assert result["exit"] == 1


def test_a_reading_that_right_answers_contradict_is_not_told_as_the_cause(examined):
    (finding,) = examined("number-nine", *RULED)["findings"]

    assert "for-one" not in finding["cause"]
    assert finding["against"] == []


# A reading that is followed throughout.


@pytest.mark.full
def test_every_provision_in_which_an_open_reading_shows_is_inconclusive(examined):
    result = examined("for-one")

    said = verdicts(result)
    assert {name: said[name] for name in PRIZES} == dict.fromkeys(PRIZES, "inconclusive")
    assert result["exit"] == 2


@pytest.mark.full
def test_a_provision_that_a_point_does_not_list_names_the_reading_all_the_same(examined):
    told = followed(examined("for-one"), f"{FISH}/6/j/6", POINT)

    assert told["fits"] == {"to-one": 0, "for-one": told["cases"]}


@pytest.mark.full
def test_what_no_reading_allows_is_found_among_thousands_that_one_does(examined):
    result = examined("for-one-and-sixteen")

    assert broken(result) == [f"{FISH}/6/j/2"]
    assert result["exit"] == 1


# A reading under which a provision settles nothing.

ALONE = ("--ruling", "21-96-m-5-c--what-the-figure-bet-is=every-die", *RULED)


@pytest.mark.full
def test_nobody_waits_for_a_provision_that_settles_nothing_under_a_ruling(examined):
    result = examined("every-die", *ALONE)
    said = {one["provision"]: one for one in result["summary"]["provisions"]}

    for name in (f"{FISH}/6/c/1", f"{FISH}/6/c/2"):
        assert (said[name]["result"], said[name]["reason"]) == ("not-examined", "without-effect")
        assert not said[name]["counts"]
        assert said[name]["idle"] == ALONE[1].split("=")
    assert said[f"{FISH}/6/c/3"]["result"] == "conforms"
    left = {one["result"] for one in said.values() if one["counts"]}
    assert left == {"conforms", "to-be-witnessed"}


@pytest.mark.full
def test_without_that_ruling_the_same_answers_break_both_provisions_of_the_point(examined):
    # The figures are not lit as they are ruled to win, either.
    assert broken(examined("every-die", *RULED)) == [
        f"{FISH}/3/b", f"{FISH}/5/c", f"{FISH}/6/c/1",
    ]  # fmt: skip


# A reading that is followed here and there.


@pytest.mark.full
def test_a_reading_is_counted_over_all_cases_that_tell_it_from_the_others(examined):
    result = examined("half-leaning")
    told = followed(result, f"{FISH}/3/c", "21-96-m-3-c--leaning-dice")

    assert sum(told["fits"].values()) == told["cases"]
    assert all(told["fits"].values())
    assert broken(result) == [f"{FISH}/3/c"]


# Cases without a sound answer.


@pytest.mark.full
def test_a_provision_whose_bets_were_only_answered_with_errors_is_inconclusive(examined):
    result = examined("no-hard-ways", *RULED)
    said = {one["provision"]: one for one in result["summary"]["provisions"]}

    assert said["portaria-97-85-m/5"]["result"] == "inconclusive"
    assert said["portaria-97-85-m/5"]["reason"] == "adapter-fault"
    assert said["portaria-97-85-m/2/2/1"]["result"] == "conforms"
    assert result["exit"] == 4


# The example.


@pytest.mark.full
def test_the_smallest_stake_that_shows_it_is_shown(examined):
    (finding,) = examined("large-stakes", *RULED)["findings"]

    (bet,) = finding["params"]["bets"]
    assert bet["stake"] == 2000


@pytest.mark.full
def test_additional_bets_are_shown_with_nothing_but_what_they_are_added_to(examined):
    (finding,) = examined("nine", *RULED)["findings"]

    line, added = finding["params"]["bets"]
    assert (added["to"], added["bet"]) == (0, f"{line['bet']}-additional")
    assert len(finding["params"]["outcome"]["throws"]) == 2


@pytest.mark.full
def test_a_cause_that_the_example_contradicts_is_not_told(examined):
    # At 7 to 5 a stake of 100 wins 140, which no rounding makes of 3 to 2.
    (finding,) = examined("nine", *RULED)["findings"]

    assert finding["provisions"] == ["portaria-97-85-m/2/2/2"]
    assert "whole-pataca" not in finding["cause"]


@pytest.mark.full
def test_what_is_told_of_a_finding_follows_from_the_case_that_is_shown(examined, law):
    (finding,) = examined("large-stakes", *RULED)["findings"]

    (bet,) = finding["params"]["bets"]
    named = {one["provision"] for one in finding["law"]}
    game = compile_game(law, "fish-prawn-crab", Readings(law, {}))
    declared = {name: rules.declared_in for name, rules in game.bets.items()}
    assert declared[bet["bet"]] in named
    # Of the other bets of the case that was first seen nothing is told.
    assert not named & ({*declared.values()} - {declared[bet["bet"]], f"{FISH}/5/a"})


def test_an_answer_that_does_not_come_again_is_shown_as_it_was_and_said_so(examined):
    # Each process of this vendor is wrong once, that of its live tables as well.
    found = examined("once", *RULED, "--processes", "1")["findings"]
    (finding,) = [one for one in found if "bets" in one["params"]]

    assert len(finding["params"]["bets"]) > 1
    assert {*finding["unlike"]} == {"pt", "zh", "en"}
    assert "did not always give the same answer" in finding["unlike"]["en"]
    assert (finding["cause"], finding["readings"], finding["against"]) == ("", [], [])
