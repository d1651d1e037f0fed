"""What a signature shows on the page, in Portuguese and Chinese, in fonts that travel with it."""

from __future__ import annotations

import io
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from fontTools.ttLib import TTLibError
from pyhanko.pdf_utils.content import ResourceType
from pyhanko.pdf_utils.font.opentype import GlyphAccumulator
from pyhanko.pdf_utils.generic import NameObject
from pyhanko.stamp import BaseStamp, BaseStampStyle

from selo.signing.atomic_write import read_whole
from selo.signing.signing_errors import SigningRefused
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyhanko.pdf_utils.generic import IndirectObject
    from pyhanko.pdf_utils.layout import BoxConstraints
    from pyhanko.pdf_utils.writer import BasePdfFileWriter

    from selo.signing.signing_enums import Level, SignatureStanding
    from selo.text.multilingual import Words

_MARGIN: Final = 5.0
_LEADING: Final = 1.4
#: How far below the upper edge of its line a letter stands, in heights of the letter.
_ASCENT: Final = 1.05
_SMALL: Final = 7.0
_LARGE: Final = 10.5
#: How much larger letters may get in a box that has room for it.
_LARGEST: Final = 1.25
#: What sets letters beside each other: all lines are set, and reading these takes half the time.
_FOR_SETTING: Final = ("GSUB", "GPOS", "GDEF", "BASE")
#: The rule at the left of the box.
_RULE: Final = 1.2


@dataclass(frozen=True, kw_only=True, slots=True)
class AppearanceLine:
    """One line of a box."""

    text: str
    size: float = _SMALL


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureStatement:
    """What a signature says of itself."""

    name: str
    capacity: Words
    at: dt.datetime
    level: Level
    standing: SignatureStanding
    demonstration: bool

    def lines(self) -> list[AppearanceLine]:
        """Return the lines of the box, from the top."""
        moment = f"{self.at:%Y-%m-%d %H:%M:%S} UTC · PAdES {self.level.value.upper()}"
        found = [
            AppearanceLine(text=_both("sign.stamp.by")),
            AppearanceLine(text=self.name, size=_LARGE),
            AppearanceLine(text=f"{self.capacity.pt} · {self.capacity.zh}"),
            AppearanceLine(text=_both(f"sign.standing.{self.standing}")),
            AppearanceLine(text=moment),
        ]
        if self.demonstration:
            found.append(AppearanceLine(text=_both("sign.stamp.demonstration")))
        return found


def _both(message: str) -> str:
    return f"{say(message, 'pt')} · {say(message, 'zh')}"


@dataclass(frozen=True)
class Style(BaseStampStyle):
    """Draws a statement with the first of `fonts` that has each character."""

    border_width: int = 0
    lines: tuple[AppearanceLine, ...] = ()
    fonts: tuple[Path, ...] = ()

    def create_stamp(
        self, writer: BasePdfFileWriter, box: BoxConstraints, text_params: dict[str, Any]
    ) -> Stamp:
        """Return the drawing for a box of that size; pyHanko calls this."""
        del text_params  # every word is known already
        return Stamp(writer, self, box)


class Stamp(BaseStamp):
    """The drawing inside one box."""

    def _render_inner_content(self) -> list[bytes]:
        style: Style = self.style
        # It was made with a writer; its type allows to do so later.
        fonts = _Fonts(cast("BasePdfFileWriter", self.writer), style.fonts)
        width, height = float(self.box.width), float(self.box.height)
        room = width - 2 * _MARGIN - _RULE
        lines = [(fonts.runs(line.text), line.size) for line in style.lines]
        tall = sum(size for _, size in lines) * _LEADING
        scale = min(_LARGEST, (height - 2 * _MARGIN) / tall)
        sizes = [min(size * scale, room / (_width(runs) or 1)) for runs, size in lines]
        drawn = [b"q 0.35 g 0 0 %g %g re f Q 0 g" % (_RULE, height)]
        top = height - _MARGIN
        for (runs, _), size in zip(lines, sizes, strict=True):
            drawn += _draw(runs, size, top - _ASCENT * size)
            top -= size * _LEADING
        for font in fonts.opened:
            name = NameObject("/" + font.name)
            self.set_resource(ResourceType.FONT, name, font.embedded())
        return drawn


class _Font:
    """A font file, and what of it is used."""

    def __init__(self, writer: BasePdfFileWriter, path: Path, name: str) -> None:
        try:
            self.glyphs = GlyphAccumulator(writer, io.BytesIO(read_whole(path)), font_size=1)
            self.has = frozenset(self.glyphs.tt.getBestCmap())
        except (TTLibError, ValueError, KeyError, TypeError) as error:
            raise SigningRefused("font", path=path, problem=error) from error
        self.name = name

    def embedded(self) -> IndirectObject:
        """Return the part of the font that is used, written into the document."""
        for table in _FOR_SETTING:
            if table in self.glyphs.tt:
                del self.glyphs.tt[table]
        self.glyphs.prepare_write()
        return self.glyphs.as_resource()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Run:
    """A part of a line that one font draws."""

    font: _Font
    operations: bytes
    #: In heights of the font.
    width: float


class _Fonts:
    """The fonts in their order, each opened when those before it lack something."""

    def __init__(self, writer: BasePdfFileWriter, paths: Sequence[Path]) -> None:
        self.writer = writer
        self.paths = paths
        self.opened: list[_Font] = []

    def runs(self, text: str) -> list[_Run]:
        """Return the parts of `text`, each drawn with the first font that has it."""
        found = []
        for font, characters in itertools.groupby(text, self._for):
            shaped = font.glyphs.shape("".join(characters))
            found.append(
                _Run(font=font, operations=shaped.graphics_ops, width=float(shaped.x_advance))
            )
        return found

    def _for(self, character: str) -> _Font:
        for index, path in enumerate(self.paths):
            if index == len(self.opened):
                self.opened.append(_Font(self.writer, path, f"F{index}"))
            if ord(character) in self.opened[index].has:
                return self.opened[index]
        raise SigningRefused("glyph", character=character, code=f"U+{ord(character):04X}")


def _width(runs: Sequence[_Run]) -> float:
    return sum(run.width for run in runs)


def _draw(runs: Sequence[_Run], size: float, base: float) -> Iterator[bytes]:
    left = _MARGIN + _RULE
    for run in runs:
        name = run.font.name.encode("ascii")
        yield b"BT /%s %g Tf %g %g Td %s ET" % (name, size, left, base, run.operations)
        left += run.width * size
