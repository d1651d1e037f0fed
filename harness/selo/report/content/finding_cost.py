"""What a finding costs for every million staked: counted where its cause is known.

1. The cause of a finding is a change of one provision, or another reading of the law. The odds of
   the bet are counted in the game that is so changed, and held against those of the law: what does
   not come out otherwise weighs nothing.
2. Where no cause is known, or its odds cannot be counted, every bet that should end as this one is
   taken to be settled as this one was. It is no more than that, and this is said beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.money_format import exact
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import Option
from selo.rules.mutants import UNRULY, variants
from selo.rules.odds import EQUAL, WITHIN, Catalogue
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.findings import Finding
    from selo.law.loader import Law
    from selo.rules.mutants import Variant
    from selo.rules.odds import Figure

#: The turnover for which a cost is told.
MILLION: Final = 1_000_000
_WIN: Final = "win"


class Basis(StrEnum):
    """What a cost rests on."""

    COUNTED = "counted"
    AT_MOST = "at-most"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What is paid too much for every million staked on a bet; less than nothing is too little."""

    amount: Fraction
    basis: Basis


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A bet as it was placed, among others, at a table that is run in some manner."""

    bet: Mapping[str, Any]
    bets: Sequence[Mapping[str, Any]] = ()
    manners: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The bet by its name."""
        return str(self.bet.get("bet"))

    @property
    def stake(self) -> int:
        """What lies on it."""
        return int(self.bet.get("stake", 0))

    def of(self, figures: Iterable[Figure]) -> Iterator[Figure]:
        """Yield the odds of the bet as it was placed."""
        for figure in figures:
            alike = figure.bet == self.name and figure.choice == self.bet.get("choice")
            if alike and self._fits(figure):
                yield figure

    def _fits(self, figure: Figure) -> bool:
        to = self.bet.get("to")
        if isinstance(to, int) and figure.manner in {EQUAL, WITHIN}:
            first = int(self.bets[to]["stake"])
            highest = max(end.prize for end in figure.ends)
            return first == self.stake if figure.manner == EQUAL else highest * self.stake <= first
        return figure.manner is None or figure.manner in self.manners


class Costs:
    """Counts what findings cost, by one law."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._catalogue = Catalogue(law)
        self._known: dict[tuple[Any, ...], list[Figure]] = {}

    def of(self, one: Finding, figures: Iterable[Figure]) -> Cost | None:
        """Return what a finding costs; `figures` are the odds of its game by the law."""
        if one.bet is None or not one.money:
            return None
        placed = Placed(
            bet=one.params["bets"][one.bet], bets=one.params["bets"], manners=self._manners(one)
        )
        lawful = list(placed.of(figures))
        amount = self._counted(one, placed, lawful)
        if amount is not None:
            return Cost(amount=amount, basis=Basis.COUNTED)
        most = at_most(placed.stake, one.expected, one.money, lawful)
        return None if most is None else Cost(amount=most, basis=Basis.AT_MOST)

    def _manners(self, one: Finding) -> frozenset[str]:
        """Return how the table was run: as the case says, and else as the law has it."""
        options = one.params.get("options", {})
        usual: dict[str, str] = {}
        for written in read_clauses(self._law, one.game):
            option = written.clause
            if isinstance(option, Option) and option.values and not option.authorised:
                usual.setdefault(option.option, option.values[0])
        return frozenset(map(str, {**usual, **options}.values()))

    def _counted(self, one: Finding, placed: Placed, lawful: Sequence[Figure]) -> Fraction | None:
        if not one.cause or not lawful or not lawful[0].priced:
            return None
        altered = next(placed.of(self._altered(one, placed.name)), None)
        # What the count cannot feel is something else than what was seen.
        if altered is None or altered.ends == lawful[0].ends:
            return None
        return (lawful[0].edge - altered.edge) * MILLION

    def _altered(self, one: Finding, bet: str) -> list[Figure]:
        """Return the odds of a bet in the game that answers as the vendor did."""
        key = (one.game, tuple(one.provisions), one.cause, bet, *sorted(one.origin.rulings.items()))
        if key not in self._known:
            try:
                self._known[key] = self._count(one, bet)
            except UNRULY:
                # Not every rule that answers a case can be counted over all of them.
                self._known[key] = []
        return self._known[key]

    def _count(self, one: Finding, bet: str) -> list[Figure]:
        rulings = one.origin.rulings
        point, _, reading = one.cause.partition(": ")
        if any(point == divergence.id for divergence in self._law.divergences):
            readings = Readings(self._law, {**rulings, point: reading})
            return self._catalogue.alone(one.game, readings, bet)
        readings = Readings(self._law, rulings)
        found = next(_misread(one, variants(self._law, one.game, readings)), None)
        if found is None:
            return []
        return self._catalogue.alone(one.game, readings, bet, found.clauses)


def _misread(one: Finding, every: Iterable[Variant]) -> Iterator[Variant]:
    """Yield the changes of a broken provision that have the name of the cause."""
    mine = [variant for variant in every if variant.provision in one.provisions]
    yield from (variant for variant in mine if variant.name == one.cause)
    seen: set[str] = set()
    for variant in mine:
        if variant.line and variant.provision not in seen:
            seen.add(variant.provision)
            yield from (moved for moved in variant.displaced() if moved.name == one.cause)


def at_most(
    stake: int,
    expected: Mapping[str, Any],
    money: int | list[int],
    lawful: Iterable[Figure],
) -> Fraction | None:
    """Return what it would cost if every bet that should end as this one were settled so.

    Nothing if the odds of such an end are not known.
    """
    if not stake or not exact(money):
        return None
    prize = exact(expected["prize"]) / stake
    for figure in lawful:
        ends = [
            part
            for end, part in figure.ends.items()
            if end.result == expected["result"] and (end.result != _WIN or end.prize == prize)
        ]
        if ends:
            return exact(money) / Fraction(stake) * sum(ends, Fraction(0)) * MILLION
    return None
