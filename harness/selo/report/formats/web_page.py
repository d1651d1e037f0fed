"""Pages for a browser: complete in one file, in three languages, without anything to fetch."""

from __future__ import annotations

import base64
import io
from functools import cache
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.report.fonts import fonts_folder
from selo.report.phrases.composition import say_localized
from selo.text.number_format import format_count

if TYPE_CHECKING:
    import jinja2


_FONT: Final = "NotoSerifTC-Regular.ttf"
#: From here on, nearly all characters are Chinese or go with Chinese.
_FIRST_HAN: Final = 0x2E80
#: Marks that a Chinese font draws as wide as a character. Not the apostrophe: in Chinese it only
#: ever stands in a Latin word, such as Don’t.
_WIDE_MARKS: Final = frozenset("·—“”…")


def embed_chinese_font(page: str) -> str:
    """Return `page` with the shapes of its own Chinese characters, and of no others."""
    wanted = frozenset(one for one in set(page) if ord(one) >= _FIRST_HAN or one in _WIDE_MARKS)
    face = base64.b64encode(_subset_font(wanted)).decode()
    style = (
        '<style>@font-face { font-family: "Selo Han"; '
        f'src: url("data:font/woff;base64,{face}") format("woff"); }}</style>\n</head>'
    )
    # What a vendor said stands escaped and after it: the first one is the template's.
    return page.replace("</head>", style, 1)


@cache
def _subset_font(wanted: frozenset[str]) -> bytes:
    """Return a font with the characters that are wanted, as far as ours has them."""
    from fontTools import subset  # noqa: PLC0415 - only what lays out a page needs it
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - the same

    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    written = io.BytesIO()
    # Without the time of the machine in it, the same page has the same bytes.
    with TTFont(fonts_folder() / _FONT, lazy=True, recalcTimestamp=False) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=sorted(map(ord, wanted)))
        cutter.subset(font)
        font.flavor = "woff"
        font.save(written)
    return written.getvalue()


#: How HTML names the languages.
HTML_LANGUAGES: Final = {"pt": "pt", "zh": "zh-Hant", "en": "en"}


@cache
def web_templates() -> jinja2.Environment:
    """Return the templates of all pages, refusing what is not defined."""
    import jinja2  # noqa: PLC0415 - only what lays out a page needs it
    import markupsafe  # noqa: PLC0415 - the same

    folder = data_files.folder("reports")
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "message": say_localized,
        "counted": format_count,
        "tags": HTML_LANGUAGES,
        # Our own files, the only ones that are put into a page as they are.
        "style": markupsafe.Markup((folder / "web/style.css").read_text(encoding="utf-8")),  # noqa: S704
        "script": markupsafe.Markup((folder / "web/page.js").read_text(encoding="utf-8")),  # noqa: S704
    }
    return found
