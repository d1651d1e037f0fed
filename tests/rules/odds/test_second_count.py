"""Odds counted a second time by other means: deal by deal, throw by throw, without the classes."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.odds.markov import BetChain, PlacedBets


def test_small_is_won_as_often_as_a_plain_count_says(figures):
    throws = [sum(dice) for dice in product(range(1, 7), repeat=3) if len(set(dice)) > 1]
    won = sum(4 <= total <= 10 for total in throws)

    assert figures("fish-prawn-crab", "small")[None, None].of("win") == Fraction(won, 216)


@pytest.mark.full
def test_ties_of_three_card_baccarat_counted_card_by_card(figures):
    hands = list(combinations(range(52), 3))
    rank = np.array(hands) // 4 + 1
    points = np.where(rank < 10, rank, 0).sum(axis=1) % 10
    courts = (rank > 10).sum(axis=1)
    places = np.where(courts == 3, 40, points * 4 + courts)
    masks = np.array([sum(1 << card for card in hand) for hand in hands], dtype=np.int64)
    ties = wins = 0

    for mask, place in zip(masks, places, strict=True):
        free = masks & mask == 0
        ties += int((places[free] == place).sum())
        wins += int((places[free] < place).sum())

    found = figures("three-card-baccarat", "beat-banker")[None, None]
    assert (ties, wins) == (15_373_920, 195_898_240)
    assert found.of("stands") * 407_170_400 == ties
    assert found.of("win") * 407_170_400 == wins


@pytest.mark.full
def test_pair_plus_counted_hand_by_hand(figures, compiled):
    game = compiled("fortune-three-card-poker")
    bet = {"bet": "pair-plus", "stake": 1, "place": "1"}
    gain = 0
    hands = [list(hand) for hand in combinations(PACK, 3)][::1]

    for hand in hands:
        croupier = [card for card in ("2S", "3H", "4D", "5C", "6S", "7H") if card not in hand][:3]
        settled = game.settle_plain({}, {"croupier": croupier, "places": {"1": hand}}, [bet])[0]
        gain += settled["prize"] if settled["result"] == "win" else -1

    assert figures("fortune-three-card-poker", "pair-plus")[None, None].edge == Fraction(
        -gain, len(hands)
    )


def test_a_pair_is_three_of_415(figures):
    found = figures("bacara", "player-pair", packs=8)[None, None]

    assert found.of("win") == Fraction(31, 415)


def test_four_of_a_kind_by_binomials(figures):
    found = figures("bacara", "jackpot", packs=8)["four-of-a-kind", "A"]

    assert found.of("win") == Fraction(13 * math.comb(32, 4), math.comb(416, 4))


def test_six_alike_of_one_colour_is_the_part_of_six_alike_that_suits_give(figures):
    found = figures("bacara", "jackpot", packs=8)
    every = found["six-alike", "B"].of("win")

    coloured = found["six-alike-one-colour", "C"].of("win")

    # Six of the 32 cards of a rank, all from the 16 of one of two colours.
    assert coloured == every * 2 * Fraction(math.comb(16, 6), math.comb(32, 6))


@pytest.mark.parametrize("name", ["pass-line", "dont-pass", "field"])
def test_the_chain_agrees_with_all_games_of_three_throws(compiled, name):
    game = compiled("craps")
    laid = PlacedBets(bets=({"bet": name, "stake": 600, "at": 0},), stake=600)
    chain = BetChain(game, 2, laid)
    start = chain.openings()
    chain.ends(start)
    after, ended = dict(start), Fraction(0)
    for _ in range(3):
        moved = {}
        for state, chance in after.items():
            moves, ends = chain._moves[state]  # noqa: SLF001 - one step at a time
            ended += chance * ends_won(ends)
            for other, part in moves.items():
                moved[other] = moved.get(other, 0) + chance * part
        after = moved

    # Of dice, only the total and whether they are alike are seen: two throws of one kind are one.
    kinds = {}
    for throw in product(range(1, 7), repeat=2):
        kinds.setdefault((sum(throw), throw[0] == throw[1]), []).append(throw)
    won = 0
    for path in product(kinds.values(), repeat=3):
        weight = math.prod(len(kind) for kind in path)
        throws = [list(kind[0]) for kind in path]
        result = game.settle_plain({}, {"throws": throws}, list(laid.bets))[0]["result"]
        won += weight if result == "win" else 0

    assert ended == Fraction(won, 36**3)


def ends_won(ends):
    return sum((chance for end, chance in ends.items() if end.result == "win"), Fraction(0))


def test_six_packs_by_sampling_no_round_twice(all_rounds):
    rounds = all_rounds(6)

    assert len(np.unique(rounds.cards, axis=0)) == len(rounds.cards)
