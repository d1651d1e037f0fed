"""Facts of a round in words: fields of events, their values, and acts of the script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.composition import (
    as_words,
    join_words,
    label_value,
    message_or_text,
    suit_of,
    words,
)
from selo.report.phrases.money_format import is_amount
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.procedure import field_name_of
from selo.text.message_catalogue import has_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from selo.law import Law
    from selo.report.phrases.labels import Labels
    from selo.report.phrases.money_format import Amount
    from selo.text import Words


#: Fields that hold money, and fields that hold freely chosen names.
_MONEY_FIELDS: Final = frozenset({"stake", "prize", "commission", "paid", "minimum", "maximum"})
_FREE_NAME_FIELDS: Final = frozenset({"ticket", "player", "seat", "place", "bettor"})
_SEAT_FIELDS: Final = frozenset({"seat", "place"})
_BET_FIELDS: Final = frozenset({"bet", "choice", "offered"})
#: Families of messages that name single values, in the order in which they are searched.
_VALUE_MESSAGES: Final = ("drawing.face.", "drawing.lying.", "report.value.", "report.result.")
_ACT: Final = "act"
#: The hands of a comparison.
_HANDS: Final = ("a", "b")
_EVENT: Final = "event"


class FactDescriber:
    """Describes fields, values and acts of a round, in the money of one vendor."""

    def __init__(self, law: Law, names: Labels, format_amount: Callable[[Amount], str]) -> None:
        self._names, self._format_amount = names, format_amount
        self._fields: dict[tuple[str, str], Words] = {}
        for folder in law.folders:
            game, events = folder.instrument.game, folder.events
            if events is not None:
                self._fields |= {
                    (game, option.id): field_name_of(option.words) for option in events.options
                }
                self._fields |= {
                    (game, field.id): field_name_of(field.words) for field in events.fields
                }

    def fact(self, game: str, name: str, value: Any) -> Words:
        """Return the name of a field and its value."""
        return label_value(self._field(game, name), self.value(game, name, value))

    def value(self, game: str, name: str, value: Any) -> Words:
        """Return the value of a field; a dash if it is empty."""
        if value in ({}, [], ""):
            return as_words("–")
        if isinstance(value, dict):
            return join_words([self.fact(game, field, part) for field, part in value.items()])
        if name in _MONEY_FIELDS and is_amount(value):
            return as_words(self._format_amount(value))
        if isinstance(value, list):
            return join_words([self.value(game, name, part) for part in value], ", ", "、")
        if isinstance(value, bool):
            return words(f"report.value.{'yes' if value else 'no'}")
        return self._word(game, name, str(value))

    def question(self, game: str, params: Mapping[str, Any]) -> Iterator[Words]:
        """Yield what a case asks besides its bets: the outcome, the hands, the options."""
        asked: dict[str, Any] = {**params.get("outcome", {})}
        asked |= {name: params[name] for name in _HANDS if name in params}
        for name, value in {**asked, **params.get("options", {})}.items():
            yield self.fact(game, name, value)

    def act(self, game: str, act: Mapping[str, Any]) -> Words:
        """Return an act of a script: a request at a table, or an event that it forces."""
        parts = [self._names.event(game, str(act.get(_ACT, "")))]
        if _EVENT in act:
            parts.append(self._names.event(game, str(act[_EVENT])))
        rest = {name: value for name, value in act.items() if name not in {_ACT, _EVENT}}
        parts += [self.fact(game, name, value) for name, value in rest.items() if value != ""]
        return join_words(parts)

    def _field(self, game: str, name: str) -> Words:
        if (game, name) in self._fields:
            return self._fields[game, name]
        return message_or_text(f"report.field.{name}", name)

    def _word(self, game: str, name: str, value: str) -> Words:
        if value in PACK:
            suit = words(f"drawing.suit.{suit_of(value)}")
            return words("drawing.card", rank=value[:-1], suit=suit)
        if name in _BET_FIELDS:
            return self._names.term(game, value)
        for family in () if name in _FREE_NAME_FIELDS else _VALUE_MESSAGES:
            if has_message(f"{family}{value}"):
                return words(f"{family}{value}")
        # A seat or a place may be that of the house.
        if name in _SEAT_FIELDS:
            return message_or_text(f"report.value.{value}", value)
        return as_words(value)
