"""Each reading of Portaria 97/85/M, beyond the situation of the register."""

import random

import pytest

from selo.rules.checks.game_check import settlement_points

P = "97-85-m-"
LINE = {"bet": "pass-line", "stake": 100}
AGAINST = {"bet": "dont-pass", "stake": 100}
LINES = ("pass-line", "come", "dont-pass", "dont-come")


def come(at, stake=100):
    return {"bet": "come", "stake": stake, "at": at}


def added(name, stake, at, to=0):
    return {"bet": f"{name}-additional", "stake": stake, "at": at, "to": to}


def hard(choice, at=0):
    return {"bet": "hard-way", "choice": choice, "stake": 100, "at": at}


# point, reading, throws, bets, what becomes of each (a prize is a win)
BEYOND = [
    ("2-1--late-pass-line", "any-time", [[2, 4], [3, 3]], [{**LINE, "at": 1}], [100]),
    ("2-1--late-pass-line", "any-time", [[2, 4], [5, 6]], [{**LINE, "at": 1}], ["stands"]),
    ("2-1--late-pass-line", "any-time", [[2, 4], [3, 4]], [{**AGAINST, "at": 1}], [100]),
    (
        "2-1--late-pass-line", "any-time", [[2, 4], [3, 3]],
        [{**LINE, "at": 1}, added("pass-line", 50, 1)], [100, 60],
    ),
    ("2-3--come-own-first-throw", "round-first-throw", [[2, 4], [3, 3]], [come(1)], [100]),
    ("2-3--come-own-first-throw", "round-first-throw", [[2, 4], [5, 6]], [come(1)], ["stands"]),
    ("2-3--point-obtained", "point-made", [[2, 4], [2, 4], [3, 4]], [come(2)], [100]),
    ("2-3--point-obtained", "point-made", [[2, 4], [3, 4], [3, 4]], [come(2)], ["refused"]),
    ("2-3--come-after-point-made", "returned", [[2, 4], [3, 3]], [come(1)], ["push"]),
    ("2-3--come-after-point-made", "returned", [[2, 4], [2, 3], [3, 4]], [come(1)], ["lose"]),
    ("2-3--come-after-point-made", "returned", [[2, 4], [2, 3], [1, 4]], [come(1)], [100]),
    (
        "2-3--come-after-point-made", "returned", [[2, 4], [2, 3], [3, 3]],
        [come(1), added("come", 50, 2)], ["push", "push"],
    ),
    (
        "2-3--additional-before-own-point", "at-once", [[2, 4], [3, 4]],
        [come(1), added("come", 50, 1)], [100, "push"],
    ),
    (
        "2-3--additional-before-own-point", "at-once", [[2, 4], [2, 3], [1, 4]],
        [come(1), added("come", 50, 1)], [100, 75],
    ),
    (
        "2-3--additional-before-own-point", "at-once", [[2, 4], [5, 6]],
        [come(1), added("come", 50, 2)], [100, "refused"],
    ),
    (
        "2-3--additional-on-new-first-throw", "suspended", [[4, 4], [2, 3], [4, 4], [2, 3]],
        [come(1), added("come", 60, 2)], [100, "push"],
    ),
    (
        "2-3--additional-on-new-first-throw", "suspended", [[4, 4], [2, 3], [2, 3]],
        [come(1), added("come", 60, 2)], [100, 90],
    ),
    ("2-3--several-come-bets", "one-only", [[2, 4], [5, 6]], [come(1), come(2)], [100, "stands"]),
    (
        "2-3--several-come-bets", "one-only", [[2, 4]],
        [{**come(1), "bettor": "a"}, {**come(1), "bettor": "b"}], ["stands", "stands"],
    ),
    ("3-1--twelve-push-or-stands", "stands", [[6, 6], [1, 1]], [AGAINST], [100]),
    ("3-1--both-sides-at-once", "refused", [[3, 4]], [AGAINST, LINE], ["lose", "refused"]),
    (
        "2-2--gain-cap", "refuse-excess", [[2, 2], [2, 2]],
        [LINE, added("pass-line", 30, 1), added("pass-line", 30, 1)], [100, 60, "refused"],
    ),
    ("2-2--gain-cap", "refuse-excess", [[2, 2]], [LINE, added("pass-line", 50, 1)], ["stands"] * 2),
    (
        "2-2--gain-cap", "refuse-excess", [[2, 2]], [LINE, added("pass-line", 51, 1)],
        ["stands", "refused"],
    ),
    (
        "2-2--gain-cap", "limit-stake", [[2, 2], [2, 2]],
        [LINE, added("pass-line", 60, 1), added("pass-line", 41, 1)], [100, 120, "refused"],
    ),
    (
        "2-2--gain-cap", "cap-gain", [[2, 2], [2, 2]],
        [LINE, added("pass-line", 30, 1), added("pass-line", 30, 1)], [100, 60, 40],
    ),
    (
        "2-3--cap-on-come", "pass-line-stake", [[4, 4], [2, 3], [1, 4]],
        [come(1, 50), added("come", 100, 2)], [50, 50],
    ),
    (
        "3-2--indivisible-stake", "refuse", [[4, 4], [3, 4]],
        [AGAINST, added("dont-pass", 96, 1), added("dont-pass", 102, 1)], [100, 80, 85],
    ),
    ("3-2--indivisible-stake", "refuse", [[3, 4]], [{"bet": "big-7", "stake": 3}], ["refused"]),
    ("3-2--indivisible-stake", "round-up", [[3, 4]], [{"bet": "big-7", "stake": 3}], [14]),
    ("2-2--rounding-odds", "whole-pataca-down", [[3, 4]], [{"bet": "big-7", "stake": 700}], [3100]),
    (
        "3-2--broken-columns", "crossed", [[2, 3], [3, 4]],
        [AGAINST, added("dont-pass", 60, 1)], [100, 50],
    ),
    (
        "2-2--para-to-or-for", "for", [[2, 2], [3, 4]],
        [AGAINST, added("dont-pass", 100, 1)], [100, -50],
    ),
    ("5--ones-and-sixes", "all-six", [[6, 6]], [hard(12)], [0]),
    ("5--during-first-throw", "suspended", [[3, 3], [3, 3]], [hard(6)], [900]),
    ("5--during-first-throw", "suspended", [[1, 5], [4, 5]], [hard(6)], ["stands"]),
    ("5--after-the-round", "returned", [[5, 6]], [hard(6)], ["push"]),
    ("5--after-the-round", "returned", [[4, 4], [3, 4]], [hard(6, 1)], ["lose"]),
    ("5--after-the-round", "returned", [[4, 4], [3, 3]], [hard(6, 1)], [900]),
    ("3-2--no-cap-against", "no-cap", [[6, 0], [4, 6], [3, 4]],
     [AGAINST, added("dont-pass", 400, 2)], [100, 200]),
]  # fmt: skip


