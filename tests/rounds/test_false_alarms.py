"""A lawful table is never accused: wherever it closes, whatever is cut, whatever it leaves out."""

import json
import random
from functools import partial

import msgspec
import pytest
from tests.rounds import lawful_rounds as lawful
from tests.rounds.test_round_judge import SPOILED

from selo.examine.live_rounds import RoundTally, round_line
from selo.rounds import Script, play_script, play_scripts
from selo.rounds.analysis import is_same_difference, reproduction_check, shrink_script
from selo.rounds.generate import read_written_scripts
from selo.rounds.judge import RoundJudge
from selo.rounds.judge.bet_tracker import BetTracker
from selo.rules.procedure import compile_procedure
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings import Readings

pytestmark = pytest.mark.parametrize("game", lawful.GAMES)


@pytest.fixture(scope="module")
def rounds_of(law, session, offers):
    """Return how to get the lawful rounds of a game, played once."""
    played = {}

    def found(game):
        if game not in played:
            played[game] = lawful.lawful_rounds(law, session, offers[game])
        return played[game]

    return found


def cuts(rounds, count):
    places = [(one, at) for one in rounds for at in range(len(one[0].acts))]
    return random.Random(lawful.SEED).sample(places, min(count, len(places)))  # noqa: S311


def some(*counts):
    """Return counts of which only the first is tried in every run."""
    first, *others = counts
    return [first, *(pytest.param(count, marks=pytest.mark.full) for count in others)]


@pytest.mark.parametrize("count", some(25, 10_000))
def test_a_table_that_closes_misses_nothing_that_is_not_due(judge, rounds_of, game, count):
    for (script, played), at in cuts(rounds_of(game), count):
        shorter = lawful.cut_round(script, played, at)

        assert judge.judge(*shorter) == [], (script.name, at)


@pytest.mark.parametrize("count", some(12, 3_000))
def test_a_table_that_finishes_when_it_is_closed_breaks_nothing(
    judge, session, rounds_of, game, count
):
    scripts = [lawful.cut(script, at) for (script, _), at in cuts(rounds_of(game), count)]

    for script, played in play_scripts(session, scripts):
        assert judge.judge(script, played) == [], (script.name, len(script.acts))


@pytest.mark.parametrize("count", some(25, 3_000))
def test_no_part_of_a_script_accuses_a_lawful_vendor(judge, session, rounds_of, game, count):
    scripts = lawful.subsets([script for script, _ in rounds_of(game)], count, game)

    for script, played in play_scripts(session, scripts):
        assert lawful.violations(judge, script, played) == [], script


def test_what_a_reduced_script_shows_stands_when_the_acts_that_were_cut_follow(
    law, judge, spoiled, game
):
    every = [(spoil, provision) for name, spoil, _, provision in SPOILED if name == game]
    for spoil, provision in every[:2]:
        play = partial(play_script, spoiled(game, spoil))
        script, first = next(
            (script, found[0])
            for script in read_written_scripts(law, game)
            if provision in script.provisions and (found := judge.judge(script, play(script)))
        )

        small = shrink_script(script, reproduction_check(play, judge, first), about=first)
        left = [act for act in script.acts if act not in small.acts]
        longer = msgspec.structs.replace(small, acts=[*small.acts, *left])

        for shown in (small, longer):
            again = judge.judge(shown, play(shown))
            assert any(is_same_difference(one, first) for one in again), shown
            assert first.provisions == (provision,)


@pytest.mark.parametrize("readings", some("defaults", "every reading"))
def test_an_optional_field_that_is_left_out_breaks_no_law(law, judge, rounds_of, game, readings):
    fields = lawful.optional_fields(law, game)
    chance = random.Random(lawful.SEED)  # noqa: S311 - the same in every run
    mixed = [{one for one in fields if chance.random() < 0.5} for _ in range(3)]
    judges = [judge]
    if readings == "every reading":
        judges += [
            RoundJudge(law, Readings(law, {point: reading}))
            for point, known in judge.procedures(game).points().items()
            for reading in known
        ]
    for each in judges:
        for script, played in rounds_of(game)[:: 12 if readings == "defaults" else 1]:
            before = {(one.manner, one.constraint) for one in each.judge(script, played)}
            for dropped in [*({one} for one in fields), {*fields}, *mixed]:
                found = each.judge(script, lawful.without_fields(played, dropped))

                assert {(one.manner, one.constraint) for one in found} <= before, script.name


