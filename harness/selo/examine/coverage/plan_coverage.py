"""How many cases of a plan each provision decides, as far as a verdict must know.

1. A few cases of each group are looked at; most provisions are decided by several of them.
2. For those that are not, more cases are looked at where they decided some, and then everywhere.
3. Counting stops when it is plain that a provision is decided by several cases: a verdict asks
   whether there are any, and the ledger of coverage counts them all.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.examine.kills import Cases
from selo.examine.plan import Plan
from selo.law.files.provision_file import Way
from selo.parallel import TURN, in_turn, meanwhile
from selo.rules.mutants import variants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.rules.mutants import Variant


class Covered(msgspec.Struct, frozen=True, kw_only=True):
    """How many cases of a plan a provision plays a part in, and how many it decides."""

    cases: int
    decisive: int
    #: The group of the first case that it decides, and the place of that case in the group.
    first: tuple[str, int] | None = None


#: After so many decisive cases a provision needs no more.
ENOUGH: Final = 10
#: Sizes of samples, none of them a number of the law: so many cases of each group are looked at in
#: turn, those before them left out, and whether only in groups of which a provision has decided
#: some cases: it is likely to decide others of them.
_STAGES: Final = ((24, False), (200, True), (200, False), (2_000, False), (20_000, False))


#: What was counted for the plans seen last: a plan and its law are named by their digest.
_KNOWN: Final[dict[str, dict[tuple[str, Way], Covered]]] = {}
_MOST_KNOWN: Final = 8


def covered_by(law: Law, terms: Terms) -> dict[tuple[str, Way], Covered]:
    """Return how many cases of the plan decide each provision, counted up to a few."""
    if terms.digest not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[terms.digest] = _counted(law, terms)
    return _KNOWN[terms.digest]


@contextmanager
def covering(law: Law, terms: Terms) -> Iterator[None]:
    """Let another process count meanwhile; when the block ends, `covered_by` knows."""
    if terms.digest in _KNOWN:
        yield
        return
    with meanwhile(partial(covered_by, law, terms)) as counting:
        yield
        _KNOWN[terms.digest] = counting.result()


def _counted(law: Law, terms: Terms) -> dict[tuple[str, Way], Covered]:
    """Count game by game, side by side: changed rules are compiled a thousand times."""

    def worker(number: int, count: int) -> Iterator[Any]:
        for game in islice(terms.named, number, None, count):
            yield _counted_of(law, terms, game)
            yield TURN

    found: dict[tuple[str, Way], Covered] = {}
    for some in in_turn(worker, min(len(os.sched_getaffinity(0)), len(terms.named) or 1)):
        found |= some
    return found


def _counted_of(law: Law, terms: Terms, game: str) -> dict[tuple[str, Way], Covered]:
    oracle = Oracle(law, terms.rulings)
    left = [
        variant
        for variant in variants(law, game, Readings(law, terms.rulings))
        # Of what nobody asks for nothing is said.
        if not terms.provisions or variant.provision in terms.provisions
    ]
    decided = {one.provision: 0 for one in left}
    looked = dict(decided)
    where: dict[str, dict[str, int]] = {name: {} for name in decided}
    groups = _Groups(law, terms, game)
    for upto, known in _STAGES:
        names = {name for one in left for name in where[one.provision]} if known else None
        found = groups.next(upto, names) if left else []
        if found:
            watched = Cases(oracle, oracle.game(game), [case for _, case in found], tells=False)
            for name in dict.fromkeys(one.provision for one in left):
                looked[name] += len(found)
            for name, places in _count(watched, left, decided).items():
                for at in sorted(places):
                    where[name].setdefault(*found[at][0])
            left = [one for one in left if decided[one.provision] < ENOUGH]
    return {
        (name, Way.EXAMINATION): Covered(
            cases=looked[name], decisive=times, first=next(iter(where[name].items()), None)
        )
        for name, times in decided.items()
        # Of what no case was about nothing is said either.
        if looked[name]
    }


class _Groups:
    """The groups of a game, each looked at from where looking stopped."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        alone = [one for one in terms.games if one.game == game]
        plan = Plan(law, msgspec.structs.replace(terms, games=alone))
        self._groups = {group: enumerate(some) for _, group, _, _, some in plan.groups()}
        self._at = dict.fromkeys(self._groups, 0)

    def next(self, upto: int, names: set[str] | None) -> list[tuple[tuple[str, int], Case]]:
        """Return the next cases of some groups, or of all, with group and place in the group."""
        found = []
        for group, some in self._groups.items():
            if names is None or group in names:
                more = islice(some, upto - self._at[group])
                found += [((group, at), case) for at, case in more]
                self._at[group] = upto
        return found


def _count(watched: Cases, left: list[Variant], decided: dict[str, int]) -> dict[str, set[int]]:
    """Add how many cases each variant decides that none before it did, and return which."""
    known: dict[str, set[int]] = {}
    for variant in left:
        name = variant.provision
        mine = known.setdefault(name, set())
        if decided[name] + len(mine) >= ENOUGH:
            continue
        try:
            found = watched.decided(variant, mine, ENOUGH - decided[name] - len(mine) + 1)
        except (SeloError, ArithmeticError, LookupError, TypeError, ValueError):
            # Not every change of a rule makes a game.
            continue
        mine.update(found)
    for name, mine in known.items():
        decided[name] += len(mine)
    return {name: mine for name, mine in known.items() if mine}
