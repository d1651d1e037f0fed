"""Places that play against a croupier with one pack.

A hand with too many or too few cards cannot be ranked, but it can be dealt, and the law says how
the round is then settled: so it is read here, and marked as misdealt.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from selo.rules.equipment.kits import BadOutcome, Duel, Tables, list_duplicates, read_hand
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, Function, define_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.table_values import Outcome


class CroupierAndPlaces(Duel):
    """Hands of one pack at places, each against the croupier's."""

    def __init__(self, cards: int) -> None:
        super().__init__(house="croupier", seats="places", place="place", cards=cards)
        self.variables = {**self.variables, "misdealt_place": BOOL}

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions of cards, of their order, and of misdealt hands."""

        def misdealt(hand: Sequence[str]) -> bool:
            return len(hand) != self.cards

        return [
            *super().functions(tables),
            *order_functions(tables),
            define_function(
                "misdealt", (TEXTS,), BOOL, misdealt, says="whether a hand has not its number"
            ),
        ]

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the hands, each sorted, and whether a place was dealt a wrong number of cards."""
        del tables
        hands = {"croupier": _read_dealt(outcome.get("croupier"), "the croupier")}
        places = {
            str(name): _read_dealt(hand, f"place {name}")
            for name, hand in (outcome.get("places") or {}).items()
        }
        wrong = self._misdealt(hands["croupier"], places)
        return {**hands, "_places": places, "misdealt_place": wrong}

    def table_state(self, outcome: Outcome) -> Hashable:
        """Return whether a place was dealt a wrong number of cards."""
        return self._misdealt(*self.split_hands(outcome))

    def _misdealt(self, croupier: Sequence[str], places: Mapping[str, Sequence[str]]) -> bool:
        cards = [*croupier, *chain.from_iterable(places.values())]
        if len(set(cards)) != len(cards):
            msg = f"{', '.join(list_duplicates(cards))} cannot come twice from one pack"
            raise BadOutcome(msg)
        return bool({*map(len, places.values())} - {self.cards})


def order_functions(tables: Tables) -> list[Function]:
    """Return the functions of the places of single cards in a descending table."""

    def in_order(table: str, ranks: Sequence[str]) -> list[int]:
        """Return the place of each rank, the highest first; a rank without a place comes last."""
        return sorted([tables.place_of(table, (rank,)) for rank in ranks])

    def highest(table: str, ranks: Sequence[str]) -> int:
        return next(iter(in_order(table, ranks)), len(tables.orders.get(table, [])))

    return [
        define_function(
            "in_order", (TEXT, TEXTS), INTS, in_order, says="where each stands, highest first"
        ),
        define_function(
            "highest", (TEXT, TEXTS), INT, highest, says="where the highest of them stands"
        ),
        define_function(
            "alike", (TEXTS, INT), TEXTS, _repeated, says="the things that come so many times"
        ),
    ]


def _repeated(items: Sequence[str], times: int) -> list[str]:
    return sorted(one for one in set(items) if list(items).count(one) == times)


def _read_dealt(given: Any, whose: str) -> list[str]:
    """Return the cards of a hand of any size."""
    return sorted(read_hand(given, whose, [len(given)] if isinstance(given, list) else []))
