"""Fish-prawn-crab, worked out by hand from the articles of Portaria 21/96/M."""

from collections import Counter
from itertools import product

import pytest

FACES = ("fish", "prawn", "gourd", "coin", "crab", "rooster")
REFUSED = {"result": "refused", "prize": 0, "commission": 0}

# Every spot of article 5, with how many of the 216 throws win each multiple of article 6.
# Totals: 3, 6, 10, 15, 21, 25, 27 ways for 4 to 10, and the same backwards for 11 to 17;
# small loses prawn and gourd triples (6 and 9), big coin and crab triples (12 and 15).
WAYS = [
    ("small", None, {1: 105}),
    ("big", None, {1: 105}),
    *(("figure", face, {1: 75, 2: 15, 3: 1}) for face in FACES),
    *(("one-of-colour", colour, {1: 96}) for colour in ("red", "green", "blue")),
    *(("two-of-colour", colour, {3: 48}) for colour in ("red", "green", "blue")),
    *(("three-of-colour", colour, {20: 8}) for colour in ("red", "green", "blue")),
    ("any-three-of-colour", None, {7: 24}),
    *(("three-of-figure", face, {150: 1}) for face in FACES),
    ("any-three-of-figure", None, {24: 6}),
    ("number", 4, {50: 3}),
    ("number", 5, {18: 6}),
    ("number", 6, {14: 10}),
    ("number", 7, {12: 15}),
    ("number", 8, {8: 21}),
    ("number", 9, {6: 25}),
    ("number", 10, {6: 27}),
    ("number", 11, {6: 27}),
    ("number", 12, {6: 25}),
    ("number", 13, {8: 21}),
    ("number", 14, {12: 15}),
    ("number", 15, {14: 10}),
    ("number", 16, {18: 6}),
    ("number", 17, {50: 3}),
]

# Article, dice, name of the bet, its choice, and the prize of a stake of 100 (0: it loses).
CASES = [
    ("5-a-small-begins-at-4", "fish fish prawn", "small", None, 100),
    ("5-a-small-ends-at-10", "fish gourd rooster", "small", None, 100),
    ("5-a-small-loses-at-11", "prawn gourd rooster", "small", None, 0),
    ("5-b-big-loses-at-10", "fish gourd rooster", "big", None, 0),
    ("5-b-big-begins-at-11", "prawn gourd rooster", "big", None, 100),
    ("5-b-big-ends-at-17", "rooster rooster crab", "big", None, 100),
    ("7-small-loses-at-3", "fish fish fish", "small", None, 0),
    ("7-small-loses-at-6-of-prawns", "prawn prawn prawn", "small", None, 0),
    ("5-a-small-wins-at-6-of-others", "fish prawn gourd", "small", None, 100),
    ("7-small-loses-at-9-of-gourds", "gourd gourd gourd", "small", None, 0),
    ("5-a-small-wins-at-9-of-others", "prawn gourd coin", "small", None, 100),
    ("7-big-loses-at-12-of-coins", "coin coin coin", "big", None, 0),
    ("5-b-big-wins-at-12-of-others", "gourd coin crab", "big", None, 100),
    ("7-big-loses-at-15-of-crabs", "crab crab crab", "big", None, 0),
    ("5-b-big-wins-at-15-of-others", "coin crab rooster", "big", None, 100),
    ("7-big-loses-at-18", "rooster rooster rooster", "big", None, 0),
    ("6-c-no-die-loses", "prawn crab crab", "figure", "fish", 0),
    ("6-c-1-one-die", "fish prawn crab", "figure", "fish", 100),
    ("6-c-2-two-dice-are-not-added-up", "fish fish crab", "figure", "fish", 200),
    ("6-c-3-three-dice-are-not-added-up", "fish fish fish", "figure", "fish", 300),
    ("6-c-the-second-figure-of-the-throw", "fish fish crab", "figure", "crab", 100),
    ("5-d-none-loses", "prawn gourd coin", "one-of-colour", "red", 0),
    ("5-d-one-wins", "fish prawn gourd", "one-of-colour", "red", 100),
    ("5-d-note-two-lose", "fish rooster gourd", "one-of-colour", "red", 0),
    ("5-d-note-three-lose", "fish rooster rooster", "one-of-colour", "red", 0),
    ("5-e-note-none-loses", "fish gourd coin", "two-of-colour", "green", 0),
    ("5-e-note-one-loses", "prawn gourd coin", "two-of-colour", "green", 0),
    ("5-e-two-win", "prawn crab coin", "two-of-colour", "green", 300),
    ("5-e-note-three-lose", "prawn crab crab", "two-of-colour", "green", 0),
    ("5-f-two-lose", "gourd coin crab", "three-of-colour", "blue", 0),
    ("5-f-three-win", "gourd coin coin", "three-of-colour", "blue", 2000),
    ("5-f-three-of-another-lose", "fish rooster fish", "three-of-colour", "blue", 0),
    ("5-g-three-red", "fish rooster fish", "any-three-of-colour", None, 700),
    ("5-g-three-green", "prawn crab prawn", "any-three-of-colour", None, 700),
    ("5-g-three-blue", "gourd coin gourd", "any-three-of-colour", None, 700),
    ("5-g-two-lose", "fish rooster prawn", "any-three-of-colour", None, 0),
    ("5-g-a-triple-is-of-one-colour", "coin coin coin", "any-three-of-colour", None, 700),
    ("5-h-chosen-figure", "crab crab crab", "three-of-figure", "crab", 15000),
    ("5-h-another-figure-loses", "crab crab crab", "three-of-figure", "fish", 0),
    ("5-h-two-lose", "crab crab fish", "three-of-figure", "crab", 0),
    ("5-i-any-figure", "crab crab crab", "any-three-of-figure", None, 2400),
    ("5-i-one-colour-is-not-one-figure", "crab crab prawn", "any-three-of-figure", None, 0),
    ("6-j-1-four", "fish fish prawn", "number", 4, 5000),
    ("6-j-1-seventeen", "rooster rooster crab", "number", 17, 5000),
    ("6-j-1-four-does-not-win-at-17", "rooster rooster crab", "number", 4, 0),
    ("6-j-2-five", "fish prawn prawn", "number", 5, 1800),
    ("6-j-2-sixteen", "rooster crab crab", "number", 16, 1800),
    ("6-j-3-six", "fish prawn gourd", "number", 6, 1400),
    ("6-j-3-fifteen", "coin crab rooster", "number", 15, 1400),
    ("6-j-4-seven", "fish prawn coin", "number", 7, 1200),
    ("6-j-4-fourteen", "gourd crab rooster", "number", 14, 1200),
    ("6-j-5-eight", "fish prawn crab", "number", 8, 800),
    ("6-j-5-thirteen", "prawn crab rooster", "number", 13, 800),
    ("6-j-6-nine", "fish prawn rooster", "number", 9, 600),
    ("6-j-6-ten", "fish gourd rooster", "number", 10, 600),
    ("6-j-6-eleven", "prawn gourd rooster", "number", 11, 600),
    ("6-j-6-twelve", "fish crab rooster", "number", 12, 600),
    ("7-a-triple-does-not-defeat-6", "prawn prawn prawn", "number", 6, 1400),
    ("7-a-triple-does-not-defeat-9", "gourd gourd gourd", "number", 9, 600),
    ("7-a-triple-does-not-defeat-12", "coin coin coin", "number", 12, 600),
    ("7-a-triple-does-not-defeat-15", "crab crab crab", "number", 15, 1400),
]


