"""Black jack under the best decisions, against figures that others published."""

import math
from fractions import Fraction

import numpy as np
import pytest
import yaml
from tests.example_games import ROOT, add_games

from selo.law.loader import load_law
from selo.rules.odds import OddsCatalogue
from selo.rules.odds.decisions.hand_rules import HandRules
from selo.rules.odds.decisions.house_hands import list_house_hands
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

GAME = "black-jack"
PUBLISHED = yaml.safe_load(
    (ROOT / "docs" / "examples" / GAME / "published.yaml").read_text(encoding="utf-8")
)
#: Groups of a pack: an ace, 2 to 9, and what counts ten.
GROUPS = ("A", *map(str, range(2, 10)), "10")
PACKS = (8,) * 9 + (32,)


@pytest.fixture(scope="module")
def law_with_cards(once):
    folder = once("law-with-black-jack", lambda place: add_games(place, GAME))
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


def total(hand):
    low = sum(group + 1 for group in hand)
    return low + 10 if 0 in hand and low + 10 <= 21 else low


def kind_of(hand):
    """Tell how a house ends that stands on every 17; 0 is a black jack."""
    if total(hand) < 17:
        return None
    return 0 if len(hand) == 2 and total(hand) == 21 else min(total(hand), 22)


def test_the_ways_of_all_houses_together_are_all_ways_of_their_cards():
    left = [tuple(n - (at == group) for at, n in enumerate(PACKS)) for group in range(10)]
    for first in range(10):
        house = list_house_hands(first, 10, 2, kind_of)
        for ways in house.ways(left, 12):
            assert sum(ways) == math.perm(103, 12)
        assert house.chances(np.array(left)).sum(axis=1) == pytest.approx(1)


def test_a_house_of_two_cards_comes_as_often_as_its_second_card():
    house = list_house_hands(9, 10, 2, kind_of)
    left = (8,) * 9 + (31,)
    (ways,) = house.ways([left], 8)

    # After a ten, 8 of the 103 cards make a black jack.
    assert Fraction(ways[house.kinds.index(0)], sum(ways)) == Fraction(8, 103)


@pytest.mark.full
@pytest.mark.parametrize("figure", PUBLISHED["hands"], ids=lambda one: f"{one['hand']}-{one['up']}")
def test_a_hand_that_stands_gains_what_others_published(rules_of, figure):
    """The published gain is that against a croupier without black jack, cut or rounded."""
    rules = rules_of(figure["reading"])
    hand, up = figure["hand"].split(), GROUPS.index(figure["up"])
    held = [hand.count(group) + (at == up) for at, group in enumerate(GROUPS)]
    house = rules.houses[up]
    (ways,) = house.ways([tuple(n - m for n, m in zip(PACKS, held, strict=True))], 14)
    gain = weight = 0
    for kind, many in zip(house.kinds, ways, strict=True):
        shown = rules.house_of[kind]
        if len(shown) == 2 and total([GROUPS.index(rank) for rank in shown]) == 21:
            continue
        (end,) = rules.settle(shown, (tuple(hand),), (rules.root,))
        gain, weight = gain + many * end.gain, weight + many

    assert abs(gain / weight - Fraction(figure["printed"])) <= Fraction(1, 10**6)


@pytest.fixture(scope="module")
def rules_of(law_with_cards):
    known = {}

    def made(reading):
        if reading not in known:
            readings = Readings(law_with_cards, {"14-33-m-2-b--soft-seventeen": reading})
            game = compile_game(law_with_cards, GAME, readings)
            known[reading] = HandRules(game, game.kit, without=("split", "split-double"))
        return known[reading]

    return made


@pytest.mark.full
def test_the_best_play_is_a_little_better_than_the_best_play_by_totals(law_with_cards):
    """Who looks at single cards gains what others published of totals, and at most 0.05% more."""
    figures = {
        one.bet: one
        for one in OddsCatalogue(law_with_cards).figures(GAME, Readings(law_with_cards))
    }
    whole = next(figure for name, figure in figures.items() if " + " in name)
    for figure in PUBLISHED["rounds"]:
        by_totals = -Fraction(figure["printed"].rstrip("%")) / 100
        assert by_totals - Fraction(5, 10000) < whole.edge < by_totals

    # Art. 2, f) and 4, d): one card in 103 after the ace, 32 of them tens, pays two to one.
    assert figures["insurance"].edge == 1 - 3 * Fraction(32, 103)
    assert sum(figures["main"].ends.values()) == 1
