"""What a round decides: steps that could have been broken in it, and acts that were answered."""

from selo.rounds.analysis.step_coverage import decisive_steps, measure_step_coverage
from selo.rounds.judge.table_log import TableLog
from selo.rounds.script import Script

GAME = "fish-prawn-crab"
ARTICLE = "portaria-21-96-m"
OPERATION = [
    {"event": "cover"},
    {"event": "fasten"},
    {"event": "press-lever"},
    {"event": "press-lever"},
    {"event": "press-lever"},
    {"event": "light-sign", "means": "automatic"},
]


def keys(judge, events):
    return decisive_steps(judge.procedures(GAME).of({}), events)


def provisions(found):
    return {key.partition("#")[0] for key in found}


def test_an_empty_log_decides_nothing(judge):
    assert keys(judge, []) == set()


def test_the_initial_operation_decides_article_2_and_not_the_payment(judge):
    found = provisions(keys(judge, OPERATION))

    assert f"{ARTICLE}/2" in found
    assert f"{ARTICLE}/4" not in found


def test_a_bet_that_is_refused_decides_the_step_that_refuses_it(judge):
    bet = {"event": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100}
    bell = {"event": "ring-bell"}

    without = keys(judge, [*OPERATION, bell])
    late = keys(judge, [*OPERATION, bell, {**bet, "answer": "refused"}])

    refusals = {
        one.key
        for one in judge.procedures(GAME).followed_steps()
        if one.kind == "refuses" and one.provision == f"{ARTICLE}/3/a"
    }
    assert not refusals & without
    assert refusals & late


def test_what_is_known_is_not_looked_at_again(judge):
    procedure = judge.procedures(GAME).of({})
    every = decisive_steps(procedure, OPERATION)

    assert decisive_steps(procedure, OPERATION, every) == set()


def test_a_step_that_nothing_decides_is_listed_with_no_script(judge):
    script = Script(game=GAME, acts=[{"act": "go-on"}])
    log = TableLog()
    log.add(0, *OPERATION)

    found = measure_step_coverage(judge, GAME, [(script, log)])

    assert [one.constraint for one in found] == [
        one.key for one in judge.procedures(GAME).followed_steps()
    ]
    by_provision = {}
    for one in found:
        by_provision.setdefault(one.provision, set()).update(one.scripts)
    assert by_provision[f"{ARTICLE}/2"] == {script.key}
    assert by_provision[f"{ARTICLE}/4"] == set()
