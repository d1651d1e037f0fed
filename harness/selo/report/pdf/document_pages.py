"""The document as HTML: what of a report stands on which page, in which order.

Templates and styles are ``reports/document``. Nothing here decides anything: it only arranges.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from markupsafe import Markup

from selo import data_files
from selo.examine.run import PROGRAM
from selo.report.fonts import printable
from selo.report.formats import TAGS
from selo.report.model.report_model import DocumentKind
from selo.report.pdf.finding_sheets import findings_plot, sheets_of
from selo.report.pdf.first_page import FEW_NORMS, dense, gazettes, offered
from selo.report.pdf.results_table import articles_of, asked_for, met, on_the_way, witnesses
from selo.report.pdf.sections import (
    adopted,
    by_game,
    groups_of,
    lacking,
    per_cent,
    tests_of,
    unpacked,
)
from selo.report.phrases.compose import said, same, words
from selo.report.svg import ornaments
from selo.text.message_catalogue import knows, say
from selo.text.multilingual import LAW_LANGUAGES, Words
from selo.text.number_format import Number, counted, spoken, written
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from selo.report.model.report_model import Norm, OpenPoint, Report, Sheet
    from selo.report.pdf.sections import Box
    from selo.text.multilingual import Text


#: So much of what a vendor offers is printed of one thing; the whole stands in report.json.
_MOST_OFFERED: Final = 1800


def lines(text: str) -> list[str]:
    """Return words of which each line stands alone, as much of them as has room."""
    shown = text[:_MOST_OFFERED] + ("…" if len(text) > _MOST_OFFERED else "")
    return [visible(one) for one in shown.split("\n")]


def seen_at(one: Sheet, language: str) -> str:
    """Return how often a finding was seen, and where first."""
    counts = {
        name: said(f"document.finding.{name}.{_number(count)}", language, count=count)
        for name, count in (("times", one.times), ("ways", one.ways))
    }
    return said("document.finding.seen-at", language, first=one.first, **counts)


def _number(count: int) -> str:
    return "one" if count == 1 else "many"


def broken(one: Sheet) -> Text:
    """Return the citation of the first provision that a finding breaks."""
    found = (ground for ground in one.law if ground.provision in one.provisions)
    return next(found, one.law[0]).citation


def level(report: Report) -> Number | None:
    """Return the level of the statistical tests, if there were any."""
    return Number(unpacked(report.statistics[0].level)) if report.statistics else None


#: The sections in their order; those that always stand there, even if only to say: nothing.
SECTIONS: Final = (
    "statement", "results", "findings", "readings", "statistics", "edges", "witnessed", "item",
    "method", "missing", "limits", "verify", "authority",
)  # fmt: skip
#: So many findings get a sheet of their own, and so many a line in the table after them.
MOST_SHEETS: Final = 100
MOST_LINES: Final = 2000
_MOST_FILES: Final = 200
_MOST_NUMBER: Final = 48
_COUNTS: Final = (
    "provisions", "examined", "witnessed", "not_examinable", "silent", "divergent", "cases",
    "rounds",
)  # fmt: skip


def html(report: Report, languages: Sequence[str], boxes: Sequence[Box]) -> str:
    """Return the whole document as one page of HTML."""
    return _environment().get_template("document.html").render(_context(report, languages, boxes))


def pictures() -> dict[str, bytes]:
    """Return the pictures that styles refer to, by name."""
    folder = data_files.folder("reports") / "document"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("band-*.svg"))}


def styles(report: Report, languages: Sequence[str]) -> tuple[str, ...]:
    """Return the styles of the document, the bands of its kind among them."""
    folder = data_files.folder("reports")
    fonts = (folder / "fonts" / "faces.css").read_text(encoding="utf-8")
    return (
        fonts.replace("url(", "url(selo:///"),
        (folder / "document" / "document.css").read_text(encoding="utf-8"),
        _paging(languages) + _bands(bands_of(report)),
    )


def bands_of(report: Report) -> list[str]:
    """Return what every page must say at its edges, so that nobody takes it for something else."""
    found = ["pre-check"] if report.kind is DocumentKind.PRE_CHECK else []
    return [*found, "demonstration"] if report.demonstration else found


def titles_of(report: Report, languages: Sequence[str]) -> dict[str, str]:
    """Return the title of the document in each language."""
    return {
        language: say(
            "document.title",
            language,
            kind=say(f"document.kind.{report.kind}", language),
            number=visible(report.number, _MOST_NUMBER),
        )
        for language in languages
    }


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - only what lays out a page needs it

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_files.folder("reports") / "document"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: Any) -> Any:
    """Return what is printed of a value: nothing passes that no font can draw."""
    if isinstance(value, Markup):
        return value
    return printable(value if isinstance(value, str) else str(value))


def _context(report: Report, languages: Sequence[str], boxes: Sequence[Box]) -> dict[str, Any]:
    # A certificate lacks nothing, and need not say so.
    named = [
        one for one in SECTIONS if one != "missing" or report.kind is not DocumentKind.CERTIFICATE
    ]
    sections = {
        name: {
            "number": number,
            "mark": f"{number}. {_mark(f'document.section.{name}', languages)}",
        }
        for number, name in enumerate(named, start=1)
    }
    # What stands beside no words of one language is written as the first language does.
    first = languages[0]
    names = {game.game: game.name for game in report.games}
    lacks, groups_missing = lacking(report.missing)
    sheets = sheets_of(report, languages, MOST_SHEETS)
    number = visible(report.number, _MOST_NUMBER)
    return {
        "report": report,
        "languages": tuple(languages),
        "law_languages": LAW_LANGUAGES,
        "tags": TAGS,
        "said": said,
        "seen_at": seen_at,
        "broken": broken,
        "sections": sections,
        "title": " · ".join(titles_of(report, languages).values()),
        "number": number,
        "file_name": f"{_file_name(report.number)}.pdf",
        "bands": bands_of(report),
        "warning": _warning(report.norms),
        "verdict": _verdict(report),
        "rosette": ornaments.rosette(report.kind),
        "sign": ornaments.sign(report.overall, _all(f"verdict.{report.overall}", languages)),
        "qr": ornaments.qr(report.number, report.evidence.root, _all("document.qr", languages)),
        "tiles": _tiles(report),
        "notes": _notes(report),
        "few_norms": FEW_NORMS,
        "gazettes": gazettes(report, languages),
        "dense": dense(report, languages),
        "program": PROGRAM,
        "offers": {
            language: offered(report, language, str(sections["item"]["number"]))
            for language in languages
        },
        "groups": articles_of(report, languages),
        "outside": on_the_way(report),
        "asked": asked_for(report),
        "sheets": sheets,
        "rest": report.findings[len(sheets) : MOST_SHEETS + MOST_LINES],
        "left": max(0, len(report.findings) - MOST_SHEETS - MOST_LINES),
        "distribution": findings_plot(report, languages),
        "adopted": adopted(report),
        "statistics": tests_of(report),
        "per_cent": lambda part: per_cent(part, first),
        "level": level(report),
        "groups_of": groups_of(report),
        "term": _term,
        "edges": by_game(report, languages),
        "witnessed": witnesses(report),
        "files": report.item.files[:_MOST_FILES],
        "asides": _asides(report),
        "lacks": lacks,
        "lacking": groups_missing,
        "boxes": boxes,
        "met": met,
        "standing": _standing,
        "reading": _reading,
        "game_name": lambda game: names.get(game) or same(game),
        "figure": lambda number: counted(number, first),
        "numeral": lambda number: written(number, first),
        "amount": lambda amount: spoken(amount, first),
        "short": visible,
        "lines": lines,
        "plain": lambda value: msgspec.json.encode(value).decode(),
        "mark": lambda key: _mark(key, languages),
    }


def _term(kind: str, name: str) -> Words:
    """Return what a code of the protocol means; what has no words is told as it is."""
    key = f"report.{kind}.{name}"
    return words(key) if knows(key) else same(name)


def _file_name(number: str) -> str:
    kept = "".join(one if one.isalnum() or one in "-_." else "-" for one in number[:_MOST_NUMBER])
    # What begins with a hyphen would be taken for an option, and with a dot would be hidden.
    return printable(kept.lstrip("-.")) or "document"


def _verdict(report: Report) -> Words:
    if report.statement is not None:
        return report.statement.verdict
    return words(f"verdict.{report.overall}")


def _all(key: str, languages: Sequence[str]) -> list[str]:
    return [say(key, language) for language in languages]


def _mark(key: str, languages: Sequence[str]) -> str:
    return " · ".join(_all(key, languages))


def _tiles(report: Report) -> list[tuple[str, int]]:
    if report.totals is None:
        return [("provisions", len(report.provisions)), ("cases", report.evidence.cases)]
    return [(name, getattr(report.totals, name)) for name in _COUNTS]


def _notes(report: Report) -> list[tuple[str, int]]:
    """Return why the counts of provisions do not add up, where they do not."""
    if report.totals is None:
        return []
    found = [(name, getattr(report.totals, name)) for name in ("both", "unseen")]
    return [(name, count) for name, count in found if count]


def _standing(norm: Norm) -> str:
    if norm.standing == "in-force" and not norm.certain:
        return "uncertain"
    return norm.standing


def _warning(norms: Sequence[Norm]) -> str | None:
    if any(norm.standing != "in-force" for norm in norms):
        return "revoked"
    return "uncertain" if any(not norm.certain for norm in norms) else None


def _reading(point: OpenPoint, name: str, language: str) -> str:
    return point.readings[name].get(language) if name in point.readings else name


def _asides(report: Report) -> list[tuple[str, list[str]]]:
    return [
        ("document.method.only", report.method.provisions),
        ("document.method.left-out", report.method.left_out),
        ("document.method.deviations", report.deviations),
        ("document.method.permissions", report.permissions),
    ]


def _paging(languages: Sequence[str]) -> str:
    """Return the style that counts pages, in the words of each language."""
    rules = []
    for language in languages:
        said = say("document.page", language, page="\0page\0", pages="\0pages\0")
        parts = [
            f"counter({part})" if part in {"page", "pages"} else f'"{part}"'
            for part in said.split("\0")
            if part
        ]
        rules.append(f".page-{language}::before {{ content: {' '.join(parts)}; }}")
    return "\n".join(rules)


def _bands(bands: Sequence[str]) -> str:
    if not bands:
        return ""
    images = ", ".join(f"url(selo:///band-{name}.svg)" for name in (bands[0], bands[-1]))
    # The background of a page begins where its text does; the bands begin at the edges.
    return (
        f"\n@page {{ background-image: {images}; background-size: 7mm 8mm, 7mm 8mm; "
        "background-position: left -18mm top -24mm, left -18mm bottom -21mm; "
        "background-repeat: repeat-x, repeat-x; }"
    )
