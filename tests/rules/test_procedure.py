"""The steps of every game: lawful rounds pass, and each constraint catches what only it forbids.

The rounds stand in ``rounds/``, written by hand from the law.
"""

import functools
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from selo.law.events import By, Kind
from selo.rules.procedure import Answer, Cause, compile_procedure
from selo.rules.readings import Readings
from selo.rules.steps import constraints, events_of, executable_steps, step_games

HERE = Path(__file__).parent
GAMES = sorted(path.stem for path in (HERE / "rounds").glob("*.yaml"))


@functools.cache
def rounds(game):
    return yaml.safe_load((HERE / "rounds" / f"{game}.yaml").read_text(encoding="utf-8"))


def lawful_rounds():
    return [(game, name) for game in GAMES for name in rounds(game)["lawful"]]


def unlawful_rounds():
    return [
        pytest.param(game, case, id=f"{game}-{case['breaks']}-{index}")
        for game in GAMES
        for index, case in enumerate(rounds(game)["unlawful"])
    ]


def event_of(law, game, line):
    """Return one written line as an event of a log."""
    file = events_of(law, game)
    refused = line.startswith("!")
    name, *pairs = line.removeprefix("!").split()
    kinds = {field.id: field.kind for field in file.fields}
    event = {"event": name}
    for pair in pairs:
        key, _, value = pair.partition("=")
        event[key] = {
            Kind.NUMBER: lambda text: int(text),
            Kind.YES_NO: lambda text: text == "yes",
            Kind.TEXTS: lambda text: text.split(","),
        }.get(kinds.get(key), str)(value)
    if any(one.id == name and one.by is By.ACT for one in file.events):
        event["answer"] = "refused" if refused else "accepted"
    return event


def log(law, game, lines):
    return [event_of(law, game, line) for line in lines]


@pytest.fixture(scope="session")
def procedure(law):
    known = {}

    def compiled(game, options=None, under=None):
        at = (game, repr(options), repr(under))
        if at not in known:
            known[at] = compile_procedure(law, game, Readings(law, under), options)
        return known[at]

    return compiled


def prefix_of(lines, upto, nth):
    if upto is None:
        return []
    at = [index for index, line in enumerate(lines) if line == upto]
    return lines[: at[nth - 1] + 1]


def told(breaches):
    return [(one.index, one.constraint.key if one.constraint else one.cause) for one in breaches]


@pytest.mark.parametrize(("game", "name"), lawful_rounds())
def test_a_lawful_round_breaks_nothing_and_lacks_nothing(law, procedure, game, name):
    case = rounds(game)["lawful"][name]
    judge = procedure(game, case.get("options"), case.get("under"))
    events = log(law, game, case["events"])

    assert told(judge.judge(events)) == []
    assert told(judge.complete(events)) == []


@pytest.mark.parametrize(("game", "case"), unlawful_rounds())
def test_an_unlawful_round_breaks_exactly_its_provision(law, procedure, game, case):
    data = rounds(game)
    base = data["lawful"][case["given"]]
    options = {**base.get("options", {}), **case.get("options", {})}
    judge = procedure(game, options, case.get("under"))
    lines = prefix_of(base["events"], case.get("upto"), case.get("nth", 1))
    before = log(law, game, lines)
    events = before + log(law, game, case.get("then", []))
    key = f"{data['instrument']}/{case['breaks']}"

    assert told(judge.judge(before)) == []
    found = judge.complete(events) if case.get("missing") else judge.judge(events)
    assert key in {one.constraint.key for one in found if one.constraint}, told(found)
    if not case.get("missing"):
        assert {one.provision for one in found} == {key.partition("#")[0]}, told(found)
        assert all(one.index >= len(before) for one in found)


@pytest.mark.parametrize("game", GAMES)
def test_every_constraint_has_an_unlawful_round(law, game):
    data = rounds(game)
    tried = {f"{data['instrument']}/{case['breaks']}" for case in data["unlawful"]}

    untried = [
        one.key for one in constraints(law, game) if one.kind != "names" and one.key not in tried
    ]

    assert untried == []


def test_every_game_with_steps_has_rounds(law):
    assert sorted(step_games(law)) == GAMES
