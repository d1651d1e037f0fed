"""The steps of every game: lawful rounds pass, and each constraint catches what only it forbids.

The rounds stand in ``rounds/``, written by hand from the law.
"""

import functools
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from selo.errors import UsageError
from selo.law.files.events_file import EventOrigin, ValueKind
from selo.law.files.provision_file import Way
from selo.law.loader import load_law
from selo.rules.checks.game_check import check_games
from selo.rules.procedure.procedure_rules import ActRuling, BreachCause, compile_procedure
from selo.rules.procedure.step_reader import (
    find_events_file,
    list_step_games,
    read_constraints,
    step_points,
)
from selo.rules.readings.reading_choice import Readings

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
    file = find_events_file(law, game)
    refused = line.startswith("!")
    name, *pairs = line.removeprefix("!").split()
    kinds = {field.id: field.kind for field in file.fields}
    event = {"event": name}
    for pair in pairs:
        key, _, value = pair.partition("=")
        event[key] = {
            ValueKind.NUMBER: int,
            ValueKind.YES_NO: lambda text: text == "yes",
            ValueKind.TEXTS: lambda text: text.split(","),
        }.get(kinds.get(key), str)(value)
    if any(one.id == name and one.by is EventOrigin.ACT for one in file.events):
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
    assert told(judge.find_missing(events)) == []


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
    found = judge.find_missing(events) if case.get("missing") else judge.judge(events)
    assert key in {one.constraint.key for one in found if one.constraint}, told(found)
    if not case.get("missing"):
        assert {one.provision for one in found} == {key.partition("#")[0]}, told(found)
        assert all(one.index >= len(before) for one in found)


@pytest.mark.parametrize("game", GAMES)
def test_every_constraint_has_an_unlawful_round(law, game):
    data = rounds(game)
    tried = {f"{data['instrument']}/{case['breaks']}" for case in data["unlawful"]}

    untried = [
        one.key
        for one in read_constraints(law, game)
        if one.kind != "names" and one.key not in tried
    ]

    assert untried == []


def test_every_game_with_steps_has_rounds(law):
    assert sorted(list_step_games(law)) == GAMES


def written_readings(game):
    """Return every point with a case that tells its readings apart; some points need several."""
    return [
        (point, case)
        for point, cases in rounds(game)["readings"].items()
        for case in (cases if isinstance(cases, list) else [cases])
    ]


def reading_cases():
    return [
        pytest.param(game, point, case, reading, id=f"{point}={reading}")
        for game in GAMES
        for point, case in written_readings(game)
        for reading in case["expect"]
    ]


#: What the register calls a result, and what may stand for it here.
SAID = {
    "accepted": {"accept"},
    # A table that may decline a bet may refuse it: the law leaves it open.
    "refused": {"refuse", "open"},
    "allowed": {"lawful", "accept"},
    "not-required": {"lawful", "open"},
    "forbidden": {"breach", "refuse"},
}


@pytest.mark.parametrize(("game", "point", "case", "reading"), reading_cases())
def test_a_reading_judges_its_situation_as_worked_out_by_hand(
    law, procedure, game, point, case, reading
):
    base = rounds(game)["lawful"][case["given"]]
    options = {**base.get("options", {}), **case.get("options", {})}
    judge = procedure(game, options, {point: reading})
    lines = prefix_of(base["events"], case.get("upto"), case.get("nth", 1))
    before = log(law, game, [*lines, *case.get("then", [])])

    if "asks" in case:
        act = event_of(law, game, case["asks"])
        del act["answer"]
        found = judge.rule_on_act(before, act)
    else:
        done = [one.index for one in judge.judge(before + log(law, game, case["does"]))]
        # What went before was done under the default reading and is not asked about.
        found = "breach" if any(index >= len(before) for index in done) else "lawful"

    assert found == case["expect"][reading]


@pytest.mark.parametrize(("game", "point", "case", "reading"), reading_cases())
def test_the_register_says_the_same(law, game, point, case, reading):
    """Where a point has several cases, the first is that of the register."""
    if case != next(one for name, one in written_readings(game) if name == point):
        return
    divergence = next(one for one in law.divergences if one.id == point)
    result = divergence.situation.results[reading].result

    if divergence.severity == "conduct" and result in SAID:
        assert case["expect"][reading] in SAID[result]


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_of_every_point_of_a_step_is_tried_and_told_apart(law, game):
    tried = {point: set(case["expect"]) for point, case in written_readings(game)}

    assert tried == {point: set(readings) for point, readings in step_points(law, game).items()}
    for point, case in written_readings(game):
        assert len(set(case["expect"].values())) > 1, point


