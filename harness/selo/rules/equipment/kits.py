"""Kinds of equipment: each reads outcomes, refuses impossible ones, and names their facts.

A kit contains no number of the law: how many dice, which faces and which cards come from tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from selo.rules.equipment.pack_and_dice import PACK, RED_SUITS
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, define_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.table_values import Options, Outcome

from selo.rules.language.vocabulary import Function

#: Cards that lie open on the table and belong to neither hand, and how many may.
EXPOSED: Final = "exposed"
MOST_EXPOSED: Final = 12
#: The field that `with_options` adds to an outcome.
OPTIONS: Final = "options"
_CARDS: Final = frozenset(PACK)


class BadOutcome(ValueError):
    """An outcome that the equipment cannot show."""


@dataclass(kw_only=True, slots=True)
class Tables:
    """The tables of the law files: faces of dice, values of cards, orders."""

    #: The colour, if any, and the number of each face; a face is a figure or a number.
    faces: dict[Any, tuple[str | None, int]] = field(default_factory=dict)
    #: The figure of each face that carries another one than its own name.
    figures: dict[Any, str] = field(default_factory=dict)
    #: By how many the number of a face is counted off; what is left is its remainder.
    divisor: int | None = None
    #: The numbers that each choice of a list stands for, by list and choice.
    choices: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)
    values: dict[str, dict[str, int]] = field(default_factory=dict)
    orders: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    #: The places of the rows of an order, beside the order itself.
    _places: dict[str, tuple[Any, dict[tuple[str, ...], int]]] = field(
        default_factory=dict, repr=False
    )

    def place_of(self, table: str, row: Sequence[str]) -> int:
        """Return the place of a sorted `row` in a descending order, or the length of the order."""
        order = self.orders.get(table, [])
        memo = self._places.get(table)
        if memo is None or memo[0] is not order:
            places = {tuple(sorted(ranks)): at for at, ranks in reversed(list(enumerate(order)))}
            memo = self._places[table] = (order, places)
        return memo[1].get(tuple(row), len(order))


class Kit(Protocol):
    """One kind of equipment."""

    @property
    def variables(self) -> Mapping[str, str]:
        """The variables of the whole outcome, with their types."""

    @property
    def places(self) -> Mapping[str, Mapping[str, str]]:
        """The variables that a bet at a place adds, by the kind of place."""

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions that conditions may call besides the common ones."""

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return the values of a named choice."""

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the facts that an outcome shows."""

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return a key of caches for an outcome."""

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return the facts of the place `value`, or nothing if there is no such place."""


def _are_cards(cards: list[Any]) -> bool:
    try:
        return _CARDS.issuperset(cards)
    except TypeError:
        # A list in the place of a card cannot be hashed.
        return False


def read_hand(cards: Any, what: str, sizes: Sequence[int]) -> list[str]:
    """Return a hand of one of `sizes` cards, or raise `BadOutcome`."""
    good = isinstance(cards, list) and len(cards) in sizes and _are_cards(cards)
    if not good:
        msg = f"{cards!r} is not a hand of {' or '.join(map(str, sizes))} cards for {what}"
        raise BadOutcome(msg)
    return list(cards)


def card_functions(tables: Tables) -> list[Function]:
    """Return the functions of cards."""

    def values(table: str, ranks: Sequence[str]) -> list[int]:
        known = tables.values.get(table, {})
        return [known[rank] if rank in known else int(rank) for rank in ranks]

    def place(table: str, ranks: Sequence[str]) -> int:
        """Return the place of `ranks` in a descending table, or its length if they have none."""
        return tables.place_of(table, sorted(ranks))

    def listed(table: str, ranks: Sequence[str]) -> bool:
        return place(table, ranks) < len(tables.orders.get(table, []))

    return [
        define_function("ranks", (TEXTS,), TEXTS, _ranks, says="the ranks of cards"),
        define_function("suits", (TEXTS,), TEXTS, _suits, says="the suits of cards"),
        define_function("colours_of", (TEXTS,), TEXTS, _colours, says="red or black of cards"),
        define_function(
            "values", (TEXT, TEXTS), INTS, values, says="the value of each rank in a table"
        ),
        define_function("place", (TEXT, TEXTS), INT, place, says="where ranks stand in a table"),
        define_function(
            "listed", (TEXT, TEXTS), BOOL, listed, says="whether ranks stand in a table"
        ),
        define_function(
            "held", (TEXTS, TEXTS), INT, _count_common, says="how many of these are among those"
        ),
    ]


def _ranks(cards: Sequence[str]) -> list[str]:
    return [card[:-1] for card in cards]


def _suits(cards: Sequence[str]) -> list[str]:
    return [card[-1] for card in cards]


def _colours(cards: Sequence[str]) -> list[str]:
    return ["red" if card[-1] in RED_SUITS else "black" for card in cards]


def _count_common(items: Sequence[str], among: Sequence[str]) -> int:
    return sum(1 for one in items if one in among)


class Duel:
    """Each seat's hand against one hand of the house, from one or more packs."""

    def __init__(self, *, house: str, seats: str, place: str, cards: int) -> None:
        self._house, self._seats, self._place, self.cards = house, seats, place, cards
        self.variables: Mapping[str, str] = {house: TEXTS}
        self.places: Mapping[str, Mapping[str, str]] = {place: {"hand": TEXTS}}

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions of cards."""
        return card_functions(tables)

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: choices are given as ranges."""
        del choice, tables
        return None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the hands, each sorted: the order of dealing does not matter."""
        del tables
        hands: Mapping[str, Any] = outcome
        house = sorted(read_hand(hands.get(self._house), self._house, [self.cards]))
        seats = {
            str(name): sorted(read_hand(hand, f"{self._place} {name}", [self.cards]))
            for name, hand in (hands.get(self._seats) or {}).items()
        }
        return {self._house: house, f"_{self._seats}": seats}

    def split_hands(self, outcome: Outcome) -> tuple[Any, Mapping[str, Any]]:
        """Return the hand of the house and the hands at seats, as a case writes them."""
        hands: Mapping[str, Any] = outcome
        return hands.get(self._house), hands.get(self._seats) or {}

    def build_outcome(self, house: Any, seats: Mapping[str, Any]) -> Outcome:
        """Return an outcome with these hands."""
        return cast("Outcome", {self._house: house, self._seats: seats})

    def table_state(self, outcome: Outcome) -> Hashable:
        """Return what conditions can observe besides single hands: here nothing."""
        del outcome
        return None

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return the cards as they were dealt."""
        hands: Mapping[str, Any] = outcome
        seats = hands.get(self._seats) or {}
        return (
            tuple(hands.get(self._house) or ()),
            *((name, tuple(hand)) for name, hand in seats.items()),
        )

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return the hand at a seat."""
        del place
        hand = facts[f"_{self._seats}"].get(str(value))
        return None if hand is None else {"hand": hand}


def list_duplicates(cards: Sequence[str]) -> list[str]:
    """Return the cards that occur more than once."""
    if len(set(cards)) == len(cards):
        return []
    return [card for card, times in Counter(cards).items() if times > 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class HandLayout:
    """The fields of an outcome that hold the hand of the house and the hands at seats."""

    house: str
    seats: str


#: By kind of equipment.
HAND_LAYOUTS: Final = {
    "banker-and-seats": HandLayout(house="banker", seats="seats"),
    "croupier-and-places": HandLayout(house="croupier", seats="places"),
}


def with_options(options: Options, outcome: Outcome) -> Outcome:
    """Return an outcome with the options of its table added."""
    return {**outcome, OPTIONS: options}
