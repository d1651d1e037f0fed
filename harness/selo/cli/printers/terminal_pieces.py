"""Dice, cards and tiles as coloured text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.svg import FIGURE_COLOURS, Kind
from selo.rules.equipment.pack_and_dice import RED_SUITS, THROW_POSITIONS
from selo.rules.equipment.plain_dice import split_throw
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.report.model.report_model import PieceRecord
    from selo.report.svg import Hand

#: A piece as it is printed, and its style.
StyledPiece = tuple[str, str]

_FLAT: Final = THROW_POSITIONS[0]
_PIPS: Final = "⚀⚁⚂⚃⚄⚅"
_SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_PLAIN: Final = "bold"
_STYLES: Final = {"red": "bold red", "green": "bold green", "blue": "bold blue"}
#: More pieces of one hand are not printed; the request in words has all of them.
_MAX_PIECES: Final = 24


def style_pieces(
    hand: Hand, language: str, record: PieceRecord | None = None
) -> Iterator[StyledPiece]:
    """Yield the pieces of a hand or throw; `record` is how those of the law files look."""
    pieces = hand.pieces[:_MAX_PIECES]
    if hand.kind is Kind.FIGURES:
        for face, how in zip(pieces, hand.lying, strict=False):
            name = say(f"drawing.face.{face}", language)
            lying = "" if how == _FLAT else f" ({say(f'drawing.lying.{how}', language)})"
            yield f"[{name}]{lying}", _STYLES.get(FIGURE_COLOURS[face], _PLAIN)
    elif hand.kind is Kind.DICE:
        dice, lying = split_throw(pieces)
        for spots in dice:
            shown = f"{_PIPS[spots - 1]} {spots}" if spots else say("drawing.off-table", language)
            yield shown, _PLAIN
        if lying != _FLAT:
            yield f"({say(f'drawing.lying.{lying}', language)})", _PLAIN
    elif hand.kind is Kind.CARDS:
        for card in pieces:
            style = _STYLES["red"] if card[-1] in RED_SUITS else _PLAIN
            yield card[:-1] + _SUIT_SIGNS[card[-1]], style
    else:
        colours = {} if record is None else record.colours
        for piece in pieces:
            yield f"[{piece}]", _STYLES.get(colours.get(str(piece), ""), _PLAIN)
