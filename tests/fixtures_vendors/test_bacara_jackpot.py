"""Bacará against Despacho 2/2009: the combinations of jackpot modalities A, B and C."""

import itertools
from collections import Counter

import pytest

FIXED = {
    "A": {
        "paradise-straight": 50_000,
        "four-of-a-kind": 2_000,
        "double-pairs": 800,
        "three-of-a-kind": 500,
        "single-pair": 100,
    },
    "B": {"five-alike": 5_000, "double-three": 3_000, "four-alike": 1_000, "three-alike": 200},
    "C": {
        "six-alike": 20_000,
        "five-alike": 5_000,
        "double-three": 3_000,
        "four-alike": 1_000,
        "three-alike": 200,
    },
}
POOL = 1_000_000
#: One bettor alone receives the whole prize, so the prize tells the combination.
NAMES = {
    "A": {POOL: "royal-flush", 100_000: "paradise-straight"}
    | {amount: name for name, amount in FIXED["A"].items() if name != "paradise-straight"},
    "B": {POOL: "six-alike"} | {amount: name for name, amount in FIXED["B"].items()},
    "C": {POOL: "six-alike-one-colour"} | {amount: name for name, amount in FIXED["C"].items()},
}


LONE = [
    {"bet": "tie", "stake": 100, "bettor": "ana"},
    {"bet": "jackpot", "stake": 50, "bettor": "ana"},
]
OPTIONS = {
    modality: {
        "jackpot": {
            "modality": modality,
            "accumulated": POOL,
            "fixed": fixed,
        }
        | ({"percentage": [1, 100]} if modality == "C" else {})
    }
    for modality, fixed in FIXED.items()
}


@pytest.fixture
def bacara(vendor):
    return vendor("bacara")


@pytest.fixture
def combination(bacara):
    def combination(modality, player, banker):
        """Name the combination for which one lone bettor was paid, None when nothing was."""
        outcome = {"player": list(player), "banker": list(banker)}
        _, answer = bacara.settle(OPTIONS[modality], outcome, LONE)
        if answer["result"] == "lose":
            assert answer == {"result": "lose", "prize": 0, "commission": 0}
            return None
        assert (answer["result"], answer["commission"]) == ("win", 0)
        return NAMES[modality][answer["prize"]]

    return combination


@pytest.mark.parametrize(
    ("player", "banker", "expected"),
    [
        pytest.param("AH QH 10H", "KH JH", "royal-flush", id="i-player-draws-the-fifth"),
        pytest.param("AH QH", "KH JH 10H", "royal-flush", id="i-banker-draws-the-fifth"),
        pytest.param("AH QH 10H", "KH JH 5C", "royal-flush", id="i-sixth-card-is-indifferent"),
        pytest.param("AH QH 5C", "KH JH 10H", None, id="i-sixth-card-does-not-complete"),
        pytest.param("KH QH 10H", "KH JH AH", None, id="i-two-kings"),
        pytest.param("AH QH 10H", "KH JS", None, id="i-jack-of-another-suit"),
        pytest.param("9H QH 10H", "KH JH", None, id="i-nine-for-the-ace"),
        pytest.param("AH QH", "KH JH", None, id="i-four-cards-only"),
        pytest.param("KH JH AS", "QH 10H 4C", "paradise-straight", id="ii-ace-drawn"),
        pytest.param("AS JH", "QH 10H KH", "paradise-straight", id="ii-ace-dealt-first"),
        pytest.param("KH JH 4C", "QH 10H AS", None, id="ii-sixth-card-does-not-complete"),
        pytest.param("KH JS AS", "QH 10H", None, id="ii-jack-and-ace-of-another-suit"),
        pytest.param("KS JH AH", "QH 10H", None, id="ii-king-of-another-suit"),
        pytest.param("JH JS", "JD JC", "four-of-a-kind", id="iii-four-suits"),
        pytest.param("JH JS 5C", "JH JD 2C", "four-of-a-kind", id="iii-a-suit-repeated"),
        pytest.param("JH JH", "JH JH", "four-of-a-kind", id="iii-one-suit"),
        pytest.param("JH JS JD", "JC 2C", "three-of-a-kind", id="iii-fifth-card-does-not-count"),
        pytest.param("KH KS", "QH QS", "double-pairs", id="iv-kings-and-queens"),
        pytest.param("2H 2S AC", "9H 9S", "double-pairs", id="iv-twos-and-nines"),
        pytest.param("2H 9S", "2S 9H", None, id="iv-pairs-across-the-hands"),
        pytest.param("8H 8S", "8D 3C 4H", "three-of-a-kind", id="v-two-with-the-player"),
        pytest.param("3H 8S", "8D 8C", "three-of-a-kind", id="v-two-with-the-banker"),
        pytest.param("8H 8H", "8H 3C", "three-of-a-kind", id="v-one-suit"),
        pytest.param("8H 8S 8D", "9D 3C", "single-pair", id="v-fifth-card-does-not-count"),
        pytest.param("10H KS", "QD JC", None, id="v-tens-are-not-alike"),
        pytest.param("7H 7S", "2D 3C", "single-pair", id="vi-player-pair"),
        pytest.param("2H 3S", "7D 7C", "single-pair", id="vi-banker-pair"),
        pytest.param("2H 3S 3D", "4D 2C 4C", None, id="vi-no-pair-in-two-cards"),
        pytest.param("10H KS", "7D 6C", None, id="vi-ten-and-king"),
    ],
)
def test_13_1_4_3_a(combination, player, banker, expected):
    assert combination("A", player.split(), banker.split()) == expected


