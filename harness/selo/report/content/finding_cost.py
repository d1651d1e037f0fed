"""The cost of a finding for every million staked.

1. Where the cause is known, the exact odds of the bet in the mutant, or under the other reading,
   are compared with those of the law. A cause that does not change the odds has no cost.
2. Where every bet of the plan that should end as this one was settled as this one was, the cost
   is exact too: the chance of that end, times what is paid wrongly.
3. In all other cases that is an upper bound. Documents say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.money_format import to_fraction
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import Option
from selo.rules.mutants import ANSWER_ERRORS, Operator, generate_mutants
from selo.rules.odds import EQUAL_STAKES, WITHIN_LIMIT, OddsCatalogue
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.findings import Finding
    from selo.law import Law
    from selo.rules.mutants import Cause, Mutant
    from selo.rules.odds import BetOdds
    from selo.table_values import Bet

#: The turnover to which a cost refers.
MILLION: Final = 1_000_000
_WIN: Final = "win"


class CostBasis(StrEnum):
    """How a cost was computed."""

    COUNTED = "counted"
    AT_MOST = "at-most"


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingCost:
    """The overpayment for every million staked on a bet; negative if too little is paid."""

    amount: Fraction
    basis: CostBasis
    #: The house edge of the bet by the law, where it is known.
    lawful_edge: Fraction | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedBet:
    """A bet as it was placed, with the other bets and the manners of its table."""

    bet: Bet
    bets: Sequence[Bet] = ()
    manners: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name of the bet."""
        return str(self.bet.get("bet"))

    @property
    def stake(self) -> int:
        """The stake."""
        return int(self.bet.get("stake", 0))

    def odds_in(self, figures: Iterable[BetOdds]) -> Iterator[BetOdds]:
        """Yield the odds of the bet as it was placed."""
        for figure in figures:
            alike = figure.bet == self.name and figure.choice == self.bet.get("choice")
            if alike and self._fits(figure):
                yield figure

    def _fits(self, figure: BetOdds) -> bool:
        to = self.bet.get("to")
        if isinstance(to, int) and figure.manner in {EQUAL_STAKES, WITHIN_LIMIT}:
            first = int(self.bets[to]["stake"])
            highest = max(end.prize for end in figure.ends)
            return (
                first == self.stake
                if figure.manner == EQUAL_STAKES
                else highest * self.stake <= first
            )
        return figure.manner is None or figure.manner in self.manners


class FindingCosts:
    """Computes the costs of findings under one law."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._catalogue = OddsCatalogue(law)
        self._odds: dict[tuple[str, Cause, str, tuple[tuple[str, str], ...]], list[BetOdds]] = {}

    def of(self, finding: Finding, figures: Iterable[BetOdds]) -> FindingCost | None:
        """Return what a finding costs; `figures` are the lawful odds of its game."""
        if finding.bet is None or not finding.money:
            return None
        bets = finding.params["bets"]
        placed = PlacedBet(bet=bets[finding.bet], bets=bets, manners=self._manners(finding))
        lawful = list(placed.odds_in(figures))
        edge = lawful[0].edge if lawful and lawful[0].priced else None
        amount = self._exact_cost(finding, placed, lawful)
        if amount is not None:
            return FindingCost(amount=amount, basis=CostBasis.COUNTED, lawful_edge=edge)
        most = highest_cost(placed.stake, finding.expected, finding.money, lawful)
        if most is None:
            return None
        basis = CostBasis.COUNTED if finding.every_such_bet else CostBasis.AT_MOST
        return FindingCost(amount=most, basis=basis, lawful_edge=edge)

    def _manners(self, finding: Finding) -> frozenset[str]:
        """Return how the table was run: as the case says, and else by the defaults of the law."""
        options = finding.params.get("options", {})
        usual: dict[str, str] = {}
        for written in read_clauses(self._law, finding.game):
            option = written.clause
            if isinstance(option, Option) and option.values and not option.authorised:
                usual.setdefault(option.option, option.values[0])
        return frozenset(map(str, {**usual, **options}.values()))

    def _exact_cost(
        self, finding: Finding, placed: PlacedBet, lawful: Sequence[BetOdds]
    ) -> Fraction | None:
        if finding.cause_parts is None or not lawful or not lawful[0].priced:
            return None
        odds = self._odds_with_cause(finding, finding.cause_parts, placed.name)
        wrong = next(placed.odds_in(odds), None)
        # Odds that the cause leaves unchanged do not explain what was seen.
        if wrong is None or wrong.ends == lawful[0].ends:
            return None
        return (lawful[0].edge - wrong.edge) * MILLION

    def _odds_with_cause(self, finding: Finding, cause: Cause, bet: str) -> list[BetOdds]:
        """Return the odds of a bet in the game that answers as the vendor did."""
        rulings = finding.origin.rulings
        key = (finding.game, cause, bet, tuple(sorted(rulings.items())))
        if key not in self._odds:
            try:
                self._odds[key] = self._compute_odds(finding.game, rulings, cause, bet)
            except ANSWER_ERRORS:
                # Not every mutant that answers one case answers all of them.
                self._odds[key] = []
        return self._odds[key]

    def _compute_odds(
        self, game: str, rulings: Mapping[str, str], cause: Cause, bet: str
    ) -> list[BetOdds]:
        if cause.operator is Operator.READING:
            readings = Readings(self._law, {**rulings, str(cause.field): str(cause.now)})
            return self._catalogue.figures_of_bet(game, readings, bet)
        readings = Readings(self._law, rulings)
        mutants = generate_mutants(self._law, game, readings, provision=cause.provision)
        mutant = _find_mutant(list(mutants), cause.code)
        if mutant is None:
            return []
        return self._catalogue.figures_of_bet(game, readings, bet, mutant.clauses)


def _find_mutant(mutants: Sequence[Mutant], code: str) -> Mutant | None:
    """Return the mutant, or the displaced line of an order, with a code."""
    displaced = (moved for mutant in mutants if mutant.is_line for moved in mutant.displaced())
    return next((mutant for mutant in chain(mutants, displaced) if mutant.cause.code == code), None)


def highest_cost(
    stake: int,
    expected: Mapping[str, Any],
    money: int | list[int],
    lawful: Iterable[BetOdds],
) -> Fraction | None:
    """Return the cost if every bet that should end as this one were settled as this one was.

    Nothing if the odds of such an end are not known.
    """
    if not stake or not to_fraction(money) or "prize" not in expected:
        return None
    prize = to_fraction(expected["prize"]) / stake
    for figure in lawful:
        ends = [
            part
            for end, part in figure.ends.items()
            if end.result == expected["result"] and (end.result != _WIN or end.prize == prize)
        ]
        if ends:
            return to_fraction(money) / Fraction(stake) * sum(ends, Fraction(0)) * MILLION
    return None
