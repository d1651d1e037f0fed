"""The rules of Portaria 21/96/M and the reference vendor, written apart, settle alike."""

from itertools import product

import pytest

FACES = ("fish", "prawn", "gourd", "coin", "crab", "rooster")
COLOURS = ("red", "green", "blue")
LYING = ("flat", "leaning", "stacked")
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
    assert sum(1 if rules.domain is None else len(rules.domain) for rules in game.bets.values()) == 39


@pytest.mark.parametrize("dice", list(product(FACES, repeat=3)), ids="-".join)
def test_every_throw_settles_every_spot_alike(game, other_game, dice):
    outcome = {"dice": list(dice)}
    bets = BETS + UNLAWFUL

    assert game.settle_plain({}, outcome, bets) == other_game.settle({}, outcome, bets)


@pytest.mark.parametrize("lying", list(product(LYING, repeat=3)), ids="-".join)
def test_dice_that_do_not_lie_flat_settle_every_spot_alike(game, other_game, lying):
    for dice in product(FACES, repeat=3):
        outcome = {"dice": list(dice), "lying": list(lying)}
        assert game.settle_plain({}, outcome, BETS) == other_game.settle({}, outcome, BETS)


def test_the_reasoned_way_says_the_same_as_the_fast_way(game):
    for dice in product(FACES, repeat=3):
        outcome = {"dice": list(dice)}
        reasoned = game.settle({}, outcome, BETS)
        assert [one.plain() for one in reasoned] == game.settle_plain({}, outcome, BETS)
        assert all(one.reasons for one in reasoned)
