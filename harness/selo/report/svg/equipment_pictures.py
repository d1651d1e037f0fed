"""Pictures of dice, cards, tiles and the pieces of the law files, drawn as SVG.

The symbols are files of ``reports/drawings``. The title of a picture describes it in words.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from selo import data_files
from selo.report.fonts import make_printable
from selo.report.phrases.composition import suit_of
from selo.report.svg import piece_pictures
from selo.report.svg.piece_pictures import COLOURS as _COLOURS
from selo.report.svg.piece_pictures import INK as _INK
from selo.rules.equipment.pack_and_dice import PACK, RED_SUITS, THROW_POSITIONS
from selo.rules.equipment.piece_set import SHOWN
from selo.rules.equipment.plain_dice import split_throw
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.report.model.report_model import PieceRecord
    from selo.table_values import Outcome

#: Colours of the figures as the law describes the die; a test compares them with the law.
FIGURE_COLOURS: Final = {
    "fish": "red", "prawn": "green", "gourd": "blue", "coin": "blue", "crab": "green",
    "rooster": "red",
}  # fmt: skip
_TILE: Final = re.compile(r"([1-6])/([1-6])")
#: Where the spots of a die stand on a grid of three by three, by their number.
_SPOTS: Final = {
    0: (), 1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}  # fmt: skip
#: On Chinese tiles these halves are red.
_RED_HALVES: Final = frozenset({1, 4})
#: Millimetres of a die, of a card and of a tile, and the gap between two.
_DIE: Final = 11.0
_CARD_SIZE: Final = (9.5, 13.5)
_TILE_SIZE: Final = (8.0, 17.0)
_GAP: Final = 1.6
#: The maximum of pieces that are drawn of one hand or throw.
_MAX_PIECES: Final = 24


class Kind(enum.StrEnum):
    """What a hand or throw consists of."""

    #: Dice with figures, dice with spots, cards, tiles, and what the law files describe.
    FIGURES = "figures"
    DICE = "dice"
    CARDS = "cards"
    TILES = "tiles"
    PIECES = "pieces"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hand:
    """The pieces of one hand or throw, and its owner."""

    #: The message that names the owner, and its slots.
    owner: str
    slots: dict[str, str] = field(default_factory=dict)
    kind: Kind
    pieces: Sequence[Any]
    #: Of dice with figures, how each lies.
    lying: Sequence[str] = ()

    def label(self, language: str) -> str:
        """Return the name of the owner."""
        return say(f"drawing.owner.{self.owner}", language, **self.slots)


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """A hand or throw as SVG, and its owner."""

    #: The message that names the owner, and its slots.
    owner: str
    slots: dict[str, str]
    svg: Markup

    def label(self, language: str) -> str:
        """Return the name of the owner."""
        return say(f"drawing.owner.{self.owner}", language, **self.slots)


def draw_pictures(
    params: Mapping[str, Any],
    languages: Sequence[str],
    *,
    shown: Mapping[str, Any] | None = None,
    observed: Mapping[str, Any] | None = None,
    pieces: PieceRecord | None = None,
) -> list[Picture]:
    """Return pictures of the hands and throws of a request.

    In a live round, `shown` is the last outcome on the table, and `observed` has the announcement.
    `pieces` is how the pieces of the game look, where the law files describe them.
    """
    hands = list_hands(params, shown=shown, observed=observed, pieces=pieces)
    return [
        Picture(owner=hand.owner, slots=hand.slots, svg=_draw_hand(hand, tuple(languages), pieces))
        for hand in hands
        if hand.pieces
    ]


def list_hands(
    params: Mapping[str, Any],
    *,
    shown: Mapping[str, Any] | None = None,
    observed: Mapping[str, Any] | None = None,
    pieces: PieceRecord | None = None,
) -> Iterator[Hand]:
    """Yield the throws and hands of a request, of the table, or of an announcement.

    In a live round, `shown` is the last outcome on the table, and `observed` has the announcement.
    `pieces` is how the pieces of the game look, where the law files describe them.
    """
    outcome: Any = shown or params.get("outcome") or _last_outcome(params.get("acts", []))
    if pieces is not None:
        faces = [face for face in outcome.get(SHOWN, ()) if type(face) is int]
        yield Hand(owner="shown", kind=Kind.PIECES, pieces=faces)
    yield from _hands_of_outcome(outcome)
    for name in () if shown else ("a", "b"):
        if name in params:
            yield _hand("hand", {"name": name.upper()}, params[name])
    told = (observed or {}).get("figures", ())
    if isinstance(told, list) and all(face in FIGURE_COLOURS for face in told):
        yield Hand(owner="announced", kind=Kind.FIGURES, pieces=told, lying=["flat"] * len(told))


def _hands_of_outcome(outcome: Outcome) -> Iterator[Hand]:
    if "dice" in outcome:
        faces = [face for face in outcome["dice"] if face in FIGURE_COLOURS]
        lying = list(outcome.get("lying") or ["flat"] * len(faces))
        yield Hand(owner="throw", kind=Kind.FIGURES, pieces=faces, lying=lying)
    throws = outcome.get("throws", ())[:_MAX_PIECES]
    for number, throw in enumerate(throws, start=1):
        owner, slots = ("throw", {}) if len(throws) == 1 else ("throw-of", {"n": str(number)})
        yield Hand(owner=owner, slots=slots, kind=Kind.DICE, pieces=throw)
    parts: Mapping[str, Any] = outcome
    for owner in ("player", "banker", "croupier"):
        if owner in parts:
            yield _hand(owner, {}, parts[owner])
    for owner, hands in (("seat", "seats"), ("place", "places")):
        for name, hand in parts.get(hands, {}).items():
            yield _hand(owner, {"name": name}, hand)


def _hand(owner: str, slots: dict[str, str], hand: Sequence[str]) -> Hand:
    """Return cards or tiles; nothing of what is neither, or not all of one kind."""
    if all(piece in PACK for piece in hand):
        return Hand(owner=owner, slots=slots, kind=Kind.CARDS, pieces=hand)
    held = hand if all(_TILE.fullmatch(piece) for piece in hand) else ()
    return Hand(owner=owner, slots=slots, kind=Kind.TILES, pieces=held)


def _last_outcome(acts: Sequence[Mapping[str, Any]]) -> Outcome:
    """Return the last outcome that a script sets."""
    outcomes = [act["outcome"] for act in acts if isinstance(act.get("outcome"), dict)]
    return outcomes[-1] if outcomes else {}


def _draw_hand(hand: Hand, languages: tuple[str, ...], record: PieceRecord | None) -> Markup:
    pieces = hand.pieces[:_MAX_PIECES]
    if hand.kind is Kind.PIECES and record is not None:
        return _draw_pieces(pieces, record, languages)
    if hand.kind is Kind.FIGURES:
        return draw_figure_dice(pieces, hand.lying, languages)
    if hand.kind is Kind.DICE:
        return draw_dice(pieces, languages)
    return (draw_cards if hand.kind is Kind.CARDS else draw_tiles)(pieces, languages)


def _draw_pieces(faces: Sequence[int], record: PieceRecord, languages: tuple[str, ...]) -> Markup:
    """Return the faces that pieces show, as the law files describe them."""
    parts, size = piece_pictures.draw_pieces(record, faces, _draw_plain_die)
    numbers = [str(face) for face in faces]
    titles = {
        language: f"{record.words.get(language)}: {_join_list(numbers, language)}"
        for language in languages
    }
    return _compose_row(parts, size, titles)


def _draw_plain_die(face: int) -> str:
    known = face in _SPOTS and face
    return _die_face(_spots(face, 100, 100, 14) if known else piece_pictures.draw_numeral(face))


# One kind of equipment each.


def draw_figure_dice(
    faces: Sequence[str], lying: Sequence[str], languages: Sequence[str]
) -> Markup:
    """Return dice with figures; one that does not lie flat is drawn on its edge."""
    parts = [
        _tilt(_die_face(_symbol(face, _COLOURS[FIGURE_COLOURS[face]])), flat=how == "flat")
        for face, how in zip(faces, lying, strict=False)
    ]
    titles = {
        language: say(
            "drawing.dice",
            language,
            shown=_join_list(
                [
                    say(f"drawing.face.{face}", language)
                    + ("" if how == "flat" else f" ({say(f'drawing.lying.{how}', language)})")
                    for face, how in zip(faces, lying, strict=False)
                ],
                language,
            ),
        )
        for language in languages
    }
    return _compose_row(parts, (_DIE, _DIE), titles)


def draw_dice(throw: Sequence[int | str], languages: Sequence[str]) -> Markup:
    """Return dice with spots; one that left the table is an outline, one not flat on its edge."""
    dice, lying = split_throw(throw)
    flat = lying == THROW_POSITIONS[0]
    parts = [
        _tilt(_die_face(_spots(spots, 100, 100, 14)), flat=flat or at < len(dice) - 1)
        if spots
        else _die_off_table()
        for at, spots in enumerate(dice)
    ]
    titles = {
        language: say(
            "drawing.dice",
            language,
            shown=_join_list(
                [str(spots) if spots else say("drawing.off-table", language) for spots in dice],
                language,
            ),
        )
        + ("" if flat else f" ({say(f'drawing.lying.{lying}', language)})")
        for language in languages
    }
    return _compose_row(parts, (_DIE, _DIE), titles)


def draw_cards(hand: Sequence[str], languages: Sequence[str]) -> Markup:
    """Return playing cards."""
    held = [card for card in hand if card in PACK]
    titles = {
        language: say(
            "drawing.cards",
            language,
            shown=_join_list(
                [
                    say("drawing.card", language, rank=card[:-1],
                        suit=say(f"drawing.suit.{suit_of(card)}", language))
                    for card in held
                ],
                language,
            ),
        )
        for language in languages
    }  # fmt: skip
    return _compose_row([_card(card) for card in held], _CARD_SIZE, titles)


def draw_tiles(hand: Sequence[str], languages: Sequence[str]) -> Markup:
    """Return tiles of P'ai Kao."""
    parts = [_tile(int(match[1]), int(match[2])) for match in map(_TILE.fullmatch, hand) if match]
    titles = {
        language: say("drawing.tiles", language, shown=_join_list(list(hand), language))
        for language in languages
    }
    return _compose_row(parts, _TILE_SIZE, titles)


