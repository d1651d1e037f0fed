"""Decisive coverage: for each provision, how many cases would be decided otherwise if it were.

1. Every provision with a rule has its variants (`selo.rules.variants`).
2. A case is decisive for a provision if its expectation differs under at least one of them.
3. A variant that is no rule (it does not compile, it contradicts the rest, it leaves a bet without
   a result) is not used, and is counted.
4. A provision under examination for which no case is decisive is an error of the suite.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases.expectation import Oracle
from selo.cases.scope import everything
from selo.cases.stream import DEFAULT_SEED, stream
from selo.examine.deciding import Cases
from selo.examine.declared import GROUP, asked_of
from selo.examine.drawn import deciding, everything_of
from selo.law.digest import spec_digest
from selo.law.model import Way
from selo.rules.check import games
from selo.rules.readings import Readings
from selo.rules.variants import NO_RULE, Variant, variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from selo.cases.case import Case
    from selo.cases.group import Budget
    from selo.law.reader import Held, Law

#: So many cases are held at once; their questions are the memory that is used.
_AT_ONCE: Final = 8_192
_PER_CENT: Final = 100
#: The group of tests of draws.
DRAWS: Final = "draws"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One provision: how it is verified, and which cases it plays a part in or decides."""

    id: str
    game: str
    verified_by: str
    also_verified_by: list[str]
    #: Cases whose derivation names the provision.
    cases: int
    decisive: int
    #: How many of the decisive cases each group has.
    groups: dict[str, int]
    #: Variants that were tried; those that are no rule; those that no case tells from the law.
    variants: int
    unusable: int
    unnoticed: list[str]
    #: Why it is not examined, in the words of the law files.
    because: dict[str, str] | None

    @property
    def examined(self) -> bool:
        """Whether the provision is under examination."""
        return Way.EXAMINATION in {self.verified_by, *self.also_verified_by}

    @property
    def drawn(self) -> bool:
        """Whether the provision is verified by statistics."""
        return Way.STATISTICS in {self.verified_by, *self.also_verified_by}

    @property
    def declared(self) -> bool:
        """Whether the provision is verified by what a vendor declares."""
        return Way.CONFIGURATION in {self.verified_by, *self.also_verified_by}


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """One game: how many of its provisions are examined, and for how many a case decides."""

    game: str
    cases: int
    provisions: int
    examined: int
    decided: int
    #: Whole per cent, never rounded up.
    percent: int


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The ledger of decisive cases under one edition of the specs."""

    spec_digest: str
    budget: str
    seed: int
    #: Decisive cases of a provision were counted up to here; then its groups are not complete.
    most: int | None
    totals: list[Total]
    provisions: list[Row]

    def undecided(self) -> list[str]:
        """Return the provisions under examination, declared or drawn, that nothing decides."""
        return [
            row.id
            for row in self.provisions
            if (row.examined and not row.groups.keys() - {GROUP, DRAWS})
            or (row.declared and GROUP not in row.groups)
            or (row.drawn and DRAWS not in row.groups)
        ]

    def decides(self, game: str, group: str) -> list[str]:
        """Return the provisions that a group of cases decides."""
        return [row.id for row in self.provisions if row.game == game and group in row.groups]


@dataclass(kw_only=True, slots=True)
class _Count:
    cases: int = 0
    decisive: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    tried: dict[str, bool] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)


def cover(  # noqa: PLR0913 - each is a choice of its own
    law: Law,
    wanted: Iterable[str] | None = None,
    *,
    budget: Budget = "quick",
    seed: int = DEFAULT_SEED,
    rulings: Mapping[str, str] | None = None,
    most: int | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Coverage:
    """Return how many cases each provision decides, counted up to `most` if that is given.

    `done` is told of every variant that was tried.
    """
    totals, rows = [], []
    for game in wanted or games(law):
        cases = stream(law, everything(law, [game]), budget=budget, seed=seed, rulings=rulings)
        size, counts = _counted(law, game, cases, Readings(law, rulings), most, done)
        for provision, times in asked_of(law, game, Readings(law, rulings)).items():
            _add(counts.setdefault(provision, _Count()), GROUP, times)
        for provision, times in deciding(law, everything_of(law, game, rulings)).items():
            _add(counts.setdefault(provision, _Count()), DRAWS, times)
        held = [one for one in law.provisions.values() if one.instrument.game == game]
        mine = [_row(one, counts.get(one.id, _Count())) for one in held]
        rows += mine
        totals.append(_total(game, size, mine))
    return Coverage(
        spec_digest=spec_digest(law),
        budget=budget,
        seed=seed,
        most=most,
        totals=totals,
        provisions=rows,
    )


def _counted(  # noqa: PLR0913, PLR0917 - the same
    law: Law,
    game: str,
    stream_of: Iterator[Case],
    readings: Readings,
    most: int | None,
    done: Callable[[int], None],
) -> tuple[int, dict[str, _Count]]:
    """Return how many cases there were, and what they decide."""
    counts: dict[str, _Count] = {}
    size = 0
    while some := list(islice(stream_of, _AT_ONCE)):
        size += len(some)
        oracle = Oracle(law, readings.rulings)
        cases = Cases(oracle, oracle.game(game), some)
        for provision, times in Counter(
            one for part in cases.parts for one in part if one in law.provisions
        ).items():
            counts.setdefault(provision, _Count()).cases += times
        decided: dict[str, set[int]] = {}
        for variant in variants(law, game, readings):
            done(1)
            _count(
                counts.setdefault(variant.provision, _Count()), cases, variant,
                decided.setdefault(variant.provision, set()), most,
            )  # fmt: skip
    return size, counts


def _count(
    count: _Count, cases: Cases, variant: Variant, decided: set[int], most: int | None
) -> None:
    """Add the cases that one variant decides and no other of its provision did."""
    left = None if most is None else most - count.decisive
    if variant.name in count.unusable or (left is not None and left <= 0):
        return
    try:
        # One more than is left: one of those found may have been decided before.
        found = cases.decided(variant, decided, None if left is None else left + 1)
    except NO_RULE:
        count.unusable.add(variant.name)
        return
    count.tried[variant.name] = bool(found) or count.tried.get(variant.name, False)
    new = [at for at in dict.fromkeys(found) if at not in decided][:left]
    decided.update(new)
    count.decisive += len(new)
    count.groups.update(cases.cases[at].group for at in new)


def _add(count: _Count, group: str, times: int) -> None:
    """Add what decides a provision without being a case: declarations, and tests of draws."""
    count.cases += times
    count.decisive += times
    count.groups[group] = times


def _row(held: Held, count: _Count) -> Row:
    provision = held.provision
    because = provision.because
    return Row(
        id=held.id,
        game=held.instrument.game,
        verified_by=provision.verified_by,
        also_verified_by=list(provision.also),
        cases=count.cases,
        decisive=count.decisive,
        groups=dict(count.groups),
        variants=len(count.tried.keys() | count.unusable),
        unusable=len(count.unusable),
        unnoticed=[
            name
            for name, noticed in count.tried.items()
            if not noticed and name not in count.unusable
        ],
        because=None if because is None else msgspec.to_builtins(because),
    )


def _total(game: str, size: int, rows: list[Row]) -> Total:
    examined = [row for row in rows if row.examined]
    decided = sum(1 for row in examined if row.decisive)
    return Total(
        game=game,
        cases=size,
        provisions=len(rows),
        examined=len(examined),
        decided=decided,
        percent=_PER_CENT * decided // len(examined) if examined else 0,
    )
