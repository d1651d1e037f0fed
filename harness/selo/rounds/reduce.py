"""Makes a script that shows a difference as small as it can be, and still show it.

1. Acts are left out, in halves first and one by one at last, until none can be spared.
2. Options are left out.
3. Outcomes show less, and stakes are all the same, then as low as they can be.

What is tried is played again each time, so that the small script is as true as the large one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.group import STAKE
from selo.protocol.events import FORCE
from selo.rounds.stakes import THROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.rounds.difference import RoundDifference
    from selo.rounds.judged import Judge
    from selo.rounds.player import Played
    from selo.rounds.script import Script

_MOST_TRIES: Final = 500
_AMOUNTS: Final = ("stake", "to")


class _Tries:
    """Counts what is tried; when nothing is left, nothing fails any more."""

    def __init__(self, shows: Callable[[Script], bool], most: int) -> None:
        self._shows, self._left = shows, most
        self._known: dict[str, bool] = {}

    def shows(self, script: Script) -> bool:
        if script.key not in self._known:
            if self._left <= 0:
                return False
            self._left -= 1
            self._known[script.key] = self._shows(script)
        return self._known[script.key]


def reduced(script: Script, shows: Callable[[Script], bool], *, most: int = _MOST_TRIES) -> Script:
    """Return the smallest script found that still `shows` what the large one shows."""
    tries = _Tries(shows, most)
    script = _fewest_acts(script, tries)
    for candidates in (_fewer_options, _less_outcome, _simpler_amounts):
        found = True
        while found:
            smaller = next((one for one in candidates(script) if tries.shows(one)), None)
            found = smaller is not None
            script = smaller or script
    return _fewest_acts(script, tries)


def shown_again(
    play: Callable[[Script], Played], judge: Judge, difference: RoundDifference
) -> Callable[[Script], bool]:
    """Return whether a script, played again, shows the same difference and not only others."""

    def shows(script: Script) -> bool:
        try:
            played = play(script)
        except ValueError:
            # Nobody answered: what is known stays as it is.
            return False
        return any(same(one, difference) for one in judge.judge(script, played))

    return shows


def same(one: RoundDifference, other: RoundDifference) -> bool:
    """Return whether two differences are the same, each in its own script."""
    return (
        one.manner is other.manner
        and one.constraint == other.constraint
        # A derivation may be told more shortly of a simpler outcome; where it begins it stays.
        and one.provisions[:1] == other.provisions[:1]
        and one.consequence <= other.consequence
    )


def _with(script: Script, acts: list[dict[str, Any]]) -> Script:
    return msgspec.structs.replace(script, acts=acts)


def _fewest_acts(script: Script, tries: _Tries) -> Script:
    size = max(1, len(script.acts) // 2)
    while True:
        spared = _spared(script, size, tries)
        if spared is not None:
            script = spared
        elif size == 1:
            return script
        else:
            size //= 2


def _spared(script: Script, size: int, tries: _Tries) -> Script | None:
    """Return a script without some acts in a row, the last ones first."""
    for end in range(len(script.acts), 0, -size):
        acts = script.acts[: max(0, end - size)] + script.acts[end:]
        smaller = _with(script, acts)
        if acts and tries.shows(smaller):
            return smaller
    return None


def _fewer_options(script: Script) -> Iterator[Script]:
    if script.options:
        yield msgspec.structs.replace(script, options={})
    for name in script.options:
        left = {one: value for one, value in script.options.items() if one != name}
        yield msgspec.structs.replace(script, options=left)


def _less_outcome(script: Script) -> Iterator[Script]:
    for at, act in enumerate(script.acts):
        if act["act"] == FORCE:
            for outcome in _smaller(act["outcome"]):
                forced = {**act, "outcome": outcome}
                yield _with(script, [*script.acts[:at], forced, *script.acts[at + 1 :]])


def _smaller(outcome: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield outcomes that show less: fewer throws, fewer hands, dice that all lie flat."""
    if THROWS in outcome:
        throws = outcome[THROWS]
        yield from ({THROWS: throws[:at] + throws[at + 1 :]} for at in range(len(throws)) if at)
        return
    for name, value in outcome.items():
        if isinstance(value, dict):
            for hand in value:
                left = {one: cards for one, cards in value.items() if one != hand}
                yield {**outcome, name: left}
        elif name == "lying":
            yield {one: shown for one, shown in outcome.items() if one != name}


def _simpler_amounts(script: Script) -> Iterator[Script]:
    """Yield scripts with plainer stakes: all of them at once, or one."""
    changed = [_plainer(act) for act in script.acts]
    if changed != script.acts:
        yield _with(script, changed)
    for at, act in enumerate(script.acts):
        if changed[at] != act:
            yield _with(script, [*script.acts[:at], changed[at], *script.acts[at + 1 :]])


def _plainer(act: dict[str, Any]) -> dict[str, Any]:
    return {
        name: STAKE if name in _AMOUNTS and isinstance(value, int) and value > STAKE else value
        for name, value in act.items()
    }