def test_a_provision_that_needs_an_untold_field_does_not_conform(law, rounds_of, game):
    assert not tally_of(law, rounds_of(game)[::3]).untold
    for event, name in lawful.optional_fields(law, game):
        dropped = [
            (script, lawful.without_fields(played, {(event, name)}))
            for script, played in rounds_of(game)
            if script.provisions
        ]
        untold = tally_of(law, dropped[::6])
        if not untold.untold:
            # Some rounds leave their outcome to the vendor, and few may pay what tells the field.
            untold = tally_of(law, dropped)

        assert {field for fields in untold.untold.values() for field in fields} <= {(event, name)}
        if (event, name) not in KNOWN_ANYHOW | with_default(law, game):
            assert untold.untold, (event, name)


#: What Selo knows of the bet that it placed, and of the event that it staged.
KNOWN_ANYHOW = {("bet-decided", "seat"), ("take-seat", "position")}


def with_default(law, game):
    """Return the fields that mean something where they are not told."""
    file = find_events_file(law, game)
    named = {field.id for field in file.fields if field.default}
    return {(event.id, name) for event in file.events for name in named}


#: By the default reading nobody takes stakes back; the event is lawful under another.
FORBIDDEN_BY_DEFAULT = {"return-stakes"}


def tally_of(law, rounds):
    tally = RoundTally(law, type("Terms", (), {"rulings": {}})())
    for at, (script, played) in enumerate(rounds):
        tally.take(round_line(at, script, played, good=True), right=True)
    return tally


def test_the_example_of_an_event_in_the_protocol_breaks_no_law(law, root, game):
    schemas = json.loads((root / "specs/schema/protocol.openrpc.json").read_text())["components"]
    procedure = compile_procedure(law, game, Readings(law))
    for event in find_events_file(law, game).events:
        if event.by == "table":
            (example,) = schemas["schemas"][f"{game}.event.{event.id}"]["examples"]
            # Alone, it comes too early; nothing else may be wrong with it.
            kinds = {one.constraint and one.constraint.kind for one in procedure.judge([example])}

            if event.id not in FORBIDDEN_BY_DEFAULT:
                assert kinds <= {"precedes"}, example


def test_no_outcome_is_forced_while_another_one_waits(judge, rounds_of, game):
    file = judge.procedures(game).of({}).file
    for script, played in rounds_of(game):
        tracker = BetTracker(file, throwing=game == "craps")
        for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=True)):
            list(tracker.take(at, act, answer))

        assert not tracker.vague, script.name


FIRST_BET = {
    "fish-prawn-crab": {"bet": "small"},
    "craps": {"bet": "field"},
    "three-card-baccarat": {"bet": "odd"},
    "fortune-three-card-poker": {"bet": "pair-plus", "place": "1"},
    "bacara": {"bet": "player"},
}


def test_forced_outcomes_come_in_the_order_in_which_they_were_forced(session, rounds_of, game):
    known = [
        act["outcome"]
        for script, _ in rounds_of(game)
        for act in script.acts
        if act["act"] == "force" and "lying" not in act["outcome"]
    ]
    # Hands at more places than have bets would not show.
    outcomes = [_at_first_place(one) for one in known if _at_first_place(one)][:3]
    acts = [{"act": "force", "outcome": outcome} for outcome in outcomes]
    seat = {"event": "take-seat", "player": "ana", "seat": "1"}
    acts += [{"act": "happen", "event": seat}] if game == "three-card-baccarat" else []
    for ticket in "abc":
        bet = {"act": "place-bet", "ticket": ticket, "player": "ana", "stake": 100}
        start = [] if game == "craps" else [{"act": "go-on"}]
        acts += [*start, bet | FIRST_BET[game], {"act": "go-on"}]

    played = play_script(session, Script(game=game, acts=acts))

    shown = [answer["outcome"] for answer in played.answers if "outcome" in answer]
    assert [_comparable(one) for one in shown] == [_comparable(one) for one in outcomes]


def _at_first_place(outcome):
    if "places" in outcome:
        # The croupier's hand shows only if somebody raised.
        return {}
    if "seats" in outcome:
        return {"banker": outcome["banker"]}
    return {"throws": outcome["throws"][:1]} if "throws" in outcome else outcome


def _comparable(outcome):
    return {
        name: value for name, value in outcome.items() if value and name not in {"lying", "seats"}
    }
