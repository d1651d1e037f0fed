"""Results by instrument and article as the pages print them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Way
from selo.report.pdf.sections import citation_of, outline_name, say_side_by_side
from selo.report.svg import plots
from selo.text import LAW_LANGUAGES, say
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from selo.report.model.report_model import ArticleRecord, Norm, ProvisionRecord, Report
    from selo.verdict.observations import Witness

_SHADES: Final = {
    Result.CONFORMS: ("#2a6a4b", "#fff"),
    Result.WITNESSED: ("#8fbaa2", "#16181d"),
    Result.VIOLATES: ("#a8231b", "#fff"),
    Result.INCONCLUSIVE: ("#d9a336", "#16181d"),
    Result.TO_BE_WITNESSED: ("#aab4c4", "#16181d"),
    Result.NOT_LAW: ("#f3e3c0", "#16181d"),
    Result.NOT_EXAMINED: ("#dfe2e7", "#16181d"),
}
#: Messages that locate the evidence of provisions without a numbered line.
_PLACE_MESSAGES: Final = {
    Way.CONFIGURATION: "document.evidence.declared",
    Way.STATISTICS: "document.evidence.drawn",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ProvisionRow:
    """A provision in the table of results."""

    provision: ProvisionRecord
    #: Whether its reason is printed.
    explain: bool
    #: Whether more cases may be decisive than were counted.
    at_least: bool
    #: Messages that locate its evidence if it has no numbered line.
    places: list[str]
    #: The attached forms of its witnesses.
    forms: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ArticleResults:
    """An article with the results of its provisions."""

    says: dict[str, str]
    mark: str
    provisions: list[ProvisionRow]


@dataclass(frozen=True, kw_only=True, slots=True)
class InstrumentResults:
    """An instrument with its articles."""

    norm: Norm
    mark: str
    articles: list[ArticleResults]
    plot: Markup | None


def requested_provisions_of(report: Report) -> list[ProvisionRecord]:
    """Return the requested provisions: all, unless only some were named."""
    named = set(report.method.provisions)
    return [provision for provision in report.provisions if not named or provision.id in named]


def outside_provisions_of(report: Report) -> list[ProvisionRecord]:
    """Return the provisions that were not requested but have a result."""
    named = set() if report.outside is None else set(report.outside.provisions)
    return [provision for provision in report.provisions if provision.id in named]


def results_by_instrument(report: Report, languages: Sequence[str]) -> list[InstrumentResults]:
    """Return the instruments in the order of the games, each with its articles."""
    norms = {norm.instrument: norm for norm in report.norms}
    forms = {
        attachment.sha256: attachment.name.partition(".")[0] for attachment in report.attachments
    }
    provisions: dict[tuple[str, str], list[ProvisionRecord]] = {}
    for provision in requested_provisions_of(report):
        provisions.setdefault((provision.instrument, provision.article), []).append(provision)
    articles: dict[str, list[ArticleRecord]] = {}
    for article in report.articles:
        articles.setdefault(article.instrument, []).append(article)
    instruments = []
    for game in report.games:
        results = [
            (article, provisions.get((game.instrument, article.number), []))
            for article in articles.get(game.instrument, [])
        ]
        results = [
            (article, provisions_of_article)
            for article, provisions_of_article in results
            if provisions_of_article
        ]
        instruments.append(
            InstrumentResults(
                norm=norms[game.instrument],
                mark=outline_name(game.name, languages),
                articles=[
                    _article_results(article, provisions_of_article, forms)
                    for article, provisions_of_article in results
                ],
                plot=_draw_coverage(results, languages),
            )
        )
    return instruments


def _needs_explanation(provision: ProvisionRecord) -> bool:
    """Return whether a provision does not conform, is carried over, or is offered in part."""
    good = provision.result in {Result.CONFORMS, Result.WITNESSED}
    return (
        not good
        or provision.carried is not None
        or any(part.not_offered for part in provision.parts)
    )


def _provision_row(provision: ProvisionRecord, forms: Mapping[str, str]) -> ProvisionRow:
    ways_tried = {part.way for part in provision.parts if part.cases}
    return ProvisionRow(
        provision=provision,
        explain=_needs_explanation(provision),
        at_least=any(part.at_least for part in provision.parts),
        places=[]
        if provision.evidence is not None
        else [key for way, key in _PLACE_MESSAGES.items() if way in ways_tried],
        forms=list(dict.fromkeys(forms.get(witness.form, "") for witness in provision.witnesses)),
    )


def _article_results(
    article: ArticleRecord, provisions: Sequence[ProvisionRecord], forms: Mapping[str, str]
) -> ArticleResults:
    says = {}
    for language in LAW_LANGUAGES:
        heading = None if article.heading is None else article.heading.get(language)
        parts = [article.citation.get(language), heading]
        says[language] = " — ".join(part for part in parts if part)
    return ArticleResults(
        says=says,
        mark=" · ".join(say for say in says.values() if say),
        provisions=[_provision_row(provision, forms) for provision in provisions],
    )


def _draw_coverage(
    articles: Sequence[tuple[ArticleRecord, Sequence[ProvisionRecord]]], languages: Sequence[str]
) -> Markup | None:
    if len(articles) < 2:  # noqa: PLR2004 - one bar says nothing that its table does not
        return None
    shades = [
        plots.Shade(name=say_side_by_side(f"verdict.{result}", languages), fill=fill, ink=ink)
        for result, (fill, ink) in _SHADES.items()
    ]
    lines = []
    for article, provisions in articles:
        counts = Counter(provision.result for provision in provisions)
        lines.append(
            plots.BarRow(
                name=citation_of(article), counts=tuple(counts[result] for result in _SHADES)
            )
        )
    description = "; ".join(f"{line.name} {'/'.join(map(str, line.counts))}" for line in lines)
    title = say("document.statement.coverage.alt", languages[0], shown=description)
    return plots.draw_bars(lines, shades, title=title)


def witnesses_by_norm(report: Report) -> list[tuple[Norm, list[tuple[ProvisionRecord, Witness]]]]:
    """Return the statements of witnesses by instrument."""
    witnesses: dict[str, list[tuple[ProvisionRecord, Witness]]] = {}
    for provision in report.provisions:
        for witness in provision.witnesses:
            witnesses.setdefault(provision.instrument, []).append((provision, witness))
    return [
        (norm, witnesses[norm.instrument]) for norm in report.norms if norm.instrument in witnesses
    ]
