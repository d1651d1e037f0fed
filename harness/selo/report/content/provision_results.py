"""Records of the verdict on each provision, and totals of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo.examine.coverage import ENOUGH
from selo.examine.selftest import current_scores, read_kill_score, shipped_score_path
from selo.examine.selftest.planted_selftest import FaultState
from selo.examine.selftest.provision_selftest import current_sums
from selo.law import cite
from selo.law.files.divergence_register import DivergenceKind
from selo.law.files.provision_file import Way
from selo.law.ledger import list_forces
from selo.report.model.report_model import ProvisionRecord, SelftestRecord, Totals, WayResult
from selo.report.phrases.composition import join_words, label_value, words
from selo.text import Text
from selo.verdict import Result, VerdictReason

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from selo.examine.behaviour import CarriedProvision
    from selo.examine.conclusion import ExaminationResult
    from selo.law import Law, LocatedProvision
    from selo.law.ledger import WordedForce
    from selo.report.phrases import Labels
    from selo.text import Words
    from selo.verdict import Verdict


def count_planted_faults(law: Law, selftest: Path | None) -> dict[str, tuple[int, int]]:
    """Return the numbers of planted and of killed faults of each provision.

    Without a result of the self-test, the one that ships is used, if there is one. Games whose law
    or faults have changed since are left out.
    """
    path = selftest or shipped_score_path()
    if selftest is None and not path.is_file():
        return {}
    counts: dict[str, tuple[int, int]] = {}
    for score in current_scores(law, read_kill_score(path)):
        planted, killed = counts.get(score.provision, (0, 0))
        counts[score.provision] = planted + 1, killed + (score.state is FaultState.KILLED)
    return counts


def describe_selftest(
    law: Law, selftest: Path | None, games: Collection[str]
) -> list[SelftestRecord]:
    """Return the score by provision of some games, as far as it is of their present edition."""
    path = selftest or shipped_score_path()
    if selftest is None and not path.is_file():
        return []
    names = SelftestRecord.__struct_fields__
    return [
        SelftestRecord(**{name: getattr(row, name) for name in names})
        for row in current_sums(law, read_kill_score(path))
        if row.game in games
    ]


def provision_records(
    law: Law,
    outcome: ExaminationResult,
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Labels,
) -> list[ProvisionRecord]:
    """Return every provision in scope, in the order of the law files.

    `decided` is the first line of evidence of a decisive case of each.
    """
    points: dict[str, list[str]] = {}
    for divergence in law.divergences:
        for name in divergence.provisions:
            points.setdefault(name, []).append(divergence.id)
    forces = list_forces(law)
    records = [
        _provision_record(
            law,
            law.find(verdict.provision),
            verdict,
            points,
            decided,
            planted,
            names,
            forces[verdict.provision],
        )
        for verdict in outcome.summary.provisions
    ]
    predecessor = outcome.header.predecessor
    if predecessor is None:
        return records
    return [_with_extent(record, predecessor.carried.get(record.id)) for record in records]


def _with_extent(record: ProvisionRecord, carried: CarriedProvision | None) -> ProvisionRecord:
    """Return a record that says whether the provision was examined in full now or carried over."""
    if carried is None:
        extent = words("verdict.examined-now")
    else:
        extent = words(
            "verdict.carried-over",
            certificate=carried.certificate,
            day=carried.examined_on.isoformat(),
            times=carried.times,
        )
    because = join_words([record.because, extent], " ", "") if record.counts else record.because
    return msgspec.structs.replace(record, carried=carried, because=because)


def _provision_record(  # noqa: PLR0913, PLR0917 - all that is known of one
    law: Law,
    held: LocatedProvision,
    verdict: Verdict,
    points: Mapping[str, list[str]],
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Labels,
    force: list[WordedForce],
) -> ProvisionRecord:
    cited = cite(law, held)
    fault_counts = planted.get(held.id)
    document = held.article.document
    return ProvisionRecord(
        id=held.id,
        instrument=held.instrument.id,
        game=held.instrument.game,
        article=held.article.article.article,
        citation=Text(pt=cited.pt, zh=cited.zh),
        full_citation=Text(pt=cited.pt_full, zh=cited.zh_full),
        text=held.provision.text,
        ways=[Way(held.provision.verified_by), *map(Way, held.provision.also)],
        force=force,
        result=verdict.result,
        reason=verdict.reason,
        because=_explain_verdict(verdict, held.instrument.game, names),
        counts=verdict.counts,
        parts=[
            WayResult(
                way=part.way,
                result=part.result,
                reason=part.reason,
                cases=part.cases,
                decisive=part.decisive,
                at_least=part.way is Way.EXAMINATION and part.decisive >= ENOUGH,
                not_offered=list(part.not_offered),
            )
            for part in verdict.parts
        ],
        cases=sum(part.cases for part in verdict.parts),
        decisive=sum(part.decisive for part in verdict.parts),
        findings=list(verdict.findings),
        faults=list(verdict.faults),
        followed=list(verdict.followed),
        under=list(verdict.under),
        witnesses=list(verdict.witnesses),
        divergences=points.get(held.id, []),
        file=f"specs/{held.instrument.id}/articles/{document.path.name}",
        line=document.line("provisions", held.index),
        evidence=decided.get(held.id),
        planted=None if fault_counts is None else fault_counts[0],
        killed=None if fault_counts is None else fault_counts[1],
    )


def _explain_verdict(verdict: Verdict, game: str, names: Labels) -> Words:
    """Return the reason of a verdict; the law file's words where the provision does not count."""
    if verdict.reason is VerdictReason.LEFT_OUT:
        return words("examine.not-asked")
    if verdict.reason is VerdictReason.WITHOUT_EFFECT and verdict.idle is not None:
        reason, reading = words(f"verdict.reason.{verdict.reason}"), names.reading(*verdict.idle)
        return reason if reading is None else join_words([reason, reading[-1]], " ", "")
    if not verdict.counts and verdict.because is not None:
        return verdict.because
    if verdict.status is not None:
        return join_words([words(f"verdict.reason.{verdict.reason}"), verdict.status], " ", "")
    reason = _explain_ways(verdict)
    if verdict.hidden:
        behind = words("verdict.hidden", findings=", ".join(verdict.hidden))
        reason = join_words([reason, behind], " ", "")
    if not verdict.not_offered:
        return reason
    what = join_words(
        [names.missing_offer(game, missing) for missing in verdict.not_offered], ", ", "、"
    )
    return join_words([reason, words("verdict.not-offered", what=what)], " ", "")


