"""The document as HTML: the context of the templates of ``reports/document``, and the styles."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from markupsafe import Markup

from selo import data_files
from selo.examine.run.evidence_header import TOOL_DIGEST
from selo.report.fonts import make_printable
from selo.report.formats import HTML_LANGUAGES
from selo.report.model.report_model import DocumentKind
from selo.report.pdf.first_page import (
    MAX_FULL_SIZE_NORMS,
    has_room_for_gazettes,
    summarize_options,
    summarize_shortfalls,
)
from selo.report.pdf.results_table import (
    outside_provisions_of,
    requested_provisions_of,
    results_by_instrument,
    witnesses_by_norm,
)
from selo.report.pdf.sections import (
    adopted_readings_by_author,
    describe_confinement,
    edges_by_game,
    format_percent,
    format_without_exponent,
    group_missing,
    groups_by_game,
    summarize_powers,
    summarize_tests,
)
from selo.report.pdf.sheet_layout import draw_findings_plot, number_bet, sheets_of
from selo.report.phrases.composition import as_words, message_or_text, say_localized, words
from selo.report.phrases.summary_phrases import describe_findings_sum
from selo.report.svg import ornaments
from selo.text import LAW_LANGUAGES, Words, say
from selo.text.number_format import FormattedNumber, format_count, format_in_sentence, format_number
from selo.text.sanitize import escape_unseen
from selo.verdict.overall import total_results

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from selo.report.model.report_model import CaseSheet, Norm, OpenPoint, Report
    from selo.report.pdf.sections import SignatoryBox
    from selo.text import Text


#: Longer text of an offer is cut; report.json has all of it.
_MAX_OFFER_TEXT: Final = 1800


def split_offer_lines(text: str) -> list[str]:
    """Return the lines of a text of an offer, cut to the space of the page."""
    beginning = text[:_MAX_OFFER_TEXT] + ("…" if len(text) > _MAX_OFFER_TEXT else "")
    return [escape_unseen(line) for line in beginning.split("\n")]


def describe_occurrences(sheet: CaseSheet, language: str) -> str:
    """Return how often a finding occurred, and on which line of evidence first."""
    counts = {
        name: say_localized(f"document.finding.{name}.{_plural_of(count)}", language, count=count)
        for name, count in (("times", sheet.times), ("ways", sheet.ways))
    }
    return say_localized("document.finding.seen-at", language, first=sheet.first, **counts)


def _plural_of(count: int) -> str:
    return "one" if count == 1 else "many"


def broken_citation_of(sheet: CaseSheet) -> Text:
    """Return the citation of the first provision that a finding breaks."""
    broken = (ground for ground in sheet.law if ground.provision in sheet.provisions)
    return next(broken, sheet.law[0]).citation


def significance_level_of(report: Report) -> FormattedNumber | None:
    """Return the significance level of the statistical tests, if there were any."""
    return (
        FormattedNumber(format_without_exponent(report.statistics[0].level))
        if report.statistics
        else None
    )


#: The sections in their order; all are printed, also empty ones.
SECTIONS: Final = (
    "statement", "results", "findings", "readings", "statistics", "edges", "witnessed", "item",
    "method", "missing", "limits", "verify", "authority",
)  # fmt: skip
#: The maxima of findings with a sheet of their own, and with a line in the table after them.
MAX_SHEETS: Final = 100
MAX_FINDING_LINES: Final = 2000
_NO_LATER_ACT: Final = "no-later-act"
_MAX_FILES: Final = 200
_MAX_NUMBER: Final = 48
#: The counts that the first page has besides the totals of results.
_TILE_COUNTS: Final = ("silent", "divergent", "cases", "rounds")


def render_document_html(
    report: Report, languages: Sequence[str], boxes: Sequence[SignatoryBox], *, density: int = 0
) -> str:
    """Return the document as one page of HTML; `density` is that of the first page."""
    context = _context(report, languages, boxes, density)
    return _environment().get_template("document.html").render(context)


def load_pictures() -> dict[str, bytes]:
    """Return the pictures to which the styles refer, by file name."""
    folder = data_files.data_folder("reports") / "document"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("band-*.svg"))}


def styles_of(report: Report, languages: Sequence[str]) -> tuple[str, ...]:
    """Return the style sheets of the document, with the bands of its kind."""
    folder = data_files.data_folder("reports")
    fonts = (folder / "fonts" / "faces.css").read_text(encoding="utf-8")
    return (
        fonts.replace("url(", "url(selo:///"),
        (folder / "document" / "document.css").read_text(encoding="utf-8"),
        _page_number_style(languages) + _band_style(bands_of(report)),
    )


def bands_of(report: Report) -> list[str]:
    """Return the warnings that every page carries at its edges."""
    bands = ["pre-check"] if report.kind is DocumentKind.PRE_CHECK else []
    return [*bands, "demonstration"] if report.demonstration else bands


def titles_of(report: Report, languages: Sequence[str]) -> dict[str, str]:
    """Return the title of the document in each language."""
    return {
        language: say(
            "document.title",
            language,
            kind=say(f"document.kind.{report.kind}", language),
            number=escape_unseen(report.number, _MAX_NUMBER),
        )
        for language in languages
    }


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - only what lays out a page needs it

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_files.data_folder("reports") / "document"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )


def _finalize(value: Any) -> Any:
    """Return a value as it is printed, without characters that no font has."""
    if isinstance(value, Markup):
        return value
    return make_printable(value if isinstance(value, str) else str(value))


def _context(
    report: Report, languages: Sequence[str], boxes: Sequence[SignatoryBox], density: int
) -> dict[str, Any]:
    # A certificate has no missing requirements to list.
    named = [
        section
        for section in SECTIONS
        if section != "missing" or report.kind is not DocumentKind.CERTIFICATE
    ]
    sections = {
        name: {
            "number": number,
            "mark": f"{number}. {_outline_mark(f'document.section.{name}', languages)}",
        }
        for number, name in enumerate(named, start=1)
    }
    # Numbers outside of a text in one language are written as in the first language.
    first = languages[0]
    names = {game.game: game.name for game in report.games}
    lacks, groups_missing = group_missing(report.missing)
    sheets = sheets_of(report, languages, MAX_SHEETS)
    number = escape_unseen(report.number, _MAX_NUMBER)
    return {
        "report": report,
        "languages": tuple(languages),
        "law_languages": LAW_LANGUAGES,
        "tags": HTML_LANGUAGES,
        "said": say_localized,
        "seen_at": describe_occurrences,
        "numbered": number_bet,
        "broken": broken_citation_of,
        "sections": sections,
        "title": " · ".join(titles_of(report, languages).values()),
        "number": number,
        "file_name": f"{_file_name(report.number)}.pdf",
        "bands": bands_of(report),
        "warning": _law_warning(report),
        "verdict": _verdict_words(report),
        "rosette": ornaments.draw_rosette(report.kind),
        "sign": ornaments.draw_verdict_sign(
            report.overall, _say_in_each(f"verdict.{report.overall}", languages)
        ),
        "qr": ornaments.draw_qr_code(
            report.page or f"{report.number}\nroot {report.evidence.root}\nselo verify",
            _say_in_each(_qr_key(report), languages),
        ),
        "qr_key": _qr_key(report),
        "confined": describe_confinement(report.method.confinement),
        "cite": {provision.id: provision.citation for provision in report.provisions},
        "tiles": _tiles(report),
        "found": describe_findings_sum(report.findings, report.item.currency),
        "few_norms": MAX_FULL_SIZE_NORMS,
        "gazettes": has_room_for_gazettes(report, density),
        "density": density,
        "program": TOOL_DIGEST,
        "shortfalls": {language: summarize_shortfalls(report, language) for language in languages},
        "offers": {
            language: summarize_options(report, language, str(sections["item"]["number"]))
            for language in languages
        },
        "groups": results_by_instrument(report, languages),
        "outside": outside_provisions_of(report),
        "asked": requested_provisions_of(report),
        "sheets": sheets,
        "rest": report.findings[len(sheets) : MAX_SHEETS + MAX_FINDING_LINES],
        "left": max(0, len(report.findings) - MAX_SHEETS - MAX_FINDING_LINES),
        "distribution": draw_findings_plot(report, languages),
        "adopted": adopted_readings_by_author(report),
        "statistics": summarize_tests(report),
        "per_cent": lambda part: format_percent(part, first),
        "share": lambda part: format_percent(str(float(Fraction(part))), first),
        "level": significance_level_of(report),
        "groups_of": groups_by_game(report),
        "term": lambda kind, name: message_or_text(f"report.{kind}.{name}", name),
        "edges": edges_by_game(report, languages),
        "powers": summarize_powers(report),
        "witnessed": witnesses_by_norm(report),
        "files": report.item.files[:_MAX_FILES],
        "asides": _method_lists(report),
        "lacks": lacks,
        "lacking": groups_missing,
        "boxes": boxes,
        "totals_of": total_results,
        "standing": _standing_key,
        "reading": _reading_text,
        "game_name": lambda game: names.get(game) or as_words(game),
        "figure": lambda number: format_count(number, first),
        "numeral": lambda number: format_number(number, first),
        "amount": lambda amount: format_in_sentence(amount, first),
        "short": escape_unseen,
        "lines": split_offer_lines,
        "plain": lambda value: msgspec.json.encode(value).decode(),
        "mark": lambda key: _outline_mark(key, languages),
    }


def _qr_key(report: Report) -> str:
    return "document.qr.page" if report.page else "document.qr"


def _file_name(number: str) -> str:
    safe = "".join(
        character if character.isalnum() or character in "-_." else "-"
        for character in number[:_MAX_NUMBER]
    )
    # A leading hyphen would look like an option, and a leading dot hides a file.
    return make_printable(safe.lstrip("-.")) or "document"


def _verdict_words(report: Report) -> Words:
    if report.statement is not None:
        return report.statement.verdict
    return words(f"verdict.{report.overall}")


def _say_in_each(key: str, languages: Sequence[str]) -> list[str]:
    return [say(key, language) for language in languages]


def _outline_mark(key: str, languages: Sequence[str]) -> str:
    return " · ".join(_say_in_each(key, languages))


def _tiles(report: Report) -> list[tuple[str, int]]:
    totals = total_results(report.counts, report.aside)
    tiles = list(msgspec.structs.asdict(totals).items())
    if report.totals is None:
        return [*tiles, ("cases", report.evidence.cases)]
    return [*tiles, *((name, getattr(report.totals, name)) for name in _TILE_COUNTS)]


def _standing_key(norm: Norm) -> str:
    if norm.certain:
        is_beyond = norm.standing == _NO_LATER_ACT and norm.known_until is not None
        return "beyond" if is_beyond else norm.standing
    return "uncertain" if norm.standing == _NO_LATER_ACT else f"perhaps-{norm.standing}"


def _law_warning(report: Report) -> str | None:
    """Return what the first page says of texts that were not, or not certainly, the law."""
    if all(norm.is_law for norm in report.norms):
        return None
    if report.method.text_as_stored:
        return "as-stored"
    is_certain = any(norm.certain and norm.standing != _NO_LATER_ACT for norm in report.norms)
    return "revoked" if is_certain else "uncertain"


def _reading_text(point: OpenPoint, name: str, language: str) -> str:
    return point.readings[name].get(language) if name in point.readings else name


def _method_lists(report: Report) -> list[tuple[str, list[str]]]:
    return [
        ("document.method.only", report.method.provisions),
        ("document.method.left-out", report.method.left_out),
        ("document.method.deviations", report.deviations),
        ("document.method.permissions", report.permissions),
    ]


def _page_number_style(languages: Sequence[str]) -> str:
    """Return the style of page numbers in each language."""
    rules = []
    for language in languages:
        text = say("document.page", language, page="\0page\0", pages="\0pages\0")
        parts = [
            f"counter({part})" if part in {"page", "pages"} else f'"{part}"'
            for part in text.split("\0")
            if part
        ]
        rules.append(f".page-{language}::before {{ content: {' '.join(parts)}; }}")
    return "\n".join(rules)


def _band_style(bands: Sequence[str]) -> str:
    if not bands:
        return ""
    images = ", ".join(f"url(selo:///band-{name}.svg)" for name in (bands[0], bands[-1]))
    # Background positions are relative to the text area; the bands are at the edges of the page.
    return (
        f"\n@page {{ background-image: {images}; background-size: 7mm 8mm, 7mm 8mm; "
        "background-position: left -18mm top -24mm, left -18mm bottom -21mm; "
        "background-repeat: repeat-x, repeat-x; }"
    )
