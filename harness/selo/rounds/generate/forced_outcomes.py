"""Draws outcomes from a seed, which scripts then force.

Cards often come from few ranks and suits, since pairs, straights and flushes are rare otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from selo.cases.generate import HAND_SIZE, MAX_ROUND_CARDS, RoundDealer
from selo.rounds.script import THROWS
from selo.rules.clauses import find_equipment
from selo.rules.equipment.kits import HAND_LAYOUTS, HandLayout
from selo.rules.equipment.pack_and_dice import PACK, PIPS, RANKS, SUITS
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.settlement import Game, ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from selo.cases.oracle import Oracle
    from selo.law import Law
    from selo.table_values import Outcome


#: The names of seats and places, in order.
SPOTS: Final = ("1", "2", "3", "4", "5", "6", "7")
_PACKS: Final = 8
#: One deal in this many uses few cards.
_FEW_CARDS_ONE_IN: Final = 2
_MAX_NEIGHBOURING_RANKS: Final = 3
#: One hand in this many has the ranks of the house's hand.
_EQUAL_RANKS_ONE_IN: Final = 12


class OutcomeGenerator:
    """Draws outcomes of one game."""

    def __init__(self, law: Law, oracle: Oracle, game: str, chance: Random) -> None:
        self._chance = chance
        rules = oracle.game(game)
        self.is_throwing = isinstance(rules, ThrowingGame)
        self._dice: list[Outcome] = []
        kit = rules.kit if isinstance(rules, Game) else None
        if isinstance(rules, Game) and isinstance(kit, PieceSet):
            self._dice = kit.throws(rules.tables)
        self._hands = HAND_LAYOUTS.get(find_equipment(law, game).equipment)
        self._drawing = None if self._dice or self._hands else RoundDealer.from_law(law)

    def draw(self, spots: Iterable[str] = SPOTS[:1]) -> Outcome:
        """Return an outcome, with hands at `spots` if the game has seats or places."""
        chance = self._chance
        if self.is_throwing:
            return {THROWS: [self.draw_throw()]}
        if self._dice:
            return {**chance.choice(self._dice)}
        if self._drawing is not None:
            few = not chance.randrange(_FEW_CARDS_ONE_IN)
            cards = chance.choices(PACK, k=2) * HAND_SIZE if few else PACK * _PACKS
            return self._drawing.deal(chance.sample(cards, MAX_ROUND_CARDS))
        if self._hands is None:
            msg = "nothing is dealt"
            raise LookupError(msg)
        return deal_hands(self._hands, chance, spots)

    def draw_throw(self) -> list[int]:
        """Return a throw of two dice."""
        return [self._chance.choice(PIPS), self._chance.choice(PIPS)]

    def all_throws(self) -> list[Outcome]:
        """Return every throw of two dice."""
        return [{THROWS: [[first, second]]} for first in PIPS for second in PIPS]

    def draw_many(self, most: int) -> Iterator[Outcome]:
        """Yield up to `most` outcomes: each throw of figure dice once, or hands at random spots."""
        if self._dice:
            chosen = self._chance.sample(self._dice, min(most, len(self._dice)))
            yield from (outcome.copy() for outcome in chosen)
            return
        for _ in range(most):
            count = self._chance.randint(1, len(SPOTS))
            yield self.draw(sorted(self._chance.sample(SPOTS, count)))


def deal_hands(layout: HandLayout, chance: Random, spots: Iterable[str]) -> Outcome:
    """Return hands dealt from one pack: of the house, and at `spots`."""
    left = list(PACK)
    hand = _take_hand(chance, left)
    others = {spot: _take_hand(chance, left, hand) for spot in spots}
    return cast("Outcome", {layout.house: hand, layout.seats: others})


def _take_hand(chance: Random, left: list[str], other: list[str] | None = None) -> list[str]:
    """Take a hand from the cards left, sometimes with the ranks of another hand."""
    candidates = left
    if not chance.randrange(_FEW_CARDS_ONE_IN):
        first = chance.randrange(len(RANKS))
        wanted = [*RANKS, *RANKS][first : first + chance.randint(1, _MAX_NEIGHBOURING_RANKS)]
        suits = chance.sample(SUITS, chance.randint(1, len(SUITS)))
        alike = [card for card in left if card[:-1] in wanted and card[-1] in suits]
        candidates = alike if len(alike) >= HAND_SIZE else left
    hand = chance.sample(candidates, HAND_SIZE)
    if other is not None and not chance.randrange(_EQUAL_RANKS_ONE_IN):
        by_rank = {card[:-1]: [same for same in left if same[:-1] == card[:-1]] for card in other}
        ranks = [card[:-1] for card in other]
        if all(len(by_rank[rank]) >= ranks.count(rank) for rank in ranks):
            hand = [by_rank[rank].pop() for rank in ranks]
    left[:] = [card for card in left if card not in hand]
    return hand
