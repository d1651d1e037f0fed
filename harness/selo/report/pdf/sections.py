"""Parts of a report as the pages need them: readings, tests, house edges, what lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from selo.report.phrases.compose import joined as together
from selo.report.phrases.compose import same, words
from selo.report.svg import plots
from selo.text.message_catalogue import knows, say
from selo.text.multilingual import LAW_LANGUAGES
from selo.text.number_format import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from selo.report.model.report_model import (
        AdoptedReading,
        ArticleRecord,
        GroupRecord,
        HouseEdge,
        Missing,
        Report,
        StatisticRecord,
    )
    from selo.text.multilingual import Words

#: What is missing is told one by one, unless a section already lists it.
_GROUPS: Final = {
    "provision": ("provisions", "results"),
    "ruling": ("rulings", "readings"),
    "edge": ("edges", "edges"),
    "file": ("files", "item"),
    "field:files": ("files", "item"),
}
_MOST_LACKS: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """Room for a signature: in which role, and whose where that is known."""

    role: str
    name: str
    capacity: Words | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Edges:
    """The house edges of one game."""

    name: Words
    mark: str
    edges: list[HouseEdge]
    plot: Markup


# Readings and statistics.


def adopted(report: Report) -> list[tuple[str, list[AdoptedReading], list[AdoptedReading]]]:
    """Return who adopted readings: those that decide the result, and the others."""
    found: dict[str, list[AdoptedReading]] = {}
    for one in report.method.adopted:
        by = ", ".join(part for part in (one.by, "" if one.on is None else str(one.on)) if part)
        found.setdefault(by, []).append(one)
    return [
        (by, [one for one in some if one.decides], [one for one in some if not one.decides])
        for by, some in found.items()
    ]


def tests_of(report: Report) -> list[tuple[Words, Words | None, list[StatisticRecord]]]:
    """Return the tests of each game, and of each of its tables, which its options tell apart."""
    names = {game.game: game.name for game in report.games}
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[StatisticRecord]] = {}
    for statistic in report.statistics:
        options = tuple((name, str(value)) for name, value in statistic.options.items())
        found.setdefault((statistic.game, options), []).append(statistic)
    return [
        (names.get(game) or same(game), _options(options) if options else None, some)
        for (game, options), some in found.items()
    ]


def _options(given: Iterable[tuple[str, str]]) -> Words:
    """Return the options of a table in words; what has none is told by its id."""
    parts = [
        words(f"report.term.{one}") if knows(f"report.term.{one}") else same(one)
        for pair in given
        for one in pair
    ]
    return together(parts, pt=" ", zh=" ")


def per_cent(part: str | None, language: str) -> str:
    """Return a part of one, such as 0.1107, in per cent."""
    return "" if part is None else written(f"{float(part) * 100:.1f}%", language)


def unpacked(number: str) -> str:
    """Return a number without an exponent, which not everybody reads: 5e-05 is 0.00005."""
    return f"{Decimal(number):f}"


# What was put to the test.


def groups_of(report: Report) -> list[tuple[str, list[GroupRecord]]]:
    """Return the groups of cases and rounds, those of one game together."""
    found: dict[str, list[GroupRecord]] = {}
    for group in report.method.groups:
        found.setdefault(group.game, []).append(group)
    return list(found.items())


# House edges.


def by_game(report: Report, languages: Sequence[str]) -> list[Edges]:
    """Return the house edges of each game, with a plot."""
    found: dict[str, list[HouseEdge]] = {}
    for edge in report.edges:
        found.setdefault(edge.game, []).append(edge)
    names = {game.game: game.name for game in report.games}
    kinds = tuple(
        joined(f"document.column.{name}", languages) for name in ("exact", "declared", "observed")
    )
    return [
        Edges(
            name=names[game],
            mark=marked(names[game], languages),
            edges=edges,
            plot=plots.dots(
                [_dots(edge, languages) for edge in edges],
                (kinds[0], kinds[1], kinds[2]),
                language=languages[0],
                title=say(
                    "document.edges.plot.alt",
                    languages[0],
                    shown="; ".join(f"{edge.name} {edge.decimal}" for edge in edges),
                ),
            ),
        )
        for game, edges in found.items()
        if game in names
    ]


def _dots(one: HouseEdge, languages: Sequence[str]) -> plots.Dots:
    told = [one.name] if one.label is None else [one.label.get(name) for name in languages]
    return plots.Dots(
        names=tuple(dict.fromkeys(told)),
        exact=float(Fraction(one.exact)) * 100,
        declared=_per_cent(one.declared),
        observed=_per_cent(one.observed),
    )


def _per_cent(text: str | None) -> float | None:
    """Return 2.77% or 0.0277 or 1/36 in per cent; what is no number is not drawn."""
    if text is None:
        return None
    bare = text.split()[0].replace(",", ".") if text.split() else ""
    try:
        return float(Fraction(bare.rstrip("%"))) * (1 if bare.endswith("%") else 100)
    except (ValueError, ZeroDivisionError):
        return None


# What is missing.


def lacking(missing: Iterable[Missing]) -> tuple[list[Words], list[tuple[str, int, str]]]:
    """Return what is told one by one, and what a section lists: its message, number, section."""
    said: list[Words] = []
    counts: Counter[tuple[str, str]] = Counter()
    for one in missing:
        group = _group(one.key)
        if group is None and len(said) < _MOST_LACKS:
            said.append(one.says)
        elif group is not None:
            counts[group] += 1
    return said, [(name, count, section) for (name, section), count in counts.items()]


def _group(key: str) -> tuple[str, str] | None:
    for start, group in _GROUPS.items():
        if key.startswith(f"{start}:"):
            return group
    return None


def cited(article: ArticleRecord) -> str:
    """Return how an article is cited, in the languages of the law."""
    said = [article.citation.get(language) for language in LAW_LANGUAGES]
    return " ".join(one for one in said if one)


def joined(key: str, languages: Sequence[str]) -> str:
    """Return a message in some languages, side by side."""
    return " ".join(say(key, language) for language in languages)


def marked(name: Words, languages: Sequence[str]) -> str:
    """Return a name for the outline of the document, in each language in which it differs."""
    return " · ".join(dict.fromkeys(name.get(language) for language in languages))
