"""Classifies the rounds of one bet by the conditions that hold in them.

The settlement of a bet depends only on which of its conditions hold.
So conditions are evaluated in every class of rounds, and each pattern of values is settled once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.kits import with_options
from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.odds.companion_bets import end_of, place_bet
from selo.rules.odds.round_observables import find_round_observables, holds_at
from selo.rules.odds.shoe_rounds import BANKER_PLACES, NO_CARD, PLAYER_PLACES
from selo.rules.settlement.neighbouring_bets import neighbours_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.rules.language import Expression
    from selo.rules.odds.bet_odds import BetEnd
    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetSettlement
    from selo.table_values import Bet, Options, Outcome

#: The end of a bet, and the combinations for which it was paid.
ClassifiedEnd = tuple["BetEnd", tuple[str, ...]]


class _LazyFacts(dict[str, Any]):
    """Facts of a round; definitions are evaluated when a condition uses them."""

    def __init__(self, facts: Mapping[str, Any], defined: Mapping[str, Expression]) -> None:
        super().__init__(facts)
        self._defined = defined

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._defined[name].on(self)
        return value


class BetClassifier:
    """Ends one bet at a table with certain options, class by class of rounds."""

    def __init__(self, game: Game, name: str, options: Options, stake: int) -> None:
        self._game, self._options, self._stake = game, options, stake
        self._bets = place_bet(game, name, stake=stake)
        self._name = name
        self._defined = {word: expression for word, _, expression in game.defines}
        rules = game.bets[name]
        jackpot: Any = options.get(JACKPOT) or {}
        modality = jackpot.get("modality", "")
        # A commission may apply to all bets of a bettor; nothing else depends on the others.
        settled_together = self._bets if rules.commissions else self._bets[:1]
        by_text: dict[str, Expression] = {}
        for bet in settled_together:
            for condition in game.bets[bet["bet"]].conditions():
                if holds_at(condition, modality):
                    by_text[condition.text] = condition
        self._local = self._neighbour_facts(settled_together)
        #: The conditions that depend on suits, and those that do not.
        self.suit_conditions = [
            condition
            for condition in by_text.values()
            if find_round_observables(game, [condition]).suits
        ]
        self.rank_conditions = [
            condition for condition in by_text.values() if condition not in self.suit_conditions
        ]
        #: The places of the cards whose suits may matter.
        self.suit_places = find_round_observables(game, self.suit_conditions).places
        #: Whether the order of the cards at these places does not matter.
        self.unordered = find_round_observables(game, self.suit_conditions).unordered
        self._end_memo: dict[Hashable, ClassifiedEnd] = {}

    def _neighbour_facts(self, bets: Sequence[Bet]) -> dict[str, Any]:
        local: dict[str, Any] = {"choice": None}
        for bet in reversed(bets):
            rules = self._game.bets[bet["bet"]]
            place = None if rules.place is None else bet.get(rules.place)
            local |= dict(neighbours_of(rules, place, bet, self._bets))
        return local

    def which_hold(
        self, expressions: Sequence[Expression], row: NDArray[Any], suits: Mapping[int, str]
    ) -> tuple[bool, ...]:
        """Return which of `expressions` hold in a round, with these suits of some cards."""
        if not expressions:
            return ()
        outcome = with_options(self._options, self.outcome(row, suits))
        read = self._game.kit.read(outcome, self._game.tables)
        facts = _LazyFacts({**read, **self._local}, self._defined)
        return tuple(bool(expression.on(facts)) for expression in expressions)

    def end_of_round(
        self, answers: Hashable, row: NDArray[Any], suits: Mapping[int, str]
    ) -> ClassifiedEnd:
        """Return the end of the bet in a round, with a memo by the values of its conditions."""
        if answers not in self._end_memo:
            outcome = self.outcome(row, suits)
            settlement = self._game.settle(self._options, outcome, self._bets)[0]
            self._end_memo[answers] = (
                end_of(settlement, self._stake),
                self._paid_combinations(settlement),
            )
        return self._end_memo[answers]

    def outcome(self, row: NDArray[Any], suits: Mapping[int, str]) -> Outcome:
        """Return a round as a case writes it."""
        fallen = [suits.get(place, SUITS[0]) for place in range(len(row))]
        return {
            "player": cards_of(
                row[list(PLAYER_PLACES)], [fallen[place] for place in PLAYER_PLACES]
            ),
            "banker": cards_of(
                row[list(BANKER_PLACES)], [fallen[place] for place in BANKER_PLACES]
            ),
        }

    def _paid_combinations(self, settlement: BetSettlement) -> tuple[str, ...]:
        """Return the combinations for which the bet was paid, by its derivation."""
        won = {reason.provision for reason in settlement.reasons if reason.role == "win"}
        return tuple(
            rule.combination
            for rule in self._game.bets[self._name].results
            if rule.combination is not None and rule.provision in won
        )


def cards_of(ranks: NDArray[Any], suits: Sequence[str]) -> list[str]:
    """Return the cards of a hand that were dealt."""
    return [RANKS[rank] + suit for rank, suit in zip(ranks, suits, strict=True) if rank != NO_CARD]
