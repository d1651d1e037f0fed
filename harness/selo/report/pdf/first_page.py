"""What must fit on the first page: of long lists, their beginning, and where the rest stands."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from selo.text.message_catalogue import say
from selo.text.multilingual import LAW_LANGUAGES
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.report.model.report_model import Report

#: More instruments than this are set smaller on the first page.
FEW_NORMS: Final = 3
#: So much of the options stands on the first page; all of them stand with the item.
_MOST_OFFERED: Final = {"zh": 84}
_MOST_OTHERWISE: Final = 180
#: A document of few instruments has room for so many times as much.
_MORE: Final = 2


#: Two languages, and more letters than this in names and addresses, leave no room at full size.
_MOST_WRITTEN: Final = 900


def dense(report: Report, languages: Sequence[str]) -> bool:
    """Return whether the first page is set smaller, so that it stays one page."""
    item, first = report.item, report.findings[:1]
    written = [
        report.issuer.name, report.issuer.address, report.issuer.contact, report.issuer.licence,
        item.product, item.version, item.vendor, report.client.name, report.place,
        *(signatory.name for signatory in report.signatories),
        *(words.pt for one in first for words in (one.title, one.required, one.seen)),
    ]  # fmt: skip
    return len(languages) > len(LAW_LANGUAGES) or sum(map(len, written)) > _MOST_WRITTEN


def gazettes(report: Report, languages: Sequence[str]) -> bool:
    """Return whether the first page has room for the gazette of every instrument."""
    return len(report.norms) <= FEW_NORMS or not dense(report, languages)


def offered(report: Report, language: str, section: str) -> str:
    """Return the options of the games for the first page, none of them cut in two."""
    options = list(_options(report, language))
    most = _MOST_OFFERED.get(language, _MOST_OTHERWISE)
    most *= 1 if len(report.norms) > FEW_NORMS else _MORE
    # The first is told even if it is as long as all may be, and then only its beginning.
    ends = accumulate(len(option) for option in options)
    shown = max(1, sum(end <= most for end in ends))
    told = [visible(option, most) for option in options[:shown]]
    if len(options) > shown:
        told.append(say("document.more", language, count=len(options) - shown, section=section))
    return say("document.first.between", language).join(told)


def _options(report: Report, language: str) -> Iterator[str]:
    """Yield each option; the first of a game with the name of the game."""
    for game in report.offered:
        # The ways of asking and the bets come first, then one line for each option.
        before, options = 1 + bool(game.bets), len(game.options)
        name = game.name.get(language)
        for one in game.said[before : before + options]:
            value = one.value.get(language).replace("\n", " ")
            slots = {"what": one.what.get(language), "value": value}
            told = say("document.first.option", language, **slots)
            yield (
                say("document.first.option-of", language, game=name, option=told) if name else told
            )
            name = ""
