"""Findings of live rounds: each by the smallest script that shows what a table did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.examine.findings.finding import Finding, amount_paid, cite_ground, overpayment
from selo.examine.live_rounds.round_lines import ROUND
from selo.rounds.analysis import (
    force_drawn_outcomes,
    is_same_difference,
    reproduction_check,
    shrink_script,
)
from selo.rounds.judge import Manner
from selo.rules.settlement.game import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.examine.findings.finding import FindingGround, FindingOrigin
    from selo.examine.live_rounds.round_tally import RoundBreach, RoundTally
    from selo.law.loader import Law
    from selo.rounds import PlayedScript, Script
    from selo.rounds.judge import RoundDifference

    #: Plays a script at the vendor's table, or raises ValueError.
    Play = Callable[[Script], PlayedScript]

#: A script is made smaller in so many tries at most.
_MAX_TRIES: Final = 150
#: So many findings are made smaller; of the others the shortest script that was seen is told.
_MAX_SHRUNK_FINDINGS: Final = 25
_SETTLEMENT_PARTS: Final = frozenset({"prize", "commission", "stake"})


def collect_round_findings(
    law: Law, rounds: RoundTally, some: Iterable[RoundBreach], play: Play, origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each of some ways in which a table was not lawful."""
    for number, one in enumerate(some):
        script, difference = one.script, one.difference
        if number < _MAX_SHRUNK_FINDINGS:
            script, difference = _shrink(rounds, one, play)
        yield _build_finding(law, one, script, difference, origin)


def _shrink(rounds: RoundTally, one: RoundBreach, play: Play) -> tuple[Script, RoundDifference]:
    """Return a script as small as it can be, and what it shows."""
    shows = reproduction_check(play, rounds.judge, one.difference)
    given = force_drawn_outcomes(one.script, one.played, rounds.judge)
    begun = given if given.key != one.script.key and shows(given) else one.script
    script = shrink_script(begun, shows, most=_MAX_TRIES, about=_relocate(given, begun, one))
    if script.key == one.script.key:
        return one.script, one.difference
    found = rounds.judge.judge(script, play(script))
    return script, next(other for other in found if is_same_difference(other, one.difference))


def _relocate(given: Script, begun: Script, one: RoundBreach) -> RoundDifference:
    """Return a difference at its place in the script with which making it smaller begins."""
    more = len(given.acts) - len(one.script.acts) if begun is given else 0
    return msgspec.structs.replace(one.difference, act=one.difference.act + more)


def _build_finding(
    law: Law, one: RoundBreach, script: Script, difference: RoundDifference, origin: FindingOrigin
) -> Finding:
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
        times=one.times,
        ways=1,
        first=one.n,
        method=ROUND,
        params=msgspec.to_builtins(script),
        bet=None,
        expected={**words, **difference.expected},
        observed={"act": difference.act, **difference.observed},
        money=_overpayment_in(difference),
        law=list(_grounds(law, difference)),
        readings=list(difference.readings),
        against=list(difference.against),
        origin=origin,
        required=required,
        shown=difference.shown,
    )


def _grounds(law: Law, difference: RoundDifference) -> Iterator[FindingGround]:
    """Yield the provisions from which it follows what was required, those that are broken first."""
    roles: dict[str, list[str]] = {name: [] for name in difference.provisions}
    for name, role in difference.reasons:
        roles.setdefault(name, []).append(role)
    for name, played in roles.items():
        if name in law.provisions:
            yield cite_ground(law, name, list(dict.fromkeys(played)))


def _overpayment_in(difference: RoundDifference) -> int | list[int] | None:
    """Return what the table gives out beyond what the law gives, where that can be said."""
    expected: dict[str, Any] = difference.expected
    observed: dict[str, Any] = difference.observed
    if difference.manner is Manner.SETTLEMENT and observed.keys() >= _SETTLEMENT_PARTS:
        # Whether the stake of a void round goes back or stays is not for the law to say.
        return overpayment({"stake": observed["stake"], **expected}, observed)
    if difference.manner is Manner.UNSETTLED and expected.keys() >= _SETTLEMENT_PARTS:
        return written(-amount_paid(expected))
    return None
