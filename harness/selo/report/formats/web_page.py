"""Templates and embedded font of HTML pages, which are complete in one file."""

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
#: From this code point on, nearly all characters are Chinese or used with Chinese.
_FIRST_HAN: Final = 0x2E80
#: Marks that a Chinese font draws as wide as a character. The apostrophe is not one of them: in
#: Chinese it occurs only in Latin words, such as Don’t.
_WIDE_MARKS: Final = frozenset("·—“”…")


def embed_chinese_font(page: str) -> str:
    """Return `page` with an embedded font of the Chinese characters that it contains."""
    face = base64.b64encode(chinese_font(page)).decode()
    style = (
        '<style>@font-face { font-family: "Selo Han"; '
        f'src: url("data:font/woff;base64,{face}") format("woff"); }}</style>\n</head>'
    )
    # The first </head> is the template's: text of a vendor is escaped and comes after it.
    return page.replace("</head>", style, 1)


def chinese_font(text: str) -> bytes:
    """Return a WOFF font of the Chinese characters that a text contains."""
    return _subset_font(
        frozenset(
            character
            for character in set(text)
            if ord(character) >= _FIRST_HAN or character in _WIDE_MARKS
        )
    )


@cache
def _subset_font(characters: frozenset[str]) -> bytes:
    """Return a WOFF font of those characters that the bundled font has."""
    from fontTools import subset  # noqa: PLC0415 - only what lays out a page needs it
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - the same

    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    encoded = io.BytesIO()
    # A timestamp would give the same page different bytes.
    with TTFont(fonts_folder() / _FONT, lazy=True, recalcTimestamp=False) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=sorted(map(ord, characters)))
        cutter.subset(font)
        font.flavor = "woff"
        font.save(encoded)
    return encoded.getvalue()


#: Language tags of HTML.
HTML_LANGUAGES: Final = {"pt": "pt", "zh": "zh-Hant", "en": "en"}


@cache
def web_templates() -> jinja2.Environment:
    """Return the environment of the templates; an undefined name is an error."""
    import jinja2  # noqa: PLC0415 - only what lays out a page needs it
    import markupsafe  # noqa: PLC0415 - the same

    folder = data_files.data_folder("reports")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "message": say_localized,
        "counted": format_count,
        "tags": HTML_LANGUAGES,
        # Only our own files are put into a page unescaped.
        "style": markupsafe.Markup((folder / "web/style.css").read_text(encoding="utf-8")),  # noqa: S704
        "script": markupsafe.Markup((folder / "web/page.js").read_text(encoding="utf-8")),  # noqa: S704
    }
    return environment
