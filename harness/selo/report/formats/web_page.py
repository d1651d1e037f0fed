"""Pages for a browser: complete in one file, in three languages, without anything to fetch."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.report.phrases.compose import said
from selo.text.number_format import counted

if TYPE_CHECKING:
    import jinja2

#: How HTML names the languages.
TAGS: Final = {"pt": "pt", "zh": "zh-Hant", "en": "en"}


@cache
def environment() -> jinja2.Environment:
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
        "message": said,
        "counted": counted,
        "tags": TAGS,
        # Our own files, the only ones that are put into a page as they are.
        "style": markupsafe.Markup((folder / "web/style.css").read_text(encoding="utf-8")),  # noqa: S704
        "script": markupsafe.Markup((folder / "web/page.js").read_text(encoding="utf-8")),  # noqa: S704
    }
    return found
