"""Findings of live rounds, each with the smallest script that reproduces it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cases import AnswerPart
from selo.examine.findings.finding import (
    Finding,
    amount_paid,
    collect_grounds,
    overpayment,
    point_to_cases,
    sort_parts,
)
from selo.examine.live_rounds import ROUND
from selo.json_numbers import encode_fraction
from selo.rounds.analysis import (
    force_drawn_outcomes,
    is_same_difference,
    reproduction_check,
    shrink_script,
)
from selo.rounds.judge import Manner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.examine.findings.finding import FindingOrigin
    from selo.examine.live_rounds import RoundBreach, RoundTally
    from selo.law import Law
    from selo.rounds import PlayedScript, Script
    from selo.rounds.judge import RoundDifference

    #: Plays a script at the vendor's table, or raises ValueError.
    Play = Callable[[Script], PlayedScript]

#: How often a script is played at most to shrink it.
_MAX_TRIES: Final = 150
#: Later findings keep the shortest script that was played.
_MAX_SHRUNK_FINDINGS: Final = 25
_SETTLEMENT_PARTS: Final = frozenset({"prize", "commission", "stake"})
#: The part of what a table does that a manner of breach concerns; all others concern its events.
_PARTS_OF_MANNERS: Final = {
    Manner.ACCEPTED: AnswerPart.REFUSAL,
    Manner.REFUSED: AnswerPart.REFUSAL,
    Manner.UNSETTLED: AnswerPart.RESULT,
    Manner.PAYMENT: AnswerPart.PRIZE,
}


def parts_of_round(difference: RoundDifference) -> set[AnswerPart]:
    """Return the parts of what a table did that differ."""
    if difference.manner is Manner.SETTLEMENT:
        return {
            AnswerPart(part)
            for part in ("result", *_SETTLEMENT_PARTS)
            if part in difference.expected
            and difference.observed.get(part) != difference.expected[part]
        }
    return {_PARTS_OF_MANNERS.get(difference.manner, AnswerPart.EVENTS)}


def collect_round_findings(
    law: Law, rounds: RoundTally, breaches: Iterable[RoundBreach], play: Play, origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each breach in live rounds."""
    for number, breach in enumerate(breaches):
        script, difference = breach.script, breach.difference
        if number < _MAX_SHRUNK_FINDINGS:
            script, difference = _shrink(rounds, breach, play)
        finding = build_round_finding(law, breach, script, difference, origin)
        finding = msgspec.structs.replace(finding, hides=rounds.shadowed_by(breach))
        yield point_to_cases(finding, [breach.numbers])


def _shrink(rounds: RoundTally, breach: RoundBreach, play: Play) -> tuple[Script, RoundDifference]:
    """Return the smallest script that reproduces a breach, and the difference it shows."""
    shows = reproduction_check(play, rounds.judge, breach.difference)
    forced = force_drawn_outcomes(breach.script, breach.played, rounds.judge)
    start = forced if forced.key != breach.script.key and shows(forced) else breach.script
    script = shrink_script(start, shows, most=_MAX_TRIES, about=_relocate(forced, start, breach))
    if script.key == breach.script.key:
        return breach.script, breach.difference
    differences = rounds.judge.judge(script, play(script))
    return script, next(
        difference
        for difference in differences
        if is_same_difference(difference, breach.difference)
    )


def _relocate(forced: Script, start: Script, breach: RoundBreach) -> RoundDifference:
    """Return the difference of a breach at its place in the script that shrinking starts from."""
    more = len(forced.acts) - len(breach.script.acts) if start is forced else 0
    return msgspec.structs.replace(breach.difference, act=breach.difference.act + more)


def build_round_finding(
    law: Law,
    breach: RoundBreach,
    script: Script,
    difference: RoundDifference,
    origin: FindingOrigin,
) -> Finding:
    """Return the finding of a breach, shown by a script."""
    verdict: Literal["violates", "open", "protocol"] = (
        "open" if difference.open else "protocol" if difference.lawless else "violates"
    )
    required = difference.required
    words = {} if required is None else {"required": required.get("en")}
    return Finding(
        id="",
        verdict=verdict,
        game=script.game,
        provisions=list(difference.provisions),
        cause=str(difference.manner),
        cause_code=str(difference.manner),
        times=breach.times,
        ways=1,
        first=breach.n,
        method=ROUND,
        params=msgspec.to_builtins(script),
        bet=None,
        expected={**words, **difference.expected},
        observed={"act": difference.act, **difference.observed},
        money=_overpayment_in(difference),
        law=list(collect_grounds(law, difference.reasons, difference.provisions)),
        readings=list(difference.readings),
        against=list(difference.against),
        origin=origin,
        required=required,
        shown=difference.shown,
        parts=sort_parts(parts_of_round(breach.difference)),
    )


def _overpayment_in(difference: RoundDifference) -> int | list[int] | None:
    """Return how much more the table pays out than the law requires, if that is defined."""
    expected: dict[str, Any] = difference.expected
    observed: dict[str, Any] = difference.observed
    if difference.manner is Manner.SETTLEMENT and observed.keys() >= _SETTLEMENT_PARTS:
        return overpayment(expected, observed)
    if difference.manner is Manner.UNSETTLED and expected.keys() >= _SETTLEMENT_PARTS:
        return encode_fraction(-amount_paid(expected))
    return None
