"""Decisive coverage: the cases and rounds that kill a mutant of each provision.

1. Every provision with a rule has mutants (`selo.rules.mutants.mutant_games`).
2. A case is decisive for a provision if its expectation differs under at least one mutant.
3. A mutant that is not a rule (it does not compile, contradicts the rest or leaves a bet without a
   result) is not tried; it is counted as unusable.
4. A provision plays a part in a case if the expectation is derived from it or the case is decisive
   for it: what a provision excludes is not part of a derivation, yet a mutant would include it.
5. Rounds are decisive for provisions about steps (`selo.examine.coverage.round_coverage`).
6. A provision under examination for which nothing is decisive is an error of the suite.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from selo.cases import offer_everything
from selo.cases.generate.case_stream import DEFAULT_SEED, stream_cases
from selo.cases.oracle import Oracle
from selo.examine.analysis.draw_results import count_deciding_tests, full_offer_terms
from selo.examine.coverage.round_coverage import measure_round_coverage, provisions_without_steps
from selo.examine.findings.declaration_findings import DECLARATIONS_GROUP, count_requirements
from selo.examine.kills import KillIndex
from selo.law import compute_spec_digest
from selo.law.files.provision_file import Way
from selo.rules.checks import list_games
from selo.rules.mutants import MUTANT_ERRORS, Cause, Mutant, generate_mutants
from selo.rules.readings import Readings
from selo.text.message_catalogue import message_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from selo.cases import Case
    from selo.cases.group import Budget
    from selo.examine.coverage.round_coverage import RoundCoverage
    from selo.law import Law, LocatedProvision


#: Cases indexed at once; their questions take most of the memory.
_CASES_IN_MEMORY: Final = 8_192
_PER_CENT: Final = 100
#: The group under which tests of draws are counted.
DRAWS_GROUP: Final = "draws"


class CoverageRow(msgspec.Struct, frozen=True, kw_only=True):
    """One provision: how it is verified, and which cases it plays a part in or decides."""

    id: str
    game: str
    verified_by: str
    also_verified_by: list[str]
    #: Cases in which the provision plays a part, and those that it decides.
    cases: int
    decisive: int
    #: The same of live rounds.
    rounds: int
    decisive_rounds: int
    #: How many of the decisive cases each group has.
    groups: dict[str, int]
    #: Variants that were tried; those that are no rule; those that no case tells from the law.
    variants: int
    unusable: int
    unnoticed: list[str]
    #: Why it is not examined.
    because: dict[str, str] | None
    #: Whether none of its steps asks for anything under the readings followed: no round can decide.
    steps_elsewhere: bool = False
    #: Whether it settles nothing under a reading that was adopted: no case can decide it.
    without_effect: bool = False

    @property
    def examined(self) -> bool:
        """Whether the provision is under examination."""
        ways = {self.verified_by, *self.also_verified_by}
        return Way.EXAMINATION in ways and not self.without_effect

    @property
    def played(self) -> bool:
        """Whether the provision is verified in live rounds under the readings followed."""
        ways = {self.verified_by, *self.also_verified_by}
        return Way.PROCEDURE in ways and not self.steps_elsewhere

    @property
    def drawn(self) -> bool:
        """Whether the provision is verified by statistics."""
        return Way.STATISTICS in {self.verified_by, *self.also_verified_by}

    @property
    def declared(self) -> bool:
        """Whether the provision is verified by what a vendor declares."""
        return Way.CONFIGURATION in {self.verified_by, *self.also_verified_by}


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """One game: how many of its provisions are examined, and for how many something decides."""

    game: str
    cases: int
    rounds: int
    provisions: int
    #: Provisions under examination by cases, and those that some case decides.
    examined: int
    decided: int
    #: Provisions that are verified in live rounds, and those that some round decides.
    played: int
    played_decided: int
    #: Of both together, in whole per cent, never rounded up.
    percent: int


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The ledger of decisive cases under one edition of the specs."""

    spec_digest: str
    budget: str
    seed: int
    #: Decisive cases of a provision were counted up to here; then its groups are not complete.
    most: int | None
    totals: list[Total]
    provisions: list[CoverageRow]

    def undecided(self) -> list[str]:
        """Return the provisions examined, played, declared or drawn that nothing decides."""
        return [
            row.id
            for row in self.provisions
            if (row.examined and not row.groups.keys() - {DECLARATIONS_GROUP, DRAWS_GROUP})
            or (row.played and not row.decisive_rounds)
            or (row.declared and DECLARATIONS_GROUP not in row.groups)
            or (row.drawn and DRAWS_GROUP not in row.groups)
        ]

    def decides(self, game: str, group: str) -> list[str]:
        """Return the provisions that a group of cases decides."""
        return [row.id for row in self.provisions if row.game == game and group in row.groups]


