"""Sections of a report as the pages print them: readings, tests, house edges, requirements."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from selo.report.phrases.composition import as_words, join_words, message_or_text
from selo.report.svg import plots
from selo.text import LAW_LANGUAGES, say
from selo.text.number_format import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from selo.report.model.report_model import (
        AdoptedReading,
        ArticleRecord,
        DeviationRecord,
        GroupRecord,
        HouseEdge,
        MissingRequirement,
        Report,
        StatisticRecord,
    )
    from selo.text import Words

#: Missing requirements that a section lists already: message of the group, and section.
_MISSING_GROUPS: Final = {
    "provision": ("provisions", "results"),
    "ruling": ("rulings", "readings"),
    "edge": ("edges", "edges"),
    "file": ("files", "item"),
    "field:files": ("files", "item"),
}
_MAX_MISSING_LISTED: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatoryBox:
    """A box for a signature: the role, and the signatory if known."""

    role: str
    name: str
    capacity: Words | None


@dataclass(frozen=True, kw_only=True, slots=True)
class GamePowers:
    """The power against deviations of one game."""

    name: Words
    powers: list[DeviationRecord]
    plot: Markup


@dataclass(frozen=True, kw_only=True, slots=True)
class GameEdges:
    """The house edges of one game."""

    name: Words
    mark: str
    edges: list[HouseEdge]
    plot: Markup


# Readings and statistics.


def adopted_readings_by_author(
    report: Report,
) -> list[tuple[str, list[AdoptedReading], list[AdoptedReading]]]:
    """Return the adopted readings by author: those that decide the result, and the others."""
    readings_by_author: dict[str, list[AdoptedReading]] = {}
    for reading in report.method.adopted:
        by = ", ".join(
            part for part in (reading.by, "" if reading.on is None else str(reading.on)) if part
        )
        readings_by_author.setdefault(by, []).append(reading)
    return [
        (
            by,
            [reading for reading in readings if reading.decides],
            [reading for reading in readings if not reading.decides],
        )
        for by, readings in readings_by_author.items()
    ]


def tests_by_table(report: Report) -> list[tuple[Words, Words | None, list[StatisticRecord]]]:
    """Return the tests of each game and table; options distinguish tables."""
    names = {game.game: game.name for game in report.games}
    tests: dict[tuple[str, tuple[tuple[str, str], ...]], list[StatisticRecord]] = {}
    for statistic in report.statistics:
        options = tuple((name, str(value)) for name, value in statistic.options.items())
        tests.setdefault((statistic.game, options), []).append(statistic)
    return [
        (
            names.get(game) or as_words(game),
            _options_words(options) if options else None,
            statistics,
        )
        for (game, options), statistics in tests.items()
    ]


def _options_words(options: Iterable[tuple[str, str]]) -> Words:
    """Return the names of the options of a table, or their ids if they have no name."""
    parts = [message_or_text(f"report.term.{name}", name) for pair in options for name in pair]
    return join_words(parts, pt=" ", zh=" ")


def format_percent(part: str | None, language: str) -> str:
    """Return a fraction, such as 0.1107, in per cent."""
    return "" if part is None else format_number(f"{float(part) * 100:.1f}%", language)


def format_without_exponent(number: str) -> str:
    """Return a number without an exponent: 0.00005 instead of 5e-05."""
    return f"{Decimal(number):f}"


def groups_by_game(report: Report) -> list[tuple[str, list[GroupRecord]]]:
    """Return the groups of cases and rounds by game."""
    groups: dict[str, list[GroupRecord]] = {}
    for group in report.method.groups:
        groups.setdefault(group.game, []).append(group)
    return list(groups.items())


def powers_by_game(report: Report, languages: Sequence[str]) -> list[GamePowers]:
    """Return the deviations of each game with their powers, and a plot."""
    names = {game.game: game.name for game in report.games}
    of_games: dict[str, list[DeviationRecord]] = {}
    for power in report.powers:
        of_games.setdefault(power.game, []).append(power)
    kinds = [say_side_by_side(f"document.column.{name}", languages) for name in ("power", "wanted")]
    return [
        GamePowers(
            name=names[game],
            powers=powers,
            plot=plots.draw_values(
                [_power_row(power, languages) for power in powers],
                tuple(kinds),
                language=languages[0],
                title=say(
                    "document.powers.plot.alt",
                    languages[0],
                    shown="; ".join(f"{power.deviation} {power.power}" for power in powers),
                ),
            ),
        )
        for game, powers in of_games.items()
        if game in names
    ]


def _power_row(power: DeviationRecord, languages: Sequence[str]) -> plots.ValueRow:
    options = " ".join(f"{value}" for value in power.options.values())
    texts = [f"{power.name.get(language)} {options}".strip() for language in languages]
    return plots.ValueRow(
        names=tuple(dict.fromkeys(texts)),
        exact=float(power.power) * 100,
        declared=None if power.wanted is None else float(Fraction(power.wanted)) * 100,
        observed=None,
    )


# House edges.


def edges_by_game(report: Report, languages: Sequence[str]) -> list[GameEdges]:
    """Return the house edges of each game, with a plot."""
    edges_of_games: dict[str, list[HouseEdge]] = {}
    for edge in report.edges:
        edges_of_games.setdefault(edge.game, []).append(edge)
    names = {game.game: game.name for game in report.games}
    kinds = tuple(
        say_side_by_side(f"document.column.{name}", languages)
        for name in ("exact", "declared", "observed")
    )
    return [
        GameEdges(
            name=names[game],
            mark=outline_name(names[game], languages),
            edges=edges,
            plot=plots.draw_values(
                [_value_row(edge, languages) for edge in edges],
                (kinds[0], kinds[1], kinds[2]),
                language=languages[0],
                title=say(
                    "document.edges.plot.alt",
                    languages[0],
                    shown="; ".join(f"{edge.name} {edge.decimal}" for edge in edges),
                ),
            ),
        )
        for game, edges in edges_of_games.items()
        if game in names
    ]


def _value_row(edge: HouseEdge, languages: Sequence[str]) -> plots.ValueRow:
    names = [edge.name] if edge.label is None else [edge.label.get(name) for name in languages]
    return plots.ValueRow(
        names=tuple(dict.fromkeys(names)),
        exact=float(Fraction(edge.exact)) * 100,
        declared=_parse_percent(edge.declared),
        observed=_parse_percent(edge.observed),
        interval=_parse_interval(edge.interval),
    )


def _parse_interval(interval: tuple[str, str] | None) -> tuple[float, float] | None:
    ends = [_parse_percent(end) for end in interval or ()]
    known = [end for end in ends if end is not None]
    return (known[0], known[1]) if len(known) == len(ends) == 2 else None  # noqa: PLR2004 - ends


def _parse_percent(text: str | None) -> float | None:
    """Return 2.77% or 0.0277 or 1/36 in per cent; nothing if it is not a number."""
    if text is None:
        return None
    bare = text.split()[0].replace(",", ".") if text.split() else ""
    try:
        return float(Fraction(bare.rstrip("%"))) * (1 if bare.endswith("%") else 100)
    except (ValueError, ZeroDivisionError):
        return None


# What is missing.


def group_missing(
    missing: Iterable[MissingRequirement],
) -> tuple[list[Words], list[tuple[str, int, str]]]:
    """Return the requirements to list, and name, count and section of those listed elsewhere."""
    listed: list[Words] = []
    counts: Counter[tuple[str, str]] = Counter()
    for requirement in missing:
        group = _missing_group(requirement.key)
        if group is None and len(listed) < _MAX_MISSING_LISTED:
            listed.append(requirement.says)
        elif group is not None:
            counts[group] += 1
    return listed, [(name, count, section) for (name, section), count in counts.items()]


def _missing_group(key: str) -> tuple[str, str] | None:
    for start, group in _MISSING_GROUPS.items():
        if key.startswith(f"{start}:"):
            return group
    return None


def citation_of(article: ArticleRecord) -> str:
    """Return the citation of an article in the languages of the law."""
    citations = [article.citation.get(language) for language in LAW_LANGUAGES]
    return " ".join(citation for citation in citations if citation)


def say_side_by_side(key: str, languages: Sequence[str]) -> str:
    """Return a message in several languages, side by side."""
    return " ".join(say(key, language) for language in languages)


def outline_name(name: Words, languages: Sequence[str]) -> str:
    """Return a name for the outline of the document, once for each different translation."""
    return " · ".join(dict.fromkeys(name.get(language) for language in languages))
