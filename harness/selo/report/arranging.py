"""Parts of a report as the pages need them: articles with their provisions, edges, what lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from selo.law.model import Way
from selo.report import plots
from selo.report.saying import joined as together
from selo.report.saying import same, words
from selo.verdict.verdicts import Result
from selo.words.messages import knows, say
from selo.words.numbers import written
from selo.words.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from markupsafe import Markup

    from selo.report.model import (
        Adopted,
        Article,
        Edge,
        Group,
        Missing,
        Norm,
        Provision,
        Report,
        Statistic,
    )
    from selo.verdict.seen import Witness
    from selo.words.text import Words

_SHADES: Final = {
    Result.CONFORMS: ("#2a6a4b", "#fff"),
    Result.WITNESSED: ("#8fbaa2", "#16181d"),
    Result.VIOLATES: ("#a8231b", "#fff"),
    Result.INCONCLUSIVE: ("#d9a336", "#16181d"),
    Result.TO_BE_WITNESSED: ("#aab4c4", "#16181d"),
    Result.NOT_EXAMINED: ("#dfe2e7", "#16181d"),
}
#: What is missing is told one by one, unless a section already lists it.
_GROUPS: Final = {
    "provision": ("provisions", "results"),
    "ruling": ("rulings", "readings"),
    "edge": ("edges", "edges"),
    "file": ("files", "item"),
    "field:files": ("files", "item"),
}
_MOST_LACKS: Final = 60
#: Where the evidence of what is neither settled nor played stands.
_PLACES: Final = {
    Way.CONFIGURATION: "document.evidence.declared",
    Way.STATISTICS: "document.evidence.drawn",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """Room for a signature: in which role, and whose where that is known."""

    role: str
    name: str
    capacity: Words | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A provision in the table of results, whether its reason is told, and on what it rests."""

    provision: Provision
    explain: bool
    #: Whether more cases may be decisive than were counted.
    at_least: bool
    #: Where its evidence stands if not on a numbered line: keys of messages.
    places: list[str]
    #: The attached forms of those who witnessed it.
    forms: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Titled:
    """An article with what is said of its provisions."""

    says: dict[str, str]
    mark: str
    provisions: list[Line]


@dataclass(frozen=True, kw_only=True, slots=True)
class Instrument:
    """An instrument with its articles."""

    norm: Norm
    mark: str
    articles: list[Titled]
    plot: Markup | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Edges:
    """The house edges of one game."""

    name: Words
    mark: str
    edges: list[Edge]
    plot: Markup


# Results by article.


def asked_for(report: Report) -> list[Provision]:
    """Return the provisions that were asked for: all, unless only some were named."""
    named = set(report.method.provisions)
    return [one for one in report.provisions if not named or one.id in named]


def on_the_way(report: Report) -> list[Provision]:
    """Return the provisions that were not asked for and of which something is said all the same."""
    named = set() if report.outside is None else set(report.outside.provisions)
    return [one for one in report.provisions if one.id in named]


def articles_of(report: Report, languages: Sequence[str]) -> list[Instrument]:
    """Return the instruments in the order of the games, each with its articles."""
    norms = {one.instrument: one for one in report.norms}
    forms = {one.sha256: one.name.partition(".")[0] for one in report.attachments}
    provisions: dict[tuple[str, str], list[Provision]] = {}
    for one in asked_for(report):
        provisions.setdefault((one.instrument, one.article), []).append(one)
    articles: dict[str, list[Article]] = {}
    for article in report.articles:
        articles.setdefault(article.instrument, []).append(article)
    found = []
    for game in report.games:
        mine = [
            (article, provisions.get((game.instrument, article.number), []))
            for article in articles.get(game.instrument, [])
        ]
        mine = [(article, some) for article, some in mine if some]
        found.append(
            Instrument(
                norm=norms[game.instrument],
                mark=_marked(game.name, languages),
                articles=[_titled(article, some, forms) for article, some in mine],
                plot=_coverage(mine, languages),
            )
        )
    return found


def _explained(one: Provision) -> bool:
    """Return whether a table must say why: it does not conform, or a part is not offered."""
    good = one.result in {Result.CONFORMS, Result.WITNESSED}
    return not good or any(part.not_offered for part in one.parts)


def _line(one: Provision, forms: Mapping[str, str]) -> Line:
    looked = {part.way for part in one.parts if part.cases}
    return Line(
        provision=one,
        explain=_explained(one),
        at_least=any(part.at_least for part in one.parts),
        places=[] if one.evidence else [key for way, key in _PLACES.items() if way in looked],
        forms=list(dict.fromkeys(forms.get(seen.form, "") for seen in one.witnesses)),
    )


