"""A permission to fill in: what can be permitted of each game, and which points can be ruled on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from selo.gate.permission import needing
from selo.rules.checks.game_check import games as all_games
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from selo.law.loader import Law
    from selo.protocol.messages import Description


def blank(
    law: Law,
    games: Sequence[str] | None,
    description: Description | None,
    day: dt.date,
    language: str,
) -> str:
    """Return the text of a permission that permits nothing yet."""
    return "\n".join(_lines(law, games, description, day, language)) + "\n"


def _lines(
    law: Law,
    games: Sequence[str] | None,
    description: Description | None,
    day: dt.date,
    language: str,
) -> Iterator[str]:
    for line in say("permission.how-to", language).splitlines():
        yield f"# {line}"
    yield 'permission: ""'
    yield 'issuer: ""'
    yield f"issued: {day.isoformat()}"
    yield f"expires: {day.replace(year=day.year + 1, day=min(day.day, 28)).isoformat()}"
    yield "product:"
    # Names come from the vendor: as JSON they are YAML that cannot be anything else.
    yield f"  vendor: {_text(description.vendor.name if description else '')}"
    yield f"  name: {_text(description.product.name if description else '')}"
    if description is not None:
        yield f"  versions: [{_text(description.product.version)}]"
    yield "games:"
    offered = None if description is None else {game.game for game in description.games}
    chosen = [
        game for game in games or all_games(law) if offered is None or game in offered or games
    ]
    for game in chosen:
        yield from _within(f"  {game}: [", _options(law, game), "]")
    yield from _within("rulings: {", _points(law, set(chosen)), "}")


def _within(opening: str, entries: Iterator[str], closing: str) -> Iterator[str]:
    """Yield entries that are commented out, within brackets: each can be uncommented by itself."""
    inside = [f"    # {entry}," for entry in entries]
    yield opening if inside else f"{opening}{closing}"
    yield from inside
    if inside:
        yield f"    {closing}"


def _options(law: Law, game: str) -> Iterator[str]:
    for option, values in needing(law, game).items():
        amounts = ", amounts: {}" if option == "jackpot-fixed-amounts" else ""
        part = ", percentage: [1, 10]" if option == "jackpot-percentage" else ""
        yield f"{{option: {option}, values: [{', '.join(values)}]{amounts}{part}}}"


def _points(law: Law, chosen: set[str]) -> Iterator[str]:
    """Yield the points on these games; a line that names every reading is refused as it is."""
    for divergence in law.divergences:
        about = {
            law.find(name).instrument.game
            for name in divergence.provisions
            if name in law.provisions
        }
        if about & chosen:
            yield f"{divergence.id}: {' | '.join(reading.id for reading in divergence.readings)}"


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)
