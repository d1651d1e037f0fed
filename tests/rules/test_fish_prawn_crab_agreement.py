"""The rules of Portaria 21/96/M and the reference vendor, written apart, settle alike."""

from itertools import product

import pytest

FACES = ("fish", "prawn", "gourd", "coin", "crab", "rooster")
COLOURS = ("red", "green", "blue")
LYING = ("flat", "leaning", "leaning-on-glass", "stacked")
THROWS = list(product(FACES, repeat=3))
#: One throw of each kind: three alike, two alike, none alike, in two sizes.
SOME = [
    ("fish", "fish", "fish"),
    ("gourd", "gourd", "gourd"),
    ("prawn", "crab", "prawn"),
    ("rooster", "rooster", "crab"),
    ("fish", "prawn", "gourd"),
    ("coin", "crab", "rooster"),
]
STAKE = 7
SPOTS = [
    *({"bet": name} for name in ("small", "big", "any-three-of-colour", "any-three-of-figure")),
    *({"bet": "figure", "choice": face} for face in FACES),
    *({"bet": "three-of-figure", "choice": face} for face in FACES),
    *(
        {"bet": f"{number}-of-colour", "choice": colour}
        for number in ("one", "two", "three")
        for colour in COLOURS
    ),
    *({"bet": "number", "choice": total} for total in range(4, 18)),
]
BETS = [{**spot, "stake": STAKE} for spot in SPOTS]
#: Bets that the law does not know, or with a choice that it does not give.
UNLAWFUL = [
    {"bet": "pair-of-figures", "choice": "fish", "stake": STAKE},
    {"bet": "number", "choice": 3, "stake": STAKE},
    {"bet": "number", "choice": 18, "stake": STAKE},
    {"bet": "figure", "choice": "dragon", "stake": STAKE},
    {"bet": "two-of-colour", "choice": "yellow", "stake": STAKE},
    {"bet": "figure", "stake": STAKE},
    {"stake": STAKE},
]


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("fish-prawn-crab")


@pytest.fixture(scope="module")
def other_game(vendor):
    return vendor("fish-prawn-crab")


def test_article_5_has_39_spots(game):
    assert len(SPOTS) == 39
    assert (
        sum(1 if rules.domain is None else len(rules.domain) for rules in game.bets.values()) == 39
    )


@pytest.mark.parametrize("dice", THROWS, ids="-".join)
def test_every_throw_settles_every_spot_alike(game, other_game, dice):
    outcome = {"dice": list(dice)}
    bets = BETS + UNLAWFUL

    assert game.settle_plain({}, outcome, bets) == other_game.settle({}, outcome, bets)


@pytest.mark.parametrize("lying", list(product(LYING, repeat=3)), ids="-".join)
def test_dice_that_do_not_lie_flat_settle_every_spot_alike(game, other_game, lying):
    for dice in SOME:
        outcome = {"dice": list(dice), "lying": list(lying)}
        assert game.settle_plain({}, outcome, BETS) == other_game.settle({}, outcome, BETS)


def test_the_reasoned_way_says_the_same_as_the_fast_way(game):
    for dice in THROWS:
        outcome = {"dice": list(dice)}
        reasoned = game.settle({}, outcome, BETS)
        assert [one.plain() for one in reasoned] == game.settle_plain({}, outcome, BETS)
        assert all(one.reasons for one in reasoned)


@pytest.mark.full
@pytest.mark.parametrize("lying", list(product(LYING, repeat=3)), ids="-".join)
def test_every_throw_of_dice_that_do_not_lie_flat_settles_alike(game, other_game, lying):
    for dice in THROWS:
        outcome = {"dice": list(dice), "lying": list(lying)}
        assert game.settle_plain({}, outcome, BETS) == other_game.settle({}, outcome, BETS)


@pytest.mark.parametrize(
    ("one", "other", "taken"),
    [
        pytest.param(("small", None), ("big", None), False, id="small and big"),
        pytest.param(("number", 4), ("number", 5), False, id="two numbers"),
        pytest.param(("number", 4), ("number", 4), True, id="the same number twice"),
        pytest.param(("number", 9), ("small", None), True, id="a number that is small"),
        pytest.param(("number", 9), ("big", None), False, id="a number that is not big"),
        pytest.param(("figure", "fish"), ("figure", "crab"), True, id="two figures"),
        pytest.param(
            ("one-of-colour", "red"), ("two-of-colour", "red"), False, id="one and two of a colour"
        ),
        pytest.param(
            ("one-of-colour", "red"), ("two-of-colour", "blue"), True, id="of two colours"
        ),
        pytest.param(
            ("three-of-figure", "fish"), ("small", None), False, id="7: a triple is not small"
        ),
    ],
)
def test_5_bets_that_exclude_each_other_are_those_that_never_win_together(
    compiled, one, other, taken
):
    strict = compiled("fish-prawn-crab", **{"21-96-m-5--opposite-bets": "no-opposites"})
    bets = [{"bet": name, "choice": choice, "stake": 1} for name, choice in (one, other)]
    outcome = {"dice": ["fish", "prawn", "crab"]}

    first, second = strict.settle_plain({}, outcome, bets)

    assert first["result"] != "refused"
    assert (second["result"] != "refused") == taken
    apart = [{**bets[0], "bettor": "ana"}, {**bets[1], "bettor": "bo"}]
    assert strict.settle_plain({}, outcome, apart)[1]["result"] != "refused"


def test_6_a_declared_ceiling_stops_only_what_exceeds_it(compiled):
    capped = compiled("fish-prawn-crab", **{"21-96-m-6--ceiling-on-prizes": "ceiling-holds"})
    outcome = {"dice": ["crab", "crab", "crab"]}
    bets = [
        {"bet": "three-of-figure", "choice": "crab", "stake": 100},
        {"bet": "any-three-of-figure", "stake": 100},
    ]

    def prizes(options):
        return [one["prize"] for one in capped.settle_plain(options, outcome, bets)]

    assert prizes({}) == [15000, 2400]
    assert prizes({"highest_prize": 10000}) == [10000, 2400]


def test_6_only_the_highest_prize_of_each_bettor_is_paid_under_that_reading(compiled):
    game = compiled("fish-prawn-crab", **{"21-96-m-6--two-winning-bets": "highest-only"})
    outcome = {"dice": ["fish", "fish", "fish"]}
    bets = [
        {"bet": "three-of-figure", "choice": "fish", "stake": 1, "bettor": "ana"},
        {"bet": "any-three-of-figure", "stake": 1, "bettor": "ana"},
        {"bet": "any-three-of-figure", "stake": 1, "bettor": "bo"},
        {"bet": "big", "stake": 1, "bettor": "bo"},
    ]

    answers = game.settle_plain({}, outcome, bets)

    assert [one["result"] for one in answers] == ["win", "win", "win", "lose"]
    assert [one["prize"] for one in answers] == [150, 0, 24, 0]


def test_two_readings_together_never_give_one_bet_two_results(compiled):
    """Article 7 prevails over the lines of article 6 too, where both are read widely."""
    game = compiled(
        "fish-prawn-crab",
        **{
            "21-96-m-7--triples-and-other-bets": "every-bet-on-a-total",
            "21-96-m-6-j--paired-numbers": "line-is-one-bet",
        },
    )
    for dice in THROWS:
        answers = game.settle_plain({}, {"dice": list(dice)}, BETS)
        if len(set(dice)) == 1:
            assert not any(
                one["prize"]
                for bet, one in zip(BETS, answers, strict=True)
                if bet["bet"] == "number"
            )
