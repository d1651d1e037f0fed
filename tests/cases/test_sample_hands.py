"""Hands to choose cases from: every hand of a pack has its kind, whatever reading is followed."""

import itertools

import pytest

from selo.cases.deals.sample_hands import one_hand_per_class
from selo.rules.checks.game_check import settlement_points
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

POKER = "fortune-three-card-poker"


def without_a_kind(law, game, point, reading):
    rules = compile_game(law, game, Readings(law, {point: reading}))
    kinds = {rules.order(sorted(hand)) for hand in one_hand_per_class(rules)}
    hands = itertools.combinations(PACK, 3)
    return [hand for hand in hands if rules.order(sorted(hand)) not in kinds]


def test_hands_of_two_suits_have_a_kind_where_a_straight_asks_for_three(law):
    point, reading = "78-2008-8-3--two-suits-in-a-straight", "three-distinct-suits"

    assert without_a_kind(law, POKER, point, reading) == []


@pytest.mark.full
@pytest.mark.parametrize("game", [POKER, "three-card-baccarat"])
def test_every_hand_of_a_pack_has_its_kind_under_every_reading(law, game):
    for point, readings in settlement_points(law, game).items():
        for reading in readings:
            assert without_a_kind(law, game, point, reading) == [], (point, reading)
