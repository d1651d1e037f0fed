"""3-Card Baccarat, worked out by hand from Portaria 22/96/M."""

from collections import Counter
from itertools import combinations

import pytest

REFUSED = {"result": "refused", "prize": 0, "commission": 0}
LOSE = {"result": "lose", "prize": 0, "commission": 0}
STANDS = {"result": "stands", "prize": 0, "commission": 0}
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]

# One hand for each line of the annex, in its order.
ANNEX = """
KH QS JD
KH QS 9D, KH 4S 5D, 2C 3D 4S
KH QS 8D, KH 3S 5D, 2C 2D 4S
KH QS 7D, KH 3S 4D, 2C 2D 3S
KH QS 6D, KH 2S 4D, 2C 2D 2S
KH QS 5D, KH 2S 3D, AC 2D 2S
KH QS 4D, KH 2S 2D, AC AD 2S
KH QS 3D, KH AS 2D, AC AD AS
KH QS 2D, KH AS AD, 10C AD AS
KH QS AD, KH 10S AD, 10C 10D AS
KH QS 10D, KH 10S 10D, 10C 10D 10S
"""
LINES = [hand.split() for line in ANNEX.strip().splitlines() for hand in line.split(",")]


@pytest.fixture
def game(vendor):
    return vendor("three_card_baccarat")


@pytest.fixture
def one(game):
    """Settle one bet of 100 against a banker and, if given, the hand of seat 1."""

    def settle(bet, banker, hand=None, **more):
        outcome = {"banker": banker.split(), "seats": {"1": hand.split()} if hand else {}}
        return game.settle({}, outcome, [{"bet": bet, "stake": 100, **more}])[0]

    return settle


def win(prize, commission=0):
    return {"result": "win", "prize": prize, "commission": commission}


def test_annex_has_thirty_one_lines_in_descending_order(game):
    assert len(LINES) == 31
    for higher, lower in combinations(LINES, 2):
        assert game.compare(higher, lower) == "higher"
        assert game.compare(lower, higher) == "lower"


@pytest.mark.parametrize("hand", LINES, ids=" ".join)
def test_annex_same_line_is_equal(game, hand):
    assert game.compare(hand, hand) == "equal"


COMPARED = [
    pytest.param("KH KS KD", "JC JD QH", "equal", id="annex 1: all three figures are equal"),
    pytest.param("KH KS QD", "KH QS 9D", "higher", id="annex 1: any three figures"),
    pytest.param("KH QS 10D", "10H 10S AD", "lower", id="annex 29: the ten is no figure"),
    pytest.param("9S 8H 2D", "KH QD 8C", "higher", id="5/2: nineteen is nine"),
    pytest.param("2C 3D 5S", "KD 10S AH", "lower", id="5/2: exactly ten is zero"),
    pytest.param("9C 9D 2S", "KD 10S AH", "lower", id="5/2: exactly twenty is zero"),
    pytest.param("2C 3D 5S", "9C 9D 2S", "equal", id="5/2: ten and twenty are the same zero"),
    pytest.param("2C 4D 5S", "9C 8D 4S", "equal", id="5/2: eleven and twenty-one are one"),
    pytest.param("9C 9D 9S", "KC KD 7S", "lower", id="5/2: twenty-seven is seven without figure"),
    pytest.param("KH QS 9D", "2C 3D 4S", "higher", id="annex 2 and 4: more figures win"),
    pytest.param("QC 9S 10H", "KH 4S 5D", "equal", id="7/1: same line, other cards"),
]


@pytest.mark.parametrize(("a", "b", "expected"), COMPARED)
def test_compare(game, a, b, expected):
    assert game.compare(a.split(), b.split()) == expected


