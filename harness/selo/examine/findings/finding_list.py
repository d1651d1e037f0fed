"""All findings of a run, in the order in which they are told, numbered through.

1. What a table settles wrongly as the cause of wrong cases has it is no finding of its own; nor is
   what rests on the provision that is blamed, where nothing more is known of the cause. Where the
   result is another, that is the cause: how much of a stake then lies where is a consequence.
   What no reading allows is never a part of what is open, or of what is against a ruling.
2. What some reading would allow, and the table does in the same manner where none allows it, is
   no open question.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases.oracle import lawful_under
from selo.examine.findings.finding import Finding, FindingOrigin, collect_case_findings
from selo.examine.findings.round_findings import collect_round_findings
from selo.examine.tally import settlement_shape
from selo.rounds.judge import Manner
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.examine.blame.root_causes import RootCause
    from selo.examine.exchange import ReductionLog
    from selo.examine.live_rounds.round_tally import RoundBreach
    from selo.examine.plan import Terms
    from selo.examine.replay import EvidenceAnalysis
    from selo.examine.tally import DifferenceShape

#: The parts that differ where a bet is settled rightly but for its stake.
_STAKE_ALONE: Final = ("stake",)


@dataclass(frozen=True, slots=True)
class _SettledFindings:
    """The places of findings in the list, by what was settled in them and with what results."""

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
    """Return by what the findings of a plan were found."""
    return FindingOrigin(selo=__version__, spec_digest=terms.spec_digest, rulings=terms.rulings)


def collect_findings(seen: EvidenceAnalysis, asked: ReductionLog) -> Iterator[Finding]:
    """Yield the findings of all games, numbered through, each with its smallest case."""
    origin = origin_of(seen.terms)
    listed: list[Finding] = []
    alike = _SettledFindings()
    misread: list[tuple[int, RootCause]] = []
    for game, tally in seen.tallies.items():
        misread += enumerate(seen.causes.get(game, ()), len(listed))
        for one, kinds in collect_case_findings(
            seen.law, tally, seen.causes.get(game, []), asked.settle, origin
        ):
            for kind in kinds if one.method == "settle" or one.verdict == "violates" else ():
                alike.add(kind.shape, len(listed))
            listed.append(one)
    rounds = []
    for played in seen.rounds.seen():
        settled = _settlement_kind(played)
        at = _matching_finding(seen, played, settled, listed, alike, misread) if settled else None
        if at is None:
            rounds.append(played)
        else:
            times = listed[at].times + played.times
            listed[at] = msgspec.structs.replace(listed[at], times=times)
    listed += collect_round_findings(
        seen.law, seen.rounds, _merge_open_differences(rounds), asked.play, origin
    )
    for number, one in enumerate(listed, 1):
        yield msgspec.structs.replace(one, id=f"F-{number:03}")


def _matching_finding(  # noqa: PLR0913, PLR0917 - all that is known of settlements
    seen: EvidenceAnalysis,
    played: RoundBreach,
    settled: DifferenceShape,
    listed: list[Finding],
    alike: _SettledFindings,
    misread: Iterable[tuple[int, RootCause]],
) -> int | None:
    """Return the finding of which a settlement at a table is one more example, if there is one."""
    looks = alike.by_shape.get(settled, [])
    results = alike.by_results.get(settled.results, [])
    if played.difference.open:
        return next((at for at in looks if _covers_open_difference(listed[at], played)), None)
    for at, cause in misread:
        if _explains_settlement(seen, cause, listed[at], played):
            return at
    # Where only the stake lies elsewhere, nothing but that can have been misread.
    alike_enough = (
        results
        if settled.expected != settled.observed
        else looks
        if settled.differing == _STAKE_ALONE
        else []
    )
    return next((at for at in alike_enough if listed[at].verdict == "violates"), None)


def _covers_open_difference(one: Finding, played: RoundBreach) -> bool:
    """Return whether a finding tells of what is open at a table: as open as that, or a breach."""
    return one.verdict == "violates" or bool({*one.readings} & {*played.difference.readings})


def _explains_settlement(
    seen: EvidenceAnalysis, cause: RootCause, found: Finding, played: RoundBreach
) -> bool:
    """Return whether a table settled as a cause has it, or against what a cause is blamed on.

    The second is for a cause that no game explains: all that is known of it is the provision on
    which what is wrong hangs, and tables come to results that no case had. What is against a ruling
    explains only what is against the same ruling.
    """
    settled = seen.rounds.judge.settled(played.script, played.played, played.difference.ticket)
    if settled is None:
        return False
    if found.against:
        return not {*found.against}.isdisjoint(played.difference.against)
    if not cause.games:
        case, _, bet = settled
        why = seen.tallies[case.game].oracle.why(case, bet)
        return {*cause.provisions} <= {one.provision for one in why}
    try:
        return any(lawful_under(game, *settled) for game in cause.games)
    except ANSWER_ERRORS:
        return False


def _merge_open_differences(some: Iterable[RoundBreach]) -> list[RoundBreach]:
    """Return what tables did; what is open, or against a ruling, only where it is no breach anyway.

    Of the manner of a breach, or just of its step. Several breaches of one manner are told apart.
    """
    told: list[RoundBreach] = []
    places: dict[tuple[Any, ...], int] = {}
    for one in sorted(some, key=lambda one: (one.difference.open, bool(one.difference.against))):
        said = one.difference
        manner = (one.script.game, said.provisions, said.manner)
        step = (*manner, said.constraint, said.bet)
        at = places.get(manner if said.open else step) if said.open or said.against else None
        if at is not None:
            told[at] = replace(told[at], times=told[at].times + one.times)
            continue
        if not said.open and not said.against:
            places.setdefault(manner, len(told))
            places.setdefault(step, len(told))
        told.append(one)
    return told


def _settlement_kind(one: RoundBreach) -> DifferenceShape | None:
    """Return what a wrong settlement at a table looks like; nothing for other breaches."""
    difference = one.difference
    if difference.manner is not Manner.SETTLEMENT or not difference.bet:
        return None
    return settlement_shape(
        one.script.game, difference.bet, difference.expected, difference.observed
    )