def _titled(
    article: Article, provisions: Sequence[Provision], forms: Mapping[str, str]
) -> Titled:
    says = {}
    for language in LAW_LANGUAGES:
        heading = None if article.heading is None else article.heading.get(language)
        parts = [article.citation.get(language), heading]
        says[language] = " — ".join(one for one in parts if one)
    return Titled(
        says=says,
        mark=" · ".join(one for one in says.values() if one),
        provisions=[_line(one, forms) for one in provisions],
    )


def _coverage(
    articles: Sequence[tuple[Article, Sequence[Provision]]], languages: Sequence[str]
) -> Markup | None:
    if len(articles) < 2:  # noqa: PLR2004 - one bar says nothing that its table does not
        return None
    shades = [
        plots.Shade(name=joined(f"verdict.{result}", languages), fill=fill, ink=ink)
        for result, (fill, ink) in _SHADES.items()
    ]
    lines = []
    for article, provisions in articles:
        counts = Counter(one.result for one in provisions)
        lines.append(
            plots.Bar(name=cited(article), counts=tuple(counts[result] for result in _SHADES))
        )
    shown = "; ".join(f"{line.name} {'/'.join(map(str, line.counts))}" for line in lines)
    title = say("document.statement.coverage.alt", languages[0], shown=shown)
    return plots.bars(lines, shades, title=title)


def cited(article: Article) -> str:
    """Return how an article is cited, in the languages of the law."""
    said = [article.citation.get(language) for language in LAW_LANGUAGES]
    return " ".join(one for one in said if one)


def met(counts: Mapping[Result, int]) -> tuple[int, int, int]:
    """Return how many provisions are met, not met, and not verified."""
    good = counts.get(Result.CONFORMS, 0) + counts.get(Result.WITNESSED, 0)
    bad = counts.get(Result.VIOLATES, 0)
    return good, bad, sum(counts.values()) - good - bad


def witnesses(report: Report) -> list[tuple[Norm, list[tuple[Provision, Witness]]]]:
    """Return what people said, by instrument and provision."""
    found: dict[str, list[tuple[Provision, Witness]]] = {}
    for one in report.provisions:
        for seen in one.witnesses:
            found.setdefault(one.instrument, []).append((one, seen))
    return [(norm, found[norm.instrument]) for norm in report.norms if norm.instrument in found]


# Readings and statistics.


def adopted(report: Report) -> list[tuple[str, list[Adopted], list[Adopted]]]:
    """Return who adopted readings: those that decide the result, and the others."""
    found: dict[str, list[Adopted]] = {}
    for one in report.method.adopted:
        by = ", ".join(part for part in (one.by, "" if one.on is None else str(one.on)) if part)
        found.setdefault(by, []).append(one)
    return [
        (by, [one for one in some if one.decides], [one for one in some if not one.decides])
        for by, some in found.items()
    ]


def tests_of(report: Report) -> list[tuple[Words, Words | None, list[Statistic]]]:
    """Return the tests of each game, and of each of its tables, which its options tell apart."""
    names = {one.game: one.name for one in report.games}
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Statistic]] = {}
    for one in report.statistics:
        options = tuple((name, str(value)) for name, value in one.options.items())
        found.setdefault((one.game, options), []).append(one)
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


def groups_of(report: Report) -> list[tuple[str, list[Group]]]:
    """Return the groups of cases and rounds, those of one game together."""
    found: dict[str, list[Group]] = {}
    for one in report.method.groups:
        found.setdefault(one.game, []).append(one)
    return list(found.items())


# House edges.


def by_game(report: Report, languages: Sequence[str]) -> list[Edges]:
    """Return the house edges of each game, with a plot."""
    found: dict[str, list[Edge]] = {}
    for one in report.edges:
        found.setdefault(one.game, []).append(one)
    names = {one.game: one.name for one in report.games}
    kinds = tuple(
        joined(f"document.column.{name}", languages) for name in ("exact", "declared", "observed")
    )
    return [
        Edges(
            name=names[game],
            mark=_marked(names[game], languages),
            edges=edges,
            plot=plots.dots(
                [_dots(one, languages) for one in edges],
                (kinds[0], kinds[1], kinds[2]),
                language=languages[0],
                title=say(
                    "document.edges.plot.alt",
                    languages[0],
                    shown="; ".join(f"{one.name} {one.decimal}" for one in edges),
                ),
            ),
        )
        for game, edges in found.items()
        if game in names
    ]


def _dots(one: Edge, languages: Sequence[str]) -> plots.Dots:
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


def joined(key: str, languages: Sequence[str]) -> str:
    """Return a message in some languages, side by side."""
    return " ".join(say(key, language) for language in languages)


def _marked(name: Words, languages: Sequence[str]) -> str:
    return " · ".join(dict.fromkeys(name.get(language) for language in languages))
