"""Live rounds in a file: what is asked of a table, line by line, and what its answers tell.

No act of a script depends on an answer, so that all of it can be asked at once and judged later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.protocol.messages import Offer
from selo.protocol.schema import game_words
from selo.rounds import Table, missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.law.loader import Law
    from selo.rounds import Played, Script
    from selo.vendors.reply_reader import Reply


def tables_of(law: Law, games: Iterable[str]) -> list[Offer]:
    """Return offers of everything that the tables of these games can do."""
    offers = []
    for game in games:
        words = game_words(law, game)
        if "table" in words.abilities:
            example = words.schemas[f"{game}.offer"]["examples"][0]
            offers.append(msgspec.convert(example, Offer))
    return offers


def asked(script: Script, table: str) -> Iterator[tuple[str, Any]]:
    """Yield every request of a script, with its method."""
    yield "table.open", script.opening(table)
    for act in script.acts:
        yield "table.act", {"table": table, "act": act}
    yield "table.close", {"table": table}


def played(script: Script, table: str, answer: Callable[[str, Any], Reply]) -> Played:
    """Return what was answered to a script, as if its table had been stopped where it failed."""
    one = Table(script, table)
    opening, *acts, closing = [answer(method, params) for method, params in asked(script, table)]
    one.take_opening(opening)
    for at, reply in enumerate(acts):
        if one.is_open and not one.stopped:
            one.take(at, reply)
    if one.is_open:
        one.take_closing(closing)
    return one.played()


def offered(script: Script, offers: Iterable[Offer], law: Law) -> bool:
    """Return whether a vendor that answered at leisure offers all that a script asks for."""
    offer = next((offer for offer in offers if offer.game == script.game), None)
    return offer is not None and missing(script, offer, game_words(law, script.game)) is None
