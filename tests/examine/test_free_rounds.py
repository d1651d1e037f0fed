"""A game is the same when nobody forces its outcome: by the law, as forced rounds, as cases."""

import copy

import msgspec
import pytest
from tests.examine.free_play import free_findings, play_freely
from tests.fixture_modules import load_fixture

from selo.cases import Scope
from selo.draws.draw_verdict import OutcomeSource
from selo.examine.findings import origin_of
from selo.examine.findings.draw_findings import collect_draw_findings
from selo.examine.free_rounds import FreeRounds
from selo.examine.free_rounds.free_round_plan import FIRST_WITH_REGULARS
from selo.examine.plan import terms_of
from selo.examine.vendor_description import offered_of
from selo.protocol import messages as m
from selo.protocol.schema import FORCE
from selo.rounds.generate import FREE_GROUP

GAMES = ["fish-prawn-crab", "craps", "three-card-baccarat", "fortune-three-card-poker", "bacara"]
CHEATS = load_fixture("unwatched/cheat.py").CHEATS
#: What each cheat is found by in each game in which it can be at work at all; the rest is `None`.
#: A verdict, or `fault` where the adapter does not keep what it offers.
DICE = {"fish-prawn-crab", "craps"}
NOT_AT_WORK = {
    # They spoil dice, or an order of cards that nobody cuts.
    "loaded": {"three-card-baccarat", "fortune-three-card-poker", "bacara"},
    "low-deal": {*DICE, "three-card-baccarat", "bacara"},
    # Only dice are announced or told in events; the croupier of poker pays by no event.
    "other-announcement": {"three-card-baccarat", "fortune-three-card-poker", "bacara"},
    "no-payment": {"fortune-three-card-poker"},
    # These games have no two equal events in one answer.
    "fewer-events": {"craps", "fortune-three-card-poker"},
}
#: How bets can be changed before the outcome of a game shows.
CHANGES = {
    "fish-prawn-crab": {"withdraw-bet", "lower-stake", "raise-stake", "move-stake"},
    "three-card-baccarat": {"withdraw-bet", "lower-stake"},
    "fortune-three-card-poker": {"withdraw-bet", "lower-stake"},
    "craps": set(), "bacara": set(),
}  # fmt: skip
PAIRS = [
    (cheat, game) for cheat in CHEATS for game in GAMES if game not in NOT_AT_WORK.get(cheat, ())
]
#: One game for some cheats; all others stand behind the mark.
QUICK = {"half-prize": "bacara", "loaded": "fish-prawn-crab", "large-stakes": "craps",
         "cases-otherwise": "craps", "low-deal": "fortune-three-card-poker",
         "fewer-events": "bacara"}  # fmt: skip


#: In which games each habit of guests can be at work at all, if not in all.
HABITS = load_fixture("unwatched/habits.py").CHEATS
WHERE = {
    "limits-declared": {"fish-prawn-crab", "craps", "three-card-baccarat"},
    "many-players": {"fish-prawn-crab", "craps"},
    "full-table": {"fish-prawn-crab"},
    # There are few tables of craps, of which few have such guests.
    "guest-comes-again": set(GAMES) - {"craps"},
    # Bets of craps wait for several throws, so that a table sees fewer of them.
    "regular-guest": set(GAMES) - {"craps"},
    "bet-changed": {name for name, changes in CHANGES.items() if changes},
    "stake-lowered": {name for name, changes in CHANGES.items() if "lower-stake" in changes},
    "bet-withdrawn": {name for name, changes in CHANGES.items() if "withdraw-bet" in changes},
}
BY_HABIT = [(habit, game) for habit in HABITS for game in GAMES if game in WHERE.get(habit, GAMES)]
QUICK_HABITS = {"long-table": "three-card-baccarat", "one-player": "bacara",
                "limits-declared": "craps", "the-same-again": "fish-prawn-crab"}  # fmt: skip


def is_caught(law, cheat, game):
    # What is drawn where no article asks for chance is held against `draw`.
    vendor = (CHEATS | HABITS)[cheat]([game])
    results, terms = play_freely(law, vendor, game, draws=cheat == "short-period")
    findings = list(collect_draw_findings(law, terms, results, origin_of(terms)))
    return bool(findings) or results.free.tally.has_faults


@pytest.mark.parametrize(("cheat", "game"), QUICK.items())
def test_a_game_that_is_otherwise_when_nobody_forces_it_is_caught(law, cheat, game):
    assert is_caught(law, cheat, game)


@pytest.mark.full
@pytest.mark.parametrize(("cheat", "game"), PAIRS)
def test_every_cheat_is_caught_in_every_game_in_which_it_is_at_work(law, cheat, game):
    assert is_caught(law, cheat, game)


@pytest.mark.parametrize(("habit", "game"), QUICK_HABITS.items())
def test_a_game_that_goes_by_a_habit_of_its_guests_is_caught(law, habit, game):
    assert is_caught(law, habit, game)


@pytest.mark.full
@pytest.mark.parametrize(("habit", "game"), BY_HABIT)
def test_every_habit_is_met_in_every_game_in_which_guests_can_have_it(law, habit, game):
    assert is_caught(law, habit, game)


@pytest.mark.parametrize("game", ["craps", "bacara"])
def test_a_lawful_vendor_is_the_same_forced_or_not(law, reference, game):
    results, _ = play_freely(law, reference([game]), game)

    tally = results.free.tally
    assert not tally.unlike
    assert not tally.has_faults
    assert not [one for one in tally.rounds.breaches() if not one.difference.open]


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", GAMES)
def test_lawful_vendors_are_never_accused(law, reference, game, seed):
    findings = free_findings(law, reference([game]), game, seed=f"{seed}", draws=True)

    assert not [one.cause for one in findings if one.verdict != "open"]


