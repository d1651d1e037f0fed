"""Chinese letters inside of a page: browsers without a Chinese font show the law all the same."""

from __future__ import annotations

import base64
import io
from functools import cache
from typing import Final

from selo.report.fonts import folder

_FONT: Final = "NotoSerifTC-Regular.ttf"
#: From here on, nearly all characters are Chinese or go with Chinese.
_FIRST: Final = 0x2E80
#: Marks that a Chinese font draws as wide as a character. Not the apostrophe: in Chinese it only
#: ever stands in a Latin word, such as Don’t.
_MARKS: Final = frozenset("·—“”…")


def lettered(page: str) -> str:
    """Return `page` with the shapes of its own Chinese characters, and of no others."""
    wanted = frozenset(one for one in set(page) if ord(one) >= _FIRST or one in _MARKS)
    face = base64.b64encode(_shapes(wanted)).decode()
    style = (
        '<style>@font-face { font-family: "Selo Han"; '
        f'src: url("data:font/woff;base64,{face}") format("woff"); }}</style>\n</head>'
    )
    # What a vendor said stands escaped and after it: the first one is the template's.
    return page.replace("</head>", style, 1)


@cache
def _shapes(wanted: frozenset[str]) -> bytes:
    """Return a font with the characters that are wanted, as far as ours has them."""
    from fontTools import subset  # noqa: PLC0415 - only what lays out a page needs it
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - the same

    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    written = io.BytesIO()
    # Without the time of the machine in it, the same page has the same bytes.
    with TTFont(folder() / _FONT, lazy=True, recalcTimestamp=False) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=sorted(map(ord, wanted)))
        cutter.subset(font)
        font.flavor = "woff"
        font.save(written)
    return written.getvalue()
