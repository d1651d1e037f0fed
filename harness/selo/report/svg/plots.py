"""Plots, drawn as SVG: stacked bars of counts, and values on one line each.

The title of a plot describes it in words, and its figures are printed beside the bars.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from selo.report.fonts import make_printable
from selo.text.number_format import format_number

if TYPE_CHECKING:
    from collections.abc import Sequence

_INK: Final = "#16181d"
_GREY: Final = "#5d636e"
_HAIR: Final = "#c9cdd4"
_FONTS: Final = "Selo Latin, Selo Han, Selo Fallback, Selo Signs"
#: Millimetres: width of the plot, width of the names, heights of a line and of a bar, font size.
_PLOT_WIDTH: Final = 174.0
_NAME_WIDTH: Final = 64.0
_LINE_HEIGHT: Final = 4.4
_BAR_HEIGHT: Final = 3.0
_FONT_SIZE: Final = 2.5
#: The minimal width of a bar with its figure inside.
_MIN_LABELLED_WIDTH: Final = 3.4
_MAX_TICKS: Final = 10
#: Widths of a Latin letter and of a Chinese character.
_LATIN_WIDTH: Final = 1.22
_HAN_WIDTH: Final = 2.35
_FIRST_HAN: Final = 0x2E80
#: A name that is too long is printed on two lines and then cut; the table has it in full.
_NAME_LINE_PITCH: Final = 2.9
_MAX_NAME_LINES: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Shade:
    """A category of counts: its colour, and its name in the legend."""

    name: str
    fill: str
    #: The colour of a figure on it.
    ink: str = "#fff"


@dataclass(frozen=True, kw_only=True, slots=True)
class BarRow:
    """One line of a bar plot: its name, and the count of each category."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ValueRow:
    """One line of a plot of values: exact, and declared and observed if they are known."""

    #: In each language, where they differ.
    names: tuple[str, ...]
    exact: float
    declared: float | None
    observed: float | None
    #: The interval around what was observed.
    interval: tuple[float, float] | None = None


def draw_bars(lines: Sequence[BarRow], shades: Sequence[Shade], *, title: str) -> Markup:
    """Return stacked bars with a legend."""
    longest = max((sum(line.counts) for line in lines), default=0) or 1
    unit = (_PLOT_WIDTH - _NAME_WIDTH - 12) / longest
    legend, rows = _legend(shades)
    drawn = [legend]
    top = head = _LINE_HEIGHT * (rows + 0.5)
    for line in lines:
        name = _fold_name(line.name)
        height = _row_height(name)
        base = top + height / 2 + _LINE_HEIGHT * 0.18
        drawn += _draw_name(name, top, height)
        left = _NAME_WIDTH
        for count, shade in zip(line.counts, shades, strict=True):
            width = count * unit
            if count:
                drawn.append(
                    _rect(left, top + (height - _BAR_HEIGHT) / 2, width, _BAR_HEIGHT, shade.fill)
                )
                if width >= _MIN_LABELLED_WIDTH:
                    drawn.append(_text(str(count), left + width / 2, base, shade.ink, "middle"))
            left += width
        drawn.append(_text(str(sum(line.counts)), left + 1, base, _GREY))
        top += height
    drawn.append(_rect(_NAME_WIDTH - 0.1, head, 0.2, top - head, _INK))
    return _wrap_svg(drawn, top + 0.5, title)