def _explain_ways(verdict: Verdict) -> Words:
    """Return the reason of a verdict, and the result of each way where they are not the same."""
    reason = words(f"verdict.reason.{verdict.reason}")
    if len({part.result for part in verdict.parts}) <= 1:
        return reason
    ways = [
        label_value(words(f"way.{part.way}"), words(f"verdict.{part.result}"))
        for part in verdict.parts
    ]
    return join_words([reason, words("verdict.by-way", ways=join_words(ways))], " ", "")


def count_totals(law: Law, provisions: list[ProvisionRecord], footer: Mapping[str, Any]) -> Totals:
    """Return the numbers of provisions of each sort, of cases and of rounds."""
    kinds = {divergence.id: divergence.kind for divergence in law.divergences}
    divergent_kinds = {DivergenceKind.LANGUAGE, DivergenceKind.CONTRADICTION}
    examined = {provision.id for provision in provisions if provision.cases}
    witnessed = {
        provision.id
        for provision in provisions
        if provision.result is Result.WITNESSED
        or provision.reason is VerdictReason.EXAMINED_AND_WITNESSED
    }
    aside = {
        provision.id
        for provision in provisions
        if provision.reason in {VerdictReason.DEFINITION, VerdictReason.NOT_TESTABLE}
    }
    return Totals(
        provisions=len(provisions),
        examined=len(examined),
        witnessed=len(witnessed),
        not_examinable=len(aside),
        both=len(examined & witnessed),
        unseen=len(provisions) - len(examined | witnessed | aside),
        silent=sum(
            1
            for provision in provisions
            if any(kinds[p] is DivergenceKind.SILENCE for p in provision.divergences)
        ),
        divergent=sum(
            1
            for provision in provisions
            if any(kinds[p] in divergent_kinds for p in provision.divergences)
        ),
        cases=footer["cases"],
        rounds=footer["rounds"],
    )
