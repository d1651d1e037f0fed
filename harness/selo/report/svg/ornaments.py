"""Ornaments of the first page: rosette, sign of the verdict, QR code."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from selo.report.model.report_model import DocumentKind
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A pre-check has no rosette, because it must not look like an issued document.
_ACCENTS: Final = {DocumentKind.TEST_REPORT: "#1c2f4a", DocumentKind.CERTIFICATE: "#1f4a3d"}
_WAVE_POINTS: Final = 220
_ROSETTE_SIZE: Final = 21.5
_QR_SIZE: Final = 21.5
_SIGN_SIZE: Final = 10
#: The quiet zone around a QR code, in modules.
_QUIET_MODULES: Final = 2
_SIGNS: Final = {
    Overall.CONFORMS: ("#2a6a4b", "M28 52L44 68L73 34"),
    Overall.VIOLATES: ("#a8231b", "M32 32L68 68M68 32L32 68"),
    Overall.INCONCLUSIVE: ("#b27b12", "M36 38C36 22 64 22 64 39C64 50 50 50 50 61M50 73V74"),
    Overall.NOT_FULLY_VERIFIED: ("#b27b12", "M30 50H34M48 50H52M66 50H70"),
}


@cache
def draw_rosette(kind: DocumentKind) -> Markup:
    """Return the engraved rosette of an issued document."""
    if kind not in _ACCENTS:
        return Markup()
    colour = _ACCENTS[kind]
    rings = [
        (80.0, 13.0, 12, 6),
        (52.0, 11.0, 9, 5),
        (30.0, 8.0, 7, 4),
    ] if kind is DocumentKind.CERTIFICATE else [(76.0, 8.0, 18, 4), (48.0, 10.0, 8, 4)]  # fmt: skip
    paths = "".join(
        f'<path d="{_wave(radius, depth, waves, 2 * math.pi * turn / (turns * waves))}"/>'
        for radius, depth, waves, turns in rings
        for turn in range(turns)
    )
    return _wrap_svg(
        f'<g transform="translate(100 100)" fill="none" stroke="{colour}" stroke-width="0.7">'
        f'<circle r="97" stroke-width="2.2"/><circle r="93.6"/>{paths}'
        f'<circle r="19" stroke-width="1.4"/></g>',
        size=_ROSETTE_SIZE,
        box=200,
        title=("Selo",),
    )


def _wave(radius: float, depth: float, waves: int, turn: float) -> str:
    points = []
    for at in range(_WAVE_POINTS):
        angle = 2 * math.pi * at / _WAVE_POINTS
        reach = radius + depth * math.cos(waves * (angle + turn))
        points.append(f"{reach * math.cos(angle):.1f} {reach * math.sin(angle):.1f}")
    return f"M{'L'.join(points)}Z"


def draw_verdict_sign(overall: Overall, titles: Sequence[str]) -> Markup:
    """Return the sign of a verdict; verdicts differ by shape and not only by colour."""
    colour, path = _SIGNS[overall]
    outline = (
        f'<rect x="6" y="6" width="88" height="88" fill="{colour}"/>'
        if overall is Overall.VIOLATES
        else f'<circle cx="50" cy="50" r="46" fill="{colour}"/>'
    )
    return _wrap_svg(
        f'{outline}<path d="{path}" fill="none" stroke="#fff" stroke-width="9" '
        'stroke-linecap="round" stroke-linejoin="round"/>',
        size=_SIGN_SIZE,
        box=100,
        title=titles,
    )


def draw_qr_code(text: str, titles: Sequence[str]) -> Markup:
    """Return a QR code that holds an address, or a text that any phone shows."""
    import segno  # noqa: PLC0415 - only documents need it

    code = segno.make(text, error="m", micro=False)
    rows = list(code.matrix)
    drawn = "".join(
        f"M{across} {down}h1v1h-1z"
        for down, row in enumerate(rows)
        for across, dark in enumerate(row)
        if dark
    )
    return _wrap_svg(
        f'<g transform="translate({_QUIET_MODULES} {_QUIET_MODULES})">'
        f'<path d="{drawn}" fill="#000"/></g>',
        size=_QR_SIZE,
        box=len(rows) + 2 * _QUIET_MODULES,
        title=titles,
    )


def _wrap_svg(inside: str, *, size: float, box: float, title: Sequence[str]) -> Markup:
    # Every part is our own drawing; only the title has text, and it is escaped.
    return Markup(  # noqa: S704
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box:g} {box:g}" '
        f'width="{size:g}mm" height="{size:g}mm"><title>{escape(" · ".join(title))}</title>'
        f"{inside}</svg>"
    )
