"""Replays one finding against a vendor, from its file alone: a case, a round or a declaration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.oracle import Oracle
from selo.examine.findings.declaration_findings import DESCRIBE, judge_declarations
from selo.examine.free_rounds import FreeRoundTally, repeat_forced
from selo.examine.live_rounds import ROUND
from selo.examine.tally import Tally
from selo.examine.vendor_description import DeclaredLimits
from selo.rounds import Script, play_script, play_scripts
from selo.rounds.generate import FREE_GROUP
from selo.rounds.judge import RoundJudge
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.findings.finding import Finding
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.vendors.session import Session

#: Tables at which a free script is played again.
_FREE_TABLES: Final = 64


@dataclass(frozen=True, kw_only=True)
class ReplayedAnswer:
    """The answer of the vendor now."""

    answer: Any
    #: Whether the answer still differs from the law, and whether no reading allows that.
    still: bool
    violates: bool
    #: Whether the adapter failed.
    fault: bool = False
    #: What the law requires now, and what the vendor did now, as a finding has them.
    expected: dict[str, Any] = field(default_factory=dict)
    observed: dict[str, Any] = field(default_factory=dict)


def replay_finding(law: Law, finding: Finding, session: Session) -> ReplayedAnswer:
    """Put the question of a finding to the vendor again."""
    if finding.method == DESCRIBE:
        return _replay_declaration(law, finding, session)
    if finding.method == ROUND:
        return _replay_round(law, finding, session)
    case = finding.case
    description: Description = session.ask(DESCRIBE, {})
    form = DeclaredLimits(law, description.games).form_of(case.game, case.method)
    ((_, reply),) = session.ask_all(case.method, [case.params()], reads=form)
    tally = Tally(Oracle(law, finding.origin.rulings))
    tally.take(case, reply)
    answer = reply.result or reply.skipped
    observed = _answered_part(finding, msgspec.to_builtins(reply.result))
    return ReplayedAnswer(
        answer=None if answer is None else msgspec.to_builtins(answer),
        expected=_lawful_part(tally.oracle, finding, observed),
        observed=observed,
        # Skipping the case now does not mend it.
        still=bool(tally.differences or tally.faults or tally.skipped),
        # One case does not show which reading the vendor follows, so the former verdict stands.
        violates=tally.violates or (bool(tally.differences) and finding.verdict == "violates"),
        fault=bool(tally.faults),
    )


def _lawful_part(oracle: Oracle, finding: Finding, observed: dict[str, Any]) -> dict[str, Any]:
    """Return what the law requires of the bet, or of the comparison, of a finding."""
    if finding.bet is None:
        return oracle.expected_order(finding.case, observed or finding.observed)
    return oracle.expected_parts(finding.case, finding.bet, observed or finding.observed)


def _answered_part(finding: Finding, answer: Any) -> dict[str, Any]:
    """Return what was answered of the bet, or of the comparison, of a finding."""
    if answer is None:
        return {}
    if finding.bet is None:
        return {name: answer[name] for name in finding.observed if name in answer}
    settlements = answer["settlements"]
    return dict(settlements[finding.bet]) if finding.bet < len(settlements) else {}


def _replay_declaration(law: Law, finding: Finding, session: Session) -> ReplayedAnswer:
    description: Description = session.ask(DESCRIBE, {})
    offer = next((game for game in description.games if game.game == finding.game), None)
    if offer is None:
        # The game is not offered any more, so nothing is declared about it.
        return ReplayedAnswer(answer=None, still=False, violates=False)
    results = judge_declarations(law, offer, finding.origin.rulings)
    keys = {
        (provision, about) for provision in finding.provisions for about in finding.params["about"]
    }
    judgements = [judgement for judgement in results.judgements if judgement.key in keys]
    broken = [judgement for judgement in judgements if judgement.status is RequirementStatus.BROKEN]
    return ReplayedAnswer(
        answer=[
            {"standing": str(judgement.status), **judgement.declared} for judgement in judgements
        ],
        still=any(judgement.status is not RequirementStatus.KEPT for judgement in judgements),
        violates=any(not results.excusing_readings(judgement.key) for judgement in broken),
    )


def _replay_free_round(
    law: Law, finding: Finding, script: Script, session: Session
) -> ReplayedAnswer:
    """Play a free script at many tables: outcomes come as they come, and some may show it."""
    description: Description = session.ask(DESCRIBE, {})
    offers = [offer for offer in description.games if offer.game == finding.game]
    tally = FreeRoundTally(law, finding.origin, offers)
    played = list(play_scripts(session, [script] * _FREE_TABLES))
    rounds = repeat_forced(
        session, tally.rounds.judge, played,
        forces=any(offer.forces for offer in offers),
        settles=any("settle" in offer.methods for offer in offers),
        form=DeclaredLimits(law, description.games).form_of(finding.game, "settle"),
    )  # fmt: skip
    for free_round in rounds:
        tally.add(free_round)
    breaches = [breach.difference for breach in tally.rounds.breaches()]
    unlike = [unlike.difference for unlike in tally.unlike.values()]
    is_unlike = not finding.provisions and bool(unlike)
    return ReplayedAnswer(
        answer=[msgspec.to_builtins(free) for _, free in played],
        expected={one.part: one.forced for one in unlike[:1]}
        if is_unlike
        else {name: value for one in breaches[:1] for name, value in one.expected.items()},
        observed={one.part: one.free for one in unlike[:1]}
        if is_unlike
        else {name: value for one in breaches[:1] for name, value in one.observed.items()},
        still=bool(breaches or unlike or tally.has_faults),
        violates=any(not one.open and not one.lawless for one in breaches),
        fault=tally.has_faults,
    )


def _replay_round(law: Law, finding: Finding, session: Session) -> ReplayedAnswer:
    script = msgspec.convert(finding.params, Script)
    if script.group == FREE_GROUP:
        return _replay_free_round(law, finding, script, session)
    played = play_script(session, script)
    judge = RoundJudge(law, Readings(law, finding.origin.rulings))
    differences: Sequence[Any] = [
        difference for difference in judge.judge(script, played) if not difference.consequence
    ]  # fmt: skip
    return ReplayedAnswer(
        answer=msgspec.to_builtins(played),
        expected=dict(differences[0].expected) if differences else {},
        observed=dict(differences[0].observed) if differences else {},
        still=bool(differences or played.faults),
        violates=any(not difference.open and not difference.lawless for difference in differences),
        fault=bool(played.faults),
    )
