"""The rules of Portaria 97/85/M and the reference vendor, written apart, settle alike."""

import random
from itertools import combinations_with_replacement, product

import pytest

SINGLE = ("field", "big-7", "eleven", "any-craps")
LINES = ("pass-line", "come", "dont-pass", "dont-come")
HARD_WAYS = (4, 6, 8, 10)
#: A die that left the table is written 0.
GONE = [0, 4]
PAIRS = [*map(list, combinations_with_replacement(range(1, 7), 2)), GONE]
#: One throw for each total; which dice make it does not matter to the bets on the line.
TOTALS = [
    [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [1, 6], [2, 6], [3, 6], [4, 6], [5, 6], [6, 6], GONE,
]  # fmt: skip


@pytest.fixture(scope="module")
def game(compiled):
    return compiled("craps")


@pytest.fixture(scope="module")
def other_game(vendor):
    return vendor("craps")


def alone(throws):
    """Return every bet that stands by itself, placed at every moment, and at one too late."""
    names = [{"bet": name} for name in (*LINES, *SINGLE)]
    names += [{"bet": "hard-way", "choice": number} for number in HARD_WAYS]
    return [{**name, "stake": 7, "at": at} for name in names for at in range(throws + 2)]


def lines(throws):
    """Return every bet on the line at every moment, each with every addition at every moment.

    The stakes are such that some additions stay below the limit, meet it, and pass it.
    """
    bets = []
    for name, at in product(LINES, range(throws + 1)):
        to = len(bets)
        bets.append({"bet": name, "stake": 90, "at": at})
        bets += [
            {"bet": f"{name}-additional", "stake": stake, "at": later, "to": to}
            for later in range(throws + 1)
            for stake in ((37, 45, 60) if later > at else (37,))
        ]
    return bets


def agree(game, other_game, throws, bets):
    outcome = {"throws": list(throws)}
    assert game.settle_plain({}, outcome, bets) == other_game.settle({}, outcome, bets), throws


@pytest.mark.parametrize("length", range(3))
def test_every_bet_over_every_short_sequence_of_dice(game, other_game, length):
    bets = [*alone(length)]

    for throws in product(PAIRS, repeat=length):
        agree(game, other_game, throws, bets)


@pytest.mark.parametrize("length", range(4))
def test_every_addition_over_every_short_sequence_of_totals(game, other_game, length):
    bets = lines(length)

    for throws in product(TOTALS, repeat=length):
        agree(game, other_game, throws, bets)


@pytest.mark.full
def test_every_bet_over_every_three_throws_of_dice(game, other_game):
    bets = alone(3)

    for throws in product(PAIRS, repeat=3):
        agree(game, other_game, throws, bets)


@pytest.mark.full
def test_every_bet_over_every_four_totals(game, other_game):
    bets = lines(4)

    for throws in product(TOTALS, repeat=4):
        agree(game, other_game, throws, bets)


def random_case(chance):
    """Return a long sequence of throws and many bets, most of them lawful."""
    length = chance.randrange(1, 25)
    throws = [[chance.randint(1, 6), chance.randint(1, 6)] for _ in range(length)]
    for throw in throws:
        if chance.random() < 0.05:
            throw[chance.randrange(2)] = 0
    bets = []
    for _ in range(chance.randrange(1, 30)):
        at, stake = chance.randrange(length + 2), chance.randrange(1, 500)
        kind = chance.random()
        if kind < 0.4 or not bets:
            bet = {"bet": chance.choice(LINES)}
            at = chance.choice((0, 1, at))
        elif kind < 0.7:
            to = chance.randrange(len(bets))
            if chance.random() < 0.9:
                on_line = [index for index, one in enumerate(bets) if one["bet"] in LINES]
                to = chance.choice(on_line or [to])
                # Some throws later the bet may have its point, and may still lie on the table.
                at = min(bets[to]["at"] + chance.randrange(1, 4), length + 1)
            bet = {"bet": f"{bets[to]['bet']}-additional", "to": to}
        elif kind < 0.8:
            bet = {"bet": "hard-way", "choice": chance.choice((*HARD_WAYS, 2, 7, 12))}
        else:
            bet = {"bet": chance.choice((*SINGLE, "place-on-8"))}
        bets.append({**bet, "stake": stake, "at": at})
    return throws, bets


def test_long_random_games(game, other_game):
    chance = random.Random(97_85)  # noqa: S311 - a seeded sample, no secret

    for _ in range(1_000):
        agree(game, other_game, *random_case(chance))


@pytest.mark.full
def test_many_long_random_games(game, other_game):
    chance = random.Random(85_97)  # noqa: S311 - a seeded sample, no secret

    for _ in range(60_000):
        agree(game, other_game, *random_case(chance))


@pytest.mark.parametrize(
    "bet",
    [
        {"bet": "pass-line", "stake": 0},
        {"bet": "pass-line", "stake": -5},
        {"bet": "pass-line", "stake": 10, "at": 2},
        {"bet": "pass-line", "stake": 10, "at": -1},
        {"bet": "hard-way", "stake": 10},
        {"bet": "hard-way", "choice": "6", "stake": 10},
        {"bet": "pass-line-additional", "stake": 10},
        {"bet": "pass-line-additional", "stake": 10, "to": 9},
        {"bet": "pass-line-additional", "stake": 10, "to": 0},
        {"stake": 10},
    ],
    ids=str,
)
def test_what_is_no_bet_is_refused(game, other_game, bet):
    outcome = {"throws": [[3, 3]]}

    assert game.settle_plain({}, outcome, [bet])[0]["result"] == "refused"
    assert other_game.settle({}, outcome, [bet])[0]["result"] == "refused"


def test_the_random_games_take_bets_of_every_kind(game):
    chance = random.Random(97_85)  # noqa: S311 - a seeded sample, no secret
    taken = set()

    for _ in range(300):
        throws, bets = random_case(chance)
        settled = game.settle_plain({}, {"throws": throws}, bets)
        taken |= {(bet["bet"], one["result"]) for bet, one in zip(bets, settled, strict=True)}

    additions = [f"{name}-additional" for name in LINES]
    for name in (*LINES, *additions, *SINGLE, "hard-way"):
        assert {(name, result) for result in ("win", "lose", "stands", "refused")} <= taken


def test_every_bet_that_is_taken_says_why(game):
    chance = random.Random(1)  # noqa: S311 - a seeded sample, no secret

    for _ in range(200):
        throws, bets = random_case(chance)
        for settlement in game.settle({}, {"throws": throws}, bets):
            assert settlement.result == "refused" or settlement.reasons
