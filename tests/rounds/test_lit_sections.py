"""Which lights are lit is compared with the sections that win (Portaria 21/96/M, art. 3 b).

The sections of each throw are worked out by hand from articles 1, 5 and 7.
"""

import pytest

from selo.rounds.judge.round_difference import Manner
from selo.rounds.judge.round_judge import RoundJudge
from selo.rounds.script import Script
from selo.rounds.table_player import play_scripts
from selo.rules.readings.reading_choice import Readings

GAME = "fish-prawn-crab"
PROVISION = "portaria-21-96-m/3/b"
POINT = "21-96-m-3-b--lights-without-bets"
#: Fish (red, 1) and two prawns (green, 2): five points.
WINNING = ["figure:fish", "figure:prawn", "number:5", "one-of-colour:red", "small",
           "two-of-colour:green"]  # fmt: skip
SMALL = Script(
    game=GAME,
    acts=[
        {"act": "force", "outcome": {"dice": ["fish", "prawn", "prawn"]}},
        {"act": "go-on"},
        {"act": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100},
        {"act": "place-bet", "ticket": "b", "player": "rui", "bet": "big", "stake": 100},
        {"act": "place-bet", "ticket": "c", "player": "rui", "bet": "number", "choice": 5,
         "stake": 100},
        {"act": "withdraw-bet", "ticket": "c"},
        {"act": "go-on"},
    ],
)  # fmt: skip


def lights(change):
    """Return how a table is spoiled that tells other lights; `change` takes the right ones."""

    def spoil(table, _):
        class Spoiled(table):
            def prepare(self):
                steps = super().prepare()
                for at, step in enumerate(steps):
                    if step["event"] == "light-winning-bets":
                        lit = change(sorted(step["lit"]))
                        steps[at] = {name: step[name] for name in step if name != "lit"}
                        steps[at] |= {} if lit is None else {"lit": lit}
                return steps

        return Spoiled

    return spoil


def judged(judge, session, script=SMALL):
    ((_, played),) = play_scripts(session, [script])
    return judge.judge(script, played), judge.untold_fields(script, played)


@pytest.mark.parametrize(
    "change",
    [
        lambda lit: lit[1:],
        lambda lit: [*lit, "big"],
        lambda lit: ["big" if name == "small" else name for name in lit],
        lambda _: [],
        lambda lit: [*lit, "no-such-section"],
        lambda lit: [*lit, lit[0]],
    ],
    ids=["one-dark", "one-more", "another", "none", "unknown", "twice"],
)
def test_lights_of_other_sections_break_the_provision(judge, spoiled, change):
    found, _ = judged(judge, spoiled(GAME, lights(change)))

    assert [(one.provisions, one.manner, one.open) for one in found] == [
        ((PROVISION,), Manner.ORDER, False)
    ]


def test_the_lights_of_every_winning_section_are_right(judge, spoiled):
    seen = []
    spoil = lights(lambda lit: seen.append(lit) or lit)

    found, untold = judged(judge, spoiled(GAME, spoil))

    assert found == []
    assert not untold
    assert seen == [WINNING]


def test_lights_of_bets_alone_are_open_and_name_the_reading(judge, spoiled):
    found, _ = judged(judge, spoiled(GAME, lights(lambda _: ["small"])))

    assert [one.readings for one in found] == [((POINT, "only-bets-made"),)]


def test_under_that_reading_sections_without_bets_stay_dark(law, spoiled, session):
    ruled = RoundJudge(law, Readings(law, {POINT: "only-bets-made"}))

    obedient, _ = judged(ruled, spoiled(GAME, lights(lambda _: ["small"])))
    disobedient, _ = judged(ruled, session)

    assert obedient == []
    assert [one.provisions for one in disobedient] == [(PROVISION,)]


def test_lights_that_are_not_told_are_not_examined(judge, spoiled):
    found, untold = judged(judge, spoiled(GAME, lights(lambda _: None)))

    assert found == []
    assert (PROVISION, "light-winning-bets", "lit") in untold


def test_what_wins_is_computed_and_not_taken_from_the_table(judge, spoiled):
    def tells_it(table, _):
        class Spoiled(table):
            def prepare(self):
                return [
                    {**step, "lit": [], "winning": []} if step["event"] == "light-winning-bets"
                    else step
                    for step in super().prepare()
                ]  # fmt: skip

        return Spoiled

    found, _ = judged(judge, spoiled(GAME, tells_it))

    assert [one.provisions for one in found] == [(PROVISION,)]


def test_lights_that_follow_another_reading_of_a_bet_are_not_blamed(judge, spoiled):
    triple = Script(
        game=GAME,
        acts=[
            {"act": "force", "outcome": {"dice": ["fish", "fish", "fish"]}},
            {"act": "go-on"},
            {"act": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100},
            {"act": "go-on"},
        ],
    )
    figures = ["fish", "prawn", "gourd", "coin", "crab", "rooster"]
    every = [f"three-of-figure:{name}" for name in figures]

    # Art. 5 h), read as won by any triple.
    found, _ = judged(judge, spoiled(GAME, lights(lambda lit: sorted({*lit, *every}))), triple)

    assert found == []
