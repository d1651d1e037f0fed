"""Group coverage: the provisions that groups of cases decide, and the readings they distinguish.

1. Some cases of every group of a game are indexed together, so each mutant is compiled once.
2. All mutants are tried to find every decided provision. For a listing, the mutants of a clause are
   abandoned after a few that kill nothing new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases.generate import SITUATION_GROUP
from selo.cases.oracle import Oracle, compare_hands
from selo.examine.kills.kill_prefilter import affects_hand_order
from selo.examine.kills.mutant_kills import KillIndex
from selo.rules.checks import AlternativeReadings
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import MUTANT_ERRORS, generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.law import Law
    from selo.rules.mutants import Mutant

#: Mutants of a clause in a row that may survive before the clause is abandoned; once some group
#: decides the provision, one mutant that shows nothing new is enough.
_MAX_MUTANTS_WITHOUT_NEWS: Final = 4
#: Cases of each group that are settled under every reading of every open point; of the register's
#: situations, each of which is about a point, all are.
_CASES_PER_READING: Final = 4


class GroupCoverage:
    """The coverage of some cases of each group of one game."""

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
        self._group_of_case = [name for name, cases in groups.items() for _ in cases]
        oracle = Oracle(law, rulings)
        cases = [case for group in groups.values() for case in group]
        self._index = KillIndex(oracle, oracle.game(game), cases, with_reasons=False)
        #: The groups in which each bet is placed, and those in which hands are compared.
        self._groups_by_bet: dict[Any, set[str]] = {}
        for case, name in zip(cases, self._group_of_case, strict=True):
            for bet in case.bets:
                self._groups_by_bet.setdefault(bet.get("bet"), set()).add(name)
        self._comparing_groups = {
            name
            for case, name in zip(cases, self._group_of_case, strict=True)
            if case.method == "compare"
        }

    def decisive_provisions(
        self, wanted: Collection[str] = (), *, every_mutant: bool = False
    ) -> dict[str, list[str]]:
        """Return the provisions that each group decides: all, or those wanted."""
        provisions: dict[str, set[str]] = {name: set() for name in self._groups}
        for provision, clauses in self._mutants_by_clause(wanted).items():
            decided: set[str] = set()
            for mutants in clauses:
                self._try_mutants(mutants, decided, every_mutant=every_mutant)
            for name in decided:
                provisions[name].add(provision)
        return {
            name: [provision for provision in self._law.provisions if provision in decided]
            for name, decided in provisions.items()
        }

    def _mutants_by_clause(self, wanted: Collection[str]) -> dict[str, list[list[Mutant]]]:
        """Return the mutants of each provision, those of one clause together."""
        by_clause: dict[str, dict[int, list[Mutant]]] = {}
        for mutant in generate_mutants(self._law, self._game, self._readings):
            if not wanted or mutant.provision in wanted:
                by_clause.setdefault(mutant.provision, {}).setdefault(id(mutant.was), []).append(
                    mutant
                )
        return {name: list(clauses.values()) for name, clauses in by_clause.items()}

    def _try_mutants(
        self, mutants: Sequence[Mutant], decided: set[str], *, every_mutant: bool
    ) -> None:
        """Add to `decided` the groups of which some case kills some mutant of a clause."""
        survived = 0
        for mutant in mutants:
            if decided and not self._affected_groups(mutant) - decided:
                continue
            skip = {at for at, name in enumerate(self._group_of_case) if name in decided}
            try:
                killed_in = {
                    self._group_of_case[at] for at in self._index.killing_cases(mutant, skip)
                }
            except MUTANT_ERRORS:
                continue
            survived = 0 if killed_in - decided else survived + 1
            decided |= killed_in
            if not every_mutant and survived >= (1 if decided else _MAX_MUTANTS_WITHOUT_NEWS):
                return

    def _affected_groups(self, mutant: Mutant) -> set[str]:
        """Return the groups that a mutant can affect through a bet or the order of hands."""
        affected = {name for bet in mutant.bets() for name in self._groups_by_bet.get(bet, ())}
        return affected | self._comparing_groups if affects_hand_order(mutant) else affected

    def open_points(self) -> dict[str, list[str]]:
        """Return the open points without a ruling whose readings each group distinguishes."""
        others = AlternativeReadings(self._law, self._game, self._readings)
        places = list(self._cases_read())
        points: dict[str, dict[str, None]] = {name: {} for name in self._groups}
        for point, reading in others:
            if point in self._readings.rulings:
                continue
            game = others.game(point, reading).without_reasons()
            for at in places:
                case, name = self._index.cases[at], self._group_of_case[at]
                if point in points[name]:
                    continue
                try:
                    now = (
                        compare_hands(game, case)
                        if case.method == "compare"
                        else game.settle_plain(case.options, case.outcome, case.bets)
                    )
                except BadOutcome:
                    # The case is not valid under this reading.
                    now = None
                if now != self._index.expected[at]:
                    points[name][point] = None
        return {name: list(distinguished) for name, distinguished in points.items()}

    def _cases_read(self) -> Iterator[int]:
        """Yield the places of the cases that are settled under every reading."""
        at = 0
        for name, cases in self._groups.items():
            size = len(cases)
            yield from range(
                at, at + (size if name == SITUATION_GROUP else min(size, _CASES_PER_READING))
            )
            at += size