@pytest.fixture
def reference():
    return load_fixture("adapters/python/reference.py").ReferenceVendor


@pytest.fixture(scope="module")
def craps_rounds(law):
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor(["craps"])
    return play_freely(law, vendor, "craps", draws=True)


def test_nothing_is_forced_and_no_ticket_stands_in_two_tables(craps_rounds):
    results, _ = craps_rounds
    scripts = results.free.scripts("craps")

    assert all(script.group == FREE_GROUP for script in scripts)
    assert not [act for script in scripts for act in script.acts if act["act"] == FORCE]
    tickets = [act["ticket"] for script in scripts for act in script.acts if "ticket" in act]
    assert len(tickets) == len(set(tickets))


@pytest.mark.parametrize(("engine", "come_again"), [(FIRST_WITH_REGULARS, True), (2, False)])
def test_guests_come_again_in_plans_of_engines_that_know_them(law, reference, engine, come_again):
    description = msgspec.convert(reference(["bacara"]).describe({}), m.Description)
    terms = msgspec.structs.replace(terms_for(law, description), engine=engine)

    scripts = FreeRounds(law, terms, description.games).scripts("bacara")

    met = [{act["player"] for act in one.acts if "player" in act} for one in scripts]
    assert len(set().union(*met)) < sum(map(len, met)) or not come_again
    assert len(set().union(*met)) == sum(map(len, met)) or come_again


@pytest.mark.parametrize("game", GAMES)
def test_free_rounds_have_every_kind_of_bet_that_is_offered(law, reference, game):
    description = msgspec.convert(reference([game]).describe({}), m.Description)
    free = FreeRounds(law, terms_for(law, description), description.games)

    placed = {
        act.get("bet", act["act"])
        for script in free.scripts(game)
        for act in script.acts
        if act["act"] in {"place-bet", "raise"}
    }
    assert placed == {*description.games[0].bets}


@pytest.mark.parametrize("game", GAMES)
def test_free_tables_are_short_and_long_with_one_bet_and_many_limited_and_not(law, reference, game):
    description = msgspec.convert(reference([game]).describe({}), m.Description)
    scripts = FreeRounds(law, terms_for(law, description), description.games).scripts(game)
    acts = {act["act"] for script in scripts for act in script.acts}
    placed = [sum(act["act"] == "place-bet" for act in script.acts) for script in scripts]
    stakes = [act["stake"] for script in scripts for act in script.acts if "stake" in act]

    assert min(placed) == 1
    assert sum(act["act"] == "go-on" for act in scripts[0].acts) >= 16
    assert "limits" not in description.games[0].options or {
        script.options.get("limits", "none") for script in scripts
    } == {"none", "declared"}
    assert CHANGES[game] <= acts
    assert min(stakes) < 20
    assert max(stakes) > 100_000
    assert {len({act.get("player") for act in script.acts} - {None}) for script in scripts} >= {1}


def test_what_tables_draw_is_tested_alone_and_beside_draw(craps_rounds):
    results, _ = craps_rounds

    assert {test.source for test in results.statistics} == {*OutcomeSource} - {OutcomeSource.PACK}
    assert {test.tests for test in results.statistics} == {len(results.statistics)}


def test_the_outcomes_of_tables_are_all_counted(craps_rounds):
    results, _ = craps_rounds
    (sample,) = results.table_samples()
    throws = sum(
        len(answer["outcome"]["throws"])
        for one in results.free.tally_lines
        for answer in one.answer.free.answers
        if answer.get("outcome")
    )

    assert len(sample.rows()) == throws >= 200


def terms_for(law, description):
    return terms_of(
        law, Scope(games=tuple(map(offered_of, description.games))), as_of="2026-01-01",
        rulings={}, budget="quick", seed=3, provisions=[],
    )  # fmt: skip


class TestRecord:
    """A line of a free round stands in its place and is not altered."""

    @pytest.fixture
    def record(self, law, craps_rounds):
        results, terms = craps_rounds
        offers = results.free.tally.offers
        return FreeRounds(law, terms, offers), results

    def line(self, results, n=0):
        return msgspec.json.decode(results.free.tally_lines[n].line(n))

    def test_the_next_line_of_the_plan_is_taken(self, record):
        free, results = record

        free.add_line(self.line(results))

        assert free.played("craps") == 1

    @pytest.mark.parametrize("forge", [
        lambda line: line["params"]["acts"].pop(),
        lambda line: line["params"].update(name="free-2"),
        lambda line: line["params"]["acts"][0].update(stake=1),
        lambda line: line.update(group="lines"),
        lambda line: line.update(right=True),
    ])  # fmt: skip
    def test_another_question_is_refused(self, record, forge):
        free, results = record
        line = copy.deepcopy(self.line(results))
        forge(line)

        with pytest.raises((ValueError, LookupError)):
            free.add_line(line)

    def test_a_line_out_of_its_place_is_refused(self, record):
        free, results = record

        with pytest.raises(ValueError, match="not the next free round"):
            free.add_line(self.line(results, 1))

    def test_missing_tables_are_told(self, record):
        free, results = record
        free.add_line(self.line(results))

        assert "1 free tables of craps" in free.find_departure([])

    def test_a_second_look_needs_a_doubt(self, record):
        free, results = record
        for n in range(len(results.free.tally_lines)):
            free.add_line(self.line(results, n))

        assert free.find_departure([]) is None
        assert "of craps" in free.find_departure(["craps"])
