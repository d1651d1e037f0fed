"""What must fit on the first page: of long lists, their beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.words.visible import visible

if TYPE_CHECKING:
    from selo.report.model import Report

#: The gazettes of so many instruments stand on the first page; those of more with their articles.
FEW_NORMS: Final = 3
#: So much of the options stands on the first page; all of them stand with the item.
_MOST_OFFERED: Final = {"zh": 58}
_MOST_OTHERWISE: Final = 104
#: A document of few instruments has room for so many times as much.
_MORE: Final = 3


def offered(report: Report, language: str) -> str:
    """Return the options of the games in one line for the first page."""
    games = []
    for game in report.offered:
        # The ways of asking and the bets come first, then one line for each option.
        before, options = 1 + bool(game.bets), len(game.options)
        told = [
            f"{one.what.get(language)}: {one.value.get(language)}"
            for one in game.said[before : before + options]
        ]
        if told:
            games.append(f"{game.name.get(language)} — {'; '.join(told)}")
    most = _MOST_OFFERED.get(language, _MOST_OTHERWISE)
    most *= 1 if len(report.norms) > FEW_NORMS else _MORE
    return visible(". ".join(games), most) if games else ""
