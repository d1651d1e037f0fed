"""Vendors with several known faults: planted ones, and mutants of the law.

1. Planted faults change one copy of the reference vendor, one after the other.
2. Mutants that replace different clauses are compiled into one game; any other pair of mutants is
   two games, of which the later prevails.
3. Wherever that game settles or compares unlike the law, its answer replaces the vendor's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cases.oracle.told_settlement import returned_stake
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.mutants import ANSWER_ERRORS, MUTANT_ERRORS
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause
    from selo.rules.mutants import Mutant
    from selo.verdict.rulings import Rulings


class NotComposable(Exception):
    """Faults that cannot be in one vendor."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownFault:
    """A planted fault or a mutant, and the provisions that it breaks."""

    name: str
    #: The provisions that it breaks; of a fault of a whole engine they follow from its answers.
    breaks: frozenset[str]
    #: Other provisions that are rightly blamed for it: they say the same, or share an open point.
    blamable: frozenset[str] = frozenset()
    planted: Any = field(default=None, compare=False, repr=False)
    mutant: Mutant | None = field(default=None, compare=False, repr=False)
    #: The only question that the mutant answers, as it is asked; nothing if it answers all.
    only: bytes | None = None
    #: Names the provision that is broken, from what is asked, a bet and its lawful settlement.
    names_broken: Callable[..., str] | None = field(default=None, compare=False, repr=False)

    @property
    def articles(self) -> frozenset[str]:
        """The articles that it breaks."""
        return frozenset("/".join(name.split("/")[:2]) for name in self.breaks)


class VendorBuilder:
    """Builds vendors of one game with any faults."""

    def __init__(self, law: Law, game: str, rulings: Rulings, planted_vendors: Any) -> None:
        self._law, self._game, self._planted_vendors = law, game, planted_vendors
        self._readings = Readings(law, rulings.followed)
        self._lawful = compile_game(law, game, self._readings).without_reasons()
        self._clauses = [
            written
            for written in read_clauses(law, game)
            if self._readings.allows(written.clause.under)
            and not isinstance(written.clause, c.UNSETTLED_CLAUSES)
        ]

    def build(self, faults: Sequence[KnownFault]) -> Any:
        """Return a vendor with all of these faults, or raise if there is none."""
        planted = [fault.planted for fault in faults if fault.planted is not None]
        mutants = [
            fault.mutant for fault in faults if fault.mutant is not None and fault.only is None
        ]
        try:
            vendor = self._planted_vendors.planted(self._game, _compose(planted))
            bets = frozenset(name for mutant in mutants for name in mutant.bets())
            for game in self._compile(mutants):
                vendor = MisreadVendor(vendor, self._lawful, game.without_reasons(), bets)
            for fault in faults:
                if fault.mutant is not None and fault.only is not None:
                    game = fault.mutant.compile().without_reasons()
                    vendor = MisreadVendor(
                        vendor, self._lawful, game, fault.mutant.bets(), only=fault.only
                    )
        except (AttributeError, *ANSWER_ERRORS) as error:
            raise NotComposable(str(error)) from error
        return vendor

    def _compile(self, mutants: Sequence[Mutant]) -> list[Any]:
        """Return the game with all mutants in it, or one game for each mutant."""
        replaced: dict[int, Sequence[LocatedClause]] = {}
        for mutant in mutants:
            replacement = self._replacement(mutant)
            if replacement is None or replacement[0] in replaced:
                return [mutant.compile() for mutant in mutants]
            replaced[replacement[0]] = replacement[1]
        if not mutants:
            return []
        clauses = [
            clause
            for at, written in enumerate(self._clauses)
            for clause in replaced.get(at, [written])
        ]
        try:
            return [compile_game(self._law, self._game, self._readings, clauses)]
        except MUTANT_ERRORS:
            return [mutant.compile() for mutant in mutants]

    def _replacement(self, mutant: Mutant) -> tuple[int, Sequence[LocatedClause]] | None:
        """Return the place of the one clause that a mutant replaces, and the new clauses."""
        kept = {id(written) for written in mutant.clauses}
        removed = [at for at, written in enumerate(self._clauses) if id(written) not in kept]
        if len(removed) != 1:
            return None
        at = removed[0]
        after = len(mutant.clauses) - (len(self._clauses) - at - 1)
        outside = [*mutant.clauses[:at], *mutant.clauses[after:]]
        lawful = [*self._clauses[:at], *self._clauses[at + 1 :]]
        same = [id(written) for written in outside] == [id(written) for written in lawful]
        return (at, mutant.clauses[at:after]) if same else None


def _compose(planted: Sequence[Any]) -> Any:
    """Return one planted fault that makes the changes of several, one after the other."""

    def apply(module: Any) -> None:
        for fault in planted:
            fault.apply(module)

    def serve(vendor: Any) -> None:
        for fault in planted:
            fault.serve(vendor)

    return replace(planted[0], apply=apply, serve=serve) if planted else None


def encode_question(params: Mapping[str, Any]) -> bytes:
    """Return a question as bytes that are the same for the same question."""
    return msgspec.json.encode(params, order="sorted")


class MisreadVendor:
    """A vendor that answers as a changed game does wherever that differs from the law."""

    def __init__(
        self,
        vendor: Any,
        lawful: Any,
        changed: Any,
        bets: frozenset[str],
        *,
        only: bytes | None = None,
    ) -> None:
        self._vendor, self._lawful, self._changed = vendor, lawful, changed
        self._bets, self._only = bets, only

    def _answers(self, params: Mapping[str, Any]) -> bool:
        """Return whether the changed game answers a question at all."""
        return self._only is None or encode_question(params) == self._only

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vendor, name)

    def settle(self, params: Mapping[str, Any]) -> Any:
        """Settle the bets of one case."""
        answer = self._vendor.settle(params)
        placed = params.get("bets", [])
        if self._bets.isdisjoint(bet["bet"] for bet in placed) or not self._answers(params):
            return answer
        case = (params.get("options", {}), params.get("outcome", {}), placed)
        try:
            lawful, changed = (game.settle_plain(*case) for game in (self._lawful, self._changed))
        except ANSWER_ERRORS:
            return answer
        settlements = [
            settlement if now == was else {**now, "stake": returned_stake(now, bet["stake"])}
            for settlement, was, now, bet in zip(
                answer["settlements"], lawful, changed, placed, strict=True
            )
        ]
        return {**answer, "settlements": settlements}

    def compare(self, params: Mapping[str, Any]) -> Any:
        """Compare two hands."""
        answer = self._vendor.compare(params)
        if not self._answers(params):
            return answer
        hands = sorted(params["a"]), sorted(params["b"])
        try:
            lawful, changed = (game.compare(*hands) for game in (self._lawful, self._changed))
        except ANSWER_ERRORS:
            return answer
        return answer if None in {lawful, changed} or lawful == changed else {"order": changed}
