"""Simulates tables of thrown dice at which every possible bet is placed, throw after throw.

Throws often repeat an earlier total, so that points come again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE
from selo.rounds.generate.table_model import PLAYERS, TableModel
from selo.rounds.generate.thrown_bets import ThrownBets
from selo.rounds.script import THROWS
from selo.rules.equipment.pack_and_dice import PIPS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from selo.cases.oracle.answer_check import ExpectedSettlement
    from selo.rounds.generate.table_model import ModelContext
    from selo.table_values import Bet


#: Tables simulated at most, and in a row without a new result.
_MAX_TABLES: Final = 200
_MAX_TABLES_WITHOUT_NEWS: Final = 40
#: Throws after which an open point is ended.
_MIN_THROWS: Final = 5
#: One throw in this many repeats an earlier total.
_REPEATED_TOTAL_ONE_IN: Final = 2
#: One throw in this many is a double.
_DOUBLE_ONE_IN: Final = 4
#: A stake of which, and of whose half, every prize is an integer.
_STAKE: Final = 6 * STAKE
_STANDS, _REFUSED = "stands", "refused"


def simulate_thrown_tables(context: ModelContext, chance: Random) -> Iterator[TableModel]:
    """Yield tables at which some bet has a new result."""
    known: set[Any] = set()
    without_news = 0
    for _ in range(_MAX_TABLES):
        table = ThrownSimulation(context, chance)
        new = table.play() - known
        known |= new
        without_news = 0 if new else without_news + 1
        if new:
            yield table.model
        if without_news > _MAX_TABLES_WITHOUT_NEWS:
            return


class ThrownSimulation:
    """One simulated table: this many throws at least, at which single-throw bets are repeated."""

    def __init__(
        self,
        context: ModelContext,
        chance: Random,
        *,
        throws: int = _MIN_THROWS,
        repeats: int = 1,
        stake: int = _STAKE,
    ) -> None:
        self._context, self._chance = context, chance
        self._least, self._repeats, self._stake = throws, repeats, stake
        self.model = TableModel(context)
        self._named = ThrownBets.of(context)
        self._throws: list[list[int]] = []
        #: Every bet, as `settle` expects it, and the tickets of the open ones.
        self._bets: list[Bet] = []
        self._tickets: dict[int, str] = {}
        self._added: set[int] = set()
        self._point = False
        #: The total of the throw that set the point.
        self._total = 0

    def play(self) -> set[Any]:
        """Throw until there are enough throws and no open point; return the results of the bets."""
        results: set[Any] = set()
        while len(self._throws) < self._least or self._point:
            self._bet()
            self._throw()
            results |= self._decide()
        return results

    def _bet(self) -> None:
        there = {self._bets[at]["bet"] for at in self._tickets}
        # Each pair of line bets, before and after the point, by one player.
        lines = self._named.later if self._point else self._named.opening
        for player, name in zip(PLAYERS, lines, strict=False):
            self._place_bet(name, player, there)
        for at in list(self._tickets):
            self._add(at)
        for name in self._named.single:
            for _ in range(self._repeats):
                self._place_bet(name, PLAYERS[-1], there)

    def _place_bet(self, name: str, player: str, there: set[str]) -> None:
        if name in there or name not in self._context.offer.bets:
            return
        rules = self._context.oracle.game(self._context.game).bets
        for choice in rules[name].domain or [None]:
            chosen = {} if choice is None else {"choice": choice}
            bet = {"bet": name, **chosen, "stake": self._stake, "bettor": player}
            self._make(cast("Bet", bet))

    def _make(self, bet: Bet, **fields: Any) -> None:
        self.model.place_bet(bet, **fields)
        self._tickets[len(self._bets)] = f"t{self.model.tickets}"
        self._bets.append(bet | {"at": len(self._throws)})

    def _add(self, at: int) -> None:
        """Add half the stake to a bet that has its point, which exceeds no limit on prizes."""
        base = self._bets[at]
        name = self._named.added.get(base["bet"])
        has_point = self._point if base["bet"] in self._named.opening else True
        thrown_since = base["at"] < len(self._throws)
        if (
            name is not None
            and name in self._context.offer.bets
            and at not in self._added
            and has_point
            and thrown_since
        ):
            self._added.add(at)
            half, bettor = base["stake"] // 2, base["bettor"]
            bet: Bet = {"bet": name, "stake": half, "bettor": bettor, "to": at}
            self._make(bet, to=self._tickets[at])

    def _throw(self) -> None:
        chance, repeats = self._chance, self._throws
        first = chance.choice(PIPS)
        throw = [first, first if not chance.randrange(_DOUBLE_ONE_IN) else chance.choice(PIPS)]
        ends = len(self._throws) >= self._least
        if repeats and (ends or not chance.randrange(_REPEATED_TOTAL_ONE_IN)):
            total = self._total if ends else sum(chance.choice(repeats))
            throw = chance.choice(
                [[low, high] for low in PIPS for high in PIPS if low + high == total]
            )
        self._throws.append(throw)
        self.model.acts.append({"act": FORCE, "outcome": {THROWS: [throw]}})
        self.model.proceed()

    def _decide(self) -> set[Any]:
        """Remove the decided bets and return their results."""
        expected = self._expected(self._bets)
        results = set()
        for at in list(self._tickets):
            bet, settlement = self._bets[at], expected[at]
            if settlement.result != _STANDS:
                del self._tickets[at]
                results.add(
                    (bet["bet"], bet.get("choice"), settlement.result, str(settlement.prize))
                )
        # Without a point, a later line bet must be refused.
        later: Bet = {"bet": self._named.later[0], "stake": _STAKE, "at": len(self._throws)}
        had_point = self._point
        self._point = self._expected([later])[0].result != _REFUSED
        self._total = self._total if had_point else sum(self._throws[-1])
        return results

    def _expected(self, bets: list[Bet]) -> list[ExpectedSettlement]:
        game = self._context.game
        return self._context.oracle.expected_settlements(
            settlement_case(game, "sketch", {THROWS: self._throws}, bets)
        )
