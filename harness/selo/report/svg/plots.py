"""Plots, drawn as SVG: stacked bars of what was found, and the house edges on one line each.

A plot says in its title, in words, what it shows, and prints its figures beside its bars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from selo.report.fonts import printable
from selo.text.number_format import written

if TYPE_CHECKING:
    from collections.abc import Sequence

_INK: Final = "#16181d"
_GREY: Final = "#5d636e"
_HAIR: Final = "#c9cdd4"
_FONTS: Final = "Selo Latin, Selo Han, Selo Fallback, Selo Signs"
#: Millimetres: the whole width, the room for names, and the height of one line.
_WIDTH: Final = 174.0
_NAMES: Final = 64.0
_LINE: Final = 4.4
_BAR: Final = 3.0
_TEXT: Final = 2.5
#: A figure is printed inside of a bar that is at least so wide.
_ROOM: Final = 3.4
_TICKS: Final = 10
#: How wide a letter is, Latin or Chinese.
_LATIN: Final = 1.22
_HAN: Final = 2.35
_FIRST_HAN: Final = 0x2E80
#: A name that is longer than its room stands on two lines; what does not fit then is cut, and the
#: table beside has it in full.
_PITCH: Final = 2.9
_MOST_LINES: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Shade:
    """One kind of thing that is counted: its colour, and its name for the legend."""

    name: str
    fill: str
    #: The colour of a figure on it.
    ink: str = "#fff"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One line of a plot: its name, and how many of each shade."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dots:
    """One line of a plot of values: exact, and declared and observed where they are known."""

    #: In each language, where they differ.
    names: tuple[str, ...]
    exact: float
    declared: float | None
    observed: float | None


def bars(lines: Sequence[Bar], shades: Sequence[Shade], *, title: str) -> Markup:
    """Return stacked bars, as long as what they count, with a legend."""
    longest = max((sum(line.counts) for line in lines), default=0) or 1
    unit = (_WIDTH - _NAMES - 12) / longest
    legend, rows = _legend(shades)
    drawn = [legend]
    top = head = _LINE * (rows + 0.5)
    for line in lines:
        name = _folded(line.name)
        height = _height(name)
        base = top + height / 2 + _LINE * 0.18
        drawn += _named(name, top, height)
        left = _NAMES
        for count, shade in zip(line.counts, shades, strict=True):
            width = count * unit
            if count:
                drawn.append(_rect(left, top + (height - _BAR) / 2, width, _BAR, shade.fill))
                if width >= _ROOM:
                    drawn.append(_text(str(count), left + width / 2, base, shade.ink, "middle"))
            left += width
        drawn.append(_text(str(sum(line.counts)), left + 1, base, _GREY))
        top += height
    drawn.append(_rect(_NAMES - 0.1, head, 0.2, top - head, _INK))
    return _whole(drawn, top + 0.5, title)


def dots(
    lines: Sequence[Dots], names: tuple[str, str, str], *, title: str, language: str
) -> Markup:
    """Return values in per cent on one line each; `names` are of exact, declared, observed."""
    values = [
        value
        for line in lines
        for value in (line.exact, line.declared, line.observed)
        if value is not None
    ]
    low, high = min([0.0, *values]), max([0.0, *values]) or 1.0
    step = _step(high - low)
    first = int(low // step)
    last = int(-(-high // step))
    scale = (_WIDTH - _NAMES - 8) / ((last - first) * step)

    def at(value: float) -> float:
        return _NAMES + 3 + (value - first * step) * scale

    called = [[part for name in line.names for part in _folded(name)] for line in lines]
    top = _LINE * 1.5
    bottom = top + sum(map(_height, called))
    drawn = [_key(names)]
    for tick in range(first, last + 1):
        drawn.append(_rect(at(tick * step) - 0.08, top, 0.16, bottom - top, _HAIR))
        label = written(f"{tick * step:g}%", language)
        drawn.append(_text(label, at(tick * step), bottom + 3, _GREY, "middle"))
    for line, name in zip(lines, called, strict=True):
        height = _height(name)
        middle = top + height / 2
        drawn += _named(name, top, height)
        top += height
        drawn.append(_rect(_NAMES + 3, middle - 0.06, _WIDTH - _NAMES - 8, 0.12, _HAIR))
        if line.declared is not None:
            drawn.append(_rect(at(line.declared) - 0.3, middle - 1.7, 0.6, 3.4, "#b0701a"))
        if line.observed is not None:
            drawn.append(_ring(at(line.observed), middle))
        drawn.append(_dot(at(line.exact), middle))
    return _whole(drawn, bottom + 4, title)


def _step(width: float) -> float:
    """Return a round distance between ticks that gives no more than ten of them."""
    tens = 0.01
    while True:
        for step in (tens, 2 * tens, 5 * tens):
            if width / step <= _TICKS:
                return step
        tens *= 10


def _legend(shades: Sequence[Shade]) -> tuple[str, int]:
    """Return the legend, and on how many lines it stands."""
    drawn, left, row = [], 0.0, 0
    for shade in shades:
        width = 7 + _width(shade.name)
        if left and left + width - 3 > _WIDTH:
            left, row = 0.0, row + 1
        top = row * _LINE
        drawn.append(_rect(left, top + 0.6, 2.6, 2.6, shade.fill))
        drawn.append(_text(shade.name, left + 3.6, top + 2.9, _INK))
        left += width
    return "".join(drawn), row + 1


def _key(names: tuple[str, str, str]) -> str:
    exact, declared, observed = names
    return (
        _dot(1.4, 2) + _text(exact, 3.6, 2.9, _INK)
        + _rect(46, 0.3, 0.6, 3.4, "#b0701a") + _text(declared, 48, 2.9, _INK)
        + _ring(96, 2) + _text(observed, 98.4, 2.9, _INK)
    )  # fmt: skip


def _width(text: str) -> float:
    return sum(_HAN if ord(one) > _FIRST_HAN else _LATIN for one in text)


def _height(name: Sequence[str]) -> float:
    """Return how high a line of a plot is that has so many lines of names."""
    return _LINE + _PITCH * (len(name) - 1)


def _named(name: Sequence[str], top: float, height: float) -> list[str]:
    """Return the lines of a name, one below the other, beside the middle of its line."""
    first = top + height / 2 + _LINE * 0.18 - _PITCH * (len(name) - 1) / 2
    return [
        _text(line, _NAMES - 1.5, first + _PITCH * number, _INK, "end")
        for number, line in enumerate(name)
    ]


def _folded(name: str) -> list[str]:
    """Return a name on one line, or on two where it has no room."""
    most = _NAMES - 1.5
    parts = [name] if _width(name) <= most else [half for half in _halves(name) if half]
    return [_cut(part, most) for part in parts[:_MOST_LINES]]


def _halves(name: str) -> tuple[str, str]:
    """Return a long name on two lines: before its bracket, or else in the middle."""
    for sign in (" (", "（"):
        before, bracket, within = name.partition(sign)
        if bracket:
            return before, f"{sign.strip()}{within}"
    spaces = [at for at, one in enumerate(name) if one == " "]
    at = min(spaces, key=lambda at: abs(at - len(name) / 2), default=len(name))
    return name[:at], name[at:].strip()


def _cut(line: str, most: float) -> str:
    while _width(line) > most:
        line = line.removesuffix("…")[:-1] + "…"
    return line


def _rect(left: float, top: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" '
        f'fill="{fill}"/>'
    )


def _dot(left: float, middle: float) -> str:
    return f'<circle cx="{left:.2f}" cy="{middle:.2f}" r="1.15" fill="#1f3a34"/>'


def _ring(left: float, middle: float) -> str:
    return (
        f'<circle cx="{left:.2f}" cy="{middle:.2f}" r="1.5" fill="none" stroke="#a8231b" '
        'stroke-width="0.45"/>'
    )


def _text(text: str, left: float, base: float, fill: str, anchor: str = "start") -> str:
    return (
        f'<text x="{left:.2f}" y="{base:.2f}" font-family="{_FONTS}" font-size="{_TEXT:.3g}" '
        f'fill="{fill}" text-anchor="{anchor}">{escape(printable(text))}</text>'
    )


def _whole(drawn: Sequence[str], height: float, title: str) -> Markup:
    # Every part is made above, and every word in it is escaped there.
    return Markup(  # noqa: S704
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:.2f}" '
        f'width="{_WIDTH:g}mm" height="{height:.2f}mm">'
        f"<title>{escape(printable(title))}</title>{''.join(drawn)}</svg>"
    )
