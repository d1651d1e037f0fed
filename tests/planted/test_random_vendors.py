"""Random vendors: whatever else is wrong, no provision conforms whose fault changes an answer.

What is broken follows from the answers: a fault is effective if some planned answer is wrong, and
is another one without it.
"""

import functools
from random import Random

import msgspec
import pytest
from tests.often import often
from tests.planted.narrow_faults import (
    NarrowVendor,
    SomeTables,
    draw_narrow_fault,
    list_breakable,
)

from selo.examine.selftest.combination_selftest import CombinationScorer
from selo.examine.selftest.fault_combination import NotComposable
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.provision_score import Misjudgement, program_result
from selo.examine.selftest.random_vendor import draw_faults, draw_rare_fault
from selo.rounds import PlayedScript, Script
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings
from selo.verdict import Result
from selo.verdict.rulings import adopt_rulings

GAMES = (
    "pai-kao", "fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker",
    "craps",
)  # fmt: skip
SEEDS = range(30)
#: The samples of every run; the others belong to the full suite.
KEPT = [*(("pai-kao", seed) for seed in range(8)), ("fish-prawn-crab", 0)]
RARE_KEPT = [("pai-kao", seed) for seed in range(6)]
NARROW_KEPT = [("pai-kao", seed) for seed in range(3)]
TABLES_KEPT: list[tuple[str, int]] = []


@pytest.fixture(scope="module")
def scorer(law):
    rulings = adopt_rulings(law, defaults=True)
    return functools.cache(lambda game: CombinationScorer(Examiner(law, game, rulings)))


def cleared(scoring, faults):
    """Return the broken provisions of a vendor that conform."""
    try:
        score = scoring.score(faults)
    except NotComposable:
        return []
    return [one.provision for one in score.misjudged if one.judged is Misjudgement.CLEARED]


def samples(kept):
    return often([(game, seed) for game in GAMES for seed in SEEDS], *kept)


@pytest.mark.parametrize(("game", "seed"), samples(KEPT))
def test_no_provision_whose_fault_changes_an_answer_conforms(scorer, game, seed):
    faults = draw_faults(scorer(game), Random(f"{game} {seed} any"))  # noqa: S311 - a sample, not a secret

    assert cleared(scorer(game), faults) == [], [fault.name for fault in faults]


@pytest.mark.parametrize(("game", "seed"), samples(RARE_KEPT))
def test_a_fault_of_one_case_behind_a_common_one_is_not_cleared(scorer, game, seed):
    drawn = draw_rare_fault(scorer(game), Random(f"{game} {seed} rare"))  # noqa: S311 - the same
    if drawn is None:
        pytest.skip("no two faults of this game meet in a bet")

    score = scorer(game).score(drawn)

    broken = set().union(*(fault.breaks for fault in drawn))
    assert {*score.broken} == broken
    assert [one.provision for one in score.misjudged if one.judged is Misjudgement.CLEARED] == []


@pytest.fixture(scope="module")
def breakable(scorer):
    def of(game):
        scoring = scorer(game)
        # Every third case names what the others name.
        return list_breakable(scoring.planned_cases[::3], scoring.oracle)

    return functools.cache(of)


@pytest.mark.parametrize(("game", "seed"), samples(NARROW_KEPT))
def test_a_provision_that_is_broken_in_some_answers_only_does_not_conform(
    scorer, breakable, game, seed
):
    scoring, random = scorer(game), Random(f"{game} {seed} narrow")  # noqa: S311 - the same
    narrow = [draw_narrow_fault(breakable(game), random) for _ in range(random.randint(1, 2))]
    try:
        vendor = scoring.build(draw_faults(scoring, random)[:2] if seed % 2 else [])
    except NotComposable:
        vendor = scoring.build([])
    for fault in narrow:
        vendor = NarrowVendor(vendor, scoring.oracle, game, fault)

    verdicts = scoring.examine(vendor)

    broken = {name: str(fault) for fault in narrow for name in fault.broken}
    assert [broken[name] for name in broken if verdicts.get(name) is Result.CONFORMS] == []


class Round(msgspec.Struct):
    """A line of evidence with a round."""

    params: Script
    answer: PlayedScript


def broken_at_tables(examiner, transcript):
    """Return the provisions that some round breaks under every reading, whatever came before."""
    judge = RoundJudge(examiner.law, Readings(examiner.law, examiner.rulings.followed))
    rounds = [msgspec.json.decode(line, type=Round) for line in transcript.rounds]
    return {
        name
        for one in rounds
        for difference in judge.judge(one.params, one.answer)
        if not difference.open
        for name in difference.provisions
    }


@pytest.mark.parametrize(("game", "seed"), samples(TABLES_KEPT))
def test_a_provision_that_is_broken_at_some_tables_only_does_not_conform(scorer, game, seed):
    scoring, random = scorer(game), Random(f"{game} {seed} tables")  # noqa: S311 - the same
    played = [fault for fault in scoring.planted if fault.planted.shows]
    if not played:
        pytest.skip("this game has no live rounds")
    others = [fault for fault in scoring.planted if not fault.planted.declares]
    drawn = [random.choice(played), random.choice(others)]
    try:
        faulty = scoring.build(drawn)
    except NotComposable:
        pytest.skip("these two cannot be in one vendor")
    vendor = SomeTables(faulty, scoring.build([]), random.choice([2, 3, 7]))

    transcript = scoring.transcripts.transcribe(vendor)

    found = scoring.transcripts.examine(transcript).summary.provisions
    verdicts = {one.provision: program_result(one) for one in found}
    broken = broken_at_tables(scoring.transcripts, transcript)
    assert [name for name in broken if verdicts[name] is Result.CONFORMS] == []


def test_what_rounds_break_by_a_knock_on_effect_only_is_hidden_behind_its_finding(scorer):
    scoring = scorer("fish-prawn-crab")
    (fault,) = [one for one in scoring.planted if one.name == "does-not-ring"]

    transcript = scoring.transcripts.transcribe(scoring.build([fault]))
    result = scoring.transcripts.examine(transcript)

    verdicts = {one.provision: program_result(one) for one in result.summary.provisions}
    broken = broken_at_tables(scoring.transcripts, transcript)
    assert {name for name in broken if verdicts[name] is Result.VIOLATES} == fault.breaks
    (finding,) = [one for one in result.findings if one.provisions == [*fault.breaks]]
    assert {*finding.hides} == broken - fault.breaks != set()
    assert {verdicts[name] for name in finding.hides} == {Result.INCONCLUSIVE}
