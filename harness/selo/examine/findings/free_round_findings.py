"""Findings of free rounds: what breaks the law there, and what differs when it is forced.

They are not reduced: nobody can ask a table for the same outcome without forcing it. Of all tables
that show a breach the one with the fewest acts stands for it, and some tables have a single bet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import AnswerPart
from selo.cases.case_numbers import NO_CASES
from selo.examine.findings.finding import Finding
from selo.examine.findings.round_findings import build_round_finding
from selo.examine.live_rounds import ROUND
from selo.rounds.judge import Manner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.examine.findings.finding import FindingOrigin
    from selo.examine.free_rounds import FreeRoundTally, UnlikeTape
    from selo.examine.live_rounds import RoundBreach
    from selo.law import Law

_CASE: Final = "case"
_FORCED: Final = "forced"
_PARTS: Final = {
    "answer": AnswerPart.REFUSAL,
    "settlements": AnswerPart.PRIZE,
    _CASE: AnswerPart.PRIZE,
}


def collect_free_findings(
    law: Law, tally: FreeRoundTally, known: Sequence[Finding], origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield the findings of free rounds, except what `known` findings say already."""
    for breach in tally.rounds.breaches():
        finding = build_round_finding(law, breach, breach.script, breach.difference, origin)
        if not any(_says_the_same(other, finding) for other in known):
            yield _show_what_was_drawn(tally, breach, finding)
    for unlike in tally.unlike.values():
        yield _build_unlike_finding(law, unlike, origin)


def _show_what_was_drawn(tally: FreeRoundTally, breach: RoundBreach, finding: Finding) -> Finding:
    """Return a finding with the acts up to the breach, and the outcome that the table drew."""
    act = breach.difference.act
    draws = tally.rounds.judge.vendor_draws(breach.script, breach.played)
    drawn = [outcome for at, outcome in draws if outcome is not None and at <= act]
    script = msgspec.structs.replace(breach.script, acts=breach.script.acts[: max(0, act) + 1])
    shown = {"outcome": drawn[-1]} if drawn and "outcome" not in finding.observed else {}
    return msgspec.structs.replace(
        finding,
        params=msgspec.to_builtins(script),
        observed={**finding.observed, **shown},
        differences=dict.fromkeys(sorted(breach.numbers), NO_CASES),
    )


def _says_the_same(known: Finding, finding: Finding) -> bool:
    return (
        (known.game, known.verdict) == (finding.game, finding.verdict)
        and {*finding.provisions} <= {*known.provisions}
        and (bool(finding.provisions) or known.cause_code == finding.cause_code)
        and {*finding.readings} <= {*known.readings}
    )


def _build_unlike_finding(law: Law, unlike: UnlikeTape, origin: FindingOrigin) -> Finding:
    """Return the finding of a game that behaves differently unless somebody forces its outcome.

    What it answers to cases then shows nothing of its tables: every provision is hidden behind it.
    """
    difference, script = unlike.difference, unlike.script
    cause = str(Manner.UNLIKE_CASE if difference.part == _CASE else Manner.UNLIKE_FORCED)
    ticket: dict[str, Any] = {"ticket": difference.ticket} if difference.ticket else {}
    return Finding(
        id="",
        verdict="protocol",
        game=script.game,
        provisions=[],
        cause=cause,
        cause_code=cause,
        times=unlike.times,
        ways=1,
        first=unlike.n,
        method=ROUND,
        params=msgspec.to_builtins(
            msgspec.structs.replace(script, acts=script.acts[: difference.act + 1])
        ),
        bet=None,
        expected={_CASE if difference.part == _CASE else _FORCED: difference.forced},
        observed={"act": difference.act, **ticket, "free": difference.free},
        money=None,
        law=[],
        readings=[],
        origin=origin,
        hides=[held.id for held in law.provisions.values() if held.instrument.game == script.game],
        parts=[_PARTS.get(difference.part, AnswerPart.EVENTS)],
        differences={f"{ROUND} {cause}: {difference.part}": NO_CASES},
    )
