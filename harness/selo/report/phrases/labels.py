"""What bets, choices, events and games are called, in each language, by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.report.phrases.compose import joined, same, words
from selo.text.message_catalogue import knows
from selo.text.multilingual import Words
from selo.verdict.observations import NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.gazette import Term
    from selo.law.files.events_file import EventsFile
    from selo.law.loader import Law
    from selo.verdict.observations import Lacking

#: What the glossary knows by another id, because theirs means something else there.
_ALIASES: Final = {
    ("bacara", "player"): "player-group",
    ("bacara", "A"): "jackpot-a",
    ("bacara", "B"): "jackpot-b",
    ("bacara", "C"): "jackpot-c",
}
#: Bets that are counted together are named together.
_AND: Final = " + "


class Names:
    """The names of things, from the glossary and the words of rounds."""

    def __init__(self, law: Law) -> None:
        self._terms: Mapping[str, Term] = {term.id: term for term in law.glossary.terms}
        self._games = {
            folder.instrument.game: folder.instrument.game_name for folder in law.folders
        }
        self._events = {
            (folder.instrument.game, event.id): event.words
            for folder in law.folders
            if folder.events is not None
            for event in folder.events.events
        }
        self._readings = {
            (point.id, reading.id): (point.title, reading.says)
            for point in law.divergences
            for reading in point.readings
        }
        # Where something is both an option and a declaration, the declaration says more.
        self._declared: dict[tuple[str, str], Words] = {}
        for folder in law.folders:
            for some in () if folder.events is None else _stated(folder.events):
                self._declared |= {(folder.instrument.game, name): one for name, one in some}

    def game(self, game: str) -> Words:
        """Return the name of a game."""
        return self._games[game]

    def term(self, game: str, name: Any) -> Words:
        """Return the usual name of a bet or of a choice; what has none is named by its id."""
        if _AND in str(name):
            return joined([self.term(game, one) for one in str(name).split(_AND)], _AND, _AND)
        # Where the law calls bets alike, or has no Chinese, a name of ours tells them apart.
        own = f"report.bet.{game}.{name}"
        if knows(own):
            return words(own)
        found = self._terms.get(_ALIASES.get((game, str(name)), str(name)))
        if found is None:
            key = f"report.term.{name}"
            return words(key) if knows(key) else same(str(name))
        # Where the law speaks one language only, its word stands in the other column too.
        first = (found.pt or found.zh or [found.en])[0]
        return Words(pt=first, zh=(found.zh or [first])[0], en=found.en)

    def reading(self, point: str, reading: str) -> tuple[Words, Words] | None:
        """Return the title of an open point and what one of its readings says."""
        return self._readings.get((point, reading))

    def declared(self, game: str, name: str) -> Words:
        """Return the name of an option of a game, or of what is declared of its tables."""
        return self._declared.get((game, name), same(name))

    def bet(self, game: str, bet: Mapping[str, Any]) -> Words:
        """Return a bet with what was chosen, such as «Números» (17)."""
        name = self.term(game, bet.get("bet", ""))
        if bet.get("choice") is None:
            return name
        choice = self.term(game, bet["choice"])
        return Words(
            pt=f"{name.pt} ({choice.pt})",
            zh=f"{name.zh}（{choice.zh}）",
            en=f"{name.en} ({choice.en})",
        )

    def lacking(self, game: str, one: Lacking) -> Words:
        """Return something that is not offered, with the name by which the vendor knows it."""
        code = f"{one.name}: {one.value}" if one.value else one.name
        if one.kind is NotOffered.GAME:
            called = self.game(one.name)
        elif one.kind is NotOffered.EVENT:
            called = self.event(game, one.name)
        elif one.kind is NotOffered.OPTION and (game, one.name) in self._declared:
            called = self._declared[game, one.name]
        else:
            called = self.term(game, one.name)
        name = same(code) if called == same(one.name) else _beside(called, code)
        return words(f"lacking.{one.kind}", name=name)

    def event(self, game: str, event: str) -> Words:
        """Return what happens, or is asked for, at a table."""
        if (game, event) in self._events:
            return self._events[game, event]
        return words(f"report.act.{event}") if knows(f"report.act.{event}") else same(event)


def _stated(events: EventsFile) -> Iterator[list[tuple[str, Words]]]:
    """Yield the words of the options of a game, then those of what is declared of its tables."""
    yield [(option.id, option.words) for option in events.options]
    yield [(declaration.id, declaration.words) for declaration in events.declarations]


def _beside(called: Words, code: str) -> Words:
    return Words(
        pt=f"«{called.pt}» ({code})", zh=f"「{called.zh}」（{code}）", en=f"{called.en} ({code})"
    )
