"""The house edge in what was drawn, against throws whose edge the odds of others tell."""

import itertools
from fractions import Fraction

import pytest
from scipy import stats

from selo.examine.analysis.draw_results import full_offer_terms, planned_samples
from selo.report.content.house_edge import ExactOdds, compute_house_edges
from selo.report.content.observed_edge import ObservedEdges
from selo.report.phrases.labels import Labels

FIGURES = ["fish", "prawn", "gourd", "coin", "crab", "rooster"]


@pytest.fixture(scope="module")
def observed(law):
    """Return what is observed in some outcomes of a game."""
    defaults = {one.id: one.default for one in law.divergences}

    def of(game, outcomes):
        taken = planned_samples(law, full_offer_terms(law, game, defaults))[:1]
        taken[0].add_outcomes(outcomes)
        return ObservedEdges(taken, law, defaults)

    return of


@pytest.fixture(scope="module")
def drawn(observed):
    """Every throw of three dice, once: as fair as draws can be."""
    throws = itertools.product(FIGURES, repeat=3)
    outcomes = [{"dice": list(dice), "lying": ["flat"] * 3} for dice in throws]
    return observed("fish-prawn-crab", outcomes)


@pytest.mark.parametrize(
    ("bet", "choice", "edge"),
    [
        # Figures of sic bo, printed for the same bets at the same odds (fixtures/oracles).
        ("small", None, Fraction(1, 36)),
        ("big", None, Fraction(1, 36)),
        # 150 to one on one throw of 216: 1 − 151/216.
        ("three-of-figure", "fish", Fraction(65, 216)),
        # 24 to one on six throws of 216: 1 − 6·25/216.
        ("any-three-of-figure", None, Fraction(66, 216)),
    ],
)
def test_every_throw_once_gives_the_exact_edge(drawn, bet, choice, edge):
    assert drawn.edge("fish-prawn-crab", bet, choice) == edge


def test_an_edge_stands_in_an_interval_of_99_percent(drawn):
    # A stake is won or lost at even odds with the edge 1/36: variance 1 − 1/36².
    low, high = drawn.interval("fish-prawn-crab", [("small", None)])

    half = stats.norm.ppf(0.995) * ((1 - 1 / 36**2) / 216) ** 0.5
    assert float(low) == pytest.approx(1 / 36 - half)
    assert float(high) == pytest.approx(1 / 36 + half)


def test_nothing_drawn_gives_no_edge(drawn):
    assert drawn.edge("bacara", "player", None) is None


def test_no_edge_follows_from_the_first_cards_of_hands_that_go_on(observed):
    """With the banker's third card a seven wins, which the first two cards do not show."""
    seven = {"player": ["KD", "2H", "4S"], "banker": ["2C", "3D", "2S"]}
    seen = observed("bacara", [seven] * 200)

    bets = ["player", "banker", "tie", "seven-dragon"]
    assert seen.edges("bacara", [(bet, None) for bet in bets]) == [None] * 4
    assert seen.interval("bacara", [("seven-dragon", None)]) is None


@pytest.fixture(scope="module")
def thrown(observed):
    """Every throw of two dice, once."""
    dice = itertools.product(range(1, 7), repeat=2)
    return observed("craps", [{"throws": [list(throw)]} for throw in dice])


def test_a_bet_that_one_outcome_does_not_decide_has_no_edge(thrown):
    assert thrown.edge("craps", "pass-line", None) is None


@pytest.mark.parametrize(
    ("bet", "edge"),
    [
        # 15 to one on the two throws of eleven: 1 − 2·16/36.
        ("eleven", Fraction(4, 36)),
        # 7 to one on the four throws of two, three and twelve: 1 − 4·8/36.
        ("any-craps", Fraction(4, 36)),
    ],
)
def test_a_bet_of_craps_that_one_throw_decides_has_the_exact_edge(thrown, bet, edge):
    assert thrown.edge("craps", bet, None) == edge


def test_hands_are_paid_by_what_they_are_and_not_by_the_order_of_their_cards(observed):
    """Two hands of 3-Card Baccarat win and lose in turn, and one tie stands."""
    win = {"banker": ["2C", "3D", "5H"], "seats": {"1": ["9S", "KD", "QH"]}}
    lose = {"banker": ["9S", "KD", "QH"], "seats": {"1": ["2C", "3D", "5H"]}}
    turned = {"banker": ["KD", "QH", "9S"], "seats": {"1": ["5H", "2C", "3D"]}}
    seen = observed("three-card-baccarat", [win, lose, turned])

    # One bet of three wins 1 less the commission of 5 per cent, two lose.
    assert seen.edge("three-card-baccarat", "beat-banker", None) == Fraction(105, 300)


@pytest.mark.full
def test_what_a_bettor_decides_when_the_cards_are_seen_is_in_no_draw(law, observed):
    deal = {"croupier": ["2C", "3D", "5H"], "places": {"1": ["9S", "KD", "QH"]}}
    seen = observed("fortune-three-card-poker", [deal])
    terms = full_offer_terms(law, "fortune-three-card-poker")
    odds = ExactOdds(law, terms.rulings)

    found = {
        one.bet: one.observed
        for one in compute_house_edges(odds, Labels(law), terms.games, {}, seen)
    }

    assert found["ante"] is None
    assert found["raise"] is None
    assert found["pair-plus"] is not None


def test_it_is_known_how_many_were_drawn(drawn):
    assert drawn.count("fish-prawn-crab") == 216
    assert drawn.count("craps") == 0
