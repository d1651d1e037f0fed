"""Offers and declarations of a vendor in words: bets, options, limits, authorisations."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import LARGEST_INTEGER
from selo.protocol.messages import FULL
from selo.report.model.report_model import OfferLine
from selo.report.phrases import money_format
from selo.report.phrases.composition import (
    LANGUAGES,
    as_words,
    join_lines,
    join_words,
    label_value,
    message_or_text,
    words,
)
from selo.text import Words
from selo.text.message_catalogue import has_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.protocol.messages import Offer
    from selo.report.phrases.labels import Labels


_RANGE_KEYS: Final = frozenset({"from", "to"})
#: Declarations whose parts are described one by one, or by their names.
_AUTHORISATIONS: Final = "authorisations"
_HAPPENS: Final = "happens"
_JACKPOTS: Final = "jackpots"
#: Options and parts that are amounts, and those that are fractions.
_MONEY_FIELDS: Final = frozenset({"minimum", "maximum", "fixed", "amounts", "initial"})
_FRACTION_FIELDS: Final = frozenset({"percentage"})
#: An option whose set of values has a message of its own.
_LIMITS: Final = "limits"
_YES_AND_NO: Final = frozenset({"no", "yes"})


class OfferDescriber:
    """Describes an offer in the words of the law and of the glossary, and in its currency."""

    def __init__(self, names: Labels, currency: str, decimals: int) -> None:
        self._names, self._currency, self._decimals = names, currency, decimals

    def describe(
        self, offer: Offer, options: Mapping[str, Any], declared: Mapping[str, Any]
    ) -> list[OfferLine]:
        """Return a line for everything that is offered and declared of one game."""
        game = offer.game
        # A method of the protocol may have the same id as a term of the law.
        methods = [message_or_text(f"report.term.{method}", method) for method in offer.methods]
        lines = [OfferLine(what=words("document.offered.methods"), value=_join_list(methods))]
        if offer.bets:
            bets = self._value(game, list(offer.bets))
            lines.append(OfferLine(what=words("document.offered.bets"), value=bets))
        lines += self._claims(offer)
        for name, value in options.items():
            lines.append(self._option(game, name, value, declared.get(name)))
        for name, value in declared.items():
            if name == _AUTHORISATIONS:
                lines += self._authorisations(game, value)
            elif name == _JACKPOTS:
                lines += self._jackpots(game, value)
            elif name == _HAPPENS and name not in options:
                events = _join_list([self._names.event(game, event) for event in value])
                lines.append(OfferLine(what=self._label(game, name), value=events))
            elif name not in options:
                lines.append(
                    OfferLine(what=self._label(game, name), value=self._value(game, value, name))
                )
        return lines

    def _claims(self, offer: Offer) -> Iterator[OfferLine]:
        """Yield what the vendor says that its product does not do or tell, as its claims."""
        game = offer.game
        if offer.level != FULL:
            level = words(f"document.offered.level.{offer.level}")
            yield OfferLine(what=words("document.offered.level"), value=level)
        if offer.largest_stake is not None:
            largest = as_words(str(offer.largest_stake))
            yield OfferLine(what=words("document.offered.largest-stake"), value=largest)
        if offer.stake_step != 1:
            step = as_words(str(offer.stake_step))
            yield OfferLine(what=words("document.offered.stake-step"), value=step)
        if offer.cannot:
            names = [self._names.circumstance(game, name) for name in offer.cannot]
            yield OfferLine(what=words("document.offered.cannot"), value=_join_list(names))
        for who in dict.fromkeys(offer.via.values()):
            named = [name for name, via in offer.via.items() if via == who]
            # A method of the protocol may have the same id as a term of the law.
            labels = [
                self._names.term(game, name)
                if name in offer.bets
                else message_or_text(f"report.term.{name}", name)
                for name in named
            ]
            yield OfferLine(what=words(f"document.offered.via.{who}"), value=_join_list(labels))

    def _option(self, game: str, name: str, value: Any, declared: Any) -> OfferLine:
        """Return the values that an option may take, and the declared one."""
        text = self._value(game, value, name)
        if declared is not None and declared != value:
            text = words(
                "document.offered.configurable",
                value=self._value(game, declared, name),
                range=text,
            )
        return OfferLine(what=self._label(game, name), value=text)

    def _authorisations(
        self, game: str, authorisations: list[Mapping[str, Any]]
    ) -> Iterator[OfferLine]:
        for granted in authorisations:
            option = self._label(game, granted["option"])
            yield OfferLine(
                what=words("document.offered.authorisation", what=option),
                value=words(
                    "document.offered.authorised",
                    values=self._value(game, granted.get("values", [])),
                    document=granted.get("document", "–"),
                    granted=granted.get("granted", "–"),
                    used=granted.get("used_from", "–"),
                ),
            )

    def _jackpots(self, game: str, jackpots: list[Mapping[str, Any]]) -> Iterator[OfferLine]:
        """Yield a line for each jackpot, named by its modality."""
        for jackpot in jackpots:
            parts = [
                _label_block(self._part_label(game, name), self._value(game, value, name))
                for name, value in jackpot.items()
                if name != "modality" and value
            ]
            modality = self._value(game, jackpot["modality"])
            yield OfferLine(
                what=label_value(self._label(game, _JACKPOTS), modality),
                value=join_lines(parts) if parts else as_words("–"),
            )

    def _label(self, game: str, name: str) -> Words:
        declared = self._names.declared(game, name)
        return self._names.term(game, name) if declared == as_words(name) else declared

    def _part_label(self, game: str, name: str) -> Words:
        """Return the name of a part, which takes precedence over a bet with the same id."""
        key = f"report.part.{name}"
        return words(key) if has_message(key) else self._label(game, name)

    def _value(self, game: str, value: Any, name: str = "") -> Words:
        """Return a value; its name says whether it is money, a fraction, or neither."""
        if name in _FRACTION_FIELDS:
            return as_words(f"{money_format.format_number(Fraction(*value) * 100, 0)}%")
        if isinstance(value, dict):
            return self._record(game, value, name)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return join_lines([self._row(game, row) for row in value])
        if isinstance(value, list):
            return self._choices(game, value, name)
        if self._is_money(game, name) and isinstance(value, int):
            return as_words(money_format.format_amount(value, self._currency, self._decimals))
        return self._names.term(game, value)

    def _is_money(self, game: str, name: str) -> bool:
        return name in _MONEY_FIELDS or self._names.is_amount(game, name)

    def _record(self, game: str, value: Mapping[str, Any], name: str) -> Words:
        if value.keys() == _RANGE_KEYS:
            return self._range(game, value, name)
        return join_lines(
            [
                label_value(
                    self._part_label(game, part),
                    self._value(game, detail, _kind_of_part(part, name)),
                )
                for part, detail in value.items()
            ]
        )

    def _row(self, game: str, row: Mapping[str, Any]) -> Words:
        """Return the parts of a record on one line."""
        parts = [
            label_value(self._part_label(game, part), self._value(game, value))
            for part, value in row.items()
        ]
        return _join_list(parts, zh="，")

    def _choices(self, game: str, choices: list[Any], name: str) -> Words:
        if name == _LIMITS:
            key = f"document.offered.limits.{'-'.join(sorted(map(str, choices)))}"
            if has_message(key):
                return words(key)
        if set(map(str, choices)) == _YES_AND_NO:
            return words("document.offered.either")
        return _join_list([self._value(game, choice, name) for choice in choices])

    def _range(self, game: str, value: Mapping[str, Any], name: str) -> Words:
        # The largest whole number of a message means no limit.
        unlimited = value["to"] >= LARGEST_INTEGER
        if unlimited and value["from"] == 0:
            kind = "-amount" if self._is_money(game, name) else ""
            return words(f"document.offered.any{kind}")
        least, most = (self._value(game, value[end], name) for end in ("from", "to"))
        if unlimited:
            return words("document.offered.at-least", least=least)
        return Words(
            **{language: f"{least.get(language)}–{most.get(language)}" for language in LANGUAGES}
        )


def _kind_of_part(part: str, whole: str) -> str:
    """Return the name that says what a part is: its own, or that of the whole."""
    return part if part in _MONEY_FIELDS | _FRACTION_FIELDS else whole


def _join_list(items: list[Words], zh: str = "、") -> Words:
    """Return a list, separated by semicolons if its items have commas of their own."""
    separator = "; " if any(", " in item.pt for item in items) else ", "
    return join_words(items, pt=separator, zh=zh) if items else as_words("–")


def _label_block(name: Words, value: Words) -> Words:
    """Return a value after its name, on lines of its own if it has several."""
    if "\n" not in value.pt:
        return label_value(name, value)
    return Words(
        pt=f"{name.pt}:\n{value.pt}", zh=f"{name.zh}：\n{value.zh}", en=f"{name.en}:\n{value.en}"
    )
