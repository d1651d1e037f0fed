"""Live rounds in a file: the requests of a script, and the round that its answers describe.

No act of a script depends on an answer, so all requests can be written at once and judged later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.protocol.messages import Offer
from selo.protocol.schema import game_words
from selo.rounds import OpenTable, describe_lacking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.law import Law
    from selo.rounds import PlayedScript, Script
    from selo.vendors.reply_reader import Reply


def full_table_offers(law: Law, games: Iterable[str]) -> list[Offer]:
    """Return offers of everything that tables of these games can do."""
    offers = []
    for game in games:
        words = game_words(law, game)
        if "table" in words.abilities:
            example = words.schemas[f"{game}.offer"]["examples"][0]
            offers.append(msgspec.convert(example, Offer))
    return offers


def script_requests(script: Script, table: str) -> Iterator[tuple[str, Any]]:
    """Yield the method and params of every request of a script."""
    yield "table.open", script.open_params(table)
    for act in script.acts:
        yield "table.act", {"table": table, "act": act}
    yield "table.close", {"table": table}


def read_transcript(
    script: Script, table: str, answer: Callable[[str, Any], Reply]
) -> PlayedScript:
    """Return the round that the answers describe, ended where a live table would have stopped."""
    open_table = OpenTable(script, table)
    opening, *acts, closing = [
        answer(method, params) for method, params in script_requests(script, table)
    ]
    open_table.take_opening(opening)
    for at, reply in enumerate(acts):
        if open_table.is_open and not open_table.stopped:
            open_table.take(at, reply)
    if open_table.is_open:
        open_table.take_closing(closing)
    return open_table.result()


def is_offered(script: Script, offers: Iterable[Offer], law: Law) -> bool:
    """Return whether the offers of a vendor include all that a script needs."""
    offer = next((offer for offer in offers if offer.game == script.game), None)
    return (
        offer is not None and describe_lacking(script, offer, game_words(law, script.game)) is None
    )