SETTLED = [
    pytest.param("beat-banker", "2C 3D 4S", "KH QS 9D", win(100, 5), id="6 and 10: higher wins"),
    pytest.param("beat-banker", "KH QS 9D", "2C 3D 4S", LOSE, id="6: lower loses"),
    pytest.param("beat-banker", "QC 9S 10H", "KH 4S 5D", STANDS, id="7/2: a tie holds the stake"),
    pytest.param("beat-banker", "JC JD QH", "KH KS KD", STANDS, id="7/2: figures against figures"),
    pytest.param("beat-banker", "KD 4S 5H", "2C 3D 5S", LOSE, id="5/2: ten points are zero"),
    pytest.param("odd", "2C 3D 4S", None, win(100, 5), id="8/1/a: nine is odd"),
    pytest.param("even", "2C 3D 4S", None, LOSE, id="8/1/b: nine is not even"),
    pytest.param("odd", "JH 9S 2D", None, win(100, 5), id="8/1: points, not face values"),
    pytest.param("even", "2C 3D 3S", None, win(100, 5), id="8/1/b: eight is even"),
    pytest.param("odd", "2C 3D 3S", None, LOSE, id="8/1/a: eight is not odd"),
    pytest.param("even", "2C 3D 5S", None, win(100, 5), id="8/1/b: zero is even"),
    pytest.param("even", "KC QD 10S", None, win(100, 5), id="8/1/b: zero with two figures"),
    pytest.param("odd", "KC QD 10S", None, LOSE, id="8/1/a: zero is not odd"),
    pytest.param("odd", "KH QS JD", None, STANDS, id="8/1/close: three figures hold odd"),
    pytest.param("even", "KH KS JD", None, STANDS, id="8/1/close: three figures hold even"),
    pytest.param("three-figures", "KH KS QD", None, win(1600), id="9/3: sixteen, no commission"),
    pytest.param("three-figures", "KH QS 10D", None, LOSE, id="8/2/a: a ten is no figure"),
    pytest.param("three-figures", "2C 3D 9S", "KH QS JD", LOSE, id="8/2/a: the banker's cards"),
]


@pytest.mark.parametrize(("bet", "banker", "hand", "expected"), SETTLED)
def test_settle(one, bet, banker, hand, expected):
    assert one(bet, banker, hand, seat="1") == expected


SCORES = [
    ("KH QS 10D", 0), ("KH QS AD", 1), ("KH QS 2D", 2), ("2C 4D 7S", 3), ("4C 4D 6S", 4),
    ("9C 9D 7S", 5), ("2C 2D 2S", 6), ("9C 9D 9S", 7), ("KH 9S 9D", 8), ("10C 10D 9S", 9),
]  # fmt: skip


@pytest.mark.parametrize(("banker", "points"), SCORES)
def test_9_4_a_score_is_paid_eight_and_every_other_choice_loses(one, banker, points):
    answers = [one("points", banker, choice=choice) for choice in range(10)]

    assert answers == [win(800) if choice == points else LOSE for choice in range(10)]


def test_8_2_b_three_figures_are_no_score(one):
    assert [one("points", "KH QS JD", choice=choice) for choice in range(10)] == [LOSE] * 10


@pytest.mark.parametrize(
    ("banker", "hand", "tie", "main"),
    [
        pytest.param("QC 9S 10H", "KH 4S 5D", win(200), STANDS, id="9/5: same line pays twenty"),
        pytest.param("KC KS KD", "JH QH JD", win(200), STANDS, id="9/5: three figures each"),
        pytest.param("KH QS 9D", "KH 4S 5D", LOSE, LOSE, id="8/3: equal points, other line"),
        pytest.param("2C 3D 4S", "KH 4S 5D", LOSE, win(100, 5), id="8/3: player higher"),
    ],
)
def test_8_3_tie(game, banker, hand, tie, main):
    outcome = {"banker": banker.split(), "seats": {"1": hand.split()}}
    bets = [{"bet": "tie", "seat": "1", "stake": 10}]
    bets.append({"bet": "beat-banker", "seat": "1", "stake": 100})

    assert game.settle({}, outcome, bets) == [tie, main]


