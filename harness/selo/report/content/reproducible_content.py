"""All of a report that follows from evidence and law alone, so that anybody can derive it again.

A report holds two sorts of things: what follows from the evidence, and what people say (dossier,
log of the run). Whoever builds a report puts both together; whoever verifies one derives the first
sort anew, takes the second from the document, and compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.report.content.case_sheets import DRAW, CaseSheetWriter
from selo.report.content.draw_statistics import name_of_failed_test, statistic_records
from selo.report.content.instruments_in_scope import articles_in_scope, norms_in_scope
from selo.report.content.provision_results import count_totals, provision_records
from selo.report.content.test_method import RunLogFacts, describe_method
from selo.report.content.tested_item import describe_item, describe_not_offered, describe_offers
from selo.report.model.dossier import ReceivedItem
from selo.report.model.report_model import (
    ArticleRecord,
    CaseSheet,
    CountRecord,
    GameRecord,
    ItemRecord,
    Method,
    Norm,
    NotOfferedGame,
    OfferedGame,
    OpenPoint,
    ProvisionRecord,
    Report,
    StatementRecord,
    StatisticRecord,
    Totals,
    UnrequestedFindings,
)
from selo.report.requirements import compose_statement
from selo.rules.checks import deciding
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.examine.outcome import ExaminationResult
    from selo.examine.run.evidence_header import Header
    from selo.law.loader import Law
    from selo.report.content.evidence_index import EvidenceIndex
    from selo.report.content.house_edge import ExactOdds
    from selo.report.phrases import Labels
    from selo.verdict.observations import ReadingAdherence


def list_open_points(law: Law, outcome: ExaminationResult) -> Iterator[OpenPoint]:
    """Yield every point that an answer or a finding touches, in the order of the register."""
    adherences: dict[str, ReadingAdherence] = {
        adherence.divergence: adherence
        for verdict in outcome.summary.provisions
        for adherence in verdict.followed
    }
    touched = {name for finding in outcome.findings for name, _ in finding.readings}
    rulings = outcome.header.terms.rulings
    for point in law.divergences:
        if point.id not in adherences and point.id not in touched:
            continue
        adherence_of_point = adherences.get(point.id)
        followed = () if adherence_of_point is None else adherence_of_point.readings
        yield OpenPoint(
            divergence=point.id,
            provisions=point.provisions,
            question=point.title,
            readings={reading.id: reading.says for reading in point.readings},
            default=point.default,
            follows=followed[0] if len(followed) == 1 else None,
            times=0 if adherence_of_point is None else adherence_of_point.times,
            cases=0 if adherence_of_point is None else adherence_of_point.cases,
            ruled=rulings.get(point.id),
        )


class ReproducibleContent(msgspec.Struct, frozen=True, kw_only=True):
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
    findings: list[CaseSheet]
    faults: list[dict[str, str]]
    open_points: list[OpenPoint]
    statistics: list[StatisticRecord]
    totals: Totals
    statement: StatementRecord
    outside: UnrequestedFindings | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentSources:
    """What it follows from: what was asked and answered, and what was concluded from it."""

    law: Law
    header: Header
    footer: Mapping[str, Any]
    outcome: ExaminationResult
    #: Where groups of cases and provisions stand in the evidence.
    put: EvidenceIndex
    names: Labels
    odds: ExactOdds


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredContent:
    """What people and the log say, as far as it stands beside what follows."""

    received: ReceivedItem
    logged: RunLogFacts
    #: Who adopts readings where the ruling itself does not say.
    rulings_by: str
    #: How many faults were planted for each provision, and how many found.
    planted: Mapping[str, tuple[int, int]]


def read_declared_content(report: Report, header: Header) -> DeclaredContent:
    """Return what a document says that people and the log said."""
    nameless = {ruling["divergence"] for ruling in header.adopted if not ruling["by"]}
    item = report.item
    return DeclaredContent(
        received=ReceivedItem(
            on=item.received,
            **{
                name: getattr(item, name) for name in ReceivedItem.__struct_fields__ if name != "on"
            },
        ),
        logged=RunLogFacts.told_in(report.method),
        rulings_by=next(
            (ruling.by for ruling in report.method.adopted if ruling.divergence in nameless), ""
        ),
        planted={
            provision.id: (provision.planted, provision.killed)
            for provision in report.provisions
            if provision.planted is not None and provision.killed is not None
        },
    )


def derive_content(sources: ContentSources, declared: DeclaredContent) -> ReproducibleContent:
    """Return everything in a report that follows from evidence and law."""
    header, outcome, law = sources.header, sources.outcome, sources.law
    overall = outcome.summary.overall
    item = describe_item(header.description, sources.footer, declared.received)
    method = describe_method(
        law,
        header,
        declared.logged,
        footer=sources.footer,
        files=item.files,
        asked=sources.put.groups,
        deciding={
            name for game in header.games for name in deciding(law, game, header.terms.rulings)
        },
        by=declared.rulings_by,
    )
    provisions = provision_records(
        law, outcome, sources.put.decided(law, header.terms), declared.planted, sources.names
    )  # fmt: skip
    return ReproducibleContent(
        overall=overall.overall,
        exit=overall.exit,
        counts=overall.counts,
        aside=overall.aside,
        games=list(_game_records(law, outcome, sources.names)),
        item=item,
        offered=describe_offers(sources.names, header.description, header.games),
        not_offered=describe_not_offered(law, header, provisions, sources.names),
        norms=norms_in_scope(law, header.games, method.as_of),
        method=method,
        cases=[
            msgspec.convert(msgspec.to_builtins(count), CountRecord) for count in outcome.counts
        ],
        articles=list(articles_in_scope(law, header.games)),
        provisions=provisions,
        findings=_write_sheets(law, outcome, sources.names, sources.odds),
        faults=outcome.faults,
        open_points=list(list_open_points(law, outcome)),
        statistics=statistic_records(outcome.statistics),
        totals=count_totals(law, provisions, sources.footer),
        statement=compose_statement(outcome),
        outside=outcome.outside,
    )


def _game_records(law: Law, outcome: ExaminationResult, names: Labels) -> Iterator[GameRecord]:
    instruments = {folder.instrument.game: folder.instrument.id for folder in law.folders}
    for game, overall in outcome.summary.games.items():
        yield GameRecord(
            game=game,
            name=names.game(game),
            instrument=instruments[game],
            overall=overall.overall,
            counts=overall.counts,
            aside=overall.aside,
        )


def _write_sheets(
    law: Law, outcome: ExaminationResult, names: Labels, odds: ExactOdds
) -> list[CaseSheet]:
    currency = outcome.header.description.currency
    writer = CaseSheetWriter(names, currency.code, currency.decimals, law)
    return [
        writer.sheet(
            finding,
            odds.of(finding.game) if finding.money else (),
            name_of_failed_test(finding, outcome.statistics) if finding.method == DRAW else None,
        )
        for finding in outcome.findings
    ]