# Pieces, each in a box a hundred units wide.


@cache
def _symbol(name: str, colour: str) -> str:
    text = (data_files.data_folder("reports") / "drawings" / f"{name}.svg").read_text(
        encoding="utf-8"
    )
    inner = text.partition(">")[2].rpartition("</svg>")[0].strip()
    return f'<g fill="{colour}">{inner.replace("currentColor", colour)}</g>'


def _die_face(inside: str) -> str:
    return (
        f'<rect x="2" y="2" width="96" height="96" rx="15" fill="#fff" stroke="{_INK}" '
        f'stroke-width="3"/><g transform="translate(15 15) scale(0.7)">{inside}</g>'
    )


def _tilt(inside: str, *, flat: bool) -> str:
    if flat:
        return inside
    return f'<g transform="translate(50 50) rotate(24) scale(0.76) translate(-50 -50)">{inside}</g>'


def _die_off_table() -> str:
    return (
        f'<rect x="2" y="2" width="96" height="96" rx="15" fill="none" stroke="{_INK}" '
        'stroke-width="3" stroke-dasharray="9 7"/>'
        f'<path d="M34 66L66 34M46 34H66V54" fill="none" stroke="{_INK}" stroke-width="5"/>'
    )


def _spots(number: int, width: float, height: float, size: float, colour: str = _INK) -> str:
    across = width / 2 * 0.8
    down = height / 2 * 0.8
    return "".join(
        f'<circle cx="{width / 2 + (place % 3 - 1) * across:g}" '
        f'cy="{height / 2 + (place // 3 - 1) * down:g}" r="{size:g}" fill="{colour}"/>'
        for place in _SPOTS.get(number, ())
    )


