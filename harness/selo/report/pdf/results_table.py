"""Results by article, as the pages need them: each provision with what it rests on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Way
from selo.report.pdf.sections import cited, joined, marked
from selo.report.svg import plots
from selo.text.message_catalogue import say
from selo.text.multilingual import LAW_LANGUAGES
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
    Result.NOT_EXAMINED: ("#dfe2e7", "#16181d"),
}
#: Where the evidence of what is neither settled nor played stands.
_PLACES: Final = {
    Way.CONFIGURATION: "document.evidence.declared",
    Way.STATISTICS: "document.evidence.drawn",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A provision in the table of results, whether its reason is told, and on what it rests."""

    provision: ProvisionRecord
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


def asked_for(report: Report) -> list[ProvisionRecord]:
    """Return the provisions that were asked for: all, unless only some were named."""
    named = set(report.method.provisions)
    return [provision for provision in report.provisions if not named or provision.id in named]


def on_the_way(report: Report) -> list[ProvisionRecord]:
    """Return the provisions that were not asked for and of which something is said all the same."""
    named = set() if report.outside is None else set(report.outside.provisions)
    return [provision for provision in report.provisions if provision.id in named]


def articles_of(report: Report, languages: Sequence[str]) -> list[Instrument]:
    """Return the instruments in the order of the games, each with its articles."""
    norms = {norm.instrument: norm for norm in report.norms}
    forms = {
        attachment.sha256: attachment.name.partition(".")[0] for attachment in report.attachments
    }
    provisions: dict[tuple[str, str], list[ProvisionRecord]] = {}
    for one in asked_for(report):
        provisions.setdefault((one.instrument, one.article), []).append(one)
    articles: dict[str, list[ArticleRecord]] = {}
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
                mark=marked(game.name, languages),
                articles=[_titled(article, some, forms) for article, some in mine],
                plot=_coverage(mine, languages),
            )
        )
    return found


def _explained(one: ProvisionRecord) -> bool:
    """Return whether a table must say why: it does not conform, or a part is not offered."""
    good = one.result in {Result.CONFORMS, Result.WITNESSED}
    return not good or any(part.not_offered for part in one.parts)


def _line(one: ProvisionRecord, forms: Mapping[str, str]) -> Line:
    looked = {part.way for part in one.parts if part.cases}
    return Line(
        provision=one,
        explain=_explained(one),
        at_least=any(part.at_least for part in one.parts),
        places=[]
        if one.evidence is not None
        else [key for way, key in _PLACES.items() if way in looked],
        forms=list(dict.fromkeys(forms.get(seen.form, "") for seen in one.witnesses)),
    )


def _titled(
    article: ArticleRecord, provisions: Sequence[ProvisionRecord], forms: Mapping[str, str]
) -> Titled:
    says = {}
    for language in LAW_LANGUAGES:
        heading = None if article.heading is None else article.heading.get(language)
        parts = [article.citation.get(language), heading]
        says[language] = " — ".join(part for part in parts if part)
    return Titled(
        says=says,
        mark=" · ".join(say for say in says.values() if say),
        provisions=[_line(provision, forms) for provision in provisions],
    )


def _coverage(
    articles: Sequence[tuple[ArticleRecord, Sequence[ProvisionRecord]]], languages: Sequence[str]
) -> Markup | None:
    if len(articles) < 2:  # noqa: PLR2004 - one bar says nothing that its table does not
        return None
    shades = [
        plots.Shade(name=joined(f"verdict.{result}", languages), fill=fill, ink=ink)
        for result, (fill, ink) in _SHADES.items()
    ]
    lines = []
    for article, provisions in articles:
        counts = Counter(provision.result for provision in provisions)
        lines.append(
            plots.Bar(name=cited(article), counts=tuple(counts[result] for result in _SHADES))
        )
    shown = "; ".join(f"{line.name} {'/'.join(map(str, line.counts))}" for line in lines)
    title = say("document.statement.coverage.alt", languages[0], shown=shown)
    return plots.bars(lines, shades, title=title)


def met(counts: Mapping[Result, int]) -> tuple[int, int, int]:
    """Return how many provisions are met, not met, and not verified."""
    good = counts.get(Result.CONFORMS, 0) + counts.get(Result.WITNESSED, 0)
    bad = counts.get(Result.VIOLATES, 0)
    return good, bad, sum(counts.values()) - good - bad


def witnesses(report: Report) -> list[tuple[Norm, list[tuple[ProvisionRecord, Witness]]]]:
    """Return what people said, by instrument and provision."""
    found: dict[str, list[tuple[ProvisionRecord, Witness]]] = {}
    for provision in report.provisions:
        for seen in provision.witnesses:
            found.setdefault(provision.instrument, []).append((provision, seen))
    return [(norm, found[norm.instrument]) for norm in report.norms if norm.instrument in found]
