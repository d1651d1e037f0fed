"""A template of a permission: what can be permitted in each game, and the points to rule on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from selo.gate.permission import options_to_permit
from selo.rules.checks import list_games
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import Approves
from selo.rules.clauses.jackpot_share import read_approvals
from selo.text import say

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.protocol.messages import Description


def render_permission_template(
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
    # Names come from the vendor: JSON strings are YAML that needs no further escaping.
    yield f"  vendor: {_quote(description.vendor.name if description else '')}"
    yield f"  name: {_quote(description.product.name if description else '')}"
    if description is not None:
        yield f"  versions: [{_quote(description.product.version)}]"
    yield "games:"
    offered = None if description is None else {game.game for game in description.games}
    chosen = [
        game for game in games or list_games(law) if offered is None or game in offered or games
    ]
    for game in chosen:
        yield from _bracket_entries(f"  {game}: [", _option_entries(law, game), "]")
    texts = (folder.instrument.id for folder in law.folders if folder.instrument.game in chosen)
    yield from _bracket_entries("texts: [", texts, "]")
    yield from _bracket_entries("rulings: {", _point_entries(law, set(chosen)), "}")


def _bracket_entries(opening: str, entries: Iterator[str], closing: str) -> Iterator[str]:
    """Yield entries that are commented out, within brackets: each can be uncommented by itself."""
    comments = [f"    # {entry}," for entry in entries]
    yield opening if comments else f"{opening}{closing}"
    yield from comments
    if comments:
        yield f"    {closing}"


def _option_entries(law: Law, game: str) -> Iterator[str]:
    approves = read_approvals(read_clauses(law, game))
    for option, values in options_to_permit(law, game).items():
        what = approves.get(option)
        amounts = ", amounts: {}" if what is Approves.FIXED else ""
        part = ", percentage: [1, 10]" if what is Approves.PERCENTAGE else ""
        yield f"{{option: {option}, values: [{', '.join(values)}]{amounts}{part}}}"


def _point_entries(law: Law, chosen: set[str]) -> Iterator[str]:
    """Yield the open points of some games; a line that keeps all readings is refused."""
    for divergence in law.divergences:
        about = {
            law.find(name).instrument.game
            for name in divergence.provisions
            if name in law.provisions
        }
        if about & chosen:
            yield f"{divergence.id}: {' | '.join(reading.id for reading in divergence.readings)}"


def _quote(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
