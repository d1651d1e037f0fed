"""Dice, cards and tiles as coloured text, in a line for each hand or throw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from selo.report.svg.equipment_pictures import FIGURE_COLOURS, last_outcome
from selo.rules.equipment.pack_and_dice import PACK, RED_SUITS
from selo.rules.equipment.piece_set import SHOWN
from selo.rules.equipment.plain_dice import split_throw
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.report.model.report_model import PieceRecord

#: A piece as it is printed, and its style.
StyledPiece = tuple[str, str]

_PIPS: Final = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}
_SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_STYLES: Final = {"red": "bold red", "green": "bold green", "blue": "bold blue"}
_TILE: Final = re.compile(r"[1-6]/[1-6]")
_FLAT: Final = "flat"
_HANDS: Final = ("player", "banker", "croupier")
_HANDS_BY_NAME: Final = (("seat", "seats"), ("place", "places"))
#: The hands of a comparison.
_COMPARED: Final = ("a", "b")
#: Pieces of one hand, and throws, that are printed; the request in words has all of them.
_MAX_PIECES: Final = 24


def list_pieces(
    params: Mapping[str, Any],
    language: str,
    *,
    shown: Mapping[str, Any] | None = None,
    pieces: PieceRecord | None = None,
) -> Iterator[tuple[str, list[StyledPiece]]]:
    """Yield the owner of each hand or throw of a request, and its pieces.

    In a live round `shown` is the last outcome on the table.
    """
    forced = last_outcome(params.get("acts", []))
    outcome: Mapping[str, Any] = shown or params.get("outcome") or forced
    hands = [*_throws(outcome, language, pieces), *_hands(outcome, params, language)]
    for owner, held in hands:
        if held:
            yield owner, held


def _throws(
    outcome: Mapping[str, Any], language: str, pieces: PieceRecord | None
) -> Iterator[tuple[str, list[StyledPiece]]]:
    faces = [face for face in outcome.get(SHOWN, ()) if type(face) is int][:_MAX_PIECES]
    if faces and pieces is not None:
        yield _owner("shown", language), [_numbered(face, pieces) for face in faces]
    figures = [face for face in outcome.get("dice", ()) if face in FIGURE_COLOURS][:_MAX_PIECES]
    if figures:
        lying = [*(outcome.get("lying") or ()), *[_FLAT] * len(figures)]
        yield (
            _owner("throw", language),
            [_figure(*die, language) for die in zip(figures, lying, strict=False)],
        )
    throws = list(outcome.get("throws", ()))[:_MAX_PIECES]
    for number, throw in enumerate(throws, start=1):
        owner = (
            _owner("throw", language)
            if len(throws) == 1
            else _owner("throw-of", language, n=str(number))
        )
        yield owner, _plain_dice(throw, language)


def _hands(
    outcome: Mapping[str, Any], params: Mapping[str, Any], language: str
) -> Iterator[tuple[str, list[StyledPiece]]]:
    for owner in _HANDS:
        if owner in outcome:
            yield _owner(owner, language), _hand(outcome[owner])
    for owner, hands in _HANDS_BY_NAME:
        for name, hand in outcome.get(hands, {}).items():
            yield _owner(owner, language, name=name), _hand(hand)
    for name in _COMPARED:
        if name in params:
            yield _owner("hand", language, name=name.upper()), _hand(params[name])


def _owner(owner: str, language: str, **slots: str) -> str:
    return say(f"drawing.owner.{owner}", language, **slots)


def _figure(face: str, lying: str, language: str) -> StyledPiece:
    name = say(f"drawing.face.{face}", language)
    how = "" if lying == _FLAT else f" ({say(f'drawing.lying.{lying}', language)})"
    return f"[{name}]{how}", _STYLES[FIGURE_COLOURS[face]]


def _numbered(face: int, pieces: PieceRecord) -> StyledPiece:
    return f"[{face}]", _STYLES.get(pieces.colours.get(str(face), ""), "bold")


def _plain_dice(throw: Sequence[int | str], language: str) -> list[StyledPiece]:
    dice, lying = split_throw(throw)
    held = [
        (f"{_PIPS.get(spots, '')} {spots}" if spots else say("drawing.off-table", language), "bold")
        for spots in dice
    ]
    if lying != _FLAT:
        held.append((f"({say(f'drawing.lying.{lying}', language)})", "bold"))
    return held


def _hand(hand: Sequence[str]) -> list[StyledPiece]:
    """Return cards or tiles; nothing if they are neither, or not all of one kind."""
    held = list(hand)[:_MAX_PIECES]
    if all(piece in PACK for piece in held):
        return [
            (piece[:-1] + _SUIT_SIGNS[piece[-1]], "bold red" if piece[-1] in RED_SUITS else "bold")
            for piece in held
        ]
    if all(isinstance(piece, str) and _TILE.fullmatch(piece) for piece in held):
        return [(f"[{piece}]", "bold") for piece in held]
    return []
