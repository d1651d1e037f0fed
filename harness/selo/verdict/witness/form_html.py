"""The witness form as a self-contained HTML page, from the templates of ``reports/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo import data_files
from selo.law import cite
from selo.text import LAW_LANGUAGES, say

if TYPE_CHECKING:
    from selo.law import Law
    from selo.verdict.witness.form import Form

_HTML_LANGUAGES = {"pt": "pt", "zh": "zh-Hant"}


def form_page(form: Form, law: Law) -> str:
    """Return `form` as HTML in both languages; all words come from the message catalogue."""
    import jinja2  # noqa: PLC0415 - only this command lays out a page
    import markupsafe  # noqa: PLC0415 - the same

    folder = data_files.data_folder("reports") / "witness"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("form.html").render(
        form=form,
        groups=_entries_by_instrument(form, law),
        languages=_HTML_LANGUAGES,
        law_languages=LAW_LANGUAGES,
        say=_page_message,
        # Our own file, without user input.
        style=markupsafe.Markup((folder / "form.css").read_text(encoding="utf-8")),  # noqa: S704
    )


def _page_message(key: str, language: str, **slots: object) -> str:
    return say(f"witness.page.{key}", language, **slots)


def _entries_by_instrument(form: Form, law: Law) -> list[dict[str, object]]:
    """Return the entries by instrument, numbered consecutively, with their short citations."""
    groups: list[dict[str, object]] = []
    number = 0
    for folder in law.folders:
        entries = []
        for entry in form.entries:
            located = law.find(entry.id)
            if located.instrument is folder.instrument:
                number += 1
                citation = cite(law, located)
                entries.append((number, entry, {"pt": citation.pt, "zh": citation.zh}))
        if entries:
            groups.append({"instrument": folder.instrument, "entries": entries})
    return groups