def draw_values(
    lines: Sequence[ValueRow], names: tuple[str, ...], *, title: str, language: str
) -> Markup:
    """Return values in per cent on one line each; `names` are of exact, declared, observed.

    Without a third name nothing is observed.
    """
    values = [
        value
        for line in lines
        for value in (line.exact, line.declared, line.observed, *(line.interval or ()))
        if value is not None
    ]
    low, high = min([0.0, *values]), max([0.0, *values]) or 1.0
    step = _tick_step(high - low)
    first = int(low // step)
    last = int(-(-high // step))
    scale = (_PLOT_WIDTH - _NAME_WIDTH - 8) / ((last - first) * step)

    def at(value: float) -> float:
        return _NAME_WIDTH + 3 + (value - first * step) * scale

    row_names = [[part for name in line.names for part in _fold_name(name)] for line in lines]
    top = _LINE_HEIGHT * 1.5
    bottom = top + sum(map(_row_height, row_names))
    drawn = [_value_legend(names)]
    for tick in range(first, last + 1):
        drawn.append(_rect(at(tick * step) - 0.08, top, 0.16, bottom - top, _HAIR))
        label = format_number(f"{tick * step:g}%", language)
        drawn.append(_text(label, at(tick * step), bottom + 3, _GREY, "middle"))
    for line, name in zip(lines, row_names, strict=True):
        height = _row_height(name)
        middle = top + height / 2
        drawn += _draw_name(name, top, height)
        top += height
        drawn.append(
            _rect(_NAME_WIDTH + 3, middle - 0.06, _PLOT_WIDTH - _NAME_WIDTH - 8, 0.12, _HAIR)
        )
        if line.declared is not None:
            drawn.append(_rect(at(line.declared) - 0.3, middle - 1.7, 0.6, 3.4, "#b0701a"))
        if line.interval is not None:
            begin, end = map(at, line.interval)
            drawn.append(_rect(begin, middle - 0.2, max(0.2, end - begin), 0.4, "#a8231b"))
        if line.observed is not None:
            drawn.append(_ring(at(line.observed), middle))
        drawn.append(_dot(at(line.exact), middle))
    return _wrap_svg(drawn, bottom + 4, title)


def _tick_step(width: float) -> float:
    """Return a round distance between ticks that gives at most ten of them."""
    tens = 0.01
    while True:
        for step in (tens, 2 * tens, 5 * tens):
            if width / step <= _MAX_TICKS:
                return step
        tens *= 10


def _legend(shades: Sequence[Shade]) -> tuple[str, int]:
    """Return the legend, and the number of its lines."""
    drawn, left, row = [], 0.0, 0
    for shade in shades:
        width = 7 + _text_width(shade.name)
        if left and left + width - 3 > _PLOT_WIDTH:
            left, row = 0.0, row + 1
        top = row * _LINE_HEIGHT
        drawn.append(_rect(left, top + 0.6, 2.6, 2.6, shade.fill))
        drawn.append(_text(shade.name, left + 3.6, top + 2.9, _INK))
        left += width
    return "".join(drawn), row + 1


def _value_legend(names: tuple[str, ...]) -> str:
    exact, declared, *observed = names
    return (
        _dot(1.4, 2) + _text(exact, 3.6, 2.9, _INK)
        + _rect(46, 0.3, 0.6, 3.4, "#b0701a") + _text(declared, 48, 2.9, _INK)
        + "".join(_ring(96, 2) + _text(name, 98.4, 2.9, _INK) for name in observed)
    )  # fmt: skip


def _text_width(text: str) -> float:
    return sum(_HAN_WIDTH if ord(character) > _FIRST_HAN else _LATIN_WIDTH for character in text)


def _row_height(name: Sequence[str]) -> float:
    """Return the height of a line of a plot whose name has these lines."""
    return _LINE_HEIGHT + _NAME_LINE_PITCH * (len(name) - 1)


def _draw_name(name: Sequence[str], top: float, height: float) -> list[str]:
    """Return the lines of a name, centred beside its line of the plot."""
    first = top + height / 2 + _LINE_HEIGHT * 0.18 - _NAME_LINE_PITCH * (len(name) - 1) / 2
    return [
        _text(line, _NAME_WIDTH - 1.5, first + _NAME_LINE_PITCH * number, _INK, "end")
        for number, line in enumerate(name)
    ]


def _fold_name(name: str) -> list[str]:
    """Return a name on one line, or on two if it is too long."""
    most = _NAME_WIDTH - 1.5
    parts = [name] if _text_width(name) <= most else [half for half in _split_name(name) if half]
    return [_truncate(part, most) for part in parts[:_MAX_NAME_LINES]]


def _split_name(name: str) -> tuple[str, str]:
    """Return a long name on two lines, split before its bracket or in the middle."""
    for sign in (" (", "（"):
        before, bracket, within = name.partition(sign)
        if bracket:
            return before, f"{sign.strip()}{within}"
    spaces = [index for index, character in enumerate(name) if character == " "]
    index = min(spaces, key=lambda index: abs(index - len(name) / 2), default=len(name))
    return name[:index], name[index:].strip()


def _truncate(line: str, most: float) -> str:
    while _text_width(line) > most:
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
        f'<text x="{left:.2f}" y="{base:.2f}" font-family="{_FONTS}" font-size="{_FONT_SIZE:.3g}" '
        f'fill="{fill}" text-anchor="{anchor}">{escape(make_printable(text))}</text>'
    )


def _wrap_svg(drawn: Sequence[str], height: float, title: str) -> Markup:
    # Every part is drawn above, with its text escaped.
    return Markup(  # noqa: S704
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_PLOT_WIDTH:g} {height:.2f}" '
        f'width="{_PLOT_WIDTH:g}mm" height="{height:.2f}mm">'
        f"<title>{escape(make_printable(title))}</title>{''.join(drawn)}</svg>"
    )