@pytest.fixture(scope="module")
def game(vendor):
    return vendor("fish_prawn_crab")


def place(name, choice=None, stake=100):
    bet = {"bet": name, "stake": stake}
    return bet if choice is None else {**bet, "choice": choice}


def paid(prize):
    return {"result": "win" if prize else "lose", "prize": prize, "commission": 0}


@pytest.mark.parametrize(
    ("dice", "name", "choice", "prize"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_article_settles(game, dice, name, choice, prize):
    outcome = {"dice": dice.split()}

    settled = game.settle({}, outcome, [place(name, choice)])

    assert settled == [paid(prize)]


def test_6_two_winning_bets_are_each_paid(game):
    bets = [place("three-of-figure", "fish"), place("any-three-of-figure")]

    settled = game.settle({}, {"dice": ["fish"] * 3}, bets)

    assert settled == [paid(15000), paid(2400)]


def test_6_h_a_declared_ceiling_does_not_lower_a_prize(game):
    bets = [place("three-of-figure", "crab")]

    settled = game.settle({"highest_prize": 10000}, {"dice": ["crab"] * 3}, bets)

    assert settled == [paid(15000)]


def test_6_a_the_smallest_stake_is_paid_whole(game):
    settled = game.settle({}, {"dice": ["fish", "prawn", "gourd"]}, [place("small", stake=1)])

    assert settled == [paid(1)]


@pytest.mark.parametrize("way", ["leaning", "stacked"])
@pytest.mark.parametrize("die", range(3))
def test_3_c_one_die_that_does_not_lie_flat_voids_every_bet(game, way, die):
    lying = ["flat"] * 3
    lying[die] = way
    outcome = {"dice": ["fish", "fish", "crab"], "lying": lying}

    settled = game.settle({}, outcome, [place(name, choice) for name, choice, _ in WAYS])

    assert settled == [{"result": "void", "prize": 0, "commission": 0, "stake": 0}] * 39


def test_3_c_flat_dice_count(game):
    outcome = {"dice": ["fish", "fish", "crab"], "lying": ["flat"] * 3}

    assert game.settle({}, outcome, [place("small")]) == [paid(100)]


def test_5_a_bet_outside_the_list_is_refused_even_on_a_void_throw(game):
    outcome = {"dice": ["fish", "fish", "crab"], "lying": ["flat", "stacked", "stacked"]}

    assert game.settle({}, outcome, [place("pair-of-figures")]) == [REFUSED]


@pytest.mark.parametrize(
    "bet",
    [
        place("odd"),
        place("pair-of-figures", ["fish", "crab"]),
        place("figure"),
        place("figure", "red"),
        place("figure", "Fish"),
        place("figure", 1),
        place("three-of-figure"),
        place("three-of-figure", "horse"),
        place("one-of-colour"),
        place("one-of-colour", "yellow"),
        place("two-of-colour", "fish"),
        place("three-of-colour"),
        place("number"),
        place("number", 3),
        place("number", 18),
        place("number", 4.0),
        place("number", "4"),
        place("number", [4, 17]),
        place("small", "red"),
        place("small", stake=0),
        place("small", stake=-100),
        place("small", stake=0.5),
        place("small", stake=True),
        place("small", stake="100"),
        place(None),
        place(["small"]),
        {"stake": 100},
        {"bet": "small"},
    ],
    ids=str,
)
def test_5_what_is_not_a_stake_on_a_spot_is_refused(game, bet):
    outcome = {"dice": ["fish", "fish", "prawn"]}

    assert game.settle({}, outcome, [bet]) == [REFUSED]


def test_5_an_unlawful_bet_does_not_disturb_its_neighbours(game):
    bets = [place("small"), place("odd"), place("big")]

    settled = game.settle({}, {"dice": ["fish", "fish", "prawn"]}, bets)

    assert settled == [paid(100), REFUSED, paid(0)]


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"dice": None},
        {"dice": "fish"},
        {"dice": []},
        {"dice": ["fish", "prawn"]},
        {"dice": ["fish", "prawn", "crab", "crab"]},
        {"dice": ["fish", "prawn", "horse"]},
        {"dice": ["fish", "prawn", 5]},
        {"dice": ["fish", "prawn", ["crab"]]},
        {"dice": ["fish", "prawn", "crab"], "lying": ["flat", "flat"]},
        {"dice": ["fish", "prawn", "crab"], "lying": ["flat", "flat", "upright"]},
        {"dice": ["fish", "prawn", "crab"], "lying": "flat"},
        {"dice": ["fish", "prawn", "crab"], "lying": None},
    ],
    ids=str,
)
def test_1_a_a_throw_that_cannot_be_is_an_error(game, outcome):
    with pytest.raises(ValueError, match="di"):
        game.settle({}, outcome, [place("small")])


