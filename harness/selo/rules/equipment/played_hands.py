"""Hands that are built up by decisions at places, against the hand of a croupier, from packs.

A place has the hand that was dealt to it, and one more where it was divided. The cards of a hand
stand in the order in which they came: whether a card might be drawn is a question about the cards
before it, which the law asks with definitions of `draws`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from selo.rules.equipment.kits import BadOutcome, card_functions, read_hand
from selo.rules.language.vocabulary import BOOL, TEXTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.equipment.kits import Tables
    from selo.rules.language.vocabulary import Function
    from selo.table_values import Outcome

#: The fields of an outcome: the hand of the house, and the hands at each place.
HOUSE: Final = "croupier"
HANDS: Final = "hands"
#: What conditions call the hand of a place, and the second hand of a place that was divided.
HAND: Final = "hand"
OTHER_HAND: Final = "other"
DIVIDED: Final = "divided"
PLACE: Final = "place"
#: The hands of a place that was not divided, and of one that was.
MOST_HANDS: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedHands:
    """Hands at places, each of at least this many cards, from this many packs."""

    cards: int
    packs: int
    variables: ClassVar[Mapping[str, str]] = {HOUSE: TEXTS}
    places: ClassVar[Mapping[str, Mapping[str, str]]] = {
        PLACE: {HAND: TEXTS, OTHER_HAND: TEXTS, DIVIDED: BOOL}
    }

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions of cards."""
        return card_functions(tables)

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: choices are given as ranges."""
        del choice, tables
        return None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the hand of the house and the hands at places, in the order dealt."""
        del tables
        shown: Mapping[str, Any] = outcome
        house = self._read_hand(shown.get(HOUSE), "the house")
        at_places = shown.get(HANDS) or {}
        if not isinstance(at_places, dict):
            msg = f"{at_places!r} does not say which hands lie at which place"
            raise BadOutcome(msg)
        places = {str(name): self._read_place(hands, name) for name, hands in at_places.items()}
        dealt = Counter([*house, *(card for two in places.values() for one in two for card in one)])
        often = [card for card, times in dealt.items() if times > self.packs]
        if often:
            msg = f"{', '.join(often)} cannot come more than {self.packs} times"
            raise BadOutcome(msg)
        return {HOUSE: house, f"_{HANDS}": places}

    def _read_place(self, hands: Any, name: Any) -> list[list[str]]:
        if not isinstance(hands, list) or not 1 <= len(hands) <= MOST_HANDS:
            msg = f"place {name} has one hand, or {MOST_HANDS} where it was divided"
            raise BadOutcome(msg)
        return [self._read_hand(hand, f"place {name}") for hand in hands]

    def _read_hand(self, cards: Any, whose: str) -> list[str]:
        most = max(len(cards), self.cards) if isinstance(cards, list) else self.cards
        return read_hand(cards, whose, range(self.cards, most + 1))

    def build_outcome(self, house: Any, places: Mapping[str, Any]) -> Outcome:
        """Return an outcome with these hands."""
        return cast("Outcome", {HOUSE: house, HANDS: places})

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return the cards in the order in which they came."""
        return repr((outcome.get(HOUSE), cast("Mapping[str, Any]", outcome).get(HANDS)))

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return the hands of a place; the second has no cards where it was not divided."""
        del place
        hands: Sequence[list[str]] | None = facts[f"_{HANDS}"].get(str(value))
        if hands is None:
            return None
        divided = len(hands) == MOST_HANDS
        return {HAND: hands[0], OTHER_HAND: hands[1] if divided else [], DIVIDED: divided}
