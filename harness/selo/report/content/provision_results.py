"""What is said of each provision, and how many there are of each sort."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.examine.coverage import ENOUGH
from selo.examine.selftest import current_scores, read_kill_score, shipped_score_path
from selo.examine.selftest.planted_selftest import FaultState
from selo.law import cite
from selo.law.files.divergence_register import Kind
from selo.law.files.provision_file import Way
from selo.report.model.report_model import ProvisionRecord, Totals, WayResult
from selo.report.phrases.composition import join_words, words
from selo.text.multilingual import Text
from selo.verdict import Result, VerdictReason

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from selo.examine.outcome import ExaminationResult
    from selo.law.loader import Held, Law
    from selo.report.phrases import Labels
    from selo.text.multilingual import Words
    from selo.verdict import Verdict


def count_planted_faults(law: Law, selftest: Path | None) -> dict[str, tuple[int, int]]:
    """Return how many planted faults each provision has, and how many were found.

    Without a result of the self-test it is the one that ships, if there is one. Of a game whose law
    or faults are others now, it says nothing.
    """
    path = selftest or shipped_score_path()
    if selftest is None and not path.is_file():
        return {}
    found: dict[str, tuple[int, int]] = {}
    for one in current_scores(law, read_kill_score(path)):
        planted, killed = found.get(one.provision, (0, 0))
        found[one.provision] = planted + 1, killed + (one.state is FaultState.KILLED)
    return found


def provision_records(
    law: Law,
    outcome: ExaminationResult,
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Labels,
) -> list[ProvisionRecord]:
    """Return every provision in scope, in the order of the law files.

    `decided` is the first line of evidence that decides each.
    """
    points: dict[str, list[str]] = {}
    for divergence in law.divergences:
        for name in divergence.provisions:
            points.setdefault(name, []).append(divergence.id)
    return [
        _provision_record(
            law, law.find(provision.provision), provision, points, decided, planted, names
        )
        for provision in outcome.summary.provisions
    ]


def _provision_record(  # noqa: PLR0913, PLR0917 - all that is known of one
    law: Law,
    held: Held,
    verdict: Verdict,
    points: Mapping[str, list[str]],
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Labels,
) -> ProvisionRecord:
    cited = cite(law, held)
    known = planted.get(held.id)
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
        witnesses=list(verdict.witnesses),
        divergences=points.get(held.id, []),
        file=f"specs/{held.instrument.id}/{document.path.name}",
        line=document.line("provisions", held.index),
        evidence=decided.get(held.id),
        planted=None if known is None else known[0],
        killed=None if known is None else known[1],
    )


def _explain_verdict(verdict: Verdict, game: str, names: Labels) -> Words:
    """Return why, and what is not offered: the law file's words where nothing waits for it."""
    if verdict.reason is VerdictReason.LEFT_OUT:
        return words("examine.not-asked")
    if verdict.reason is VerdictReason.WITHOUT_EFFECT and verdict.idle is not None:
        reason, reading = words(f"verdict.reason.{verdict.reason}"), names.reading(*verdict.idle)
        return reason if reading is None else join_words([reason, reading[-1]], " ", "")
    if not verdict.counts and verdict.because is not None:
        return verdict.because
    reason = words(f"verdict.reason.{verdict.reason}")
    if not verdict.not_offered:
        return reason
    what = join_words([names.missing_offer(game, one) for one in verdict.not_offered], ", ", "、")
    return join_words([reason, words("verdict.not-offered", what=what)], " ", "")


def count_totals(law: Law, some: list[ProvisionRecord], footer: Mapping[str, Any]) -> Totals:
    """Return how many provisions there are of each sort, and how much was tried."""
    kinds = {divergence.id: divergence.kind for divergence in law.divergences}
    apart = {Kind.LANGUAGE, Kind.CONTRADICTION}
    examined = {one.id for one in some if one.cases}
    witnessed = {
        one.id
        for one in some
        if one.result is Result.WITNESSED or one.reason is VerdictReason.EXAMINED_AND_WITNESSED
    }
    aside = {
        one.id
        for one in some
        if one.reason in {VerdictReason.DEFINITION, VerdictReason.NOT_TESTABLE}
    }
    return Totals(
        provisions=len(some),
        examined=len(examined),
        witnessed=len(witnessed),
        not_examinable=len(aside),
        both=len(examined & witnessed),
        unseen=len(some) - len(examined | witnessed | aside),
        silent=sum(1 for one in some if any(kinds[p] is Kind.SILENCE for p in one.divergences)),
        divergent=sum(1 for one in some if any(kinds[p] in apart for p in one.divergences)),
        cases=footer["cases"],
        rounds=footer["rounds"],
    )
