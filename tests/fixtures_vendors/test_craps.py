"""Craps, worked out by hand from the articles of Portaria 97/85/M."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

REFUSED = {"result": "refused", "prize": 0, "commission": 0}
DICE = [list(dice) for dice in product(range(1, 7), repeat=2)]

# One throw for each total, with unequal dice wherever there are such.
THROW = {
    2: [1, 1],
    3: [1, 2],
    4: [1, 3],
    5: [1, 4],
    6: [2, 4],
    7: [3, 4],
    8: [3, 5],
    9: [4, 5],
    10: [4, 6],
    11: [5, 6],
    12: [6, 6],
}
POINTS = (4, 5, 6, 8, 9, 10)

# How many of the 36 throws give each total.
WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


@pytest.fixture(scope="module")
def game(vendor):
    return vendor("craps")


def place(name, stake=100, **more):
    return {"bet": name, "stake": stake, **more}


def thrown(*totals):
    return {"throws": [THROW[total] if isinstance(total, int) else total for total in totals]}


def says(result, prize=0):
    return {"result": result, "prize": prize, "commission": 0}


def last(game, outcome, *bets):
    return game.settle({}, outcome, list(bets))[-1]


# Article 2 n.º 1 and article 3 n.º 1.
FIRST_THROW = [
    (2, "lose", "win"),
    (3, "lose", "win"),
    (4, "stands", "stands"),
    (5, "stands", "stands"),
    (6, "stands", "stands"),
    (7, "win", "lose"),
    (8, "stands", "stands"),
    (9, "stands", "stands"),
    (10, "stands", "stands"),
    (11, "win", "lose"),
    (12, "lose", "push"),
]


@pytest.mark.parametrize(("total", "with_dice", "against"), FIRST_THROW)
def test_2_1_and_3_1_first_throw(game, total, with_dice, against):
    bets = [place("pass-line"), place("dont-pass")]

    settled = game.settle({}, thrown(total), bets)

    assert settled == [
        says(with_dice, 100 if with_dice == "win" else 0),
        says(against, 100 if against == "win" else 0),
    ]


@pytest.mark.parametrize(("total", "with_dice", "against"), FIRST_THROW)
def test_2_3_and_3_3_come_and_dont_come_have_a_first_throw_of_their_own(
    game, total, with_dice, against
):
    bets = [place("come", at=1), place("dont-come", at=1)]

    settled = game.settle({}, thrown(8, total), bets)

    assert settled == [
        says(with_dice, 100 if with_dice == "win" else 0),
        says(against, 100 if against == "win" else 0),
    ]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("total", range(2, 13))
def test_2_1_and_3_1_only_the_point_or_a_7_decides_after_the_first_throw(game, point, total):
    bets = [place("pass-line"), place("dont-pass")]
    expected = [says("stands"), says("stands")]
    if total == point:
        expected = [says("win", 100), says("lose")]
    if total == 7:
        expected = [says("lose"), says("win", 100)]

    assert game.settle({}, thrown(point, total), bets) == expected


def test_2_1_a_decided_bet_ignores_later_throws(game):
    assert last(game, thrown(7, 12, 6, 7), place("pass-line")) == says("win", 100)


def test_2_1_the_point_may_take_many_throws(game):
    assert last(game, thrown(9, 11, 3, 12, 2, 8, 9), place("pass-line")) == says("win", 100)


def test_3_1_the_tie_on_12_is_not_played_again(game):
    assert last(game, thrown(12, 2), place("dont-pass")) == says("push")


def test_3_1_a_12_after_the_first_throw_does_not_tie(game):
    assert last(game, thrown(5, 12, 7), place("dont-pass")) == says("win", 100)


@pytest.mark.parametrize("name", ["pass-line", "dont-pass"])
@pytest.mark.parametrize(
    ("totals", "at", "taken"),
    [
        ((), 0, True),
        ((6,), 0, True),
        ((6,), 1, False),
        ((6, 8), 2, False),
        ((6, 6), 2, True),
        ((6, 7), 2, True),
        ((11,), 1, True),
        ((12,), 1, True),
    ],
)
def test_2_1_and_3_1_a_line_is_taken_only_before_a_first_throw(game, name, totals, at, taken):
    settled = last(game, thrown(*totals), place(name, at=at))

    assert (settled != REFUSED) is taken


@pytest.mark.parametrize("name", ["come", "dont-come"])
@pytest.mark.parametrize(
    ("totals", "at", "taken"),
    [
        ((), 0, False),
        ((6,), 0, False),
        ((6,), 1, True),
        ((6, 8), 2, True),
        ((6, 6), 2, False),
        ((6, 7), 2, False),
        ((11,), 1, False),
        ((12,), 1, False),
    ],
)
def test_2_3_and_3_3_come_is_taken_only_while_the_table_has_a_point(game, name, totals, at, taken):
    settled = last(game, thrown(*totals), place(name, at=at))

    assert (settled != REFUSED) is taken


def test_2_3_a_7_wins_a_new_come_and_loses_pass_line_and_an_old_come(game):
    bets = [place("pass-line"), place("come", at=1), place("come", at=2)]

    settled = game.settle({}, thrown(8, 5, 7), bets)

    assert settled == [says("lose"), says("lose"), says("win", 100)]


def test_2_3_come_outlives_the_round(game):
    bets = [place("pass-line"), place("come", at=1)]

    assert game.settle({}, thrown(6, 5, 6), bets) == [says("win", 100), says("stands")]
    assert game.settle({}, thrown(6, 5, 6, 5), bets) == [says("win", 100), says("win", 100)]
    assert game.settle({}, thrown(6, 5, 6, 7), bets) == [says("win", 100), says("lose")]


def test_2_3_the_point_of_the_table_may_become_the_point_of_come(game):
    bets = [place("pass-line"), place("come", at=1)]

    assert game.settle({}, thrown(6, 6), bets) == [says("win", 100), says("stands")]


def test_3_1_one_player_may_bet_on_both_sides(game):
    bets = [place("pass-line", bettor="one"), place("dont-pass", bettor="one")]

    assert game.settle({}, thrown(6, 7), bets) == [says("lose"), says("win", 100)]


# Article 2 n.º 2 and article 3 n.º 2: point, with the dice, against them, for a stake of 60.
ODDS = [(4, 120, 30), (5, 90, 40), (6, 72, 50), (8, 72, 50), (9, 90, 40), (10, 120, 30)]


@pytest.mark.parametrize(("point", "with_dice", "_"), ODDS)
def test_2_2_additional_prize_by_the_point(game, point, with_dice, _):
    line, more = place("pass-line", 500), place("pass-line-additional", 60, to=0, at=1)

    assert last(game, thrown(point, point), line, more) == says("win", with_dice)
    assert last(game, thrown(point, 7), line, more) == says("lose")
    assert last(game, thrown(point, 11), line, more) == says("stands")


@pytest.mark.parametrize(("point", "_", "against"), ODDS)
def test_3_2_additional_prize_by_the_point(game, point, _, against):
    line, more = place("dont-pass", 500), place("dont-pass-additional", 60, to=0, at=1)

    assert last(game, thrown(point, 7), line, more) == says("win", against)
    assert last(game, thrown(point, point), line, more) == says("lose")
    assert last(game, thrown(point, 12), line, more) == says("stands")


@pytest.mark.parametrize(("point", "with_dice", "against"), ODDS)
def test_2_3_and_3_3_additional_prize_by_the_own_point(game, point, with_dice, against):
    table = 4 if point == 10 else 10
    come = [place("come", 500, at=1), place("come-additional", 60, to=0, at=2)]
    dont = [place("dont-come", 500, at=1), place("dont-come-additional", 60, to=0, at=2)]

    assert last(game, thrown(table, point, point), *come) == says("win", with_dice)
    assert last(game, thrown(table, point, 7), *come) == says("lose")
    assert last(game, thrown(table, point, 7), *dont) == says("win", against)
    assert last(game, thrown(table, point, point), *dont) == says("lose")


@pytest.mark.parametrize(
    ("line", "more", "prize"),
    [(100, 49, 98), (100, 50, 100), (100, 51, 100), (100, 100, 100), (1, 1000, 1)],
)
def test_2_2_the_additional_gain_stops_at_the_initial_stake(game, line, more, prize):
    bets = [place("pass-line", line), place("pass-line-additional", more, to=0, at=1)]

    settled = game.settle({}, thrown(4, 4), bets)

    assert settled == [says("win", line), says("win", prize)]


def test_2_2_several_additional_bets_share_one_limit_in_the_order_placed(game):
    bets = [
        place("pass-line-additional", 30, to=1, at=2),
        place("pass-line", 100),
        place("pass-line-additional", 20, to=1, at=1),
        place("pass-line-additional", 30, to=1, at=2),
    ]

    settled = game.settle({}, thrown(4, 9, 4), bets)

    assert settled == [says("win", 60), says("win", 100), says("win", 40), says("win", 0)]


def test_2_2_each_line_has_a_limit_of_its_own(game):
    bets = [
        place("pass-line", 100),
        place("pass-line", 30),
        place("pass-line-additional", 100, to=0, at=1),
        place("pass-line-additional", 100, to=1, at=1),
    ]

    settled = game.settle({}, thrown(4, 4), bets)

    assert settled[2:] == [says("win", 100), says("win", 30)]


def test_2_3_the_limit_of_come_is_the_stake_on_come(game):
    bets = [
        place("pass-line", 120),
        place("come", 50, at=1),
        place("come-additional", 100, to=1, at=2),
    ]

    assert last(game, thrown(8, 5, 5), *bets) == says("win", 50)


@pytest.mark.parametrize("name", ["dont-pass", "dont-come"])
def test_3_2_the_gain_against_the_dice_has_no_limit(game, name):
    at = int(name == "dont-come")
    bets = [place(name, 100, at=at), place(f"{name}-additional", 400, to=0, at=at + 1)]

    assert last(game, thrown(*[9, 10][1 - at :], 7), *bets) == says("win", 200)


@pytest.mark.parametrize(
    ("name", "totals", "stake", "prize"),
    [
        ("pass-line", (5, 5), 1, 1),
        ("pass-line", (5, 5), 500, 750),
        ("pass-line", (6, 6), 4, 4),
        ("pass-line", (6, 6), 5, 6),
        ("dont-pass", (4, 7), 1, 0),
        ("dont-pass", (9, 7), 2, 1),
        ("dont-pass", (9, 7), 3, 2),
        ("dont-pass", (8, 7), 100, 83),
        ("dont-pass", (8, 7), 102, 85),
    ],
)
def test_2_2_and_3_2_less_than_the_smallest_unit_is_not_paid(game, name, totals, stake, prize):
    bets = [place(name, 1000), place(f"{name}-additional", stake, to=0, at=1)]

    assert last(game, thrown(*totals), *bets) == says("win", prize)


@pytest.mark.parametrize(
    ("totals", "at", "taken"),
    [
        ((6, 6), 0, False),
        ((6, 6), 1, True),
        ((6, 9, 6), 2, True),
        ((6, 6, 4), 2, False),
        ((6, 7, 4), 2, False),
        ((6,), 1, True),
        ((7, 6), 1, False),
        ((12, 6), 1, False),
    ],
)
@pytest.mark.parametrize("name", ["pass-line", "dont-pass"])
def test_2_2_and_3_2_additional_only_while_the_point_is_tried_for(game, name, totals, at, taken):
    settled = last(game, thrown(*totals), place(name), place(f"{name}-additional", 30, to=0, at=at))

    assert (settled != REFUSED) is taken


@pytest.mark.parametrize(("at", "taken"), [(0, False), (1, False), (2, True), (3, True)])
@pytest.mark.parametrize("name", ["come", "dont-come"])
def test_2_3_and_3_3_additional_only_after_the_own_point(game, name, at, taken):
    bets = [place(name, at=1), place(f"{name}-additional", 30, to=0, at=at)]

    settled = last(game, thrown(6, 5, 8), *bets)

    assert (settled != REFUSED) is taken


def test_2_3_additional_come_is_not_suspended_in_a_new_first_throw(game):
    bets = [
        place("pass-line"),
        place("come", at=1),
        place("come-additional", 60, to=1, at=2),
    ]

    settled = game.settle({}, thrown(6, 5, 6, 7), bets)

    assert settled == [says("win", 100), says("lose"), says("lose")]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"to": None},
        {"to": 1},
        {"to": 2},
        {"to": 3},
        {"to": 4},
        {"to": -1},
        {"to": -4},
        {"to": "0"},
        {"to": False},
        {"to": 0.0},
        {"to": [0]},
        {"to": 0, "choice": 6},
    ],
    ids=str,
)
def test_2_2_an_additional_bet_needs_its_own_kind_of_line(game, more):
    bets = [
        place("pass-line"),
        place("dont-pass"),
        place("pass-line", at=1),
        place("pass-line-additional", 30, at=1, **more),
    ]

    assert last(game, thrown(6, 6), *bets) == REFUSED


# Articles 4, 6, 7 and 8: the prize of a stake of 100 on each total; every other total loses.
SINGLE_THROW = [
    ("field", {2: 200, 3: 100, 4: 100, 9: 100, 10: 100, 11: 100, 12: 200}),
    ("big-7", {7: 450}),
    ("eleven", {11: 1500}),
    ("any-craps", {2: 700, 3: 700, 12: 700}),
]


@pytest.mark.parametrize(("name", "prizes"), SINGLE_THROW, ids=["4", "6", "7", "8"])
@pytest.mark.parametrize("total", range(2, 13))
def test_4_6_7_8_single_throw(game, name, prizes, total):
    expected = says("win", prizes[total]) if total in prizes else says("lose")

    assert last(game, thrown(total), place(name)) == expected
    assert last(game, thrown(6, total), place(name, at=1)) == expected
    assert last(game, thrown(total, 2, 7, 11), place(name)) == expected


@pytest.mark.parametrize(("stake", "prize"), [(1, 4), (2, 9), (3, 13), (101, 454)])
def test_6_half_of_the_smallest_unit_is_not_paid(game, stake, prize):
    assert last(game, thrown(7), place("big-7", stake)) == says("win", prize)


# Article 5: choice, its equal dice, its prize for 100, its forms with different dice.
HARD_WAYS = [
    (4, [2, 2], 700, [[1, 3], [3, 1]]),
    (6, [3, 3], 900, [[1, 5], [5, 1], [2, 4], [4, 2]]),
    (8, [4, 4], 900, [[2, 6], [6, 2], [3, 5], [5, 3]]),
    (10, [5, 5], 700, [[4, 6], [6, 4]]),
]


@pytest.mark.parametrize(("choice", "equal", "prize", "easy"), HARD_WAYS)
@pytest.mark.parametrize("dice", DICE, ids=str)
def test_5_hard_way(game, choice, equal, prize, easy, dice):
    expected = says("stands")
    if dice == equal:
        expected = says("win", prize)
    elif dice in easy or sum(dice) == 7:
        expected = says("lose")

    assert last(game, {"throws": [dice]}, place("hard-way", choice=choice)) == expected


def test_5_hard_way_outlives_the_round_and_the_first_throw(game):
    bet = place("hard-way", choice=6)

    assert last(game, thrown(8, 8, 11, [4, 4], [3, 3]), bet) == says("win", 900)
    assert last(game, thrown(8, 8, 7, [3, 3]), bet) == says("lose")
    assert last(game, thrown(8, 8), bet) == says("stands")


def test_5_hard_way_counts_only_from_when_it_was_placed(game):
    assert last(game, thrown([3, 3], 8, 7), place("hard-way", choice=6, at=1)) == says("lose")


@pytest.mark.parametrize("choice", [None, 2, 12, 5, 7, 3, "6", 6.0, True, [3, 3]], ids=str)
def test_5_only_four_hard_ways_are_taken(game, choice):
    assert last(game, thrown([1, 1]), place("hard-way", choice=choice)) == REFUSED


@pytest.mark.parametrize("off", [[0, 4], [3, 0], [0, 0]], ids=str)
@pytest.mark.parametrize(
    "name", ["pass-line", "dont-pass", "field", "big-7", "eleven", "any-craps"]
)
def test_1_a_throw_with_a_die_off_the_table_decides_nothing(game, name, off):
    assert last(game, thrown(off), place(name)) == says("stands")

    for total in range(2, 13):
        repeated = last(game, thrown(off, off, total), place(name))
        assert repeated == last(game, thrown(total), place(name))


def test_1_an_invalid_throw_neither_sets_a_point_nor_ends_a_round(game):
    bets = [place("pass-line"), place("pass-line-additional", 50, to=0, at=2)]

    settled = game.settle({}, thrown([0, 6], 6, [0, 6], [6, 0], 6), bets)

    assert settled == [says("win", 100), says("win", 60)]


def test_1_a_zero_with_the_chosen_number_is_no_hard_way(game):
    assert last(game, thrown([6, 0], [0, 0], [3, 3]), place("hard-way", choice=6)) == says(
        "win", 900
    )


@pytest.mark.parametrize(
    ("bet", "at"),
    [
        (place("pass-line"), 1),
        (place("field"), 1),
        (place("hard-way", choice=8), 1),
        (place("come"), 3),
        (place("big-7"), 3),
        (place("any-craps"), 5),
    ],
    ids=str,
)
def test_1_no_bet_is_taken_between_an_invalid_throw_and_its_repetition(game, bet, at):
    outcome = thrown([0, 1], 6, [2, 0], 9, [0, 0])

    assert last(game, outcome, {**bet, "at": at}) == REFUSED


def test_1_bets_are_taken_again_after_the_repetition(game):
    outcome = thrown([0, 1], 6, [2, 0], 9)

    assert last(game, outcome, place("come", at=2)) == says("stands")
    assert last(game, outcome, place("come", at=4)) == says("stands")


def test_a_bet_on_a_throw_still_to_come_stands(game):
    assert last(game, thrown(), place("field")) == says("stands")
    assert last(game, thrown(7), place("field", at=1)) == says("stands")
    assert last(game, thrown(6), place("come", at=1)) == says("stands")


@pytest.mark.parametrize("at", [-1, 3, 1.0, "1", True, None, [1]], ids=str)
def test_a_bet_placed_before_no_known_throw_is_refused(game, at):
    assert last(game, thrown(6, 8), place("field", at=at)) == REFUSED


@pytest.mark.parametrize(
    "bet",
    [
        place("place-on-8"),
        place("hard-ways", choice=6),
        place("11"),
        place(""),
        place(None),
        place(["field"]),
        {"stake": 100},
        {"bet": "field"},
        place("field", 0),
        place("field", -1),
        place("field", 1.5),
        place("field", "100"),
        place("field", stake=True),
        place("field", choice=7),
        place("field", to=0),
        place("pass-line", choice=6),
        place("pass-line", to=0),
        place("pass-line", 0),
        place("hard-way", choice=6, to=0),
    ],
    ids=str,
)
def test_2_to_8_what_no_article_names_is_refused(game, bet):
    assert last(game, thrown(11), bet) == REFUSED


def test_2_2_an_additional_bet_on_a_refused_line_is_refused(game):
    bets = [place("pass-line", 0), place("pass-line-additional", 50, to=0, at=1)]

    assert game.settle({}, thrown(6, 6), bets) == [REFUSED, REFUSED]


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"throws": None},
        {"throws": "66"},
        {"throws": [6, 6]},
        {"throws": [[6]]},
        {"throws": [[1, 2, 3]]},
        {"throws": [[1, 7]]},
        {"throws": [[-1, 3]]},
        {"throws": [[1, "2"]]},
        {"throws": [[1, 2.0]]},
        {"throws": [[1, True]]},
        {"throws": [[6, 6], [0]]},
    ],
    ids=str,
)
def test_1_a_throw_that_cannot_be_is_an_error(game, outcome):
    with pytest.raises(ValueError, match="di"):
        game.settle({}, outcome, [place("field")])


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("pass-line", {"win": 8, "lose": 4, "stands": 24}),
        ("dont-pass", {"win": 3, "push": 1, "lose": 8, "stands": 24}),
        ("field", {"win": 16, "lose": 20}),
        ("big-7", {"win": 6, "lose": 30}),
        ("eleven", {"win": 2, "lose": 34}),
        ("any-craps", {"win": 4, "lose": 32}),
    ],
)
def test_over_all_36_throws_each_bet_ends_as_often_as_counted(game, name, counts):
    settled = [last(game, {"throws": [dice]}, place(name)) for dice in DICE]

    assert Counter(one["result"] for one in settled) == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("pass-line", {"win": 388, "lose": 288, "stands": 620}),
        ("dont-pass", {"win": 252, "push": 36, "lose": 388, "stands": 620}),
    ],
)
def test_over_all_1296_pairs_of_throws_each_line_ends_as_often_as_counted(game, name, counts):
    # Points: 3·3 + 4·4 + 5·5 + 5·5 + 4·4 + 3·3 = 100 pairs make them, 24·6 = 144 lose to a 7.
    settled = [last(game, {"throws": list(pair)}, place(name)) for pair in product(DICE, repeat=2)]

    assert Counter(one["result"] for one in settled) == counts


@pytest.mark.parametrize(
    ("name", "chance"), [("pass-line", Fraction(244, 495)), ("dont-pass", Fraction(949, 1980))]
)
def test_2_1_and_3_1_each_line_wins_with_the_published_chance(game, name, chance):
    at_once = sum(last(game, {"throws": [dice]}, place(name))["result"] == "win" for dice in DICE)
    total = Fraction(at_once, 36)

    for point in POINTS:
        ends = Counter(
            last(game, {"throws": [THROW[point], dice]}, place(name))["result"] for dice in DICE
        )
        total += Fraction(WAYS[point], 36) * Fraction(ends["win"], ends["win"] + ends["lose"])

    assert total == chance


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("name", ["pass-line", "dont-pass"])
def test_2_2_and_3_2_the_additional_bet_gives_neither_side_an_advantage(game, name, point):
    bets = [place(name, 600), place(f"{name}-additional", 60, to=0, at=1)]
    settled = [last(game, {"throws": [THROW[point], dice]}, *bets) for dice in DICE]

    won = sum(one["prize"] for one in settled)
    lost = 60 * sum(one["result"] == "lose" for one in settled)

    assert won == lost > 0


def test_2_3_and_3_3_come_is_a_pass_line_that_begins_later(game):
    for totals in product(range(2, 13), repeat=3):
        later = thrown(4, *totals)
        for late, line in (("come", "pass-line"), ("dont-come", "dont-pass")):
            expected = last(game, thrown(*totals), place(line))
            assert last(game, later, place(late, at=1)) == expected


def test_settling_changes_nothing_it_was_given(game):
    bets = [place("pass-line"), place("pass-line-additional", 100, to=0, at=1), place("other")]
    outcome = thrown(4, 4)

    first = game.settle({}, outcome, bets)
    first[2]["result"] = "win"
    second = game.settle({}, outcome, bets)

    assert second == [says("win", 100), says("win", 100), REFUSED]
    assert bets == [
        place("pass-line"),
        place("pass-line-additional", 100, to=0, at=1),
        place("other"),
    ]


def test_no_bets_are_no_settlements(game):
    assert game.settle({}, thrown(6, 7), []) == []