@pytest.mark.parametrize("modality", ["B", "C"])
@pytest.mark.parametrize(
    ("player", "banker", "expected"),
    [
        pytest.param("2H 2S 2D", "2C 2H 2S", "six-alike", id="six"),
        pytest.param("KH KS KD", "KC KH KS", "six-alike", id="13-2-1-six-kings"),
        pytest.param("7H 7S 7C", "7D 7H 2C", "five-alike", id="five-of-six-cards"),
        pytest.param("7H 7S 7C", "7D 7H", "five-alike", id="five-of-five-cards"),
        pytest.param("5H 5S 5C", "6D 6C 6H", "double-three", id="a-three-in-each-hand"),
        pytest.param("5H 6S 5C", "6D 5D 6H", "double-three", id="13-2-3-across-the-hands"),
        pytest.param("KH QS KC", "QD KD QH", "double-three", id="13-2-1-kings-and-queens"),
        pytest.param("5H 5S 5C", "5D 6C 6H", "four-alike", id="four-and-two"),
        pytest.param("5H 5S", "5D 5C", "four-alike", id="four-of-four-cards"),
        pytest.param("5H 2S 5C", "5D 3C 5H", "four-alike", id="13-2-2-across-the-hands"),
        pytest.param("5H 5S 5C", "9D 7C", "three-alike", id="13-2-3-in-one-hand"),
        pytest.param("7H 7S 9C", "7D 10C", "three-alike", id="13-2-3-across-the-hands-three"),
        pytest.param("KH KS 5C", "KD 2C 4H", "three-alike", id="13-2-1-three-kings"),
        pytest.param("5H 5S 5C", "6D 6C", "three-alike", id="three-and-two"),
        pytest.param("KH QS JC", "10D 2C 4H", None, id="13-2-1-tens-are-not-alike"),
        pytest.param("KH KS QC", "QD JC JH", None, id="three-pairs"),
        pytest.param("AH QH 10H", "KH JH", None, id="royal-flush-is-of-modality-a"),
    ],
)
def test_13_1_4_3_b_and_c(combination, modality, player, banker, expected):
    assert combination(modality, player.split(), banker.split()) == expected


@pytest.mark.parametrize(
    ("player", "banker", "expected"),
    [
        pytest.param("2S 2C 2S", "2C 2S 2C", "six-alike-one-colour", id="black"),
        pytest.param("2H 2D 2H", "2D 2H 2D", "six-alike-one-colour", id="red"),
        pytest.param("2H 2H 2H", "2H 2H 2H", "six-alike-one-colour", id="one-suit"),
        pytest.param("2S 2C 2S", "2C 2S 2D", "six-alike", id="one-red-among-black"),
        pytest.param("7S 7C 7S", "7C 7S 8C", "five-alike", id="five-of-one-colour"),
    ],
)
def test_13_1_4_3_c_i_colour_counts_in_c_only(combination, player, banker, expected):
    in_b = "six-alike" if expected == "six-alike-one-colour" else expected

    assert combination("C", player.split(), banker.split()) == expected
    assert combination("B", player.split(), banker.split()) == in_b


def test_13_1_4_3_a_all_28561_first_four_ranks_fall_as_counted(bacara, combination):
    ranks = [card[:-1] for card in bacara.POINTS if card.endswith("S")]

    found = Counter(
        combination("A", [one + "H", two + "S"], [three + "D", four + "C"])
        for one, two, three, four in itertools.product(ranks, repeat=4)
    )

    assert found == {
        "four-of-a-kind": 13,
        "double-pairs": 13 * 12,
        "three-of-a-kind": 4 * 13 * 12,
        "single-pair": 2 * 13 * 12 * 11,
        None: 156 * 156,
    }


def test_13_2_all_729_rounds_of_six_kings_queens_and_jacks_fall_as_counted(combination):
    found = Counter(
        combination("B", [rank + "H" for rank in six[:3]], [rank + "S" for rank in six[3:]])
        for six in itertools.product("KQJ", repeat=6)
    )

    assert found == {
        "six-alike": 3,
        "five-alike": 3 * 6 * 2,
        "double-three": 3 * 20,
        "four-alike": 3 * 15 * 4,
        "three-alike": 6 * 60,
        None: 90,
    }


def test_13_1_4_3_c_i_of_4096_suits_of_six_aces_128_are_of_one_colour(combination):
    found = Counter(
        combination("C", ["A" + suit for suit in six[:3]], ["A" + suit for suit in six[3:]])
        for six in itertools.product("SHDC", repeat=6)
    )

    assert found == {"six-alike-one-colour": 2 * 2**6, "six-alike": 4**6 - 2 * 2**6}


@pytest.mark.parametrize("shape", [3, 2], ids=["player-draws", "banker-draws"])
def test_13_1_4_3_a_i_and_ii_in_every_order_and_suit(combination, shape):
    for suit, of_the_ace in itertools.product("SHDC", repeat=2):
        expected = "royal-flush" if suit == of_the_ace else "paradise-straight"
        cards = ["A" + of_the_ace, *(rank + suit for rank in ("K", "Q", "J", "10"))]
        for order in itertools.permutations(cards):
            assert combination("A", order[:shape], order[shape:]) == expected
