"""What is said of each provision, and how many there are of each sort."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.examine.coverage import ENOUGH
from selo.examine.selftest import fresh, read, shipped
from selo.examine.selftest.planted_selftest import State
from selo.law import cite
from selo.law.files.divergence_register import Kind
from selo.law.files.provision_file import Way
from selo.report.model.report_model import ProvisionRecord, Totals, WayResult
from selo.report.phrases.compose import joined, words
from selo.text.multilingual import Text
from selo.verdict import Reason, Result

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from selo.examine.outcome import Outcome
    from selo.law.loader import Held, Law
    from selo.report.phrases import Names
    from selo.text.multilingual import Words
    from selo.verdict import Verdict


def planted_in(law: Law, selftest: Path | None) -> dict[str, tuple[int, int]]:
    """Return how many planted faults each provision has, and how many were found.

    Without a result of the self-test it is the one that ships, if there is one. Of a game whose law
    or faults are others now, it says nothing.
    """
    path = selftest or shipped()
    if selftest is None and not path.is_file():
        return {}
    found: dict[str, tuple[int, int]] = {}
    for one in fresh(law, read(path)):
        planted, killed = found.get(one.provision, (0, 0))
        found[one.provision] = planted + 1, killed + (one.state is State.KILLED)
    return found


def provisions(
    law: Law,
    outcome: Outcome,
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Names,
) -> list[ProvisionRecord]:
    """Return every provision in scope, in the order of the law files.

    `decided` is the first line of evidence that decides each.
    """
    points: dict[str, list[str]] = {}
    for divergence in law.divergences:
        for name in divergence.provisions:
            points.setdefault(name, []).append(divergence.id)
    return [
        _provision(law, law.find(provision.provision), provision, points, decided, planted, names)
        for provision in outcome.summary.provisions
    ]


def _provision(  # noqa: PLR0913, PLR0917 - all that is known of one
    law: Law,
    held: Held,
    verdict: Verdict,
    points: Mapping[str, list[str]],
    decided: Mapping[str, int],
    planted: Mapping[str, tuple[int, int]],
    names: Names,
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
        because=_because(verdict, held.instrument.game, names),
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
        file=f"specs/{held.instrument.id}/articles/{document.path.name}",
        line=document.line("provisions", held.index),
        evidence=decided.get(held.id),
        planted=None if known is None else known[0],
        killed=None if known is None else known[1],
    )


def _because(verdict: Verdict, game: str, names: Names) -> Words:
    """Return why, and what is not offered: the law file's words where nothing waits for it."""
    if verdict.reason is Reason.LEFT_OUT:
        return words("examine.not-asked")
    if verdict.reason is Reason.WITHOUT_EFFECT and verdict.idle is not None:
        reason, reading = words(f"verdict.reason.{verdict.reason}"), names.reading(*verdict.idle)
        return reason if reading is None else joined([reason, reading[-1]], " ", "")
    if not verdict.counts and verdict.because is not None:
        return verdict.because
    reason = words(f"verdict.reason.{verdict.reason}")
    if not verdict.not_offered:
        return reason
    what = joined([names.lacking(game, one) for one in verdict.not_offered], ", ", "、")
    return joined([reason, words("verdict.not-offered", what=what)], " ", "")


def totals(law: Law, some: list[ProvisionRecord], footer: Mapping[str, Any]) -> Totals:
    """Return how many provisions there are of each sort, and how much was tried."""
    kinds = {divergence.id: divergence.kind for divergence in law.divergences}
    apart = {Kind.LANGUAGE, Kind.CONTRADICTION}
    examined = {one.id for one in some if one.cases}
    witnessed = {
        one.id
        for one in some
        if one.result is Result.WITNESSED or one.reason is Reason.EXAMINED_AND_WITNESSED
    }
    aside = {one.id for one in some if one.reason in {Reason.DEFINITION, Reason.NOT_TESTABLE}}
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
