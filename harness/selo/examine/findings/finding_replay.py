"""One finding put to a vendor again, from its file alone: a case, a round, or a declaration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cases.oracle import Oracle
from selo.examine.findings.declaration_findings import DESCRIBE, judged
from selo.examine.plan.live_rounds import ROUND
from selo.examine.tally import Tally
from selo.rounds import Script, play
from selo.rounds.judge import Judge
from selo.rules.declarations import Standing
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.findings.finding import Finding
    from selo.law.loader import Law
    from selo.protocol.messages import Description
    from selo.vendors.session import Session


@dataclass(frozen=True, kw_only=True)
class Again:
    """What the vendor says now."""

    answer: Any
    #: Whether something is still otherwise than the law has it, and whether a reading excuses it.
    still: bool
    violates: bool
    #: Whether the adapter failed.
    fault: bool = False


def asked_again(law: Law, finding: Finding, session: Session) -> Again:
    """Ask the vendor for what a finding is about."""
    if finding.method == DESCRIBE:
        return _declared(law, finding, session)
    if finding.method == ROUND:
        return _round(law, finding, session)
    case = finding.case
    ((_, reply),) = session.ask_all(case.method, [case.params()])
    tally = Tally(Oracle(law, finding.origin.rulings))
    tally.take(case, reply)
    return Again(
        answer=None if reply.result is None else msgspec.to_builtins(reply.result),
        still=bool(tally.differences or tally.faults),
        # One case cannot tell which reading is followed: what all cases have shown stands.
        violates=tally.violates or (bool(tally.differences) and finding.verdict == "violates"),
        fault=bool(tally.faults),
    )


def _declared(law: Law, finding: Finding, session: Session) -> Again:
    description: Description = session.ask(DESCRIBE, {})
    offer = next((game for game in description.games if game.game == finding.game), None)
    if offer is None:
        # The game is not offered any more: nothing of it is declared.
        return Again(answer=None, still=False, violates=False)
    found = judged(law, offer, finding.origin.rulings)
    keys = {
        (provision, about) for provision in finding.provisions for about in finding.params["about"]
    }
    now = [one for one in found.now if one.key in keys]
    broken = [one for one in now if one.standing is Standing.BROKEN]
    return Again(
        answer=[{"standing": str(one.standing), **one.declared} for one in now],
        still=any(one.standing is not Standing.KEPT for one in now),
        violates=any(not found.readings(one.key) for one in broken),
    )


def _round(law: Law, finding: Finding, session: Session) -> Again:
    script = msgspec.convert(finding.params, Script)
    played = play(session, script)
    judge = Judge(law, Readings(law, finding.origin.rulings))
    found: Sequence[Any] = [
        one for one in judge.judge(script, played) if not one.consequence
    ]  # fmt: skip
    return Again(
        answer=msgspec.to_builtins(played),
        still=bool(found or played.faults),
        violates=any(not one.open and not one.lawless for one in found),
        fault=bool(played.faults),
    )
