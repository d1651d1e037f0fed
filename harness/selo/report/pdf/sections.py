"""Sections of a report as the pages print them: readings, tests, house edges, requirements."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.draws.chi_square import RULE_TESTS
from selo.report.phrases.composition import (
    as_words,
    join_words,
    label_value,
    message_or_text,
    words,
)
from selo.report.svg import plots
from selo.text import LAW_LANGUAGES, say
from selo.text.message_catalogue import has_message
from selo.text.number_format import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
_FIELD, _SEED = "field:", "seed"
_FAIR: Final = "fair"
#: Tests by which the size of a sample is stated.
_SIZE_TESTS: Final = frozenset({"face", "cards"})


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatoryBox:
    """A box for a signature: the role, and the signatory if known."""

    role: str
    name: str
    capacity: Words | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TestSummary:
    """The tests of one sample: how many, the worst of them, and those that failed."""

    game: Words
    options: Words | None
    source: str
    tests: int
    sample: int
    worst: StatisticRecord
    #: The least bias of a face or card that is noticed surely.
    notices: str | None
    #: Tests that are not consistent with chance, or with a rule.
    failed: list[StatisticRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PowerSummary:
    """The power against deviations of one game: how many are stated, wanted and reached."""

    name: Words
    stated: int
    wanted: int
    reached: int
    #: The one that is furthest from what a certificate needs, or the weakest.
    worst: DeviationRecord


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


def summarize_tests(report: Report) -> list[TestSummary]:
    """Return one summary for each game, table, source and look; options distinguish tables."""
    names = {game.game: game.name for game in report.games}
    samples: dict[tuple[Any, ...], list[StatisticRecord]] = {}
    for statistic in report.statistics:
        options = tuple((name, str(value)) for name, value in statistic.options.items())
        is_of_chance = statistic.test.partition(" ")[0] not in RULE_TESTS
        key = (statistic.game, options, statistic.source, statistic.look, is_of_chance)
        samples.setdefault(key, []).append(statistic)
    return [
        TestSummary(
            game=names.get(key[0]) or as_words(key[0]),
            options=_options_words(key[1]) if key[1] else None,
            source=key[2] if key[4] else "rule",
            tests=len(tests),
            sample=max(test.sample for test in tests),
            worst=min(tests, key=_unlikeliness),
            notices=_least_noticed(tests),
            failed=[test for test in tests if test.result != _FAIR],
        )
        for key, tests in samples.items()
    ]


def _unlikeliness(test: StatisticRecord) -> tuple[float, float]:
    return float(test.adjusted or test.p_value), float(test.p_value)


def _least_noticed(tests: Iterable[StatisticRecord]) -> str | None:
    """Return the least bias of one face or card that a sample notices surely."""
    noticed = [
        test.notices
        for test in tests
        if test.notices is not None and test.test.partition(" ")[0] in _SIZE_TESTS
    ]
    return max(noticed, key=float) if noticed else None


def _options_words(options: Iterable[tuple[str, str]]) -> Words:
    """Return the names of the options of a table, or their ids if they have no name."""
    pairs = [[message_or_text(f"report.term.{name}", name) for name in pair] for pair in options]
    return join_words([label_value(*pair) for pair in pairs], pt=", ", zh="，")


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


def summarize_powers(report: Report) -> list[PowerSummary]:
    """Return what is stated of the power against deviations, game by game."""
    names = {game.game: game.name for game in report.games}
    of_games: dict[str, list[DeviationRecord]] = {}
    for power in report.powers:
        of_games.setdefault(power.game, []).append(power)
    return [
        PowerSummary(
            name=names[game],
            stated=len(powers),
            wanted=sum(power.wanted is not None for power in powers),
            reached=sum(power.wanted is not None and not power.falls_short for power in powers),
            worst=min(powers, key=_reserve),
        )
        for game, powers in of_games.items()
        if game in names
    ]


def _reserve(power: DeviationRecord) -> tuple[bool, float]:
    """Return by how much a power exceeds what is wanted; those that nobody wants come last."""
    wanted = 0.0 if power.wanted is None else float(Fraction(power.wanted))
    return power.wanted is None, float(power.power) - wanted


# How the vendor was run.


def describe_confinement(guarantees: Mapping[str, bool]) -> list[tuple[str, Words]]:
    """Return the guarantees that held and those that did not, each list with its message."""
    lists = []
    for key, held in (("measured", True), ("missing", False)):
        named = [message_or_text(f"isolation.{name}", name) for name, is_held
                 in guarantees.items() if is_held is held]  # fmt: skip
        if named and any(guarantees.values()):
            lists.append((f"document.method.confined.{key}", join_words(named, "; ", "；")))
    return lists


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
            listed.append(_say_missing(requirement))
        elif group is not None:
            counts[group] += 1
    return listed, [(name, count, section) for (name, section), count in counts.items()]


def _say_missing(requirement: MissingRequirement) -> Words:
    """Return what is missing for a reader of the document, who types no keys and commands."""
    name = requirement.key.removeprefix(_FIELD)
    if name != requirement.key and has_message(f"report.field.{name}"):
        return words("document.missing.field", field=words(f"report.field.{name}"))
    return words("document.missing.seed") if requirement.key == _SEED else requirement.says


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
