"""A game with everything that its law and its steps know, as a vendor would offer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.cases.case import LARGEST
from selo.law.files.events_file import Kind
from selo.protocol.messages import Offer
from selo.protocol.schema.game_schema import game_words

if TYPE_CHECKING:
    from selo.law.loader import Law


def whole_offer(law: Law, game: str) -> Offer:
    """Return a game of which everything is offered."""
    words = game_words(law, game)
    numbers = {"from": 0, "to": LARGEST}
    return msgspec.convert(
        {
            "game": game,
            "methods": words.abilities,
            "bets": words.bets,
            "options": {
                name: numbers if one.kind is Kind.NUMBER else one.values
                for name, one in words.options_known.items()
            },
            "forces": bool(words.happenings),
            "happens": words.happenings,
        },
        Offer,
    )
