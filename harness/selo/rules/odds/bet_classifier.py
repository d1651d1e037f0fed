"""Settles one bet in many rounds: rounds in which the same conditions hold end the same way.

What becomes of a bet follows from which of its conditions hold, and from nothing else.
So conditions are asked in every class of rounds, and the rules settle each pattern of answers once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.rules.equipment import at_table
from selo.rules.odds.companion_bets import end_of, laid
from selo.rules.odds.hand_observables import conditions
from selo.rules.odds.pack_deals import RANKS, SUITS
from selo.rules.odds.round_observables import holds_at, view
from selo.rules.odds.shoe_rounds import BANKER, NONE, PLAYER
from selo.rules.settlement.neighbouring_bets import around

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.rules.language import Expression
    from selo.rules.odds.figures import End
    from selo.rules.settlement.game import Game, Settlement

#: How a bet ended: its result, what it was paid, and for which combinations.
Ended = tuple["End", tuple[str, ...]]


class _Facts(dict[str, Any]):
    """Facts of a round; what the law defines is worked out when a condition asks for it."""

    def __init__(self, known: Mapping[str, Any], defined: Mapping[str, Expression]) -> None:
        super().__init__(known)
        self._defined = defined

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._defined[name].on(self)
        return value


class Judge:
    """One bet at a table with certain options."""

    def __init__(self, game: Game, name: str, options: Mapping[str, Any], stake: int) -> None:
        self._game, self._options, self._stake = game, options, stake
        self._bets = laid(game, name, stake=stake)
        self._name = name
        self._defined = {one: expression for one, _, expression in game.defines}
        rules = game.bets[name]
        modality = (options.get("jackpot") or {}).get("modality", "")
        # A commission may be reckoned on all bets of a bettor; nothing else looks at the others.
        bound = self._bets if rules.commissions else self._bets[:1]
        asked: dict[str, Expression] = {}
        for bet in bound:
            for condition in conditions(game.bets[bet["bet"]]):
                if holds_at(condition, modality):
                    asked[condition.text] = condition
        self._local = self._around(bound)
        #: The conditions that may see suits, and those that cannot.
        self.seeing = [one for one in asked.values() if view(game, [one]).suits]
        self.blind = [one for one in asked.values() if one not in self.seeing]
        #: The places of the cards whose suits may matter.
        self.suited = view(game, self.seeing).places
        #: Whether it is all one where among these places a card lies.
        self.unordered = view(game, self.seeing).unordered
        self._known: dict[Hashable, Ended] = {}

    def _around(self, bets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        local: dict[str, Any] = {"choice": None}
        for bet in reversed(bets):
            rules = self._game.bets[bet["bet"]]
            place = None if rules.place is None else bet.get(rules.place)
            local |= dict(around(rules, place, bet, self._bets))
        return local

    def hold(
        self, expressions: Sequence[Expression], row: NDArray[Any], suits: Mapping[int, str]
    ) -> tuple[bool, ...]:
        """Return which of `expressions` hold in a round, some of its cards having these suits."""
        if not expressions:
            return ()
        outcome = at_table(self._options, self.outcome(row, suits))
        read = self._game.kit.read(outcome, self._game.tables)
        facts = _Facts({**read, **self._local}, self._defined)
        return tuple(bool(expression.on(facts)) for expression in expressions)

    def end(self, answers: Hashable, row: NDArray[Any], suits: Mapping[int, str]) -> Ended:
        """Return how the bet ends in a round, one for all in which conditions answer the same."""
        if answers not in self._known:
            outcome = self.outcome(row, suits)
            settlement = self._game.settle(self._options, outcome, self._bets)[0]
            self._known[answers] = (end_of(settlement, self._stake), self._formed(settlement))
        return self._known[answers]

    def outcome(self, row: NDArray[Any], suits: Mapping[int, str]) -> dict[str, list[str]]:
        """Return a round as a case writes it."""
        fallen = [suits.get(place, SUITS[0]) for place in range(len(row))]
        return {
            "player": hand(row[list(PLAYER)], [fallen[place] for place in PLAYER]),
            "banker": hand(row[list(BANKER)], [fallen[place] for place in BANKER]),
        }

    def _formed(self, settlement: Settlement) -> tuple[str, ...]:
        """Return the combinations for which the bet was paid, as its reasons name them."""
        won = {reason.provision for reason in settlement.reasons if reason.role == "win"}
        return tuple(
            rule.combination
            for rule in self._game.bets[self._name].results
            if rule.combination is not None and rule.provision in won
        )


def hand(ranks: NDArray[Any], suits: Sequence[str]) -> list[str]:
    """Return the cards of a hand, leaving out those that were not dealt."""
    return [RANKS[rank] + suit for rank, suit in zip(ranks, suits, strict=True) if rank != NONE]
