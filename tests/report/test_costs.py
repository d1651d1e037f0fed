"""What a finding costs, worked out by hand from the words of the law beside each."""

import dataclasses
import functools
from fractions import Fraction

import msgspec
import pytest

from selo.examine.findings.finding import Finding, FindingOrigin
from selo.report.content.finding_cost import (
    CostBasis,
    FindingCost,
    FindingCosts,
    PlacedBet,
    highest_cost,
)
from selo.report.content.house_edge import ExactOdds
from selo.report.content.report_builder import build_report
from selo.report.formats.terminal_summary import render_text
from selo.rules.mutants import find_cause
from selo.rules.odds.bet_odds import BetEnd, BetOdds
from selo.rules.readings import Readings


@pytest.fixture(scope="module")
def costs(law):
    return FindingCosts(law)


@pytest.fixture(scope="module")
def finding(law):
    """Return a finding of which only the cost matters; its cause is named by a sentence."""
    return functools.partial(finding_of, law)


def finding_of(law, game, provision, cause, bets, expected, money, at=0):
    parts = find_cause(law, [provision], Readings(law), cause)
    return Finding(
        id="F-001", verdict="violates", game=game, provisions=[provision], cause=cause, times=1,
        ways=1, first=1, method="settle", params={"game": game, "options": {}, "bets": bets},
        bet=at, expected=expected, observed={}, money=money, law=[], readings=[],
        origin=FindingOrigin(selo="0", spec_digest="0", rulings={}), cause_parts=parts,
    )  # fmt: skip


def cost_of(law, costs, one):
    """Return the cost without the house edge, which has a test of its own."""
    return dataclasses.replace(whole_cost_of(law, costs, one), lawful_edge=None)


def whole_cost_of(law, costs, one):
    return costs.of(one, ExactOdds(law, {}).figures_of(one.game))


WON = {"result": "win", "prize": 15_000}
LOST = {"result": "lose", "prize": 0}


def test_a_wrong_prize_weighs_the_throws_that_win_it(law, costs, finding):
    # Article 6, h): 150 to one on three dice of a chosen figure: one throw of 216.
    bets = [{"bet": "three-of-figure", "choice": "fish", "stake": 100}]
    cause = "prize three-of-figure: odds 150:1 become 151:1"
    one = finding("fish-prawn-crab", "portaria-21-96-m/6/h", cause, bets, WON, 100)

    assert cost_of(law, costs, one) == FindingCost(
        amount=Fraction(10**6, 216), basis=CostBasis.COUNTED
    )


def test_three_alike_that_may_be_small_weigh_two_throws(law, costs, finding):
    # Article 5, a): small is 4 to 10. Of three alike that is 2-2-2 and 3-3-3, by article 7 both
    # lost: stake and prize, two for each staked, in 2 throws of 216.
    bets = [{"bet": "small", "stake": 100}]
    cause = "on small, big: forgotten for small"
    one = finding("fish-prawn-crab", "portaria-21-96-m/7", cause, bets, LOST, 200)

    found = cost_of(law, costs, one)

    assert found == FindingCost(amount=Fraction(2 * 2 * 10**6, 216), basis=CostBasis.COUNTED)
    # Every lost bet on small: 216 throws less 105 that win (107 total 4 to 10, two of them alike).
    assert found.amount < Fraction(2 * 111 * 10**6, 216)


def test_a_wrong_prize_of_an_additional_bet_weighs_its_points(law, costs, finding):
    # Article 2, 2: an additional bet waits for the point. Of 24 throws that set one, 3 set a 4 and
    # 3 a 10; either is made once in three times, and then half a stake is missing.
    bets = [
        {"bet": "pass-line", "stake": 500},
        {"bet": "pass-line-additional", "stake": 100, "to": 0, "at": 1},
    ]
    cause = "prize pass-line-additional, come-additional: odds 2:1 become 3:2"
    expected = {"result": "win", "prize": 200}
    one = finding("craps", "portaria-97-85-m/2/2/1", cause, bets, expected, -50, at=1)

    amount = -Fraction(6, 24) * Fraction(1, 3) * Fraction(1, 2) * 10**6
    assert cost_of(law, costs, one) == FindingCost(amount=amount, basis=CostBasis.COUNTED)


def test_a_prize_of_one_total_of_the_field_weighs_that_total_alone(law, costs, finding):
    # Article 4: 3, 4, 9, 10 and 11 pay the stake. Eleven comes in 2 of 36 throws.
    bets = [{"bet": "field", "stake": 100}]
    cause = "prize field: total == 11: odds 1:1 become 2:1"
    expected = {"result": "win", "prize": 100}
    one = finding("craps", "portaria-97-85-m/4", cause, bets, expected, 100)

    assert cost_of(law, costs, one) == FindingCost(
        amount=Fraction(2, 36) * 10**6, basis=CostBasis.COUNTED
    )


def test_a_wrong_commission_weighs_what_the_banker_wins(law, costs, finding):
    # Article 18, 1: five per cent. With eight packs the banker wins 2,292,252,566,437,888 of
    # 4,998,398,275,503,360 rounds (Wizard of Odds); a hundredth of the prize is left in each.
    bets = [{"bet": "banker", "bettor": "1", "stake": 100}]
    expected = {"result": "win", "prize": 100}
    cause = "commission banker: the rate is 4%"
    one = finding("bacara", "despacho-2-2009/18/1", cause, bets, expected, 1)

    wins = Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
    assert cost_of(law, costs, one) == FindingCost(amount=wins * 10**4, basis=CostBasis.COUNTED)