@pytest.fixture(scope="session")
def lawful_logs(law, procedure):
    found = []
    for game, name in lawful_rounds():
        case = rounds(game)["lawful"][name]
        judge = procedure(game, case.get("options"), case.get("under"))
        found.append((judge, log(law, game, case["events"])))
    return found


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_no_prefix_of_a_lawful_round_breaks_anything(lawful_logs, data):
    judge, events = data.draw(st.sampled_from(lawful_logs))
    length = data.draw(st.integers(0, len(events)))

    assert told(judge.judge(events[:length])) == []


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_judging_is_deterministic_and_what_follows_changes_no_earlier_breach(lawful_logs, data):
    judge, events = data.draw(st.sampled_from(lawful_logs))
    mixed = data.draw(st.lists(st.sampled_from(events), max_size=25))
    length = data.draw(st.integers(0, len(mixed)))

    whole = told(judge.judge(mixed))

    assert whole == told(judge.judge(mixed))
    assert told(judge.judge(mixed[:length])) == [one for one in whole if one[0] < length]


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_the_answer_to_an_act_is_what_the_judge_holds_against_the_other_one(lawful_logs, data):
    judge, events = data.draw(st.sampled_from(lawful_logs))
    acts = [event for event in events if "answer" in event]
    mixed = data.draw(st.lists(st.sampled_from(events), max_size=15))
    act = data.draw(st.sampled_from(acts))
    plain = {key: value for key, value in act.items() if key != "answer"}

    answer = judge.rule_on_act(mixed, plain)

    kinds = {
        given: {
            one.constraint.kind
            for one in judge.judge([*mixed, {**plain, "answer": given}])
            if one.index == len(mixed)
        }
        for given in ("accepted", "refused")
    }
    assert ("refuses" in kinds["accepted"]) == (answer is ActRuling.REFUSE)
    assert ("allows" in kinds["refused"]) == (answer is ActRuling.ACCEPT)


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_what_must_be_accepted_breaks_nothing_when_it_is(lawful_logs, data):
    judge, events = data.draw(st.sampled_from(lawful_logs))
    acts = [
        event
        for other, log in lawful_logs
        for event in log
        if other.game == judge.game and "answer" in event
    ]
    before = events[: data.draw(st.integers(0, len(events)))]
    act = {**data.draw(st.sampled_from(acts)), "answer": "accepted"}
    plain = {key: value for key, value in act.items() if key != "answer"}

    if judge.rule_on_act(before, plain) is ActRuling.ACCEPT:
        assert told(judge.judge([*before, act])) == []


#: Acts on a bet; poker knows a bet by its place, the other games by its ticket.
CHANGES = {"withdraw-bet", "lower-stake", "raise-stake", "move-stake", "raise", "fold"}


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_nothing_has_to_be_done_with_a_bet_that_was_never_made(lawful_logs, data):
    judge, events = data.draw(st.sampled_from(lawful_logs))
    acts = [event for event in events if event["event"] in CHANGES]
    assume(acts)
    before = events[: data.draw(st.integers(0, len(events)))]
    act = dict(data.draw(st.sampled_from(acts)))
    act["ticket" if "ticket" in act else "place"] = "nobody's"
    del act["answer"]

    assert judge.rule_on_act(before, act) is not ActRuling.ACCEPT


def test_every_event_of_a_lawful_round_was_a_lawful_next_one(lawful_logs):
    for judge, events in lawful_logs:
        for index, event in enumerate(events):
            if event.get("answer") != "refused":
                assert event["event"] in judge.lawful_next_events(events[:index]), (
                    judge.game,
                    index,
                )


def test_what_would_break_the_law_is_no_lawful_next_event(law, procedure):
    judge = procedure("fish-prawn-crab")
    lines = prefix_of(rounds("fish-prawn-crab")["lawful"]["ordinary"]["events"], "press-lever", 2)

    following = judge.lawful_next_events(log(law, "fish-prawn-crab", lines))

    assert "press-lever" in following
    assert following.isdisjoint({"light-sign", "ring-bell", "lift-cover", "place-bet", "fasten"})


def test_a_breach_names_provision_event_and_what_was_required(law, procedure):
    judge = procedure("fish-prawn-crab")

    found = judge.judge(
        log(law, "fish-prawn-crab", ["cover", "fasten", "press-lever", "ring-bell"])
    )

    assert [(one.provision, one.index, one.cause) for one in found] == [
        ("portaria-21-96-m/3/a", 3, BreachCause.STEP)
    ]
    assert found[0].required == "“the sign lights up” must come before “the bell rings”"


