"""The hand of the player against the hand of the banker, dealt from several packs.

Conditions may depend on the options of the table, so an outcome is read and cached with them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.kits import (
    EXPOSED,
    MOST_EXPOSED,
    OPTIONS,
    BadOutcome,
    Tables,
    card_functions,
    read_hand,
)
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, Function, define_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.table_values import Outcome

#: The option for the commission regime.
_COMMISSION: Final = "commission"
_BETTOR: Final = "bettor"


class PlayerAndBanker:
    """Two hands, to each of which one additional card may be dealt."""

    places: Final[Mapping[str, Mapping[str, str]]] = {_BETTOR: {}}
    #: The names of both hands in an outcome.
    hands: Final = ("player", "banker")

    def __init__(self, cards: int, options: Sequence[Option]) -> None:
        self._cards = cards
        regimes = [option for option in options if option.option == _COMMISSION]
        self._regimes = frozenset(chain.from_iterable(regime.values for regime in regimes))
        # The default is the first regime that needs no permission.
        free = chain.from_iterable(regime.values for regime in regimes if not regime.authorised)
        self._usual = next(free, None)
        #: The other options that conditions may name, with their values.
        self._texts = {
            option.option: frozenset(option.values)
            for option in options
            if option.values
            and option.option.isidentifier()
            and option.option not in {_COMMISSION, JACKPOT}
        }
        self.variables = {
            "player": TEXTS,
            "banker": TEXTS,
            "dealt": TEXTS,
            EXPOSED: TEXTS,
            "regime": TEXT,
            "modality": TEXT,
            **dict.fromkeys(self._texts, TEXT),
        }

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions of cards, and of additional cards."""

        def drew(hand: Sequence[str]) -> bool:
            return len(hand) > self._cards

        return [
            *card_functions(tables),
            define_function(
                "drew", (TEXTS,), BOOL, drew, says="whether a hand got an additional card"
            ),
            define_function(
                "last_digit", (INT,), INT, _last_digit, says="the last digit of a number"
            ),
            define_function(
                "all_equal", (INTS,), BOOL, _all_equal, says="whether all numbers are equal"
            ),
            define_function(
                "among", (TEXTS, TEXTS), TEXTS, _among, says="what of a list is in the second"
            ),
            define_function(
                "without", (TEXTS, TEXTS), TEXTS, _without, says="what of a list is not in it"
            ),
            define_function("together", (TEXTS, TEXTS), TEXTS, _together, says="two lists as one"),
            define_function(
                "holds_all", (TEXTS, TEXTS), BOOL, _holds_all, says="whether a list has all of them"
            ),
        ]

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: no bet has a choice."""
        del choice, tables
        return None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return both hands, all cards in the order of dealing, the regime and the modality."""
        del tables
        sizes = (self._cards, self._cards + 1)
        player = read_hand(outcome.get("player"), "the player", sizes)
        banker = read_hand(outcome.get("banker"), "the banker", sizes)
        exposed = read_hand(outcome.get(EXPOSED, []), "the table", range(MOST_EXPOSED + 1))
        opening = zip(player[: self._cards], banker[: self._cards], strict=True)
        regime, modality = self._table_uses(outcome)
        if regime not in self._regimes:
            msg = f"unknown commission in the options: {regime!r}"
            raise BadOutcome(msg)
        return {
            "player": player,
            "banker": banker,
            "dealt": [
                *chain.from_iterable(opening), *player[self._cards :], *banker[self._cards :],
            ],
            EXPOSED: exposed,
            "regime": regime,
            "modality": modality,
            **dict(zip(self._texts, self._read_texts(outcome), strict=True)),
        }  # fmt: skip

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return the cards as they were dealt, the regime and the modality."""
        return (
            tuple(outcome.get("player") or ()),
            tuple(outcome.get("banker") or ()),
            tuple(outcome.get(EXPOSED) or ()),
            self._table_uses(outcome),
            self._read_texts(outcome),
        )

    def _read_texts(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the other options that conditions may name, empty where they are left out."""
        options = outcome.get(OPTIONS) or {}
        texts = []
        for name, values in self._texts.items():
            value = options.get(name) or ""
            if not isinstance(value, str) or (value and value not in values):
                msg = f"'{value}' is not a value of {name}: {', '.join(sorted(values))}"
                raise BadOutcome(msg)
            texts.append(value)
        return tuple(texts)

    def bind_place(self, facts: Mapping[str, Any], place: str, value: Any) -> dict[str, Any] | None:
        """Return no facts if the bettor has a name, or nothing."""
        del facts, place
        return {} if isinstance(value, str) and value else None

    def _table_uses(self, outcome: Outcome) -> tuple[str | None, str]:
        """Return the regime and the modality, where they are texts."""
        options = outcome.get(OPTIONS) or {}
        regime = options.get(_COMMISSION, self._usual)
        jackpot = options.get(JACKPOT)
        modality = jackpot.get("modality") if isinstance(jackpot, dict) else None
        return (
            regime if isinstance(regime, str) else None,
            modality if isinstance(modality, str) else "",
        )


def _last_digit(number: int) -> int:
    return int(str(number)[-1])


def _all_equal(numbers: Sequence[int]) -> bool:
    return len(set(numbers)) == 1


def _among(items: Sequence[str], wanted: Sequence[str]) -> list[str]:
    return [one for one in items if one in wanted]


def _without(items: Sequence[str], unwanted: Sequence[str]) -> list[str]:
    return [one for one in items if one not in unwanted]


def _together(items: Sequence[str], more: Sequence[str]) -> list[str]:
    return [*items, *more]


def _holds_all(items: Sequence[str], wanted: Sequence[str]) -> bool:
    return set(wanted) <= set(items)
