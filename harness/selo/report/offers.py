"""What a vendor offers and declares, in words: bets, options, limits, authorisations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.report.model import Said
from selo.report.saying import joined, same, words
from selo.words.messages import knows
from selo.words.text import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.protocol.messages import Offer
    from selo.report.names import Names

#: The largest whole number of a message: a limit that reaches it is none.
_ANY: Final = 2**53 - 1
_RANGE: Final = frozenset({"from", "to"})
#: Declarations whose own parts are told one by one, or by their names.
_AUTHORISATIONS: Final = "authorisations"
_HAPPENS: Final = "happens"


class Offers:
    """Tells what is offered in the words of the law and of the glossary."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def said(
        self, offer: Offer, options: Mapping[str, Any], declared: Mapping[str, Any]
    ) -> list[Said]:
        """Return everything that is offered and declared of one game, line by line."""
        game = offer.game
        lines = [
            Said(
                what=words("document.offered.methods"), value=self._told(game, list(offer.methods))
            )
        ]
        if offer.bets:
            lines.append(
                Said(what=words("document.offered.bets"), value=self._told(game, list(offer.bets)))
            )
        lines += self._lines(game, options)
        for name, value in declared.items():
            if name == _AUTHORISATIONS:
                lines += self._authorised(game, value)
            else:
                lines += self._lines(game, {name: value})
        return lines

    def _lines(self, game: str, given: Mapping[str, Any]) -> Iterator[Said]:
        for name, value in given.items():
            told = self._events(game, value) if name == _HAPPENS else self._told(game, value)
            yield Said(what=self._named(game, name), value=told)

    def _authorised(self, game: str, given: list[Mapping[str, Any]]) -> Iterator[Said]:
        for one in given:
            yield Said(
                what=words("document.offered.authorisation", what=self._named(game, one["option"])),
                value=words(
                    "document.offered.authorised",
                    values=self._told(game, one.get("values", [])),
                    document=one.get("document", "–"),
                    granted=one.get("granted", "–"),
                    used=one.get("used_from", "–"),
                ),
            )

    def _named(self, game: str, name: str) -> Words:
        declared = self._names.declared(game, name)
        return self._names.term(game, name) if declared == same(name) else declared

    def _part(self, game: str, name: str) -> Words:
        """Return the name of a part: a bet may be called alike, so the parts come first."""
        key = f"report.part.{name}"
        return words(key) if knows(key) else self._named(game, name)

    def _events(self, game: str, given: list[str]) -> Words:
        return _listed([self._names.event(game, one) for one in given])

    def _told(self, game: str, value: Any) -> Words:
        if isinstance(value, dict) and value.keys() == _RANGE:
            return _range(value)
        if isinstance(value, dict):
            return _listed(
                [
                    _beside(self._part(game, name), self._told(game, one))
                    for name, one in value.items()
                ]
            )
        if isinstance(value, list):
            return _listed([self._told(game, one) for one in value])
        return self._names.term(game, value)


def _range(value: Mapping[str, Any]) -> Words:
    if value["from"] == 0 and value["to"] == _ANY:
        return words("document.offered.any")
    if value["to"] == _ANY:
        return same(f"≥ {value['from']}")
    return same(f"{value['from']}–{value['to']}")


def _listed(some: list[Words]) -> Words:
    return joined(some, pt=", ", zh="、") if some else same("–")


def _beside(name: Words, value: Words) -> Words:
    return Words(
        **{
            language: f"{name.get(language)} {value.get(language)}"
            for language in ("pt", "zh", "en")
        }
    )
