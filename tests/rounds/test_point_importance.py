"""The importance of an open point is money times frequency, and orders the register."""

from fractions import Fraction
from math import comb

import pytest

from selo.rounds.analysis.point_importance import (
    compute_importance,
    gain_distance,
    importance_key,
    order_points,
    stored_importance,
)
from selo.rules.odds.bet_odds import BetEnd, build_figure


def figure(*ends):
    return build_figure("small", [(end, weight) for end, weight in ends], total=216)


def test_money_is_the_distance_of_what_is_gained():
    # A prize of 150 on one triple of 216 throws, or on all six triples.
    one = figure((BetEnd(result="win", prize=Fraction(150)), 1), (BetEnd(result="lose"), 215))
    six = figure((BetEnd(result="win", prize=Fraction(150)), 6), (BetEnd(result="lose"), 210))

    assert gain_distance(one, six) == Fraction(5 * 151, 216)
    assert gain_distance(one, one) == 0


def test_gains_that_only_move_about_do_not_cancel():
    """The house keeps as much under both, and yet money changes hands."""
    one = figure((BetEnd(result="win", prize=Fraction(1)), 108), (BetEnd(result="lose"), 108))
    other = figure((BetEnd(result="push"), 216))

    assert one.edge == other.edge
    assert gain_distance(one, other) == 1


def test_a_bet_that_is_refused_gains_nothing():
    one = figure((BetEnd(result="win", prize=Fraction(1)), 100), (BetEnd(result="lose"), 116))

    assert gain_distance(one, None) == 1


def test_the_stored_order_is_that_of_the_stored_importance(law):
    for folder in law.folders:
        points = [point for _, register in folder.register for point in register.divergences]
        assert folder.order.points == order_points(points, stored_importance(law)), (
            folder.instrument.id
        )


def test_open_points_come_before_settled_ones_and_outcomes_first(law):
    keys = {one.id: importance_key(one, stored_importance(law)) for one in law.divergences}
    chosen, settled = "21-96-m-5-h--chosen-figure", "21-96-m-5-a--ground-of-the-loss"

    assert keys[chosen] < keys["21-96-m-2--exactly-three-presses"] < keys[settled]


def test_what_is_stored_of_a_game_is_what_is_computed(law):
    """Counted by hand: five more triples of 216 win 150 and are not lost."""
    stored = stored_importance(law)["21-96-m-5-h--chosen-figure"]

    assert Fraction(stored.money) == Fraction(5 * 151, 216)


@pytest.mark.full
def test_the_stored_importance_of_a_game_is_not_stale(law, session):
    computed = compute_importance(law, "fish-prawn-crab", session)
    own = {one.id for one in law.divergences if one.situation.game == "fish-prawn-crab"}

    assert computed == {name: one for name, one in stored_importance(law).items() if name in own}


def test_where_pairs_are_only_compared_the_part_of_deals_counts(law):
    """By hand: 5/6 with 4/5 meets 5/6 with 3/6, either of them first; 5/6 exists twice."""
    found = compute_importance(law, "pai-kao", None)

    deals = comb(32, 2) * comb(30, 2)
    assert Fraction(found["96-85-m-annex-106--nine-point-tiles"].rounds) == Fraction(4, deals)
    stored = stored_importance(law)
    assert {point: stored[point] for point in found} == found