def test_another_reading_of_the_law_is_counted_as_such(law, costs, finding):
    # Article 4: 2 and 12 (2 throws of 36) give double the stake; whoever takes the stake for a part
    # of that pays one stake less.
    bets = [{"bet": "field", "stake": 100}]
    cause = "97-85-m-4--double-two-twelve: total-is-double"
    expected = {"result": "win", "prize": 200}
    one = finding("craps", "portaria-97-85-m/4", cause, bets, expected, -100)

    assert cost_of(law, costs, one) == FindingCost(
        amount=-Fraction(2, 36) * 10**6, basis=CostBasis.COUNTED
    )


@pytest.mark.parametrize("cause", ["", "no such change", "on small, big: no such change"])
def test_without_a_cause_that_can_be_counted_no_more_than_a_bound_is_told(
    law, costs, finding, cause
):
    # A bet on small is lost in 111 throws of 216.
    bets = [{"bet": "small", "stake": 100}]
    one = finding("fish-prawn-crab", "portaria-21-96-m/7", cause, bets, LOST, 200)

    amount = Fraction(2 * 111 * 10**6, 216)
    assert cost_of(law, costs, one) == FindingCost(amount=amount, basis=CostBasis.AT_MOST)


def test_a_cause_that_the_bet_cannot_feel_is_not_counted(law, costs, finding):
    bets = [{"bet": "small", "stake": 100}]
    cause = "on small, big: forgotten for big"
    one = finding("fish-prawn-crab", "portaria-21-96-m/7", cause, bets, LOST, 200)

    assert cost_of(law, costs, one).basis is CostBasis.AT_MOST


def test_the_house_edge_by_the_law_comes_with_the_cost(law, costs, finding):
    # Article 6, a): small pays the stake in 105 throws of 216; the other 111 are lost.
    bets = [{"bet": "small", "stake": 100}]
    cause = "prize small: odds 1:1 become 2:1"
    expected = {"result": "win", "prize": 100}
    one = finding("fish-prawn-crab", "portaria-21-96-m/6/a", cause, bets, expected, 100)

    found = whole_cost_of(law, costs, one)

    assert found.lawful_edge == Fraction(111 - 105, 216)
    assert found.lawful_edge - found.amount / 10**6 == Fraction(111 - 2 * 105, 216)


def test_a_prize_that_every_such_bet_is_paid_is_exact_without_a_cause(law, costs, finding):
    # Article 6, a): small wins in 105 throws of 216.
    bets = [{"bet": "small", "stake": 100}]
    expected = {"result": "win", "prize": 100}
    one = finding("fish-prawn-crab", "portaria-21-96-m/6/a", "", bets, expected, 37)

    amount = Fraction(37, 100) * Fraction(105, 216) * 10**6
    bound, exact = (
        cost_of(law, costs, msgspec.structs.replace(one, every_such_bet=every))
        for every in (False, True)
    )
    assert bound == FindingCost(amount=amount, basis=CostBasis.AT_MOST)
    assert exact == FindingCost(amount=amount, basis=CostBasis.COUNTED)


def figure(**more):
    ends = {
        BetEnd(result="win", prize=Fraction(2)): Fraction(1, 4),
        BetEnd(result="lose"): Fraction(3, 4),
    }
    return BetOdds(bet="x", ends=ends, **more)


@pytest.mark.parametrize(
    ("expected", "paid", "cost"),
    [
        # A quarter of all bets pays one stake too much.
        ({"result": "win", "prize": 200}, 100, 250_000),
        # Three quarters of all bets lose ten of a hundred too much.
        ({"result": "lose", "prize": 0}, -10, -75_000),
        # No end of this bet is paid so: nothing can be said.
        ({"result": "win", "prize": 300}, 100, None),
        ({"result": "win", "prize": 200}, 0, None),
    ],
)
def test_the_bound_is_the_difference_times_the_chance(expected, paid, cost):
    assert highest_cost(100, expected, paid, [figure()]) == cost


@pytest.mark.parametrize(("manners", "found"), [({"other"}, 0), ({"five-percent"}, 1), (set(), 0)])
def test_odds_of_another_regime_are_not_those_of_the_bet(manners, found):
    placed = PlacedBet(bet={"bet": "x", "stake": 100}, manners=frozenset(manners))

    assert len(list(placed.odds_in([figure(manner="five-percent")]))) == found


@pytest.fixture(scope="module")
def three_alike(examined, planted, law):
    """The report on a vendor that lets three alike win on small."""
    vendor = f"{planted} fish-prawn-crab three-alike-may-be-small"
    return build_report(examined(vendor, "--game", "fish-prawn-crab", "--rulings", "defaults"), law)


@pytest.mark.full
def test_of_causes_that_explain_the_same_the_one_seen_as_often_is_named(three_alike):
    # Only bets on small, and only 2-2-2 and 3-3-3: the rule is forgotten for small, and it is not
    # so that three alike always win, or that it is forgotten for big as well.
    assert three_alike.findings[0].cause == "on small, big: forgotten for small"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("pt", "MOP 18\u00a0518,52 por cada 1\u00a0000\u00a0000 de patacas apostadas, contados"),
        ("zh", "經計算所有可能結果，每投注 1,000,000 澳門元為 MOP 18,518.52"),
        ("en", "MOP 18,518.52 for every 1,000,000 patacas staked, counted over all outcomes"),
    ],
)
def test_the_summary_says_what_was_counted(three_alike, language, told):
    sheet = three_alike.findings[0]

    assert (sheet.per_million, sheet.per_million_is) == ("18,518.52", "counted")
    assert told in render_text(three_alike, language).decode()
