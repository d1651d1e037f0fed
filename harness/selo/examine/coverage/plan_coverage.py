"""Counts the decisive cases of each provision in a plan, as far as a verdict needs them.

1. Mutants of each provision are tried on a few cases of each group; most are killed by several.
2. For the others, more cases are tried in groups that killed some, and then in all groups.
3. Counting stops at `ENOUGH`: a verdict asks whether a provision is decided at all. The coverage
   ledger (`decisive_coverage`) counts every case.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.examine.blame.plan_index import index_plan
from selo.examine.coverage.sound_coverage import count_sound_answers
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, PlanKey
from selo.law.files.provision_file import Way
from selo.parallel import END_OF_CHUNK, background_work, run_workers
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.blame import Hypothesis
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant


class DecisiveCount(msgspec.Struct, frozen=True, kw_only=True):
    """The number of cases on which a provision was tried, and of those that it decides."""

    cases: int
    decisive: int
    #: The group of the first case that it decides, and the place of that case in the group.
    first: tuple[str, int] | None = None
    #: The decisive cases that must have been answered rightly.
    required: int = 1


#: Decisive cases of a provision after which counting stops.
ENOUGH: Final = 10
#: Sizes of samples, none of them a number of the law: the number of cases of each group up to which
#: a stage counts, and whether it counts only in groups in which the provision was decisive before.
_STAGES: Final = ((24, False), (200, True), (200, False), (2_000, False), (20_000, False))
#: Covering designs are checked only if this many cases of each other group do not suffice.
_CASES_BEFORE_DESIGNS: Final = 200
_MAX_PLANS_CACHED: Final = 8

#: The counts of each provision in each way in which it is verified.
DecisiveCounts = dict[tuple[str, Way], DecisiveCount]


class PlanCoverage:
    """The decisive counts of one plan, computed once and, if that was begun, in the background.

    `coverage_of` returns the same object for the same plan, so whoever needs the counts later finds
    what was counted meanwhile.
    """

    def __init__(self, law: Law, terms: Terms) -> None:
        self._law, self._terms = law, terms
        self._counts: DecisiveCounts | None = None

    def counts(self) -> DecisiveCounts:
        """Return how many cases of the plan decide each provision, counted up to a few."""
        if self._counts is None:
            self._counts = _count_plan(self._law, self._terms)
        return self._counts

    def sound_counts(self, analysis: EvidenceAnalysis) -> DecisiveCounts:
        """Return the same counted by right answers, in games that have others or lack some."""
        counts = dict(self.counts())
        for game, tally in analysis.tallies.items():
            if not (len(tally.wrong_answers) or tally.unanswered_places):
                continue
            index = index_plan(self._law, self._terms, game)
            by_provision: dict[str, list[Hypothesis]] = {}
            for mutant in analysis.mutants_of(game):
                by_provision.setdefault(mutant.provision, []).append(mutant)
            for provision, mutants in by_provision.items():
                planned = counts.get((provision, Way.EXAMINATION))
                if planned is not None and planned.decisive:
                    sound = count_sound_answers(mutants, index, tally, ENOUGH)
                    if sound is not None:
                        counts[provision, Way.EXAMINATION] = msgspec.structs.replace(
                            planned, decisive=sound.right, required=sound.required
                        )
        return counts

    @contextmanager
    def count_meanwhile(self) -> Iterator[None]:
        """Count in another process while the block runs."""
        if self._counts is not None:
            yield
            return
        with background_work(self.counts) as counting:
            yield
            self._counts = counting.result()


def coverage_of(law: Law, terms: Terms) -> PlanCoverage:
    """Return the coverage of a plan."""
    return _cached_coverage(PlanKey.of(law, terms))


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _cached_coverage(key: PlanKey) -> PlanCoverage:
    return PlanCoverage(key.law, key.terms)


def _count_plan(law: Law, terms: Terms) -> DecisiveCounts:
    """Count the games in parallel: thousands of mutants are compiled."""

    def worker(number: int, count: int) -> Iterator[Any]:
        for game in islice(terms.game_names, number, None, count):
            yield _count_game(law, terms, game)
            yield END_OF_CHUNK

    counts: DecisiveCounts = {}
    processes = min(len(os.sched_getaffinity(0)), len(terms.game_names) or 1)
    for game_counts in run_workers(worker, processes):
        counts |= game_counts
    return counts


def _count_game(law: Law, terms: Terms, game: str) -> DecisiveCounts:
    oracle = Oracle(law, terms.rulings)
    left = [
        mutant
        for mutant in generate_mutants(law, game, Readings(law, terms.rulings))
        if not terms.provisions or mutant.provision in terms.provisions
    ]
    decisive = {mutant.provision: 0 for mutant in left}
    tried = dict(decisive)
    #: The first decisive place in each group, by provision.
    first: dict[str, dict[str, int]] = {name: {} for name in decisive}
    cursor = _GroupCursor(law, terms, game)
    for upto, only_decisive_groups in _STAGES:
        names = None
        if only_decisive_groups:
            names = {name for mutant in left for name in first[mutant.provision]}
        placed = cursor.next(upto, names) if left else []
        if placed:
            cases = [case for _, case in placed]
            index = KillIndex(
                oracle,
                oracle.game(game),
                cases,
                with_reasons=False,
                told=terms.told_by(game),
                mutants=left,
            )
            for name in dict.fromkeys(mutant.provision for mutant in left):
                tried[name] += len(placed)
            for name, places in _count_kills(index, left, decisive).items():
                for at in sorted(places):
                    first[name].setdefault(*placed[at][0])
            left = [mutant for mutant in left if decisive[mutant.provision] < ENOUGH]
    return {
        (name, Way.EXAMINATION): DecisiveCount(
            cases=tried[name], decisive=times, first=next(iter(first[name].items()), None)
        )
        for name, times in decisive.items()
        if tried[name]
    }


class _GroupCursor:
    """The groups of a game, each read on from where the last stage stopped."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        alone = [planned for planned in terms.games if planned.game == game]
        plan = Plan(law, msgspec.structs.replace(terms, games=alone))
        self._groups = {
            group.name: enumerate(plan.cases(game, group)) for _, group in plan.groups()
        }
        self._at = dict.fromkeys(self._groups, 0)
        #: Covering designs, of which one case may hold a hundred bets.
        self._large = {group.name for _, group in plan.groups() if group.design != "complete"}

    def next(self, upto: int, names: set[str] | None) -> list[tuple[tuple[str, int], Case]]:
        """Return the next cases of the named groups, or of all, with group and place in it."""
        placed = []
        for group, cases in self._groups.items():
            if (names is None or group in names) and (
                upto > _CASES_BEFORE_DESIGNS or group not in self._large
            ):
                more = islice(cases, upto - self._at[group])
                placed += [((group, at), case) for at, case in more]
                self._at[group] = upto
        return placed


def _count_kills(
    index: KillIndex, mutants: list[Mutant], decisive: dict[str, int]
) -> dict[str, set[int]]:
    """Add the cases that kill each mutant and none before it to `decisive`, and return them."""
    killing: dict[str, set[int]] = {}
    for mutant in mutants:
        name = mutant.provision
        mine = killing.setdefault(name, set())
        left = ENOUGH - decisive[name] - len(mine)
        if left <= 0:
            continue
        try:
            mine.update(index.killing_cases(mutant, mine, left + 1))
        except (SeloError, ArithmeticError, LookupError, TypeError, ValueError):
            # Not every mutant compiles to a game.
            continue
    for name, mine in killing.items():
        decisive[name] += len(mine)
    return {name: mine for name, mine in killing.items() if mine}
