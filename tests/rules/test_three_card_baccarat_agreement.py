"""The rules of Portaria 22/96/M and the reference vendor, written apart, settle alike."""

import random
from itertools import combinations, combinations_with_replacement

import pytest

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
HANDS = [list(hand) for hand in combinations(PACK, 3)]
#: Every choice of three ranks: suits never matter to this game, which the full test shows.
KINDS = [
    [rank + suit for rank, suit in zip(ranks, "SHD", strict=True)]
    for ranks in combinations_with_replacement(RANKS, 3)
]
SIDE = [
    {"bet": "odd", "stake": 19},
    {"bet": "even", "stake": 20},
    {"bet": "three-figures", "stake": 7},
    *({"bet": "points", "choice": choice, "stake": 3} for choice in range(10)),
]
MAIN = [{"bet": "beat-banker", "seat": "1", "stake": 30}, {"bet": "tie", "seat": "1", "stake": 11}]


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("three-card-baccarat")


@pytest.fixture(scope="module")
def other_game(vendor):
    return vendor("three-card-baccarat")


@pytest.fixture(scope="module")
def lines(game):
    """One hand for each line of the annex."""
    found = {}
    for hand in KINDS:
        found.setdefault(game.order(sorted(hand)), hand)
    assert len(found) == 31
    return list(found.values())


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(KINDS, id="455 kinds"),
        pytest.param(HANDS, id="22100 hands", marks=pytest.mark.full),
    ],
)
def test_every_hand_of_the_banker_decides_the_side_bets_alike(game, other_game, hands):
    for hand in hands:
        outcome = {"banker": hand}
        assert game.settle_plain({}, outcome, SIDE) == other_game.settle({}, outcome, SIDE), hand


def test_all_22100_hands_compare_alike_with_every_line(game, other_game, lines):
    for hand in HANDS:
        for other in lines:
            assert game.compare(hand, other) == other_game.compare(hand, other), (hand, other)


def test_every_two_kinds_of_hand_compare_alike(game, other_game):
    for one in KINDS:
        for other in KINDS:
            assert game.compare(one, other) == other_game.compare(one, other), (one, other)


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(KINDS, id="455 kinds"),
        pytest.param(HANDS, id="22100 hands", marks=pytest.mark.full),
    ],
)
def test_every_hand_against_every_line_settles_alike_on_both_sides(game, other_game, lines, hands):
    for one in hands:
        for other in lines:
            for banker, hand in ((one, other), (other, one)):
                outcome = {"banker": banker, "seats": {"1": hand}}
                ours = game.settle_plain({}, outcome, MAIN)
                assert ours == other_game.settle({}, outcome, MAIN), outcome


def _round(chance, packs):
    """Return a table of several packs as it may come, with bets lawful and not."""
    dealt = chance.sample(PACK * packs, 24)
    seats = {str(seat): dealt[seat * 3 : seat * 3 + 3] for seat in range(1, chance.randint(1, 8))}
    names = ["beat-banker", "tie", "odd", "even", "three-figures", "points", "pair"]
    bets = []
    for name in chance.choices(names, k=chance.randint(1, 12)):
        bet = {"bet": name, "stake": chance.choice([1, 19, 20, 99, 10**15 + 19])}
        if name in {"beat-banker", "tie"} or chance.random() < 0.1:
            bet["seat"] = str(chance.randint(1, 8))
        if name == "points" or chance.random() < 0.1:
            bet["choice"] = chance.randint(-1, 10)
        if chance.random() < 0.3:
            bet["bettor"] = chance.choice(["ana", "bo"])
        bets.append(bet)
    return {"banker": dealt[:3], "seats": seats}, bets


@pytest.mark.parametrize(
    "rounds", [pytest.param(4_000), pytest.param(200_000, marks=pytest.mark.full)]
)
def test_whole_tables_drawn_at_random_settle_alike(game, other_game, rounds):
    chance = random.Random(2296)  # noqa: S311 - a repeatable draw, nothing secret
    for _ in range(rounds):
        packs = chance.randint(1, 8)
        outcome, bets = _round(chance, packs)
        ours = game.settle_plain({"packs": packs}, outcome, bets)
        assert ours == other_game.settle({"packs": packs}, outcome, bets), (outcome, bets)