@dataclass(kw_only=True, slots=True)
class _ProvisionCount:
    cases: int = 0
    decisive: int = 0
    rounds: int = 0
    decisive_rounds: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    tried: dict[Cause, bool] = field(default_factory=dict)
    unusable: set[Cause] = field(default_factory=set)


def measure_coverage(  # noqa: PLR0913 - each is a choice of its own
    law: Law,
    wanted: Iterable[str] | None = None,
    *,
    budget: Budget = "quick",
    seed: int = DEFAULT_SEED,
    rulings: Mapping[str, str] | None = None,
    most: int | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Coverage:
    """Return the decisive cases of each provision, counted up to `most` if that is given.

    `done` is called with the number of mutants tried since the last call.
    """
    totals, rows = [], []
    for game in wanted or list_games(law):
        cases = stream_cases(
            law, offer_everything(law, [game]), budget=budget, seed=seed, rulings=rulings
        )
        size, counts = _count_cases(law, game, cases, Readings(law, rulings), most, done)
        for provision, times in count_requirements(law, game, Readings(law, rulings)).items():
            _add_group(counts.setdefault(provision, _ProvisionCount()), DECLARATIONS_GROUP, times)
        for provision, times in count_deciding_tests(
            law, full_offer_terms(law, game, rulings)
        ).items():
            _add_group(counts.setdefault(provision, _ProvisionCount()), DRAWS_GROUP, times)
        played = measure_round_coverage(law, game, Readings(law, rulings), most)
        for provision in {**played.about, **played.decisive}:
            _add_rounds(counts.setdefault(provision, _ProvisionCount()), played, provision, most)
        readings = Readings(law, rulings)
        idle = _WithoutEffect(
            provisions_without_steps(law, game, readings), readings.without_effect
        )
        game_rows = [
            _row_of(held, counts.get(held.id, _ProvisionCount()), idle)
            for held in law.provisions.values()
            if held.instrument.game == game
        ]
        rows += game_rows
        totals.append(_total_of(game, size, played.rounds, game_rows))
    return Coverage(
        spec_digest=compute_spec_digest(law),
        budget=budget,
        seed=seed,
        most=most,
        totals=totals,
        provisions=rows,
    )


def _count_cases(  # noqa: PLR0913, PLR0917 - the same
    law: Law,
    game: str,
    stream_of: Iterator[Case],
    readings: Readings,
    most: int | None,
    done: Callable[[int], None],
) -> tuple[int, dict[str, _ProvisionCount]]:
    """Return the number of cases, and what they decide."""
    counts: dict[str, _ProvisionCount] = {}
    size = 0
    while cases := list(islice(stream_of, _CASES_IN_MEMORY)):
        size += len(cases)
        oracle = Oracle(law, readings.rulings)
        index = KillIndex(oracle, oracle.game(game), cases)
        parts: dict[str, set[int]] = {}
        for at, provisions in enumerate(index.provisions_by_case):
            for provision in provisions:
                if provision in law.provisions:
                    parts.setdefault(provision, set()).add(at)
        decided: dict[str, set[int]] = {}
        for mutant in generate_mutants(law, game, readings):
            done(1)
            _count_mutant(
                counts.setdefault(mutant.provision, _ProvisionCount()), index, mutant,
                decided.setdefault(mutant.provision, set()), most,
            )  # fmt: skip
        for provision in {**parts, **decided}:
            both = parts.get(provision, set()) | decided.get(provision, set())
            counts.setdefault(provision, _ProvisionCount()).cases += len(both)
    return size, counts


def _count_mutant(
    count: _ProvisionCount, index: KillIndex, mutant: Mutant, decided: set[int], most: int | None
) -> None:
    """Add the cases that kill a mutant and none of its provision's mutants before it."""
    left = None if most is None else most - count.decisive
    if mutant.cause in count.unusable or (left is not None and left <= 0):
        return
    try:
        # One more than is left, since one of them may be counted already.
        killing = index.killing_cases(mutant, decided, None if left is None else left + 1)
    except MUTANT_ERRORS:
        count.unusable.add(mutant.cause)
        return
    count.tried[mutant.cause] = bool(killing) or count.tried.get(mutant.cause, False)
    new = [at for at in dict.fromkeys(killing) if at not in decided][:left]
    decided.update(new)
    count.decisive += len(new)
    count.groups.update(index.cases[at].group for at in new)


def _add_group(count: _ProvisionCount, group: str, times: int) -> None:
    """Add a group that decides a provision without cases: declarations, or tests of draws."""
    count.cases += times
    count.decisive += times
    count.groups[group] = times


def _add_rounds(
    count: _ProvisionCount, played: RoundCoverage, provision: str, most: int | None
) -> None:
    """Add the rounds in which a provision plays a part, and those that it decides."""
    decisive = played.decisive.get(provision, frozenset())
    count.rounds = len(decisive | played.about.get(provision, frozenset()))
    count.decisive_rounds = len(decisive) if most is None else min(len(decisive), most)


def _exemption_of(held: LocatedProvision) -> dict[str, str] | None:
    """Return why a provision is not examined; definitions share one sentence."""
    because = held.provision.because
    if because is None and {held.provision.verified_by, *held.provision.also} == {Way.DEFINITION}:
        because = message_words("coverage.definition")
    return None if because is None else msgspec.to_builtins(because)


class _WithoutEffect(NamedTuple):
    """Provisions without effect under the readings followed: in their steps, and in settlements."""

    steps: Collection[str]
    settlements: Collection[str]


def _row_of(held: LocatedProvision, count: _ProvisionCount, idle: _WithoutEffect) -> CoverageRow:
    provision = held.provision
    ways = {provision.verified_by, *provision.also}
    return CoverageRow(
        id=held.id,
        game=held.instrument.game,
        verified_by=provision.verified_by,
        also_verified_by=list(provision.also),
        cases=count.cases,
        decisive=count.decisive,
        rounds=count.rounds,
        decisive_rounds=count.decisive_rounds,
        groups=dict(count.groups),
        variants=len(count.tried.keys() | count.unusable),
        unusable=len(count.unusable),
        unnoticed=[
            cause.sentence
            for cause, noticed in count.tried.items()
            if not noticed and cause not in count.unusable
        ],
        because=_exemption_of(held),
        steps_elsewhere=held.id in idle.steps and Way.PROCEDURE in ways,
        without_effect=held.id in idle.settlements,
    )


def _total_of(game: str, size: int, rounds: int, rows: list[CoverageRow]) -> Total:
    examined = [row for row in rows if row.examined]
    decided = sum(1 for row in examined if row.decisive)
    played = [row for row in rows if row.played]
    shown = sum(1 for row in played if row.decisive_rounds)
    both = len(examined) + len(played)
    return Total(
        game=game,
        cases=size,
        rounds=rounds,
        provisions=len(rows),
        examined=len(examined),
        decided=decided,
        played=len(played),
        played_decided=shown,
        percent=_PER_CENT * (decided + shown) // both if both else 0,
    )
