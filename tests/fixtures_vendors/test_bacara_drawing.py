"""Bacará: the drawing rule, which is reconstructed and not in the text of Despacho 2/2009."""

import itertools
from collections import Counter
from math import perm, prod

import pytest

#: Banker by own total (row) and the player's third card 0 to 9 (column): D draws, S stands.
TABLE = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
#: One card for each number of points.
CARD = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
#: Orders of six cards from eight packs by result; Wizard of Odds, "Baccarat" and "EZ Baccarat".
PUBLISHED = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
    "seven-dragon": 112_633_011_329_024,
}


@pytest.fixture
def bacara(vendor):
    return vendor("bacara")


@pytest.mark.parametrize("total", TABLE)
@pytest.mark.parametrize("third", range(10))
def test_the_banker_draws_by_own_total_and_the_third_card_of_the_player(bacara, total, third):
    rest = [CARD[third], "9D"]

    player, banker = bacara.draws(["2H", "3H"], ["KH", CARD[total]], rest)

    assert player == ["2H", "3H", CARD[third]]
    assert banker == ["KH", CARD[total]] + ["9D"] * (TABLE[total][third] == "D")


@pytest.mark.parametrize("stands", [6, 7])
@pytest.mark.parametrize(
    ("total", "draws"), [*zip(range(8), [True] * 6 + [False] * 2, strict=True)]
)
def test_when_the_player_stands_the_banker_draws_to_five(bacara, stands, total, draws):
    player, banker = bacara.draws(["KH", CARD[stands]], ["QH", CARD[total]], ["9D", "8D"])

    assert player == ["KH", CARD[stands]]
    assert banker == ["QH", CARD[total]] + ["9D"] * draws


@pytest.mark.parametrize("total", range(6))
def test_the_player_draws_on_nought_to_five(bacara, total):
    player, _ = bacara.draws(["QH", CARD[total]], ["KH", "7D"], ["AD"])

    assert player == ["QH", CARD[total], "AD"]


@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_nobody_draws_against_eight_or_nine_in_two_cards(bacara, natural, other):
    high, low = ["KH", CARD[natural]], ["QH", CARD[other]]

    assert bacara.draws(high, low, []) == (high, low)
    assert bacara.draws(low, high, []) == (low, high)


def test_what_was_given_is_left_as_it_was(bacara):
    player, banker, rest = ["KH", "QH"], ["KD", "QD"], ["2S", "3S", "4S"]

    found = bacara.draws(player, banker, rest)

    assert found == (["KH", "QH", "2S"], ["KD", "QD", "3S"])
    assert (player, banker, rest) == (["KH", "QH"], ["KD", "QD"], ["2S", "3S", "4S"])


@pytest.mark.parametrize(
    ("player", "banker", "rest", "says"),
    [
        pytest.param(["2H", "3H"], ["KH", "2D"], [], "player: .* none left", id="no-card-at-all"),
        pytest.param(["2H", "3H"], ["KH", "2D"], ["2S"], "banker: .* none left", id="one-short"),
        pytest.param(["KH", "6H"], ["KH", "2D"], [], "banker: .* none left", id="player-stood"),
        pytest.param(["2H", "3H"], ["KH", "2D"], ["0S"], "player: '0S' is no card", id="no-card"),
        pytest.param(
            ["2H", "3H", "4H"], ["KH", "2D"], [], "player: .* two cards", id="three-dealt"
        ),
        pytest.param(["2H", "3H"], ["KH"], [], "banker: .* two cards", id="one-dealt"),
        pytest.param(["2H", "3H"], ["KH", "?"], [], "banker: .* no card", id="no-card-dealt"),
    ],
)
def test_what_cannot_be_completed_is_an_error(bacara, player, banker, rest, says):
    with pytest.raises(ValueError, match=says):
        bacara.draws(player, banker, rest)


def _orders(points):
    """Count the ways to take these points in this order out of eight packs."""
    left = [128, *[32] * 9]
    return prod(perm(left[value], times) for value, times in Counter(points).items())


def test_eight_packs_give_the_published_numbers_of_rounds(bacara):
    bets = [{"bet": name, "stake": 1} for name in PUBLISHED]
    value = {card: points for points, card in enumerate(CARD)}
    twos = [
        (two, 1 if two[0] == two[1] else 2)
        for two in itertools.combinations_with_replacement(CARD, 2)
    ]
    found = Counter()

    for (player_two, times), (banker_two, as_often) in itertools.product(twos, repeat=2):
        seen = set()
        for rest in itertools.product(CARD, repeat=2):
            player, banker = bacara.draws(list(player_two), list(banker_two), list(rest))
            used = (*player, *banker)
            if used in seen:
                continue
            seen.add(used)
            orders = _orders([value[card] for card in used])
            # Every round counts as six cards, whatever it used.
            weight = times * as_often * orders * perm(416 - len(used), 6 - len(used))
            answers = bacara.settle({}, {"player": player, "banker": banker}, bets)
            found.update(
                {
                    name: weight
                    for name, a in zip(PUBLISHED, answers, strict=True)
                    if a["result"] == "win"
                }
            )

    assert dict(found) == PUBLISHED
