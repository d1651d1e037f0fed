"""Collects all findings of a run, numbered in order: first those of cases, then those of rounds.

1. A wrong settlement at a table adds to a finding of cases if the cause of that finding explains
   it, or, if no mutant is known, if it depends on the blamed provision. Where the result differs,
   the finding with the same results explains it, whatever becomes of the stake. A settlement that
   no reading allows never adds to a finding that is open or against a ruling.
2. An open difference at a table adds to a breach in the same manner that no reading allows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases.case_numbers import join_numbers
from selo.cases.oracle import is_answer_of
from selo.examine.blame.root_causes import Localisation
from selo.examine.findings.finding import (
    Finding,
    FindingOrigin,
    collect_case_findings,
    point_to_cases,
    sort_parts,
)
from selo.examine.findings.plain_prizes import find_plain_prizes
from selo.examine.findings.round_findings import collect_round_findings, parts_of_round
from selo.examine.tally import settlement_shape
from selo.rounds.judge import Manner
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cases.case_numbers import NumberRanges
    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.blame.root_causes import RootCause
    from selo.examine.exchange import ReductionLog
    from selo.examine.live_rounds import RoundBreach
    from selo.examine.plan import Terms
    from selo.examine.tally import DifferenceShape


#: The parts that differ where a bet is settled rightly but for its stake.
_STAKE_ALONE: Final = ("stake",)


@dataclass(frozen=True, slots=True)
class _SettledFindings:
    """The places of findings in the list, by the shape and by the results of their settlements."""

    by_shape: dict[DifferenceShape, list[int]] = field(default_factory=dict)
    by_results: dict[tuple[str, str, str, str], list[int]] = field(default_factory=dict)

    def add(self, shape: DifferenceShape, place: int) -> None:
        for places in (
            self.by_shape.setdefault(shape, []),
            self.by_results.setdefault(shape.results, []),
        ):
            if place not in places:
                places.append(place)


def origin_of(terms: Terms) -> FindingOrigin:
    """Return the edition and rulings under which the findings of a plan are made."""
    return FindingOrigin(selo=__version__, spec_digest=terms.spec_digest, rulings=terms.rulings)


def collect_findings(analysis: EvidenceAnalysis, reductions: ReductionLog) -> Iterator[Finding]:
    """Yield the numbered findings of all games; `reductions` answers for minimal examples."""
    origin = origin_of(analysis.terms)
    listed: list[Finding] = []
    numbers: list[list[Mapping[str, NumberRanges]]] = []
    settled_findings = _SettledFindings()
    causes: list[tuple[int, RootCause]] = []
    for game, tally in analysis.tallies.items():
        located = analysis.located.get(game, Localisation())
        causes += enumerate(located.causes, len(listed))
        for finding, kinds in collect_case_findings(
            analysis.law, tally, located, reductions.settle, origin
        ):
            for kind in (
                kinds if finding.method == "settle" or finding.verdict == "violates" else ()
            ):
                settled_findings.add(kind.shape, len(listed))
            listed.append(finding)
            numbers.append([tally.numbers[kind] for kind in kinds])
    _mark_plain_prizes(analysis, listed, numbers)
    rounds = []
    for breach in analysis.rounds.breaches():
        shape = _settlement_kind(breach)
        at = (
            _matching_finding(analysis, breach, shape, listed, settled_findings, causes)
            if shape
            else None
        )
        if at is None:
            rounds.append(breach)
        else:
            parts = {*listed[at].parts, *parts_of_round(breach.difference)}
            listed[at] = msgspec.structs.replace(
                listed[at], times=listed[at].times + breach.times, parts=sort_parts(parts)
            )
            numbers[at].append(breach.numbers)
    listed = [point_to_cases(*pair) for pair in zip(listed, numbers, strict=True)]
    listed += collect_round_findings(
        analysis.law, analysis.rounds, _merge_open_differences(rounds), reductions.play, origin
    )
    for number, finding in enumerate(listed, 1):
        yield msgspec.structs.replace(finding, id=f"F-{number:03}")


def _mark_plain_prizes(
    analysis: EvidenceAnalysis,
    listed: list[Finding],
    numbers: Sequence[Sequence[Mapping[str, NumberRanges]]],
) -> None:
    """Mark the findings of cases whose wrong prize every such bet of the plan was paid."""
    for game, tally in analysis.tallies.items():
        own = [at for at, finding in enumerate(listed) if finding.game == game]
        planned = (
            (n, case)
            for n, case in analysis.planned_cases(game)
            if n not in tally.unanswered_places
        )
        plain = find_plain_prizes(
            tally.oracle, [listed[at] for at in own], [numbers[at] for at in own], planned
        )
        for place in plain:
            at = own[place]
            listed[at] = msgspec.structs.replace(listed[at], every_such_bet=True)


def _matching_finding(  # noqa: PLR0913, PLR0917 - all that is known about settlements
    analysis: EvidenceAnalysis,
    breach: RoundBreach,
    shape: DifferenceShape,
    listed: list[Finding],
    settled_findings: _SettledFindings,
    causes: Iterable[tuple[int, RootCause]],
) -> int | None:
    """Return the place of the finding that a wrong settlement at a table adds to, if any."""
    same_shape = settled_findings.by_shape.get(shape, [])
    same_results = settled_findings.by_results.get(shape.results, [])
    if breach.difference.open:
        return next((at for at in same_shape if _covers_open_difference(listed[at], breach)), None)
    for at, cause in causes:
        if _explains_settlement(analysis, cause, listed[at], breach):
            return at
    # If only the stake differs, only a finding of the same shape can explain it.
    candidates = (
        same_results
        if shape.expected != shape.observed
        else same_shape
        if shape.differing == _STAKE_ALONE
        else []
    )
    return next((at for at in candidates if listed[at].verdict == "violates"), None)


def _covers_open_difference(finding: Finding, breach: RoundBreach) -> bool:
    """Return whether a finding covers an open breach: a violation, or open by the same reading."""
    return finding.verdict == "violates" or bool(
        {*finding.readings} & {*breach.difference.readings}
    )


def _explains_settlement(
    analysis: EvidenceAnalysis, cause: RootCause, finding: Finding, breach: RoundBreach
) -> bool:
    """Return whether a cause explains a wrong settlement at a table.

    If the cause has mutants, one of them must settle so. If not, only its provision is known, and
    the settlement must depend on that, since tables reach results that no case has. A finding
    against a ruling explains only what is against the same ruling.
    """
    settled = analysis.rounds.judge.settlement_of(
        breach.script, breach.played, breach.difference.ticket
    )
    if settled is None:
        return False
    if finding.against:
        return not {*finding.against}.isdisjoint(breach.difference.against)
    if not cause.games:
        case, _, bet = settled
        why = analysis.tallies[case.game].oracle.derivation_of(case, bet)
        return {*cause.provisions} <= {reason.provision for reason in why}
    try:
        return any(is_answer_of(game, *settled) for game in cause.games)
    except ANSWER_ERRORS:
        return False


def _merge_open_differences(breaches: Iterable[RoundBreach]) -> list[RoundBreach]:
    """Merge breaches that are open or against a ruling into unconditional ones like them.

    An open one must be of the same manner, one against a ruling also of the same step.
    """
    merged: list[RoundBreach] = []
    places: dict[tuple[Any, ...], int] = {}
    for breach in sorted(
        breaches, key=lambda breach: (breach.difference.open, bool(breach.difference.against))
    ):
        difference = breach.difference
        manner = (breach.script.game, difference.provisions, difference.manner)
        step = (*manner, difference.constraint, difference.bet)
        at = (
            places.get(manner if difference.open else step)
            if difference.open or difference.against
            else None
        )
        if at is not None:
            merged[at] = replace(
                merged[at],
                times=merged[at].times + breach.times,
                numbers=join_numbers([merged[at].numbers, breach.numbers]),
            )
            continue
        if not difference.open and not difference.against:
            places.setdefault(manner, len(merged))
            places.setdefault(step, len(merged))
        merged.append(breach)
    return merged


def _settlement_kind(breach: RoundBreach) -> DifferenceShape | None:
    """Return the shape of a wrong settlement at a table; none for other breaches."""
    difference = breach.difference
    if difference.manner is not Manner.SETTLEMENT or not difference.bet:
        return None
    return settlement_shape(
        breach.script.game, difference.bet, difference.expected, difference.observed
    )