def _plain(said):
    if isinstance(said, str):
        return {"result": said, "prize": 0, "commission": 0}
    return {"result": "win", "prize": said, "commission": 0}


@pytest.mark.parametrize(("point", "reading", "throws", "bets", "becomes"), BEYOND)
def test_a_reading_is_followed_to_its_end(compiled, point, reading, throws, bets, becomes):
    game = compiled("craps", **{P + point: reading})

    answers = game.settle_plain({}, {"throws": throws}, bets)

    assert answers[: len(becomes)] == [_plain(one) for one in becomes]


def random_case(chance):
    throws = [[chance.randint(0, 6), chance.randint(1, 6)] for _ in range(chance.randrange(1, 12))]
    bets = []
    for _ in range(15):
        name = chance.choice([*LINES, "hard-way", "field"])
        bet = {"bet": name, "stake": chance.randrange(1, 400)}
        bet["at"] = chance.randrange(len(throws) + 1)
        if name == "hard-way":
            bet["choice"] = chance.choice([2, 4, 6, 8, 10, 12])
        bets.append(bet)
        if name in LINES and chance.random() < 0.7:
            later = chance.randrange(bet["at"], len(throws) + 1)
            bets.append(added(name, chance.randrange(1, 400), later, len(bets) - 1))
    return throws, bets


def test_under_every_reading_every_bet_has_one_result(law, compiled):
    for point, readings in settlement_points(law, "craps").items():
        for reading in readings:
            game = compiled("craps", **{point: reading})
            chance = random.Random(f"{point}={reading}")  # noqa: S311 - a seeded sample, no secret
            for _ in range(15):
                throws, bets = random_case(chance)
                assert len(game.settle_plain({}, {"throws": throws}, bets)) == len(bets)


def test_under_readings_thrown_together_every_bet_has_one_result(law, compiled):
    points = settlement_points(law, "craps")
    chance = random.Random(97)  # noqa: S311 - a seeded sample, no secret
    for _ in range(20):
        game = compiled("craps", **{point: chance.choice(points[point]) for point in points})
        for _ in range(20):
            throws, bets = random_case(chance)
            assert len(game.settle_plain({}, {"throws": throws}, bets)) == len(bets)


def test_a_derivation_names_the_provisions_that_fired(compiled):
    game = compiled("craps")
    bets = [LINE, added("pass-line", 100, 1), come(1), hard(4)]

    line, more, own, four = game.settle({}, {"throws": [[1, 3], [2, 2]]}, bets)

    def provisions(settlement):
        return [one.provision.removeprefix("portaria-97-85-m/") for one in settlement.reasons]

    # Which faces count stands in 1/par-2, and every total rests on them.
    assert provisions(line) == ["2/1", "1/par-2", "2/1", "2/1", "1/par-2"]
    assert provisions(more) == ["2/2", "2/2/1", "2/2/close"]
    assert provisions(own) == ["2/3", "2/1", "1/par-2"]
    assert [one.result for one in (line, more, own, four)] == ["win", "win", "stands", "lose"]
    # What the total is stands in 2/1, and the loss rests on it.
    assert provisions(four) == ["5", "2/1", "1/par-2"]


def test_a_refusal_names_the_provision_that_refuses(compiled):
    (answer,) = compiled("craps").settle({}, {"throws": [[1, 3]]}, [{**LINE, "at": 1}])

    assert [(one.provision, one.role) for one in answer.reasons] == [
        ("portaria-97-85-m/2/1", "refused")
    ]
