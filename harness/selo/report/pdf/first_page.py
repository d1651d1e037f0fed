"""Density and abbreviated lists of the first page, so that it stays one page."""

from __future__ import annotations

import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from selo.text import LAW_LANGUAGES, say
from selo.text.sanitize import escape_unseen
from selo.vendors.sandbox import GUARANTEES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from selo.report.model.report_model import Report

#: More instruments are printed in a smaller size.
MAX_FULL_SIZE_NORMS: Final = 3
#: The maximal width of the options on the first page, in letters; the item section has all.
_MAX_OPTIONS_WIDTH: Final = 180
#: The factor by which documents of few instruments have more room.
_FEW_NORMS_FACTOR: Final = 2
#: Two languages, and more letters than this in names, addresses and shortfalls, leave no room at
#: full size.
_MAX_FULL_SIZE_LETTERS: Final = 900
#: The smallest size of the first page.
MAX_DENSITY: Final = 2
#: More guarantees of isolation that are missing are only counted; the method section has all.
_MAX_GUARANTEES_NAMED: Final = 6


def first_density(report: Report, languages: Sequence[str]) -> int:
    """Return the density at which the first page is likely to be one page: 0 is full size."""
    item, first = report.item, report.findings[:1]
    texts = [
        report.issuer.name, report.issuer.address, report.issuer.contact, report.issuer.licence,
        item.product, item.version, item.vendor, report.client.name, report.place,
        *(signatory.name for signatory in report.signatories),
        *(words.pt for one in first for words in (one.title, one.required, one.seen)),
        summarize_shortfalls(report, languages[0]) if report.shortfalls else "",
    ]  # fmt: skip
    has_no_room = sum(map(len, texts)) > _MAX_FULL_SIZE_LETTERS
    has_both = bool(first) and len(report.norms) > MAX_FULL_SIZE_NORMS
    return int(len(languages) > len(LAW_LANGUAGES) or has_both or has_no_room)


def has_room_for_gazettes(report: Report, density: int) -> bool:
    """Return whether the first page has room for the gazette of every instrument."""
    if len(report.norms) <= MAX_FULL_SIZE_NORMS:
        return True
    return not (report.findings or report.shortfalls or density)


def summarize_options(report: Report, language: str, section: str) -> str:
    """Return as many whole options of the games as the first page has room for.

    They are the same in every language: as many as fit in all of them.
    """
    most = _MAX_OPTIONS_WIDTH
    most *= 1 if len(report.norms) > MAX_FULL_SIZE_NORMS else _FEW_NORMS_FACTOR
    # The first option is always printed, cut if it is too long.
    count = max(1, min(
        sum(end <= most for end in accumulate(map(_width_of, _list_options(report, name))))
        for name in {*report.languages, language}
    ))  # fmt: skip
    options = list(_list_options(report, language))
    parts = [escape_unseen(option, most) for option in options[:count]]
    if len(options) > count:
        parts.append(say("document.more", language, count=len(options) - count, section=section))
    return say("document.first.between", language).join(parts)


def _width_of(text: str) -> int:
    """Return the width of a text in letters; a Chinese character is two letters wide."""
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)


def summarize_shortfalls(report: Report, language: str) -> str:
    """Return everything that a real certificate would have insisted on, by kind."""
    by_kind: dict[str, dict[str, None]] = {}
    for shortfall in report.shortfalls:
        group, _, rest = shortfall.key.partition(":")
        kind, _, name = (rest if group == "extent" else f"isolation:{rest}").partition(":")
        if name == "opened":
            kind = name
        # Of a game, one mention stands for all of its deviations; the statistics list them.
        by_kind.setdefault(kind, {})[name.partition(":")[0]] = None
    parts = [
        say(f"document.shortfall.{kind}", language, of=_list_names(report, kind, names, language))
        for kind, names in by_kind.items()
    ]
    return say("document.first.shortfalls", language, list="; ".join(parts))


def _list_names(report: Report, kind: str, names: Collection[str], language: str) -> str:
    """Return the games or guarantees that fall short; many guarantees are only counted."""
    if kind == "isolation" and len(names) > _MAX_GUARANTEES_NAMED:
        slots = {"count": len(names), "all": len(GUARANTEES)}
        return say("document.shortfall.guarantees", language, **slots)
    games = {one.game: one.name.get(language) for one in report.games}
    if len(games) > 1 and games.keys() <= {*names}:
        return say("document.shortfall.all-games", language)
    return say("document.first.between", language).join(
        say(f"isolation.{name}", language) if kind == "isolation" else games.get(name, name)
        for name in names
    )


def _list_options(report: Report, language: str) -> Iterator[str]:
    """Yield each option, the first of a game with the name of the game."""
    for game in report.offered:
        # The lines of an offer begin with the methods and the bets, then come the options.
        before, options = 1 + bool(game.bets), len(game.options)
        name = game.name.get(language)
        for line in game.said[before : before + options]:
            value = line.value.get(language).replace("\n", " ")
            slots = {"what": line.what.get(language), "value": value}
            option = say("document.first.option", language, **slots)
            yield (
                say("document.first.option-of", language, game=name, option=option)
                if name
                else option
            )
            name = ""