def _card(card: str) -> str:
    height = 100 * _CARD_SIZE[1] / _CARD_SIZE[0]
    colour = _COLOURS["red"] if card[-1] in RED_SUITS else _INK
    return (
        f'<rect x="2" y="2" width="96" height="{height - 4:.2f}" rx="10" fill="#fff" '
        f'stroke="{_INK}" stroke-width="3"/>'
        f'<text x="12" y="46" font-family="Selo Latin" font-weight="700" font-size="44" '
        f'fill="{colour}">{card[:-1]}</text>'
        f'<g transform="translate(38 {height - 66:.2f}) scale(0.5)">'
        f"{_symbol(suit_of(card), colour)}</g>"
    )


def _tile(top_half: int, bottom_half: int) -> str:
    height = 100 * _TILE_SIZE[1] / _TILE_SIZE[0]
    half = height / 2
    halves = "".join(
        f'<g transform="translate(20 {top + half * 0.14:.2f})">'
        + _spots(number, 60, half * 0.72, 9.5, "#f0695c" if number in _RED_HALVES else "#fff")
        + "</g>"
        for number, top in ((top_half, 0.0), (bottom_half, half))
    )
    return (
        f'<rect x="2" y="2" width="96" height="{height - 4:.2f}" rx="12" fill="{_INK}"/>'
        f'<path d="M14 {half:.2f}H86" stroke="#8b9099" stroke-width="2"/>{halves}'
    )


def _compose_row(
    parts: Sequence[str], size: tuple[float, float], titles: Mapping[str, str]
) -> Markup:
    """Return pieces side by side as one picture with its title."""
    width, height = size
    whole = max(len(parts) * (width + _GAP) - _GAP, width)
    scale = width / 100
    drawn = "".join(
        f'<g transform="translate({at * (width + _GAP):.2f} 0) scale({scale:g})">{part}</g>'
        for at, part in enumerate(parts)
    )
    title = escape(make_printable(" · ".join(titles.values())))
    # Every part is our own drawing; text from outside is only in the escaped title.
    return Markup(  # noqa: S704
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:.2f} {height:.2f}" '
        f'width="{whole:.2f}mm" height="{height:.2f}mm"><title>{title}</title>{drawn}</svg>'
    )


def _join_list(items: Sequence[str], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(items)