@pytest.mark.parametrize(
    ("event", "cause"),
    [
        ({"event": "sing"}, BreachCause.UNKNOWN_EVENT),
        ({}, BreachCause.UNKNOWN_EVENT),
        ({"event": "void-throw"}, BreachCause.UNKNOWN_EVENT),
        ({"event": "cover", "colour": "red"}, BreachCause.MALFORMED_EVENT),
        ({"event": "cover", "answer": "accepted"}, BreachCause.MALFORMED_EVENT),
        ({"event": "withdraw-bet", "ticket": "a"}, BreachCause.MALFORMED_EVENT),
        (
            {"event": "withdraw-bet", "ticket": "a", "answer": "perhaps"},
            BreachCause.MALFORMED_EVENT,
        ),
        ({"event": "withdraw-bet", "answer": "accepted"}, BreachCause.MALFORMED_EVENT),
        ({"event": "pay-prize", "ticket": 7}, BreachCause.MALFORMED_EVENT),
        ({"event": "light-sign", "means": "magic"}, BreachCause.MALFORMED_EVENT),
        ({"event": "announce-result", "figures": "fish"}, BreachCause.MALFORMED_EVENT),
        ({"event": "announce-result", "figures": [1]}, BreachCause.MALFORMED_EVENT),
    ],
)
def test_an_event_that_cannot_be_read_is_a_breach_of_its_own(procedure, event, cause):
    found = procedure("fish-prawn-crab").judge([event])

    assert [(one.cause, one.index, one.provision) for one in found] == [(cause, 0, None)]


@pytest.mark.parametrize(
    "options", [{"packs": "two"}, {"decks": 2}, {"device": "bag"}, {"packs": True}]
)
def test_an_option_that_cannot_be_is_refused(law, options):
    with pytest.raises(UsageError, match="cannot declare"):
        compile_procedure(law, "three-card-baccarat", Readings(law), options)


def test_a_game_without_steps_is_refused(law):
    with pytest.raises(UsageError, match="no steps for 'pai-kao'"):
        compile_procedure(law, "pai-kao", Readings(law))


COVER = ("step: precedes", "event: cover", "before: fasten")


@pytest.mark.parametrize(
    ("lines", "problem", "below"),
    [
        (("step: precedes", "event: cower", "before: fasten"), "no event 'cower'", 1),
        (("step: precedes", "event: cover", "before: tie"), "no event 'tie'", 2),
        (("step: precedes", "event: cover"), "needs 'before'", 0),
        ((*COVER, "times: 3"), "has no 'times'", 3),
        ((*COVER, "same: hat"), "no field 'hat'", 3),
        ((*COVER, "when: hat"), "undeclared", 3),
        (("step: preceeds", "event: cover", "before: fasten"), "no step 'preceeds'", 0),
    ],
)
def test_a_wrong_step_is_an_error_with_file_line_and_hint(copy, lines, problem, below):
    between = "\n        "
    line = copy.replace(
        "specs/portaria-21-96-m/articles/art-02.yaml", between.join(COVER), between.join(lines)
    )

    found = list(check_games(load_law(specs=copy.specs, bilingual=copy.bilingual)))

    assert len(found) == 1
    assert problem in found[0].problem
    assert (found[0].path.name, found[0].line) == ("art-02.yaml", line + below)
    assert found[0].hint


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("{id: fasten, by: table", "{id: cover, by: table", "'cover' is named twice"),
        ("{id: fasten, by: table", "{id: Fasten, by: table", "'Fasten' is not a valid name"),
        ("role: lays, fields: [ticket, player, bet, stake]", "fields: [hat]", "field 'hat'"),
        ("role: raises", "role: lowers", "another event has the role 'lowers'"),
    ],
)
def test_a_wrong_event_is_an_error_of_the_law(copy, old, new, problem):
    line = copy.replace("specs/portaria-21-96-m/events.yaml", old, new)

    found = [one for one in copy.problems() if problem in one.problem]

    assert [(one.path.name, one.line) for one in found] == [("events.yaml", line)]


def test_acts_of_which_none_lays_a_bet_are_an_error_of_the_law(copy):
    copy.replace("specs/portaria-21-96-m/events.yaml", "role: lays, ", "")

    assert [one for one in copy.problems() if "no act lays a bet" in one.problem]


def test_the_command_prints_every_step_with_its_provision(law, selo):
    ran = selo("steps", "fish-prawn-crab")

    steps = read_constraints(law, "fish-prawn-crab", Readings(law))
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-1] == str(len(steps))
    for provision in {one.provision for one in steps}:
        assert provision in ran.stdout.splitlines()
    assert "  1. “the dome is covered” must come before “the clasps are fastened”" in ran.stdout


def test_the_command_prints_json(selo):
    ran = selo("steps", "craps", "--json", "--ruling", "97-85-m-2-3--point-obtained=point-made")

    told = json.loads(ran.stdout)
    assert {one["under"].get("97-85-m-2-3--point-obtained") for one in told["steps"]} == {
        None,
        "point-made",
    }
    assert {one["id"] for one in told["events"]} >= {"throw-dice", "place-bet"}


def test_the_command_refuses_a_game_without_steps(selo):
    ran = selo("steps", "pai-kao")

    assert ran.returncode == 3
    assert ran.stderr.startswith("there are no steps for 'pai-kao'\n  hint: Use one of: ")


def test_every_provision_verified_by_procedure_has_a_step(law):
    stepped = {
        one.provision for game in list_step_games(law) for one in read_constraints(law, game)
    }

    lacking = [
        held.id
        for held in law.provisions.values()
        if Way.PROCEDURE in {held.provision.verified_by, *held.provision.also}
        and held.id not in stepped
    ]

    assert lacking == []
