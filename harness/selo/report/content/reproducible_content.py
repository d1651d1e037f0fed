"""All of a report that follows from evidence and law alone, so that anybody can derive it again.

A report holds two sorts of things: what follows from the evidence, and what people say (dossier,
log of the run). Whoever builds a report puts both together; whoever verifies one derives the first
sort anew, takes the second from the document, and compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.report.content.case_sheets import DRAW, Sheets
from selo.report.content.draw_statistics import behind, statistics
from selo.report.content.instruments_in_scope import articles, norms
from selo.report.content.item_tested import item, lacking, offered
from selo.report.content.provision_results import provisions, totals
from selo.report.content.test_method import Logged, method
from selo.report.model.dossier import ReceivedItem
from selo.report.model.report_model import (
    ArticleRecord,
    CountRecord,
    GameRecord,
    ItemRecord,
    Method,
    Norm,
    NotOfferedGame,
    OfferedGame,
    OpenPoint,
    Outside,
    ProvisionRecord,
    Report,
    Sheet,
    StatementRecord,
    StatisticRecord,
    Totals,
)
from selo.report.requirements import statement
from selo.rules.checks import deciding
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.examine.outcome import Outcome
    from selo.examine.run.examination import Header
    from selo.law.loader import Law
    from selo.report.content.evidence_index import Lines
    from selo.report.content.house_edge import Odds
    from selo.report.phrases import Names
    from selo.verdict.observations import Followed


def open_points(law: Law, outcome: Outcome) -> Iterator[OpenPoint]:
    """Yield every point that an answer or a finding touches, in the order of the register."""
    shown: dict[str, Followed] = {
        one.divergence: one for verdict in outcome.summary.provisions for one in verdict.followed
    }
    touched = {name for finding in outcome.findings for name, _ in finding.readings}
    rulings = outcome.header.terms.rulings
    for point in law.divergences:
        if point.id not in shown and point.id not in touched:
            continue
        seen = shown.get(point.id)
        followed = () if seen is None else seen.readings
        yield OpenPoint(
            divergence=point.id,
            provisions=point.provisions,
            question=point.title,
            readings={reading.id: reading.says for reading in point.readings},
            default=point.default,
            follows=followed[0] if len(followed) == 1 else None,
            times=0 if seen is None else seen.times,
            cases=0 if seen is None else seen.cases,
            ruled=rulings.get(point.id),
        )


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    """What follows from evidence and law; every field has the name that it has in a report."""

    overall: Overall
    exit: int
    counts: dict[Result, int]
    aside: int
    games: list[GameRecord]
    item: ItemRecord
    offered: list[OfferedGame]
    not_offered: list[NotOfferedGame]
    norms: list[Norm]
    method: Method
    cases: list[CountRecord]
    articles: list[ArticleRecord]
    provisions: list[ProvisionRecord]
    findings: list[Sheet]
    faults: list[dict[str, str]]
    open_points: list[OpenPoint]
    statistics: list[StatisticRecord]
    totals: Totals
    statement: StatementRecord
    outside: Outside | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounds:
    """What it follows from: what was asked and answered, and what was concluded from it."""

    law: Law
    header: Header
    footer: Mapping[str, Any]
    outcome: Outcome
    #: Where groups of cases and provisions stand in the evidence.
    put: Lines
    names: Names
    odds: Odds


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What people and the log say, as far as it stands beside what follows."""

    received: ReceivedItem
    logged: Logged
    #: Who adopts readings where the ruling itself does not say.
    rulings_by: str
    #: How many faults were planted for each provision, and how many found.
    planted: Mapping[str, tuple[int, int]]


def told_in(report: Report, header: Header) -> Told:
    """Return what a document says that people and the log said."""
    nameless = {one["divergence"] for one in header.adopted if not one["by"]}
    item = report.item
    return Told(
        received=ReceivedItem(
            on=item.received,
            **{
                name: getattr(item, name) for name in ReceivedItem.__struct_fields__ if name != "on"
            },
        ),
        logged=Logged.told_in(report.method),
        rulings_by=next(
            (one.by for one in report.method.adopted if one.divergence in nameless), ""
        ),
        planted={
            provision.id: (provision.planted, provision.killed)
            for provision in report.provisions
            if provision.planted is not None and provision.killed is not None
        },
    )


def derived(of: Grounds, told: Told) -> Derived:
    """Return everything in a report that follows from evidence and law."""
    header, outcome, law = of.header, of.outcome, of.law
    overall = outcome.summary.overall
    files = item(header.description, of.footer, told.received)
    how = method(
        law,
        header,
        told.logged,
        footer=of.footer,
        files=files.files,
        asked=of.put.groups,
        deciding={
            name for game in header.games for name in deciding(law, game, header.terms.rulings)
        },
        by=told.rulings_by,
    )
    each = provisions(
        law, outcome, of.put.decided(law, header.terms), told.planted, of.names
    )  # fmt: skip
    return Derived(
        overall=overall.overall,
        exit=overall.exit,
        counts=overall.counts,
        aside=overall.aside,
        games=list(_games(law, outcome, of.names)),
        item=files,
        offered=offered(of.names, header.description, header.games),
        not_offered=lacking(law, header, each, of.names),
        norms=norms(law, header.games, how.as_of),
        method=how,
        cases=[
            msgspec.convert(msgspec.to_builtins(count), CountRecord) for count in outcome.counts
        ],
        articles=list(articles(law, header.games)),
        provisions=each,
        findings=_sheets(law, outcome, of.names, of.odds),
        faults=outcome.faults,
        open_points=list(open_points(law, outcome)),
        statistics=statistics(outcome.statistics),
        totals=totals(law, each, of.footer),
        statement=statement(outcome),
        outside=outcome.outside,
    )


def _games(law: Law, outcome: Outcome, names: Names) -> Iterator[GameRecord]:
    instruments = {folder.instrument.game: folder.instrument.id for folder in law.folders}
    for game, whole in outcome.summary.games.items():
        yield GameRecord(
            game=game,
            name=names.game(game),
            instrument=instruments[game],
            overall=whole.overall,
            counts=whole.counts,
            aside=whole.aside,
        )


def _sheets(law: Law, outcome: Outcome, names: Names, odds: Odds) -> list[Sheet]:
    currency = outcome.header.description.currency
    write = Sheets(names, currency.code, currency.decimals, law)
    return [
        write.sheet(
            finding,
            odds.of(finding.game) if finding.money else (),
            behind(finding, outcome.statistics) if finding.method == DRAW else None,
        )
        for finding in outcome.findings
    ]
