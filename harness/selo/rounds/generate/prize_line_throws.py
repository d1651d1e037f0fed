"""Tables of craps at which everything is bet that can be, throw after throw.

A throw often has the total of an earlier one: so points come again, each in its own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.protocol.schema import FORCE
from selo.rounds.generate.forced_outcomes import PIPS
from selo.rounds.generate.table_model import PLAYERS, TableModel
from selo.rounds.script import THROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from selo.cases.oracle import ExpectedSettlement
    from selo.rounds.generate.table_model import ModelContext

#: So many tables are played in the mind at most, and so many in a row that show nothing new.
_MAX_TABLES: Final = 200
_MAX_TABLES_WITHOUT_NEWS: Final = 40
#: After so many throws no new point is made.
_MIN_THROWS: Final = 5
#: One throw in so many has a total that was there before.
_REPEATED_TOTAL_ONE_IN: Final = 2
#: One throw in so many shows the same on both dice.
_DOUBLE_ONE_IN: Final = 4
#: Of this, and of half of it, every fraction of the odds is whole.
_STAKE: Final = 6 * STAKE
_STANDS, _REFUSED = "stands", "refused"
_SINGLE_THROW_BETS: Final = ("field", "hard-way", "big-7", "eleven", "any-craps")
#: The bets of a round before its point and after it, each by a player of its own.
_LINE_BETS: Final = (("pass-line", "come"), ("dont-pass", "dont-come"))


def simulate_craps_tables(ground: ModelContext, chance: Random) -> Iterator[TableModel]:
    """Yield tables at which some bet comes to something to which none came before."""
    known: set[Any] = set()
    waiting = 0
    for _ in range(_MAX_TABLES):
        table = _CrapsSimulation(ground, chance)
        new = table.play() - known
        known |= new
        waiting = 0 if new else waiting + 1
        if new:
            yield table.sketch
        if waiting > _MAX_TABLES_WITHOUT_NEWS:
            return


class _CrapsSimulation:
    """One table, played in the mind."""

    def __init__(self, ground: ModelContext, chance: Random) -> None:
        self._ground, self._chance = ground, chance
        self.sketch = TableModel(ground)
        self._throws: list[list[int]] = []
        #: Every bet that was made, as `settle` wants it; and the tickets of those that still lie.
        self._bets: list[dict[str, Any]] = []
        self._lying: dict[int, str] = {}
        self._added: set[int] = set()
        self._point = False
        #: The total of the throw that set the point.
        self._total = 0

    def play(self) -> set[Any]:
        """Throw until enough was thrown and no point is open; return to what the bets came."""
        came: set[Any] = set()
        while len(self._throws) < _MIN_THROWS or self._point:
            self._bet()
            self._throw()
            came |= self._decide()
        return came

    def _bet(self) -> None:
        there = {self._bets[at]["bet"] for at in self._lying}
        for player, names in zip(PLAYERS, _LINE_BETS, strict=False):
            self._place_bet(names[self._point], player, there)
        for at in list(self._lying):
            self._add(at)
        for name in _SINGLE_THROW_BETS:
            self._place_bet(name, PLAYERS[-1], there)

    def _place_bet(self, name: str, player: str, there: set[str]) -> None:
        if name in there or name not in self._ground.offer.bets:
            return
        rules = self._ground.oracle.game(self._ground.game).bets
        for choice in rules[name].domain or [None]:
            told = {} if choice is None else {"choice": choice}
            self._make({"bet": name, **told, "stake": _STAKE, "bettor": player})

    def _make(self, bet: dict[str, Any], **fields: Any) -> None:
        self.sketch.place_bet(bet, **fields)
        self._lying[len(self._bets)] = f"t{self.sketch.tickets}"
        self._bets.append(bet | {"at": len(self._throws)})

    def _add(self, at: int) -> None:
        """Add to a bet that has its point; half of it never passes any limit on prizes."""
        base = self._bets[at]
        name = f"{base['bet']}-additional"
        has_point = self._point if base["bet"] in {one for one, _ in _LINE_BETS} else True
        thrown_since = base["at"] < len(self._throws)
        if name in self._ground.offer.bets and at not in self._added and has_point and thrown_since:
            self._added.add(at)
            bet = {"bet": name, "stake": base["stake"] // 2, "bettor": base["bettor"], "to": at}
            self._make(bet, to=self._lying[at])

    def _throw(self) -> None:
        chance, repeats = self._chance, self._throws
        one = chance.choice(PIPS)
        throw = [one, one if not chance.randrange(_DOUBLE_ONE_IN) else chance.choice(PIPS)]
        ends = len(self._throws) >= _MIN_THROWS
        if repeats and (ends or not chance.randrange(_REPEATED_TOTAL_ONE_IN)):
            total = self._total if ends else sum(chance.choice(repeats))
            throw = chance.choice(
                [[one, other] for one in PIPS for other in PIPS if one + other == total]
            )
        self._throws.append(throw)
        self.sketch.acts.append({"act": FORCE, "outcome": {THROWS: [throw]}})
        self.sketch.proceed()

    def _decide(self) -> set[Any]:
        """Take away what is decided, and return to what it came."""
        expected = self._expected(self._bets)
        came = set()
        for at in list(self._lying):
            bet, one = self._bets[at], expected[at]
            if one.result != _STANDS:
                del self._lying[at]
                came.add((bet["bet"], bet.get("choice"), one.result, str(one.prize)))
        # Where there is no point, a bet for the next throws must be refused.
        asked = {"bet": _LINE_BETS[0][1], "stake": _STAKE, "at": len(self._throws)}
        had = self._point
        self._point = self._expected([asked])[0].result != _REFUSED
        self._total = self._total if had else sum(self._throws[-1])
        return came

    def _expected(self, bets: list[dict[str, Any]]) -> list[ExpectedSettlement]:
        game = self._ground.game
        return self._ground.oracle.expected_settlements(
            settlement_case(game, "sketch", {THROWS: self._throws}, bets)
        )
