"""The content of a report that follows from evidence and law alone, so that it can be verified.

A report has reproducible content, which follows from the evidence, and declared content, which
people state (dossier, log of the run). Building a report combines both. Verification derives the
reproducible content again, with the declared content of the document, and compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.protocol.messages import DRAW
from selo.report.content.draw_statistics import (
    name_of_failed_test,
    power_records,
    statistic_records,
)
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.content.house_edge import compute_house_edges, with_declared_edge
from selo.report.content.instruments_in_scope import articles_in_scope, norms_in_scope
from selo.report.content.observed_edge import ObservedEdges
from selo.report.content.provision_results import (
    count_planted_faults,
    count_totals,
    describe_selftest,
    provision_records,
)
from selo.report.content.test_method import RunLogFacts, describe_method
from selo.report.content.tested_item import describe_item, describe_not_offered, describe_offers
from selo.report.model.dossier import ReceivedItem
from selo.report.model.report_model import (
    ArticleRecord,
    CaseSheet,
    CountRecord,
    DeviationRecord,
    GameRecord,
    ItemRecord,
    Method,
    Norm,
    NotOfferedGame,
    OfferedGameRecord,
    OpenPoint,
    ProvisionRecord,
    ProvisionsUnderReadings,
    Report,
    StatementRecord,
    StatisticRecord,
    Totals,
    UnrequestedFindings,
)
from selo.report.requirements.conformity_statement import compose_statement
from selo.rules.checks.reading_effect import find_decisive_rulings
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.examine.analysis.draw_results import SampleDraws
    from selo.examine.conclusion import ExaminationResult
    from selo.examine.run.evidence_header import Header
    from selo.examine.run.granted_permissions import GrantedPermission
    from selo.law import Law
    from selo.report.content.evidence_index import EvidenceIndex
    from selo.report.content.house_edge import ExactOdds
    from selo.report.phrases import Labels
    from selo.verdict.observations import ReadingAdherence


def list_open_points(law: Law, outcome: ExaminationResult) -> Iterator[OpenPoint]:
    """Yield every open point that an answer or a finding touches, in the order of the register."""
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
            under=list(_verdicts_under(outcome, point.id)),
        )


def _verdicts_under(outcome: ExaminationResult, point: str) -> Iterator[ProvisionsUnderReadings]:
    """Yield the provisions that an open point touches, by their results under its readings."""
    alike: dict[tuple[tuple[str, Result], ...], list[str]] = {}
    for verdict in outcome.summary.provisions:
        results = tuple(
            (ruled.reading, ruled.result) for ruled in verdict.under if ruled.divergence == point
        )
        if results:
            alike.setdefault(results, []).append(verdict.provision)
    for results, provisions in alike.items():
        yield ProvisionsUnderReadings(provisions=provisions, results=dict(results))


class ReproducibleContent(msgspec.Struct, frozen=True, kw_only=True):
    """Content that follows from evidence and law; its fields are named as those of a report."""

    overall: Overall
    exit: int
    counts: dict[Result, int]
    aside: int
    games: list[GameRecord]
    item: ItemRecord
    offered: list[OfferedGameRecord]
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
    powers: list[DeviationRecord]
    totals: Totals
    statement: StatementRecord
    outside: UnrequestedFindings | None
    permissions: list[str]

    def differing_fields(self, report: Report) -> list[str]:
        """Return the fields in which a report differs from this content."""
        return [
            name for name in self.__struct_fields__ if getattr(report, name) != getattr(self, name)
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentSources:
    """What reproducible content follows from: law, evidence and the result of the examination."""

    law: Law
    header: Header
    footer: Mapping[str, Any]
    outcome: ExaminationResult
    index: EvidenceIndex
    names: Labels
    odds: ExactOdds

    def has_shipped_score(self, report: Report) -> bool:
        """Return whether a report tells the kill score that ships with this program."""
        shipped = count_planted_faults(self.law, None)
        return report.selftest == describe_selftest(self.law, None, self.header.games) and all(
            (one.planted, one.killed) == shipped.get(one.id, (None, None))
            for one in report.provisions
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredContent:
    """What people and the log state, as far as reproducible content refers to it."""

    received: ReceivedItem
    logged: RunLogFacts
    #: Who adopts readings where the ruling itself does not say.
    rulings_by: str
    #: Where the commitment to the seed was published.
    commitment_published: str
    #: Numbers of planted and of killed faults of each provision.
    planted: Mapping[str, tuple[int, int]]


def _read_declared_content(report: Report, header: Header) -> DeclaredContent:
    """Return the declared content of a report."""
    nameless = {ruling["divergence"] for ruling in header.adopted if not ruling["by"]}
    item = report.item
    return DeclaredContent(
        received=ReceivedItem(
            on=item.received,
            **{
                name: getattr(item, name) for name in ReceivedItem.__struct_fields__ if name != "on"
            },
        ),
        logged=RunLogFacts.from_report(report.method),
        rulings_by=next(
            (reading.by for reading in report.method.adopted if reading.divergence in nameless), ""
        ),
        commitment_published=report.method.seed.published,
        planted={
            provision.id: (provision.planted, provision.killed)
            for provision in report.provisions
            if provision.planted is not None and provision.killed is not None
        },
    )


def rederive_content(report: Report, sources: ContentSources) -> ReproducibleContent:
    """Return the reproducible content of a report, derived again from its sources."""
    return derive_content(sources, _read_declared_content(report, sources.header))


def derive_content(sources: ContentSources, declared: DeclaredContent) -> ReproducibleContent:
    """Return the content of a report that follows from evidence and law."""
    header, outcome, law = sources.header, sources.outcome, sources.law
    overall = outcome.summary.overall
    item = describe_item(header.description, sources.footer, declared.received)
    method = describe_method(
        law,
        header,
        declared.logged,
        footer=sources.footer,
        files=item.files,
        asked=sources.index.groups,
        deciding={
            name
            for game in header.games
            for name in find_decisive_rulings(law, game, header.terms.rulings)
        },
        by=declared.rulings_by,
        published=declared.commitment_published,
    )
    decided = sources.index.decisive_lines(law, header.terms)
    provisions = provision_records(law, outcome, decided, declared.planted, sources.names)
    return ReproducibleContent(
        overall=overall.overall,
        exit=overall.exit,
        counts=overall.counts,
        aside=overall.aside,
        games=list(_game_records(law, outcome, sources.names)),
        item=item,
        offered=describe_offers(sources.names, header.description, header.games),
        not_offered=describe_not_offered(law, header, provisions, sources.names),
        norms=norms_in_scope(law, header.games, method.as_of, header.permissions),
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
        powers=power_records(outcome.powers),
        totals=count_totals(law, provisions, sources.footer),
        statement=compose_statement(outcome),
        outside=outcome.outside,
        permissions=[_describe_permission(permission) for permission in header.permissions],
    )


def _describe_permission(permission: GrantedPermission) -> str:
    """Return a permission of the authority as a document lists it."""
    days = f"{permission.issued.isoformat()} – {permission.expires.isoformat()}"
    return f"{permission.number}, {permission.issuer}, {days}, sha256:{permission.sha256}"


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
    writer = FindingSheetWriter(names, currency.code, currency.decimals, law)
    return [
        writer.write(
            finding,
            odds.figures_of(finding.game) if finding.money else (),
            name_of_failed_test(finding, outcome.statistics) if finding.method == DRAW else None,
        )
        for finding in outcome.findings
    ]


def has_same_edges(
    report: Report, sources: ContentSources, samples: Iterable[SampleDraws], *, with_names: bool
) -> bool:
    """Return whether the house edges of a report follow from the law and from the draws.

    Another version may name the bets otherwise.
    """
    terms = sources.header.terms
    observed = ObservedEdges(samples, sources.law, terms.rulings)
    computed = list(compute_house_edges(sources.odds, sources.names, terms.games, {}, observed))
    if len(computed) != len(report.edges):
        return False
    names = {} if with_names else {"name": "", "label": None}
    return all(
        msgspec.structs.replace(with_declared_edge(edge, told.declared), **names)
        == msgspec.structs.replace(told, **names)
        for edge, told in zip(computed, report.edges, strict=True)
    )
