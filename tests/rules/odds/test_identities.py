"""What must hold of odds whatever the law says."""

import math
from fractions import Fraction

import pytest
from tests.games import GAMES_WITH_BETS as GAMES

from selo.errors import SeloError
from selo.rules.odds import pack_deals
from selo.rules.odds.bet_odds import BetEnd, build_figure
from selo.rules.readings.reading_choice import Readings


@pytest.fixture(scope="module", params=GAMES)
def counted(request, law, catalogue):
    return catalogue.figures(request.param, Readings(law))


def test_every_game_with_bets_is_counted(catalogue):
    assert sorted(catalogue.games()) == sorted(GAMES)


def test_every_bet_of_the_game_has_odds(counted, request, compiled):
    game = request.node.callspec.params["counted"]

    assert set(compiled(game).bets) <= {one.bet for one in counted}


def test_chances_add_up_to_one_and_none_is_negative(counted):
    for one in counted:
        assert sum(one.ends.values()) == 1
        assert all(chance > 0 for chance in one.ends.values())


def test_no_bet_is_refused_or_left_undecided_by_a_fair_game(counted):
    results = {end.result for one in counted for end in one.ends}

    assert results <= {"win", "lose", "push", "stands"}


def test_figures_are_told_apart_by_their_keys(counted):
    keys = [one.key for one in counted]

    assert len(keys) == len(set(keys))


def test_the_edge_is_what_the_ends_cost(counted):
    for one in counted:
        won = sum(p * (end.prize - end.commission) for end, p in one.ends.items()
                  if end.result == "win")  # fmt: skip
        lost = sum(p * end.lost for end, p in one.ends.items() if end.result == "lose")
        assert one.edge == lost - won


@pytest.mark.parametrize("many", [1, 2, 8])
def test_weights_of_rank_hands_add_up_to_all_deals(many):
    deal = pack_deals.deal_by_rank(3, many)

    total = sum(int(row.sum()) for row in deal.rows())

    assert total == deal.total == math.comb(52 * many, 3) * math.comb(52 * many - 3, 3)


def test_weights_of_suited_hands_add_up_to_all_deals():
    deal = pack_deals.deal_by_suit(3)

    total = sum(int(row.sum()) for row in deal.rows())

    assert total == deal.total == 22_100 * 18_424
    assert sum(deal.alike) == 22_100


@pytest.mark.parametrize("many", [1, 6, 8, 12])
def test_weights_of_rounds_add_up_to_all_orders_of_six_cards(all_rounds, many):
    rounds = all_rounds(many)

    assert int(rounds.weights.sum()) == rounds.total == math.perm(52 * many, 6)
    assert (rounds.weights > 0).all()


def test_the_largest_number_of_packs_can_be_counted_in_64_bits():
    assert math.perm(52 * pack_deals.MAX_PACKS, 6) < 2**63


def test_modalities_b_and_c_pay_equally_often(figures):
    found = figures("bacara", "jackpot")

    assert found["any", "B"].of("win") == found["any", "C"].of("win")


def test_combinations_of_a_modality_exclude_one_another(figures):
    found = figures("bacara", "jackpot")

    for modality in "ABC":
        each = [one.of("win") for (name, of), one in found.items()
                if of == modality and name != "any"]  # fmt: skip
        assert sum(each) == found["any", modality].of("win")


def test_ends_that_do_not_weigh_everything_are_an_error():
    with pytest.raises(SeloError, match="weigh 1 and not 2"):
        build_figure("small", [(BetEnd(result="win", prize=Fraction(1)), 1)], total=2)


def test_a_refused_bet_is_an_error_and_not_a_figure():
    with pytest.raises(SeloError, match="refused"):
        build_figure("small", [(BetEnd(result="refused"), 2)], total=2)
