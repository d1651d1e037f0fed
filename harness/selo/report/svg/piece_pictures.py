"""Pictures of pieces that the law files describe: plain dice, a wheel, a heap of beads."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.equipment_file import PieceShape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selo.report.model.report_model import PieceRecord

INK: Final = "#16181d"
COLOURS: Final = {
    "red": "#a8231b", "green": "#17663a", "blue": "#1d4a86", "black": INK, "yellow": "#b88a00",
}  # fmt: skip
_PLAIN: Final = "#5f6672"
#: Millimetres of a wheel, and of a heap, whose width depends on its beads.
_WHEEL: Final = 24.0
_BEADS_HEIGHT: Final = 12.0
#: The inner and the outer radius of the pockets, of a hundred units.
_INNER, _OUTER = 31.0, 49.0
_BEAD: Final = 8.5


def draw_pieces(
    record: PieceRecord, faces: Sequence[Any], die: Callable[[Any], str]
) -> tuple[list[str], tuple[float, float]]:
    """Return each piece as SVG in a box a hundred units wide, and its size in millimetres.

    `die` draws the face of a plain die.
    """
    if record.shape == PieceShape.WHEEL:
        return [_draw_wheel(record, face) for face in faces], (_WHEEL, _WHEEL)
    if record.shape == PieceShape.BEADS:
        heaps = [_draw_beads(record.divisor or 1, int(face)) for face in faces]
        widest = max((width for _, width in heaps), default=100.0)
        scale = 100 / widest
        size = (_BEADS_HEIGHT * widest / 100, _BEADS_HEIGHT)
        return [f'<g transform="scale({scale:.4f})">{drawn}</g>' for drawn, _ in heaps], size
    return [die(face) for face in faces], (11.0, 11.0)


def draw_numeral(number: Any) -> str:
    """Return a number that a die shows in place of spots."""
    return (
        f'<text x="50" y="70" text-anchor="middle" font-family="Selo Latin" font-weight="700" '
        f'font-size="62" fill="{INK}">{int(number)}</text>'
    )


def _draw_wheel(record: PieceRecord, shown: Any) -> str:
    """Return a wheel with its pockets, and the ball in the one that came."""
    pockets = record.order or sorted(map(int, record.colours), key=int)
    step = 2 * math.pi / max(1, len(pockets))
    parts = []
    for at, pocket in enumerate(pockets):
        colour = COLOURS.get(record.colours.get(str(pocket), ""), _PLAIN)
        parts.append(_draw_sector(at * step, (at + 1) * step, colour))
        if pocket == shown:
            x, y = _point((at + 0.5) * step, (_INNER + _OUTER) / 2)
            parts.append(
                f'<circle cx="{x:.2f}" cy="{y:.2f}" r="4.6" fill="#fff" stroke="{INK}" '
                'stroke-width="1"/>'
            )
    colour = COLOURS.get(record.colours.get(str(shown), ""), _PLAIN)
    return (
        f'{"".join(parts)}<circle cx="50" cy="50" r="{_INNER:g}" fill="#fff" stroke="{INK}" '
        f'stroke-width="1"/><text x="50" y="61" text-anchor="middle" font-family="Selo Latin" '
        f'font-weight="700" font-size="32" fill="{colour}">{int(shown)}</text>'
    )


def _draw_sector(start: float, end: float, colour: str) -> str:
    (a, b), (c, d) = _point(start, _OUTER), _point(end, _OUTER)
    (e, f), (g, h) = _point(end, _INNER), _point(start, _INNER)
    return (
        f'<path d="M{a:.2f} {b:.2f}A{_OUTER:g} {_OUTER:g} 0 0 1 {c:.2f} {d:.2f}L{e:.2f} {f:.2f}'
        f'A{_INNER:g} {_INNER:g} 0 0 0 {g:.2f} {h:.2f}Z" fill="{colour}" stroke="#fff" '
        'stroke-width="0.6"/>'
    )


def _point(angle: float, radius: float) -> tuple[float, float]:
    """Return where an angle lies, from the top clockwise."""
    return 50 + radius * math.sin(angle), 50 - radius * math.cos(angle)


def _draw_beads(divisor: int, count: int) -> tuple[str, float]:
    """Return beads in columns of the divisor, what is left in red, and the width of all."""
    pitch = 100 / divisor
    radius = min(_BEAD, pitch * 0.42)
    left = count % divisor or divisor
    beads = []
    for at in range(count):
        column, row = divmod(at, divisor)
        colour = COLOURS["red"] if at >= count - left else _PLAIN
        x, y = (column + 0.5) * 2.3 * radius, (row + 0.5) * pitch
        beads.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{colour}"/>')
    columns = -(-count // divisor)
    return "".join(beads), max(columns * 2.3 * radius, 20.0)