def test_5_no_bets_are_no_settlements(game):
    assert game.settle({}, {"dice": ["fish", "prawn", "gourd"]}, []) == []


def test_5_there_are_39_spots():
    assert len({(name, choice) for name, choice, _ in WAYS}) == 39


@pytest.mark.parametrize(
    ("name", "choice", "ways"), WAYS, ids=[f"{way[0]}-{way[1]}" for way in WAYS]
)
def test_5_and_6_over_all_216_throws_each_spot_wins_as_often_as_counted(game, name, choice, ways):
    settled = [
        game.settle({}, {"dice": list(dice)}, [place(name, choice, 7)])[0]
        for dice in product(FACES, repeat=3)
    ]

    prizes = Counter(one["prize"] for one in settled)
    assert prizes == {
        **{7 * multiple: count for multiple, count in ways.items()},
        0: 216 - sum(ways.values()),
    }
    assert all(one == paid(one["prize"]) for one in settled)


def test_5_the_order_of_the_dice_does_not_matter(game):
    bets = [place(name, choice) for name, choice, _ in WAYS]

    for dice in product(FACES, repeat=3):
        in_order = {"dice": sorted(dice)}
        assert game.settle({}, {"dice": list(dice)}, bets) == game.settle({}, in_order, bets)


def test_5_settling_changes_nothing_it_was_given(game):
    outcome = {"dice": ["fish", "prawn", "gourd"], "lying": ["flat"] * 3}
    bets = [place("small"), place("figure", "fish"), place("odd")]

    first = game.settle({}, outcome, bets)
    first[0]["prize"] = 1
    second = game.settle({}, outcome, bets)

    assert second == [paid(100), paid(100), REFUSED]
    assert outcome == {"dice": ["fish", "prawn", "gourd"], "lying": ["flat"] * 3}
    assert bets == [place("small"), place("figure", "fish"), place("odd")]
