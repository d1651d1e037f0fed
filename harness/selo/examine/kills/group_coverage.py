"""What groups of cases are about: the provisions they decide, and the readings they tell apart.

1. Some cases of every group of a game are settled together, so that every changed rule is compiled
   once for all of them.
2. Whoever wants to know all that they decide has every change tried. Whoever only lists it has the
   next clause come after a few changes that show nothing new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases.generate import SITUATIONS
from selo.cases.oracle import Oracle, compared, terse
from selo.examine.kills.mutant_kills import Cases, orders
from selo.rules.checks import OtherReadings
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import NO_RULE, variants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.law.loader import Law
    from selo.rules.mutants import Variant

#: So many changes of a clause may show nothing at all before the next clause comes; of a provision
#: that some group decides, one that shows nothing new is enough.
_DULL: Final = 4
#: So many cases of each group are looked at under every reading of every open point; of those of
#: the register, each of which is about a point, all.
_READ: Final = 4


class Telling:
    """Some cases of each group of one game, settled lawfully."""

    def __init__(
        self,
        law: Law,
        game: str,
        rulings: Mapping[str, str],
        groups: Mapping[str, Sequence[Case]],
    ) -> None:
        self._law, self._game, self._readings = law, game, Readings(law, rulings)
        self._groups = groups
        #: The group of each case.
        self._of = [name for name, some in groups.items() for _ in some]
        oracle = Oracle(law, rulings)
        cases = [case for some in groups.values() for case in some]
        self._cases = Cases(oracle, oracle.game(game), cases, tells=False)
        #: The groups in which each bet lies, and those in which hands are compared.
        self._with: dict[Any, set[str]] = {}
        for case, name in zip(cases, self._of, strict=True):
            for bet in case.bets:
                self._with.setdefault(bet.get("bet"), set()).add(name)
        self._comparing = {
            name for case, name in zip(cases, self._of, strict=True) if case.method == "compare"
        }

    def decides(self, wanted: Collection[str] = (), *, whole: bool = False) -> dict[str, list[str]]:
        """Return the provisions that each group decides: all, or those that are wanted."""
        found: dict[str, set[str]] = {name: set() for name in self._groups}
        for provision, clauses in self._clauses(wanted).items():
            decided: set[str] = set()
            for changes in clauses:
                self._try(changes, decided, whole=whole)
            for name in decided:
                found[name].add(provision)
        return {
            name: [provision for provision in self._law.provisions if provision in some]
            for name, some in found.items()
        }

    def _clauses(self, wanted: Collection[str]) -> dict[str, list[list[Variant]]]:
        """Return the changes of each provision, those of one clause together."""
        found: dict[str, dict[int, list[Variant]]] = {}
        for variant in variants(self._law, self._game, self._readings):
            if not wanted or variant.provision in wanted:
                found.setdefault(variant.provision, {}).setdefault(id(variant.was), []).append(
                    variant
                )
        return {name: list(clauses.values()) for name, clauses in found.items()}

    def _try(self, changes: Sequence[Variant], decided: set[str], *, whole: bool) -> None:
        """Add the groups of which some case is decided otherwise by some change of a clause."""
        dull = 0
        for change in changes:
            if decided and not self._felt(change) - decided:
                continue
            known = {at for at, name in enumerate(self._of) if name in decided}
            try:
                seen = {self._of[at] for at in self._cases.decided(change, known)}
            except NO_RULE:
                continue
            dull = 0 if seen - decided else dull + 1
            decided |= seen
            if not whole and dull >= (1 if decided else _DULL):
                return

    def _felt(self, change: Variant) -> set[str]:
        """Return the groups that can feel a change: a bet, or the order of hands."""
        found = {name for bet in change.bets() for name in self._with.get(bet, ())}
        return found | self._comparing if orders(change) else found

    def reads(self) -> dict[str, list[str]]:
        """Return the open points on which readings part in the cases of each group.

        What was ruled on is open no more.
        """
        others = OtherReadings(self._law, self._game, self._readings)
        first = list(self._first())
        found: dict[str, dict[str, None]] = {name: {} for name in self._groups}
        for point, reading in others:
            if point in self._readings.rulings:
                continue
            game = terse(others.game(point, reading))
            for at in first:
                case, name = self._cases.cases[at], self._of[at]
                if point in found[name]:
                    continue
                try:
                    now = (
                        compared(game, case)
                        if case.method == "compare"
                        else game.settle_plain(case.options, case.outcome, case.bets)
                    )
                except BadOutcome:
                    # Under this reading there is no such case.
                    now = None
                if now != self._cases.expected[at]:
                    found[name][point] = None
        return {name: list(points) for name, points in found.items()}

    def _first(self) -> Iterator[int]:
        """Yield the places of the cases that are looked at under every reading."""
        at = 0
        for name, some in self._groups.items():
            yield from range(at, at + (len(some) if name == SITUATIONS else min(len(some), _READ)))
            at += len(some)
