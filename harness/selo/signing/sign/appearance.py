"""Visible appearance of a signature: bilingual text in fonts embedded with it."""

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

from selo.signing.signing_errors import SigningRefused
from selo.storage import read_bounded
from selo.text import say

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyhanko.pdf_utils.generic import IndirectObject
    from pyhanko.pdf_utils.layout import BoxConstraints
    from pyhanko.pdf_utils.writer import BasePdfFileWriter

    from selo.signing.signing_enums import Level, SignatureStanding
    from selo.text import Words

_MARGIN: Final = 5.0
_LEADING: Final = 1.4
#: Distance of the baseline from the top of the line, in font sizes.
_ASCENT: Final = 1.05
_TEXT_SIZE: Final = 7.0
_NAME_SIZE: Final = 10.5
#: Largest enlargement of the text in a box with room to spare.
_MAX_SCALE: Final = 1.25
#: OpenType layout tables: dropped once all lines are shaped, because reading them halves the speed.
_LAYOUT_TABLES: Final = ("GSUB", "GPOS", "GDEF", "BASE")
#: Width of the vertical rule at the left edge of the box.
_RULE_WIDTH: Final = 1.2


@dataclass(frozen=True, kw_only=True, slots=True)
class AppearanceLine:
    """One line of a box."""

    text: str
    size: float = _TEXT_SIZE


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureStatement:
    """The facts that a signature states in its box."""

    name: str
    capacity: Words
    at: dt.datetime
    level: Level
    standing: SignatureStanding
    demonstration: bool

    def lines(self) -> list[AppearanceLine]:
        """Return the lines of the box, from the top."""
        moment = f"{self.at:%Y-%m-%d %H:%M:%S} UTC · PAdES {self.level.value.upper()}"
        lines = [
            AppearanceLine(text=_in_both_languages("sign.stamp.by")),
            AppearanceLine(text=self.name, size=_NAME_SIZE),
            AppearanceLine(text=f"{self.capacity.pt} · {self.capacity.zh}"),
            AppearanceLine(text=_in_both_languages(f"sign.standing.{self.standing}")),
            AppearanceLine(text=moment),
        ]
        if self.demonstration:
            lines.append(AppearanceLine(text=_in_both_languages("sign.stamp.demonstration")))
        return lines


def _in_both_languages(message: str) -> str:
    return f"{say(message, 'pt')} · {say(message, 'zh')}"


@dataclass(frozen=True)
class StatementStampStyle(BaseStampStyle):
    """Draws each character with the first of `fonts` that contains it."""

    border_width: int = 0
    lines: tuple[AppearanceLine, ...] = ()
    fonts: tuple[Path, ...] = ()

    def create_stamp(
        self, writer: BasePdfFileWriter, box: BoxConstraints, text_params: dict[str, Any]
    ) -> StatementStamp:
        """Return the stamp for a box of that size; pyHanko calls this."""
        del text_params  # the lines are already complete
        return StatementStamp(writer, self, box)


class StatementStamp(BaseStamp):
    """The appearance of one box."""

    def _render_inner_content(self) -> list[bytes]:
        style: StatementStampStyle = self.style
        # Our constructor always passes a writer; pyHanko's type also allows none.
        fonts = _Fonts(cast("BasePdfFileWriter", self.writer), style.fonts)
        width, height = float(self.box.width), float(self.box.height)
        text_width = width - 2 * _MARGIN - _RULE_WIDTH
        lines = [(fonts.shape_runs(line.text), line.size) for line in style.lines]
        total_height = sum(size for _, size in lines) * _LEADING
        scale = min(_MAX_SCALE, (height - 2 * _MARGIN) / total_height)
        sizes = [min(size * scale, text_width / (_width_of(runs) or 1)) for runs, size in lines]
        operators = [b"q 0.35 g 0 0 %g %g re f Q 0 g" % (_RULE_WIDTH, height)]
        top = height - _MARGIN
        for (runs, _), size in zip(lines, sizes, strict=True):
            operators += _draw(runs, size, top - _ASCENT * size)
            top -= size * _LEADING
        for font in fonts.opened:
            name = NameObject("/" + font.name)
            self.set_resource(ResourceType.FONT, name, font.embed_subset())
        return operators


class _Font:
    """A font file and the glyphs used of it."""

    def __init__(self, writer: BasePdfFileWriter, path: Path, name: str) -> None:
        try:
            self.glyphs = GlyphAccumulator(writer, io.BytesIO(read_bounded(path)), font_size=1)
            self.characters = frozenset(self.glyphs.tt.getBestCmap())
        except (TTLibError, ValueError, KeyError, TypeError) as error:
            raise SigningRefused("font", path=path, problem=error) from error
        self.name = name

    def embed_subset(self) -> IndirectObject:
        """Write the used subset of the font into the document and return it."""
        for table in _LAYOUT_TABLES:
            if table in self.glyphs.tt:
                del self.glyphs.tt[table]
        self.glyphs.prepare_write()
        return self.glyphs.as_resource()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Run:
    """A part of a line drawn with one font."""

    font: _Font
    operations: bytes
    #: In font sizes.
    width: float


class _Fonts:
    """The fonts in order of preference; one is opened only when the earlier ones lack a glyph."""

    def __init__(self, writer: BasePdfFileWriter, paths: Sequence[Path]) -> None:
        self.writer = writer
        self.paths = paths
        self.opened: list[_Font] = []

    def shape_runs(self, text: str) -> list[_Run]:
        """Split `text` into runs, each drawn with the first font that contains it."""
        runs = []
        for font, characters in itertools.groupby(text, self._font_for):
            shaped = font.glyphs.shape("".join(characters))
            runs.append(
                _Run(font=font, operations=shaped.graphics_ops, width=float(shaped.x_advance))
            )
        return runs

    def _font_for(self, character: str) -> _Font:
        for index, path in enumerate(self.paths):
            if index == len(self.opened):
                self.opened.append(_Font(self.writer, path, f"F{index}"))
            if ord(character) in self.opened[index].characters:
                return self.opened[index]
        raise SigningRefused("glyph", character=character, code=f"U+{ord(character):04X}")


def _width_of(runs: Sequence[_Run]) -> float:
    return sum(run.width for run in runs)


def _draw(runs: Sequence[_Run], size: float, baseline: float) -> Iterator[bytes]:
    left = _MARGIN + _RULE_WIDTH
    for run in runs:
        name = run.font.name.encode("ascii")
        yield b"BT /%s %g Tf %g %g Td %s ET" % (name, size, left, baseline, run.operations)
        left += run.width * size
