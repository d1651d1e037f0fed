"""What a vendor offers and declares, in words: bets, options, limits, authorisations."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.report.model.report_model import OfferLine
from selo.report.phrases import money_format
from selo.report.phrases.compose import LANGUAGES, joined, lines, same, words
from selo.text.message_catalogue import knows
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.protocol.messages import Offer
    from selo.report.phrases.labels import Names

#: The largest whole number of a message: a limit that reaches it is none.
_ANY: Final = 2**53 - 1
_RANGE: Final = frozenset({"from", "to"})
#: Declarations whose own parts are told one by one, or by their names.
_AUTHORISATIONS: Final = "authorisations"
_HAPPENS: Final = "happens"
_JACKPOTS: Final = "jackpots"
#: Options and parts that are amounts, and those that are parts of a whole.
_MONEY: Final = frozenset({"minimum", "maximum", "jackpot_stake", "fixed", "amounts", "initial"})
_PARTS: Final = frozenset({"percentage"})
#: Options of which all values together say one thing.
_LIMITS: Final = "limits"
_EITHER: Final = frozenset({"no", "yes"})


class Offers:
    """Tells what is offered in the words of the law and of the glossary, and in its money."""

    def __init__(self, names: Names, currency: str, decimals: int) -> None:
        self._names, self._currency, self._decimals = names, currency, decimals

    def said(
        self, offer: Offer, options: Mapping[str, Any], declared: Mapping[str, Any]
    ) -> list[OfferLine]:
        """Return everything that is offered and declared of one game, each thing once."""
        game = offer.game
        ways = _listed([_term(method) for method in offer.methods])
        found = [OfferLine(what=words("document.offered.methods"), value=ways)]
        if offer.bets:
            found.append(
                OfferLine(
                    what=words("document.offered.bets"), value=self._told(game, list(offer.bets))
                )
            )
        for name, value in options.items():
            found.append(self._option(game, name, value, declared.get(name)))
        for name, value in declared.items():
            if name == _AUTHORISATIONS:
                found += self._authorised(game, value)
            elif name == _JACKPOTS:
                found += self._jackpots(game, value)
            elif name not in options:
                told = self._events(game, value) if name == _HAPPENS else None
                told = told or self._told(game, value, name)
                found.append(OfferLine(what=self._named(game, name), value=told))
        return found

    def _option(self, game: str, name: str, value: Any, declared: Any) -> OfferLine:
        """Return what an option may be, and beside it what it is declared to be."""
        told = self._told(game, value, name)
        if declared is not None and declared != value:
            told = words(
                "document.offered.configurable",
                value=self._told(game, declared, name),
                range=told,
            )
        return OfferLine(what=self._named(game, name), value=told)

    def _authorised(self, game: str, given: list[Mapping[str, Any]]) -> Iterator[OfferLine]:
        for one in given:
            yield OfferLine(
                what=words("document.offered.authorisation", what=self._named(game, one["option"])),
                value=words(
                    "document.offered.authorised",
                    values=self._told(game, one.get("values", [])),
                    document=one.get("document", "–"),
                    granted=one.get("granted", "–"),
                    used=one.get("used_from", "–"),
                ),
            )

    def _jackpots(self, game: str, given: list[Mapping[str, Any]]) -> Iterator[OfferLine]:
        """Yield a line for each jackpot, named by its modality."""
        for one in given:
            rest = {name: value for name, value in one.items() if name != "modality" and value}
            told = [
                _under(self._part(game, each), self._told(game, rest[each], each)) for each in rest
            ]
            yield OfferLine(
                what=_beside(self._named(game, _JACKPOTS), self._told(game, one["modality"])),
                value=lines(told) if told else same("–"),
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

    def _told(self, game: str, value: Any, name: str = "") -> Words:
        """Return a value; its name says whether it is money, a part of a whole, or neither."""
        if name in _PARTS:
            return same(f"{money_format.number(Fraction(*value) * 100, 0)}%")
        if isinstance(value, dict):
            return self._record(game, value, name)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return lines([self._row(game, one) for one in value])
        if isinstance(value, list):
            return self._choices(game, value, name)
        if name in _MONEY and isinstance(value, int):
            return same(money_format.told(value, self._currency, self._decimals))
        return self._names.term(game, value)

    def _record(self, game: str, value: Mapping[str, Any], name: str) -> Words:
        if value.keys() == _RANGE:
            return self._range(game, value, name)
        return lines(
            [
                _beside(self._part(game, each), self._told(game, one, _kind(each, name)))
                for each, one in value.items()
            ]
        )

    def _row(self, game: str, given: Mapping[str, Any]) -> Words:
        """Return what belongs together on one line."""
        return _listed(
            [_beside(self._part(game, name), self._told(game, one)) for name, one in given.items()],
            zh="，",
        )

    def _choices(self, game: str, given: list[Any], name: str) -> Words:
        if name == _LIMITS:
            key = f"document.offered.limits.{'-'.join(sorted(map(str, given)))}"
            if knows(key):
                return words(key)
        if set(map(str, given)) == _EITHER:
            return words("document.offered.either")
        return _listed([self._told(game, one, name) for one in given])

    def _range(self, game: str, value: Mapping[str, Any], name: str) -> Words:
        if value["to"] >= _ANY and value["from"] == 0:
            return words(f"document.offered.any{'-amount' if name in _MONEY else ''}")
        least, most = (self._told(game, value[end], name) for end in ("from", "to"))
        if value["to"] >= _ANY:
            return words("document.offered.at-least", least=least)
        return Words(**{one: f"{least.get(one)}–{most.get(one)}" for one in LANGUAGES})


def _kind(part: str, whole: str) -> str:
    """Return the name that says what a part is: its own, or that of what it is a part of."""
    return part if part in _MONEY | _PARTS else whole


def _term(name: str) -> Words:
    """Return the name of a way of asking, which may be called like a thing of the law."""
    key = f"report.term.{name}"
    return words(key) if knows(key) else same(name)


def _listed(some: list[Words], zh: str = "、") -> Words:
    """Return a list; things that have commas of their own are parted by semicolons."""
    between = "; " if any(", " in one.pt for one in some) else ", "
    return joined(some, pt=between, zh=zh) if some else same("–")


def _under(name: Words, value: Words) -> Words:
    """Return a value beside its name, or below it where it has several lines."""
    if "\n" not in value.pt:
        return _beside(name, value)
    return Words(
        pt=f"{name.pt}:\n{value.pt}", zh=f"{name.zh}：\n{value.zh}", en=f"{name.en}:\n{value.en}"
    )


def _beside(name: Words, value: Words) -> Words:
    return Words(
        pt=f"{name.pt}: {value.pt}", zh=f"{name.zh}：{value.zh}", en=f"{name.en}: {value.en}"
    )
