"""The witness form as self-contained HTML pages, to print and to fill in on a tablet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import data_files
from selo.law import cite
from selo.text import LAW_LANGUAGES, say

if TYPE_CHECKING:
    import jinja2
    import markupsafe

    from selo.law import Law
    from selo.verdict.witness.form import Form

_HTML_LANGUAGES = {"pt": "pt", "zh": "zh-Hant"}
#: What the page says by itself.
_TOLD: Final = ("remove", "nameless", "unsigned", "nothing", "same", "not-a-form", "opened")
#: Nothing is loaded from elsewhere and nothing is sent; photographs are shown from memory.
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src blob: data:; font-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'"
)


def form_page(form: Form, law: Law) -> str:
    """Return `form` as HTML to print, in both languages; all words come from the catalogue."""
    return (
        _templates()
        .get_template("form.html")
        .render(
            form=form,
            groups=_entries_by_instrument(form, law),
            languages=_HTML_LANGUAGES,
            law_languages=LAW_LANGUAGES,
            say=_page_message,
            style=_read_own("form.css"),
        )
    )


def tablet_page(form: Form, law: Law) -> str:
    """Return `form` as one page that is filled in without a network.

    It takes photographs, hashes them, is signed by two people, and saves a form with them.
    """
    return (
        _templates()
        .get_template("tablet.html")
        .render(
            form=form,
            groups=_entries_by_instrument(form, law),
            languages=_HTML_LANGUAGES,
            law_languages=LAW_LANGUAGES,
            say=_page_message,
            policy=_POLICY,
            data=_form_data(form, law),
            told={
                key: " · ".join(
                    _page_message(f"told-{key}", language) for language in LAW_LANGUAGES
                )
                for key in _TOLD
            },
            style=_read_own("tablet.css"),
            script=_read_own("tablet.js"),
        )
    )


def _form_data(form: Form, law: Law) -> dict[str, Any]:
    """Return the form as plain data, the entries in the order of the page.

    A language without text is left out: the form is read as text, and null would be a word.
    """
    plain: dict[str, Any] = msgspec.to_builtins(form)
    ordered = [
        entry.id
        for group in _entries_by_instrument(form, law)
        for _, entry, _ in group["entries"]  # type: ignore[attr-defined]
    ]
    plain["entries"].sort(key=lambda entry: ordered.index(entry["id"]))
    for entry in plain["entries"]:
        for name in ("citation", "text", "look_at"):
            entry[name] = {
                language: text for language, text in entry[name].items() if text is not None
            }
    return plain


def _templates() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - only this command lays out a page

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_files.data_folder("reports") / "witness"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _read_own(name: str) -> markupsafe.Markup:
    import markupsafe  # noqa: PLC0415 - only this command lays out a page

    # Our own file, without user input.
    path = data_files.data_folder("reports") / "witness" / name
    return markupsafe.Markup(path.read_text(encoding="utf-8"))  # noqa: S704


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
