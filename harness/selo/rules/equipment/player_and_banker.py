"""One hand called player against one called banker, dealt from several packs at one table.

The table's options are part of what conditions may ask: they are read with the outcome, and an
outcome is known again only together with them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.kits import BadOutcome, Tables, card_functions, cards_of
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, Function, function

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.clauses.clause_models import Option

#: Where the options lie in an outcome that is read together with them.
_OPTIONS: Final = "options"
#: The option that says what the house keeps.
_COMMISSION: Final = "commission"
_BETTOR: Final = "bettor"


class PlayerAndBanker:
    """Two hands of so many cards, to each of which an additional one may come."""

    variables: Final = {
        "player": TEXTS,
        "banker": TEXTS,
        "dealt": TEXTS,
        "regime": TEXT,
        "modality": TEXT,
    }
    places: Final[Mapping[str, Mapping[str, str]]] = {_BETTOR: {}}

    def __init__(self, cards: int, options: Sequence[Option]) -> None:
        self._cards = cards
        regimes = [option for option in options if option.option == _COMMISSION]
        self._regimes = frozenset(chain.from_iterable(regime.values for regime in regimes))
        # What needs no permission is what a table uses if it says nothing.
        free = chain.from_iterable(regime.values for regime in regimes if not regime.authorised)
        self._usual = next(free, None)

    def functions(self, tables: Tables) -> list[Function]:
        """Return what may be asked of cards, and whether one more came to a hand."""

        def drew(hand: Sequence[str]) -> bool:
            return len(hand) > self._cards

        return [
            *card_functions(tables),
            function("drew", (TEXTS,), BOOL, drew, says="whether a hand got an additional card"),
            function("last_digit", (INT,), INT, _last_digit, says="the last digit of a number"),
            function("all_equal", (INTS,), BOOL, _all_equal, says="whether all numbers are equal"),
            function(
                "among", (TEXTS, TEXTS), TEXTS, _among, says="what of a list is in the second"
            ),
            function(
                "without", (TEXTS, TEXTS), TEXTS, _without, says="what of a list is not in it"
            ),
            function(
                "holds_all", (TEXTS, TEXTS), BOOL, _holds_all, says="whether a list has all of them"
            ),
        ]

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: no bet has a choice."""
        del choice, tables
        return None

    def read(self, outcome: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
        """Return both hands, all cards in the order of dealing, and what the table uses."""
        del tables
        sizes = (self._cards, self._cards + 1)
        player = cards_of(outcome.get("player"), "the player", sizes)
        banker = cards_of(outcome.get("banker"), "the banker", sizes)
        opening = zip(player[: self._cards], banker[: self._cards], strict=True)
        regime, modality = self._used(outcome)
        if regime not in self._regimes:
            msg = f"the options name no commission that the law knows: {regime!r}"
            raise BadOutcome(msg)
        return {
            "player": player,
            "banker": banker,
            "dealt": [
                *chain.from_iterable(opening), *player[self._cards :], *banker[self._cards :],
            ],
            "regime": regime,
            "modality": modality,
        }  # fmt: skip

    def raw(self, outcome: Mapping[str, Any]) -> Hashable:
        """Return the cards as they were dealt, and what the table uses."""
        return (
            tuple(outcome.get("player") or ()),
            tuple(outcome.get("banker") or ()),
            self._used(outcome),
        )

    def bound(self, facts: Mapping[str, Any], place: str, value: Any) -> dict[str, Any] | None:
        """Return nothing more than that the bettor is known by a name."""
        del facts, place
        return {} if isinstance(value, str) and value else None

    def _used(self, outcome: Mapping[str, Any]) -> tuple[str | None, str]:
        """Return the regime and the modality; what is no text is none."""
        options = outcome.get(_OPTIONS) or {}
        regime = options.get(_COMMISSION, self._usual)
        jackpot = options.get("jackpot")
        modality = jackpot.get("modality") if isinstance(jackpot, dict) else None
        return (
            regime if isinstance(regime, str) else None,
            modality if isinstance(modality, str) else "",
        )


def at_table(options: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return an outcome together with the options of the table where it fell."""
    return {**outcome, _OPTIONS: options}


def _last_digit(number: int) -> int:
    return int(str(number)[-1])


def _all_equal(numbers: Sequence[int]) -> bool:
    return len(set(numbers)) == 1


def _among(items: Sequence[str], wanted: Sequence[str]) -> list[str]:
    return [one for one in items if one in wanted]


def _without(items: Sequence[str], unwanted: Sequence[str]) -> list[str]:
    return [one for one in items if one not in unwanted]


def _holds_all(items: Sequence[str], wanted: Sequence[str]) -> bool:
    return set(wanted) <= set(items)
