"""``instrument.yaml`` of an intake: names and dates as far as the pages say them."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.gazette import number_words
from selo.law.files.provision_file import Confidence, MatterKind
from selo.law.intake.draft_text import flow, quote, unit_text, words_block
from selo.law.intake.page_intake import slug
from selo.text import LAW_LANGUAGES, say

if TYPE_CHECKING:
    from selo.law.intake.page_intake import Intake

_QUOTED = re.compile("[«“](?P<name>[^»”]+)[»”]")
_PT_DAY = re.compile(r"(?P<day>\d{1,2}) de (?P<month>[A-Za-zç]+) de (?P<year>\d{4})")
_MONTHS: Final = {
    "janeiro": 1, "fevereiro": 2, "março": 3, "abril": 4, "maio": 5, "junho": 6, "julho": 7,
    "agosto": 8, "setembro": 9, "outubro": 10, "novembro": 11, "dezembro": 12,
}  # fmt: skip
_ZH_DAY = re.compile(
    "(?P<year>[一二三四五六七八九零〇]{4})年"
    "(?P<month>[一二三四五六七八九十]+)月(?P<day>[一二三四五六七八九十]+)日"
)
#: An act comes into force at the latest this long after its publication, unless it says otherwise.
_LONGEST_WAIT: Final = dt.timedelta(days=366)


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftNames:
    """What the instrument is called, and when it was published."""

    instrument: str
    number: str
    game: str
    published: dt.date


def write_instrument(intake: Intake, names: DraftNames) -> str:
    """Return ``instrument.yaml``; what the pages do not say is marked as unknown."""
    held = intake.languages
    name = _act_name(intake, names)
    regulation = {
        language: _first_matter(intake, MatterKind.REGULATION_TITLE, language) or name[language]
        for language in held
    }
    game = {language: _game_name(regulation[language]) for language in held}
    english = game[held[0]]
    citation = {
        language: _cite(name[language], _first_matter(intake, MatterKind.DATE, language), language)
        for language in held
    }
    gazette = {one: say("intake.gazette", one, day=names.published) for one in LAW_LANGUAGES}
    found = _signing_day(intake, names.published)
    signed, sure = found or names.published, Confidence.SEED if found else Confidence.UNKNOWN
    last = names.published + _LONGEST_WAIT
    lines = [
        "# yaml-language-server: $schema=../schema/instrument.schema.json",
        f"id: {names.instrument}",
        f"number: {slug(names.number)}",
        f"game: {names.game}",
        f"name: {flow({**name, 'en': name[held[0]]})}",
        f"citation: {flow(citation)}",
        f"game_name: {flow({**dict.fromkeys(LAW_LANGUAGES, english), **game, 'en': english})}",
        f"regulation: {flow(regulation)}",
        "gazette:",
        *(f"  {language}: {quote(text)}" for language, text in gazette.items()),
        "  sure: unknown",
        "dates:",
        f"  signed: {_day(signed, signed, sure)}",
        f"  published: {_day(names.published, names.published, Confidence.UNKNOWN)}",
        f"  in_force: {_day(names.published, last, Confidence.UNKNOWN)}",
        "languages:",
        f"  published: [{', '.join(held)}]",
        f"  authentic: [{', '.join(held)}]",
        words_block("because", "intake.languages", "  ").rstrip("\n"),
        "chain: []",
        "not_held: []",
    ]
    return "\n".join(lines) + "\n"


def read_day(text: str) -> dt.date | None:
    """Return the first whole date in `text`."""
    try:
        if (match := _ZH_DAY.search(text)) is not None:
            digits = [number_words.parse_chinese_number(sign) for sign in match["year"]]
            month, day = (
                number_words.parse_chinese_number(match[part]) for part in ("month", "day")
            )
            return dt.date(int("".join(map(str, digits))), month, day)
        if (match := _PT_DAY.search(text)) is not None:
            return dt.date(
                int(match["year"]), _MONTHS.get(match["month"].lower(), 0), int(match["day"])
            )
    except ValueError:
        return None
    return None


def _act_name(intake: Intake, names: DraftNames) -> dict[str, str]:
    name = {one: say("intake.unnamed", one, number=names.number) for one in LAW_LANGUAGES}
    if intake.kind.get("pt"):
        name["pt"] = f"{intake.kind['pt']} n.º {names.number}"
    if intake.kind.get("zh"):
        name["zh"] = f"第{names.number}號{intake.kind['zh']}"
    return name


def _first_matter(intake: Intake, kind: MatterKind, language: str) -> str | None:
    for found, paragraphs in intake.texts[language].matter:
        if found is kind:
            return unit_text(paragraphs, language).replace("\n", " ")
    return None


def _signing_day(intake: Intake, published: dt.date) -> dt.date | None:
    for language in intake.languages:
        for found, paragraphs in intake.texts[language].matter:
            day = read_day(unit_text(paragraphs, language))
            if found is MatterKind.SIGNING and day is not None and day <= published:
                return day
    return None


def _game_name(regulation: str) -> str:
    quoted = _QUOTED.search(regulation)
    return quoted["name"] if quoted else regulation


def _cite(name: str, date: str | None, language: str) -> str:
    if date is None:
        return name
    return f"{name}, {date}" if language == "pt" else f"{date}{name}"


def _day(first: dt.date, last: dt.date, sure: Confidence) -> str:
    return f"{{not_before: {first}, not_after: {last}, sure: {sure}}}"
