"""What chance should give, out of the law files: faces, sums, colours, cards, classes of hands."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import yaml

from selo.draws.random_equipment import equipment_of_game
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.readings.reading_choice import Readings

POKER, FISH, BACCARAT, CRAPS = (
    "fortune-three-card-poker", "fish-prawn-crab", "three-card-baccarat", "craps",
)  # fmt: skip
ORACLES = Path(__file__).parents[2] / "fixtures" / "oracles"
#: What the page calls the classes that our law has other names for.
CALLED = {"three-of-a-kind": "trio", "high-card": "odd-cards"}


def of(law, game, **options):
    return equipment_of_game(law, game, Readings(law), options)


def measured(one, rows):
    return {(test.test, test.of): test for test in one.measures(np.array(rows, dtype=np.int16))}


def chances(test):
    return {cell.name: cell.probability for cell in test.cells}


@pytest.fixture(scope="module")
def throws(law):
    return measured(of(law, FISH), [[0, 1, 2], [3, 4, 5]])


@pytest.fixture(scope="module")
def deals(law):
    return measured(of(law, POKER), [[0, 1, 2, 3, 4, 5, 1], [6, 7, 8, 9, 10, 11, 1]])


def test_every_face_of_the_law_is_as_likely_as_any_other(throws):
    faces = ("fish", "prawn", "gourd", "coin", "crab", "rooster")

    assert chances(throws["face", "2"]) == dict.fromkeys(faces, Fraction(1, 6))


def test_sums_of_three_dice_are_as_galileo_counted_them(throws):
    # Sopra le scoperte dei dadi: of 216 throws, 27 give ten and 25 give nine.
    assert chances(throws["sum", ""])["10"] == Fraction(27, 216)
    assert chances(throws["sum", ""])["9"] == Fraction(25, 216)
    assert sum(chances(throws["sum", ""]).values()) == 1


def test_three_dice_of_one_colour_are_as_likely_as_the_faces_of_the_law_make_them(throws):
    # Two of six faces have each colour: a third of a third of a third.
    assert chances(throws["colours", ""])["blue blue blue"] == Fraction(1, 27)
    assert len(chances(throws["colours", ""])) == 10


def test_all_216_throws_are_told_apart(throws):
    assert set(chances(throws["throw", ""]).values()) == {Fraction(1, 216)}
    assert len(throws["throw", ""].cells) == 216


def test_classes_of_poker_hands_are_as_published(deals):
    figures = yaml.safe_load(
        (ORACLES / "three-card-poker-outcome-counts" / "figures.yaml").read_text()
    )
    published = {
        CALLED.get(one["parameters"]["category"], one["parameters"]["category"]): int(one["exact"])
        for one in figures["figures"]
        if "category" in one["parameters"]
    }

    assert chances(deals["class", "croupier"]) == {
        name: Fraction(hands, 22_100) for name, hands in published.items()
    }


def test_classes_of_baccarat_hands_are_counted_in_all_hands_whatever_the_suits(law):
    one = of(law, BACCARAT, packs=1)
    found = measured(one, [[0, 1, 2, 3, 4, 5, 1]])["class", "banker"]

    hands = Counter(one.lines[one.line(sorted(hand))] for hand in combinations(PACK, 3))
    assert chances(found) == {name: Fraction(times, 22_100) for name, times in hands.items()}


@pytest.mark.parametrize("packs", [1, 8])
def test_chances_of_classes_sum_up_to_one_with_any_number_of_packs(law, packs):
    found = measured(of(law, BACCARAT, packs=packs), [[0, 1, 2, 3, 4, 5, 1]])

    assert sum(chances(found["class", "seat"]).values()) == 1


def test_cards_in_common_are_as_likely_as_the_lottery_has_it(deals):
    # Six of fifty-two, as in any lottery of six: C(6,k) C(46,6-k) / C(52,6).
    assert chances(deals["common", ""])["0"] == Fraction(9_366_819, 20_358_520)
    assert chances(deals["common", ""])["6"] == Fraction(1, 20_358_520)


def test_the_next_card_is_never_the_same_in_one_pack_and_may_be_in_eight(law, deals):
    eight = measured(of(law, BACCARAT, packs=8), [[0, 1, 2, 3, 4, 5, 1]])

    assert "+0" not in chances(deals["next", "croupier 1"])
    assert chances(eight["next", "banker 1"])["+0"] == Fraction(7, 415)


# Outcomes read.


def test_a_deal_is_read_in_the_order_in_which_it_was_dealt(law):
    deal = {"croupier": ["2S", "AH", "AS"], "places": {"1": ["KC", "AD", "AC"]}}

    assert of(law, POKER).row(deal) == [4, 1, 0, 51, 2, 3, 1]


def test_a_card_that_comes_twice_from_one_pack_cannot_be(law):
    deal = {"croupier": ["AS", "2S", "3S"], "places": {"1": ["AS", "4S", "5S"]}}

    assert of(law, POKER).row(deal)[-1] == 0


def test_a_card_that_comes_twice_from_two_packs_can_be(law):
    deal = {"banker": ["AS", "2S", "3S"], "seats": {"1": ["AS", "4S", "5S"]}}

    assert of(law, BACCARAT, packs=2).row(deal)[-1] == 1


def test_the_cards_of_other_places_count_for_what_can_be(law):
    deal = {
        "croupier": ["AS", "2S", "3S"],
        "places": {"1": ["AH", "4S", "5S"], "2": ["AS", "6S", "7S"]},
    }

    assert of(law, POKER).row(deal) == [0, 4, 8, 1, 12, 16, 0]


@pytest.mark.parametrize(
    ("game", "outcome"),
    [
        (FISH, {"dice": ["fish", "crab"]}),
        (FISH, {"dice": ["fish", "crab", "dragon"]}),
        (FISH, {"dice": "fish"}),
        (FISH, {"dice": [["fish"], "crab", "coin"]}),
        (FISH, {"dice": ["fish", "crab", "coin"], "lying": ["flat", "flat", "asleep"]}),
        (FISH, {"dice": ["fish", "crab", "coin"], "seed": 7}),
        (FISH, {"throws": [[3, 4]]}),
        (FISH, {}),
        (CRAPS, {"throws": [[3, 4], [1, 2]]}),
        (CRAPS, {"throws": [[3, 7]]}),
        (CRAPS, {"throws": [[True, 2]]}),
        (CRAPS, {"throws": [[3.0, 2]]}),
        (CRAPS, {"throws": [[3]]}),
        (CRAPS, {"dice": ["fish", "crab", "coin"]}),
        (POKER, {"croupier": ["AS", "2S", "3S"]}),
        (POKER, {"croupier": ["AS", "2S", "3S"], "places": {}}),
        (POKER, {"croupier": ["AS", "2S"], "places": {"1": ["4S", "5S", "6S"]}}),
        (POKER, {"croupier": ["AS", "2S", "1S"], "places": {"1": ["4S", "5S", "6S"]}}),
        (POKER, {"croupier": ["AS", "2S", "3S"], "places": ["4S", "5S", "6S"]}),
        (POKER, {"banker": ["AS", "2S", "3S"], "seats": {"1": ["4S", "5S", "6S"]}}),
    ],
)
def test_what_is_no_outcome_of_the_game_is_refused(law, game, outcome):
    with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
        of(law, game).row(outcome)
