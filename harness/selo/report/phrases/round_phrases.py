"""Facts of a round in words: fields of events, what stands in them, and what was asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.compose import joined, same, words
from selo.report.svg import SUITS
from selo.rules.procedure import field_name
from selo.text.message_catalogue import knows
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selo.law.loader import Law
    from selo.report.phrases.labels import Names

_CARD: Final = re.compile(r"(A|[2-9]|10|J|Q|K)([SHDC])")
#: Fields that hold money, and those that hold names which somebody gave.
_MONEY: Final = frozenset({"stake", "prize", "commission", "paid", "minimum", "maximum"})
_GIVEN: Final = frozenset({"ticket", "player", "seat", "place", "bettor"})
_AROUND: Final = frozenset({"seat", "place"})
_BETS: Final = frozenset({"bet", "choice", "offered"})
#: Where words of single values stand, in the order in which they are sought.
_VALUES: Final = ("drawing.face.", "drawing.lying.", "report.value.", "report.result.")
_ACT: Final = "act"
_EVENT: Final = "event"


class Facts:
    """What fields and values are called, in the money of one vendor."""

    def __init__(self, law: Law, names: Names, told: Callable[[Any], str]) -> None:
        self._names, self._told = names, told
        self._fields: dict[tuple[str, str], Words] = {}
        for folder in law.folders:
            game, events = folder.instrument.game, folder.events
            if events is not None:
                self._fields |= {
                    (game, option.id): field_name(option.words) for option in events.options
                }
                self._fields |= {
                    (game, field.id): field_name(field.words) for field in events.fields
                }

    def fact(self, game: str, name: str, value: Any) -> Words:
        """Return a field and what stands in it."""
        return _beside(self._field(game, name), self.value(game, name, value))

    def value(self, game: str, name: str, value: Any) -> Words:
        """Return what stands in a field; a dash where nothing does."""
        if value in ({}, [], ""):
            return same("–")
        if isinstance(value, dict):
            return joined([self.fact(game, one, each) for one, each in value.items()])
        if name in _MONEY and _is_amount(value):
            return same(self._told(value))
        if isinstance(value, list):
            return joined([self.value(game, name, one) for one in value], ", ", "、")
        if isinstance(value, bool):
            return words(f"report.value.{'yes' if value else 'no'}")
        return self._word(game, name, str(value))

    def act(self, game: str, act: Mapping[str, Any]) -> Words:
        """Return something that was asked for at a table, or was made to happen there."""
        said = [self._names.event(game, str(act.get(_ACT, "")))]
        if _EVENT in act:
            said.append(self._names.event(game, str(act[_EVENT])))
        rest = {name: value for name, value in act.items() if name not in {_ACT, _EVENT}}
        said += [self.fact(game, name, value) for name, value in rest.items() if value != ""]
        return joined(said)

    def _field(self, game: str, name: str) -> Words:
        if (game, name) in self._fields:
            return self._fields[game, name]
        return words(f"report.field.{name}") if knows(f"report.field.{name}") else same(name)

    def _word(self, game: str, name: str, value: str) -> Words:
        card = _CARD.fullmatch(value)
        if card:
            suit = words(f"drawing.suit.{SUITS[card[2]][0]}")
            return words("drawing.card", rank=card[1], suit=suit)
        if name in _BETS:
            return self._names.term(game, value)
        for family in () if name in _GIVEN else _VALUES:
            if knows(f"{family}{value}"):
                return words(f"{family}{value}")
        # A seat or a place may be that of the house.
        house = name in _AROUND and knows(f"report.value.{value}")
        return words(f"report.value.{value}") if house else same(value)


def _is_amount(value: Any) -> bool:
    return type(value) is int or (
        isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)  # noqa: PLR2004 - a numerator and a denominator
    )


def _beside(name: Words, value: Words) -> Words:
    return Words(
        pt=f"{name.pt}: {value.pt}", zh=f"{name.zh}：{value.zh}", en=f"{name.en}: {value.en}"
    )