TIED = {"banker": ["QC", "9S", "10H"], "seats": {"1": ["KH", "4S", "5D"], "2": ["KS", "3S", "6D"]}}


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        pytest.param([], REFUSED, id="no stake against the banker"),
        pytest.param([{"bet": "beat-banker", "seat": "2", "stake": 100}], REFUSED, id="elsewhere"),
        pytest.param([{"bet": "beat-banker", "seat": "1", "stake": 0}], REFUSED, id="no amount"),
        pytest.param([{"bet": "odd", "seat": "1", "stake": 100}], REFUSED, id="another bet"),
        pytest.param(
            [{"bet": "beat-banker", "seat": "1", "stake": 1, "bettor": "another"}],
            win(200),
            id="anybody's",
        ),
    ],
)
def test_8_3_par_2_a_tie_needs_a_stake_against_the_banker_on_that_seat(game, main, expected):
    tie = {"bet": "tie", "seat": "1", "stake": 10}

    assert game.settle({}, TIED, [*main, tie])[-1] == expected


def test_8_3_par_2_ties_may_be_bet_on_several_seats(game):
    bets = [{"bet": bet, "seat": s, "stake": 10} for s in "12" for bet in ("beat-banker", "tie")]

    assert game.settle({}, TIED, bets) == [STANDS, win(200), STANDS, win(200)]


@pytest.mark.parametrize(
    ("stake", "commission"),
    [
        (1, 0),
        (19, 0),
        (20, 1),
        (24, 1),
        (30, 1),
        (39, 1),
        (40, 2),
        (100, 5),
        (10**15 + 19, 5 * 10**13),
    ],
)
@pytest.mark.parametrize("bet", ["odd", "beat-banker"])
def test_10_commission_is_five_per_cent_rounded_down_on_each_bet(game, bet, stake, commission):
    outcome = {"banker": ["2C", "3D", "4S"], "seats": {"1": ["KH", "QS", "9D"]}}
    bets = [{"bet": bet, "seat": "1", "stake": stake}] * 2

    assert game.settle({}, outcome, bets) == [win(stake, commission)] * 2


def test_10_commission_cannot_be_waived(game):
    bets = [{"bet": "odd", "stake": 100}]

    answer = game.settle({"commission": "waived"}, {"banker": ["2C", "3D", "4S"]}, bets)

    assert answer == [win(100, 5)]


@pytest.mark.parametrize(
    "bet",
    [
        pytest.param({"bet": "pair", "stake": 100}, id="8: no such bet"),
        pytest.param({"stake": 100}, id="8: no name"),
        pytest.param({"bet": ["odd"], "stake": 100}, id="8: no name but a list"),
        pytest.param({"bet": "points", "stake": 100}, id="8/2/b: no choice"),
        pytest.param({"bet": "points", "stake": 100, "choice": 10}, id="8/2/b: above nine"),
        pytest.param({"bet": "points", "stake": 100, "choice": -1}, id="8/2/b: below zero"),
        pytest.param({"bet": "points", "stake": 100, "choice": "9"}, id="8/2/b: text"),
        pytest.param({"bet": "points", "stake": 100, "choice": True}, id="8/2/b: truth"),
        pytest.param({"bet": "points", "stake": 100, "choice": 9.0}, id="8/2/b: float"),
        pytest.param({"bet": "beat-banker", "stake": 100}, id="6: no seat"),
        pytest.param({"bet": "beat-banker", "stake": 100, "seat": "3"}, id="6: seat not dealt"),
        pytest.param({"bet": "beat-banker", "stake": 100, "seat": "8"}, id="4/1: no eighth seat"),
        pytest.param({"bet": "tie", "stake": 100}, id="8/3: no seat"),
        pytest.param({"bet": "odd", "stake": 0}, id="no stake"),
        pytest.param({"bet": "odd", "stake": -100}, id="negative stake"),
        pytest.param({"bet": "odd", "stake": 100.0}, id="float stake"),
        pytest.param({"bet": "odd"}, id="stake left out"),
    ],
)
def test_a_bet_that_is_not_in_the_law_is_refused(game, bet):
    assert game.settle({}, TIED, [bet]) == [REFUSED]


