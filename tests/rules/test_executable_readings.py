"""Every reading of the register is executed by a rule, or the register says who decides it."""

from itertools import combinations
from pathlib import Path

import pytest
import yaml

from selo.law.files.declaration_file import read_declarations
from selo.law.files.divergence_register import Severity
from selo.law.files.situation_file import read_situations
from selo.law.loader import load_law
from selo.rules.checks import check_games, list_games
from selo.rules.checks.game_check import find_rule_points
from selo.rules.declarations import read_randomness_rules
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

ROUNDS = Path(__file__).parent / "rounds"
FURTHER = yaml.safe_load((ROUNDS.parent / "further_situations.yaml").read_text("utf-8"))
#: These limits may only fall.
MOST_NOT_EXECUTABLE = 15
MOST_OUTCOMES_NOT_EXECUTABLE = 1


@pytest.fixture(scope="module")
def worked(law):
    """Return what follows from each reading in each case that was worked out by hand, by point."""
    found = {}
    for game in list_games(law):
        cases = {point: [case.expect] for point, case in read_situations(game).items()}
        for point, further in FURTHER.get(game, {}).items():
            cases[point] += [case["expect"] for case in further]
        declared = read_declarations(game)
        for point, case in (declared.readings if declared else {}).items():
            cases.setdefault(point, []).append(case.expect)
        path = ROUNDS / f"{game}.yaml"
        written = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for point, written_cases in written.get("readings", {}).items():
            for case in written_cases if isinstance(written_cases, list) else [written_cases]:
                cases.setdefault(point, []).append(case["expect"])
        for point, expected in cases.items():
            found.setdefault(point, []).extend(expected)
    return found


@pytest.fixture(scope="module")
def of_draws(law):
    """Return the points on which only the statistics of draws depend."""
    return {
        point
        for game in list_games(law)
        for rule in read_randomness_rules(law, game)
        for point in rule.under
    }


def test_few_points_have_no_executable_form(law):
    idle = [one for one in law.divergences if one.not_executable is not None]
    grave = [one for one in idle if one.severity is Severity.OUTCOME]

    assert len(idle) <= MOST_NOT_EXECUTABLE
    assert len(grave) <= MOST_OUTCOMES_NOT_EXECUTABLE


def test_a_point_that_changes_an_outcome_has_no_executable_form_only_where_nothing_is_settled(law):
    """Where a game has neither bets nor events, no answer and no round tells who wins."""
    for point in law.divergences:
        if point.not_executable is not None and point.severity is Severity.OUTCOME:
            game = point.situation.game
            compiled = compile_game(law, game, Readings(law))
            assert not compiled.bets, point.id
            assert find_events_file(law, game) is None, point.id
            assert point.not_executable.decided_by == "nobody", point.id


def test_a_rule_that_follows_a_point_tells_all_its_readings_apart(law, worked, of_draws):
    """A follower of one reading breaks the law under a ruling for any other."""
    alike = {
        (point.id, one.id, other.id)
        for point in law.divergences
        if point.id in find_rule_points(law) - of_draws
        for one, other in combinations(point.readings, 2)
        if all(expect[one.id] == expect[other.id] for expect in worked.get(point.id, []))
    }

    assert alike == set()


def test_no_case_is_worked_out_for_a_point_that_no_rule_follows(law, worked):
    assert worked.keys() <= find_rule_points(law)


IDLE = "21-96-m-1-b--details-of-the-cup"


def test_a_point_that_no_rule_follows_must_say_why(copy):
    path = copy.specs / "portaria-21-96-m/register/art-01.yaml"
    before, name, after = path.read_text(encoding="utf-8").partition(f"id: {IDLE}")
    reason = after[after.index("    not_executable:") : after.index("    situation:")]
    path.write_text(before + name + after.replace(reason, "", 1), encoding="utf-8")

    (found,) = check_games(load_law(specs=copy.specs, bilingual=copy.bilingual))

    assert found.problem == f"{IDLE}: no rule depends on this point"
    assert found.line == before.count("\n") + 1


def test_a_point_that_rules_follow_cannot_be_called_not_executable(copy):
    marked = "21-96-m-1--virtual-dice"
    path = copy.specs / "portaria-21-96-m/register/art-01.yaml"
    before, name, after = path.read_text(encoding="utf-8").partition(f"id: {marked}")
    reason = "    not_executable: {decided_by: nobody, because: {pt: a, zh: b, en: c}}\n"
    path.write_text(
        before + name + after.replace("    situation:\n", f"{reason}    situation:\n", 1),
        encoding="utf-8",
    )

    (found,) = check_games(load_law(specs=copy.specs, bilingual=copy.bilingual))

    assert found.problem == f"{marked}: rules depend on this point, so it is executable"
