"""Findings of live rounds: each by the smallest script that shows what a table did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.examine.findings.finding import Finding, ground, money, paid
from selo.examine.plan.live_rounds import ROUND
from selo.rounds.analysis import given_in_advance, reduced, same, shown_again
from selo.rounds.judge import Manner
from selo.rules.settlement.game import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.examine.findings.finding import Ground, Origin
    from selo.examine.plan.live_rounds import Rounds, Seen
    from selo.law.loader import Law
    from selo.rounds import Played, Script
    from selo.rounds.judge import RoundDifference

    #: Plays a script at the vendor's table, or raises ValueError.
    Play = Callable[[Script], Played]

#: A script is made smaller in so many tries at most.
_MOST_TRIES: Final = 150
#: So many findings are made smaller; of the others the shortest script that was seen is told.
_MOST_REDUCED: Final = 25
_PARTS: Final = frozenset({"prize", "commission", "stake"})


def found_in_rounds(
    law: Law, rounds: Rounds, some: Iterable[Seen], play: Play, origin: Origin
) -> Iterator[Finding]:
    """Yield a finding for each of some ways in which a table was not lawful."""
    for number, one in enumerate(some):
        script, difference = one.script, one.difference
        if number < _MOST_REDUCED:
            script, difference = _smallest(rounds, one, play)
        yield _finding(law, one, script, difference, origin)


def _smallest(rounds: Rounds, one: Seen, play: Play) -> tuple[Script, RoundDifference]:
    """Return a script as small as it can be, and what it shows."""
    shows = shown_again(play, rounds.judge, one.difference)
    given = given_in_advance(one.script, one.played, rounds.judge)
    begun = given if given.key != one.script.key and shows(given) else one.script
    script = reduced(begun, shows, most=_MOST_TRIES, about=_in(given, begun, one))
    if script.key == one.script.key:
        return one.script, one.difference
    found = rounds.judge.judge(script, play(script))
    return script, next(other for other in found if same(other, one.difference))


def _in(given: Script, begun: Script, one: Seen) -> RoundDifference:
    """Return a difference at its place in the script with which making it smaller begins."""
    more = len(given.acts) - len(one.script.acts) if begun is given else 0
    return msgspec.structs.replace(one.difference, act=one.difference.act + more)


def _finding(
    law: Law, one: Seen, script: Script, difference: RoundDifference, origin: Origin
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
        times=one.times,
        ways=1,
        first=one.n,
        method=ROUND,
        params=msgspec.to_builtins(script),
        bet=None,
        expected={**words, **difference.expected},
        observed={"act": difference.act, **difference.observed},
        money=_money(difference),
        law=list(_grounds(law, difference)),
        readings=list(difference.readings),
        against=list(difference.against),
        origin=origin,
        required=required,
        shown=difference.shown,
    )


def _grounds(law: Law, difference: RoundDifference) -> Iterator[Ground]:
    """Yield the provisions from which it follows what was required, those that are broken first."""
    roles: dict[str, list[str]] = {name: [] for name in difference.provisions}
    for name, role in difference.reasons:
        roles.setdefault(name, []).append(role)
    for name, played in roles.items():
        if name in law.provisions:
            yield ground(law, name, list(dict.fromkeys(played)))


def _money(difference: RoundDifference) -> int | list[int] | None:
    """Return what the table gives out beyond what the law gives, where that can be said."""
    expected: dict[str, Any] = difference.expected
    observed: dict[str, Any] = difference.observed
    if difference.manner is Manner.SETTLEMENT and observed.keys() >= _PARTS:
        # Whether the stake of a void round goes back or stays is not for the law to say.
        return money({"stake": observed["stake"], **expected}, observed)
    if difference.manner is Manner.UNSETTLED and expected.keys() >= _PARTS:
        return written(-paid(expected))
    return None