@pytest.mark.parametrize(
    ("options", "outcome", "words"),
    [
        pytest.param({}, {}, "banker", id="no banker"),
        pytest.param({}, {"banker": ["KH", "QS"]}, "three cards", id="2/2: two cards"),
        pytest.param({}, {"banker": ["KH", "QS", "2D", "3C"]}, "three cards", id="2/2: four cards"),
        pytest.param({}, {"banker": ["KH", "QS", "1D"]}, "no card", id="1/1: no such card"),
        pytest.param({}, {"banker": ["KH", "QS", ["2D"]]}, "no card", id="1/1: a list"),
        pytest.param({}, {"banker": "KHQ"}, "list", id="text"),
        pytest.param({}, TIED | {"seats": {"8": ["2C", "3C", "4C"]}}, "seven", id="4/1: seat 8"),
        pytest.param({}, TIED | {"seats": {"0": ["2C", "3C", "4C"]}}, "seven", id="4/1: seat 0"),
        pytest.param(
            {"packs": 1}, TIED | {"seats": {"1": ["QC", "3C", "4C"]}}, "2 times", id="1/1: one pack"
        ),
        pytest.param(
            {"packs": 2}, {"banker": ["QC", "QC", "QC"]}, "3 times", id="1/1: two packs, three"
        ),
        pytest.param({"packs": 0}, TIED, "packs", id="1/1: no pack"),
    ],
)
def test_an_outcome_that_cannot_be_is_an_error(game, options, outcome, words):
    with pytest.raises(ValueError, match=words):
        game.settle(options, outcome, [])


def test_1_1_a_card_may_come_again_from_a_second_pack(game):
    bets = [{"bet": "three-figures", "stake": 1}]

    assert game.settle({"packs": 3}, {"banker": ["QC", "QC", "QC"]}, bets) == [win(16)]


def test_4_1_seven_seats_are_settled_each_by_its_own_cards(game):
    seats = {str(number): LINES[number * 4] for number in range(1, 8)}
    bets = [{"bet": "beat-banker", "seat": int(seat), "stake": 20} for seat in seats]

    answers = game.settle({}, {"banker": LINES[16], "seats": seats}, bets)

    assert answers == [win(20, 1)] * 3 + [STANDS] + [LOSE] * 3


def test_over_one_pack_the_scores_of_the_banker_come_as_often_as_counted_by_hand(game):
    # C(12,3) = 220 hands are three figures. Of the other forty cards each score has four.
    bets = [
        {"bet": "three-figures", "stake": 1},
        {"bet": "odd", "stake": 20},
        {"bet": "even", "stake": 20},
    ]
    bets += [{"bet": "points", "choice": choice, "stake": 1} for choice in range(10)]
    won = Counter()

    for hand in combinations(PACK, 3):
        answers = game.settle({"packs": 1}, {"banker": hand}, bets)
        won.update(place for place, answer in enumerate(answers) if answer["result"] == "win")
        ends = [answer["result"] for answer in answers[3:]]
        assert ends.count("win") == (answers[0]["result"] != "win")

    assert won[0] == 220
    # Two figures and one card: 66 x 4 for each score.
    # One figure: 12 times the pairs of the forty. An odd score is the sum of five pairs of unlike
    # values, 5 x 16; an even one of four, and of two pairs of like values, 4 x 16 + 2 x 6.
    # No figure: one added to each card adds three to the sum, so all scores are alike, 9880 / 10.
    even, odd = 66 * 4 + 12 * 76 + 988, 66 * 4 + 12 * 80 + 988
    assert [won[3 + choice] for choice in range(10)] == [even, odd] * 5
    assert (won[1], won[2]) == (5 * odd, 5 * even)
