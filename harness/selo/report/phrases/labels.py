"""Names of bets, choices, events and games by their ids; status of a text; reasons of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.composition import (
    as_words,
    in_brackets,
    join_words,
    label_value,
    message_or_text,
    words,
)
from selo.text import Words, say
from selo.text.message_catalogue import has_message
from selo.verdict.observations import NotOffered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.gazette import Term
    from selo.law import Law
    from selo.table_values import Bet
    from selo.verdict.observations import MissingOffer


#: Families of messages that name what the glossary does not, in the order of search.
_TERM_MESSAGES: Final = ("report.term.", "report.value.", "drawing.lying.")
#: Between the names of bets that are counted together.
_BET_SEPARATOR: Final = " + "
_PART_SEPARATOR: Final = ": "
_ENGLISH: Final = "en"


class Labels:
    """The names of things, from the glossary and the words of rounds."""

    def __init__(self, law: Law) -> None:
        self._terms: Mapping[str, Term] = {term.id: term for term in law.glossary.terms}
        #: Words of a game that mean something else in the glossary, and the terms meant there.
        self._aliases = {
            (game, name): term.id
            for term in law.glossary.terms
            for game, name in term.called.items()
        }
        self._games = {
            folder.instrument.game: folder.instrument.game_name for folder in law.folders
        }
        self._events = {
            (folder.instrument.game, event.id): event.words
            for folder in law.folders
            if folder.events is not None
            for event in folder.events.events
        }
        self._circumstances = {
            (folder.instrument.game, each.id): each.words
            for folder in law.folders
            for each in folder.instrument.circumstances
        }
        self._readings = {
            (point.id, reading.id): (point.title, reading.says)
            for point in law.divergences
            for reading in point.readings
        }
        # Where something is both an option and a declaration, the declaration says more.
        self._declared: dict[tuple[str, str], Words] = {}
        self._amounts: set[tuple[str, str]] = set()
        for folder in law.folders:
            game, events = folder.instrument.game, folder.events
            if events is not None:
                self._declared |= {(game, option.id): option.words for option in events.options}
                self._declared |= {(game, item.id): item.words for item in events.declarations}
                self._amounts |= {(game, option.id) for option in events.options if option.amount}
                self._amounts |= {(game, item.id) for item in events.declarations if item.amount}

    def game(self, game: str) -> Words:
        """Return the name of a game."""
        return self._games[game]

    def term(self, game: str, name: Any) -> Words:
        """Return the usual name of a bet or of a choice, or its id if it has no name."""
        if _BET_SEPARATOR in str(name):
            names = [self.term(game, bet) for bet in str(name).split(_BET_SEPARATOR)]
            return join_words(names, _BET_SEPARATOR, _BET_SEPARATOR)
        if _PART_SEPARATOR in str(name):
            # A part of a declaration, such as the bets of a layout.
            whole, part = str(name).split(_PART_SEPARATOR, 1)
            return label_value(self.term(game, whole), self.term(game, part))
        # Messages name bets that the law calls alike, or for which it has no Chinese name.
        own = f"report.bet.{game}.{name}"
        if has_message(own):
            return words(own)
        term = self._terms.get(self._aliases.get((game, str(name)), str(name)))
        if term is None:
            keys = (f"{family}{name}" for family in _TERM_MESSAGES)
            return next((words(key) for key in keys if has_message(key)), as_words(str(name)))
        # A term of a law in one language stands in both columns.
        first = (term.pt or term.zh or [term.en])[0]
        return Words(pt=first, zh=(term.zh or [first])[0], en=term.en)

    def reading(self, point: str, reading: str) -> tuple[Words, Words] | None:
        """Return the title of an open point and the statement of one of its readings."""
        return self._readings.get((point, reading))

    def declared(self, game: str, name: str) -> Words:
        """Return the name of an option of a game, or of a declaration about its tables."""
        return self._declared.get((game, name), as_words(name))

    def is_amount(self, game: str, name: str) -> bool:
        """Return whether an option of a game, or a declaration about its tables, is money."""
        return (game, name) in self._amounts

    def circumstance(self, game: str, name: str) -> Words:
        """Return what a vendor declares that it cannot do."""
        return self._circumstances.get((game, name), as_words(name))

    def bet(self, game: str, bet: Bet) -> Words:
        """Return a bet with its choice, such as «Números» (17)."""
        name = self.term(game, bet.get("bet", ""))
        if bet.get("choice") is None:
            return name
        return in_brackets(name, self.term(game, bet["choice"]))

    def missing_offer(self, game: str, missing: MissingOffer) -> Words:
        """Return something that the vendor does not offer, in words where there are any."""
        declared = missing.kind in {NotOffered.OPTION, NotOffered.DECLARATION}
        if missing.kind is NotOffered.GAME:
            label = self.game(missing.name)
        elif missing.kind in {NotOffered.EVENT, NotOffered.UNTOLD}:
            label = self.event(game, missing.name)
        elif missing.kind is NotOffered.CANNOT:
            label = self.circumstance(game, missing.name)
        elif missing.kind is NotOffered.TOLD:
            label = words(f"document.offered.level.{missing.name}")
        elif declared and (game, missing.name) in self._declared:
            label = self._declared[game, missing.name]
        else:
            label = self.term(game, missing.name)
        if missing.value:
            field = f"report.field.{missing.value}"
            named_field = missing.kind is NotOffered.UNTOLD and has_message(field)
            value = words(field) if named_field else self.term(game, missing.value)
            label = label_value(label, value)
        named = label != as_words(missing.name)
        return words(f"lacking.{missing.kind}", name=_quote(label) if named else label)

    def name_in(self, game: str, name: Any, language: str) -> str:
        """Return a bet or choice for a terminal; English has the id, as it is typed."""
        return str(name) if language == _ENGLISH else self.term(game, name).get(language)

    def value_in(self, game: str, value: Any, language: str) -> str:
        """Return a value of an outcome or an option for a terminal; English has it as typed."""
        if isinstance(value, bool):
            return say("report.value.yes" if value else "report.value.no", language)
        for key in (f"report.value.{value}", f"drawing.lying.{value}"):
            if language != _ENGLISH and has_message(key):
                return say(key, language)
        return self.name_in(game, value, language)

    def game_in(self, game: str, language: str) -> str:
        """Return a game for a terminal; English has the id, as it is typed."""
        return game if language == _ENGLISH else self.game(game).get(language)

    def option_in(self, game: str, name: str, value: Any, language: str) -> str:
        """Return an option of a table and its value for a terminal; English has the ids."""
        if language == _ENGLISH:
            return f"{name} {value}"
        said = self.term(game, value) if isinstance(value, str) else as_words(str(value))
        return f"{self.declared(game, name).get(language)}: {said.get(language)}"

    def factor_in(self, game: str, name: str, language: str) -> str:
        """Return what a covering array combines; a number may follow, as in ``place 3``."""
        if language == _ENGLISH:
            return name
        stem, _, number = name.rpartition(" ")
        if stem and number.isdigit():
            return f"{say(f'plan.factor.{stem}', language)} {number}"
        key = f"plan.factor.{name.replace(' ', '-')}"
        if has_message(key):
            return say(key, language)
        return self.declared(game, name).get(language)

    def event(self, game: str, event: str) -> Words:
        """Return the name of an event or an act at a table."""
        if (game, event) in self._events:
            return self._events[game, event]
        return message_or_text(f"report.act.{event}", event)


def _quote(label: Words) -> Words:
    return Words(pt=f"«{label.pt}»", zh=f"「{label.zh}」", en=f"“{label.en}”")


def round_reason(game: str, name: str, fallback: str) -> Words:
    """Return why a written round is played; `fallback` if no message says it."""
    return message_or_text(f"round.{game}.{name}", fallback or name)
