"""Shrinks a script that shows a difference.

1. Outcomes that the vendor drew itself are forced as they showed: a script that depends on the
   vendor's dice would not be reproducible.
2. Everything after the difference is removed; then the acts of other bets, whole rounds, and throws
   with the acts that cause them; then runs of acts, in halves first and single acts last.
3. Options are removed.
4. Outcomes are simplified, and stakes are set to the default.

Every candidate is played again, so the shrunk script is proven to show the difference.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.cases.group import STAKE
from selo.law.files.events_file import EventRole
from selo.protocol.schema import FORCE, GO_ON
from selo.rounds.judge import Manner
from selo.rounds.script import THROWS
from selo.rules.equipment.plain_dice import split_throw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.rounds.judge import RoundDifference, RoundJudge
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.table_values import Outcome

_MAX_TRIES: Final = 500
_AMOUNTS: Final = ("stake", "to")
_TICKET: Final = "ticket"
_TO: Final = "to"


class _ScriptTries:
    """Tries candidates and caches the results; after the last try every candidate fails."""

    def __init__(self, shows: Callable[[Script], bool], most: int) -> None:
        self._shows, self._left = shows, most
        self._known: dict[str, bool] = {}

    def shows(self, script: Script) -> bool:
        if not script.acts:
            return False
        if script.key not in self._known:
            if self._left <= 0:
                return False
            self._left -= 1
            self._known[script.key] = self._shows(script)
        return self._known[script.key]

    def smaller(self, script: Script, candidates: Callable[[Script], Iterable[Script]]) -> Script:
        """Replace a script by candidates that still show the difference, until none does."""
        while True:
            smaller = next(
                (candidate for candidate in candidates(script) if self.shows(candidate)), None
            )
            if smaller is None:
                return script
            script = smaller


def shrink_script(
    script: Script,
    shows: Callable[[Script], bool],
    *,
    most: int = _MAX_TRIES,
    about: RoundDifference | None = None,
) -> Script:
    """Return the smallest script found that still `shows` the difference."""
    tries = _ScriptTries(shows, most)
    if about is not None:
        script = next(filter(tries.shows, _without_unrelated_acts(script, about)), script)
    for candidates in (_fewer_bets, _fewer_rounds, _fewer_throws):
        script = tries.smaller(script, candidates)
    script = _fewest_acts(script, tries)
    for candidates in (_fewer_throws, _fewer_options, _less_outcome, _simpler_amounts):
        script = tries.smaller(script, candidates)
    return _fewest_acts(script, tries)


def reproduction_check(
    play: Callable[[Script], PlayedScript], judge: RoundJudge, difference: RoundDifference
) -> Callable[[Script], bool]:
    """Return a predicate: whether a script, played again, shows the same difference.

    The difference must not depend on an outcome that the vendor drew before it, and not on the
    steps with which a table finishes when it is closed: nobody sees what it draws there.
    """

    def shows(script: Script) -> bool:
        try:
            played = play(script)
        except ValueError:
            # Without an answer the candidate shows nothing.
            return False
        shown = [
            candidate
            for candidate in judge.judge(script, played)
            if is_same_difference(candidate, difference)
            and (candidate.act < len(script.acts) or candidate.manner is Manner.MISSING)
        ]
        drawn = [act for act, _ in judge.vendor_draws(script, played)] if shown else []
        return bool(shown) and all(act > shown[0].act for act in drawn)

    return shows


def is_same_difference(candidate: RoundDifference, original: RoundDifference) -> bool:
    """Return whether two differences, each in its own script, are the same."""
    return (
        candidate.manner is original.manner
        and candidate.constraint == original.constraint
        # A simpler outcome may have a shorter derivation, which begins with the same provision.
        and candidate.provisions[:1] == original.provisions[:1]
        and candidate.consequence <= original.consequence
    )


def force_drawn_outcomes(script: Script, played: PlayedScript, judge: RoundJudge) -> Script:
    """Return a script in which the outcomes that the vendor drew are forced."""
    drawn = {
        at: outcome for at, outcome in judge.vendor_draws(script, played) if outcome is not None
    }
    file = judge.procedures(script.game).of(script.options).file
    # Where betting opens with the outcome settled, the dice lie under the cover meanwhile.
    shaken = any(event.fixes_outcome and event.role is EventRole.OPENS for event in file.events)
    acts: list[dict[str, Any]] = []
    #: Where to force the next outcome: shaken dice must be forced before the last outcome shows.
    place = 0
    for at, act in enumerate(script.acts):
        if at in drawn:
            acts.insert(place, {"act": FORCE, "outcome": drawn[at]})
        before = len(acts)
        acts.append(act)
        if at < len(played.answers) and played.answers[at].get("outcome") is not None:
            place = before if shaken else len(acts)
    return _with_acts(script, acts)


def _with_acts(script: Script, acts: list[dict[str, Any]]) -> Script:
    return msgspec.structs.replace(script, acts=acts)


def _without_unrelated_acts(script: Script, about: RoundDifference) -> Iterator[Script]:
    """Yield the script without later acts, and without the acts of other bets."""
    shorter = script.acts[: max(0, about.act) + 1]
    if about.ticket:
        wanted, grown = {about.ticket}, 0
        while grown != len(wanted):
            grown = len(wanted)
            wanted |= {act[_TO] for act in shorter if act.get(_TICKET) in wanted and _TO in act}
        alone = [act for act in shorter if act.get(_TICKET, about.ticket) in wanted]
        yield _with_acts(script, alone)
    if len(shorter) < len(script.acts):
        yield _with_acts(script, shorter)


def _fewer_bets(script: Script) -> Iterator[Script]:
    """Yield the script without the acts of one bet."""
    for ticket in dict.fromkeys(act[_TICKET] for act in script.acts if _TICKET in act):
        yield _with_acts(
            script,
            [act for act in script.acts if ticket not in {act.get(_TICKET), act.get(_TO)}],
        )


def _fewer_rounds(script: Script) -> Iterator[Script]:
    """Yield the script without the acts from one forced outcome to the next."""
    forced = [at for at, act in enumerate(script.acts) if act["act"] == FORCE]
    for start, end in pairwise([*forced, len(script.acts)]):
        if end - start < len(script.acts):
            yield _with_acts(script, script.acts[:start] + script.acts[end:])


def _fewer_throws(script: Script) -> Iterator[Script]:
    """Yield the script without one throw and the act that causes it."""
    going = [at for at, act in enumerate(script.acts) if act == {"act": GO_ON}]
    throws = [
        (at, place)
        for at, act in enumerate(script.acts)
        if act["act"] == FORCE
        for place in range(len(act["outcome"].get(THROWS, [])))
    ]
    for number, (at, place) in reversed([*enumerate(throws)]):
        acts: list[dict[str, Any]] = []
        for each, act in enumerate(script.acts):
            if each == at:
                known = act["outcome"][THROWS]
                left = known[:place] + known[place + 1 :]
                acts += [{**act, "outcome": {THROWS: left}}] if left else []
            elif each not in going[number : number + 1]:
                acts.append(act)
        yield _with_acts(script, acts)


def _fewest_acts(script: Script, tries: _ScriptTries) -> Script:
    size = max(1, len(script.acts) // 2)
    while True:
        fewer = _drop_runs(script, size, tries)
        if size == 1 and fewer is script:
            return script
        script, size = fewer, max(1, size // 2)


def _drop_runs(script: Script, size: int, tries: _ScriptTries) -> Script:
    """Return a script without the runs of `size` acts that can be dropped, last first."""
    end = len(script.acts)
    while end > 0:
        smaller = _with_acts(script, script.acts[: max(0, end - size)] + script.acts[end:])
        script = smaller if tries.shows(smaller) else script
        end -= size
    return script


def _fewer_options(script: Script) -> Iterator[Script]:
    if script.options:
        yield msgspec.structs.replace(script, options={})
    for name in script.options:
        left = {key: value for key, value in script.options.items() if key != name}
        yield msgspec.structs.replace(script, options=left)


def _less_outcome(script: Script) -> Iterator[Script]:
    for at, act in enumerate(script.acts):
        if act["act"] == FORCE:
            for outcome in _simpler_outcomes(act["outcome"]):
                forced = {**act, "outcome": outcome}
                yield _with_acts(script, [*script.acts[:at], forced, *script.acts[at + 1 :]])


def _simpler_outcomes(outcome: Outcome) -> Iterator[Outcome]:
    """Yield simpler outcomes: fewer throws, fewer hands, dice that all lie flat."""
    if THROWS in outcome:
        throws = outcome[THROWS]
        for at in range(1, len(throws)):
            yield {THROWS: [*throws[:at], *throws[at + 1 :]]}
        for at, throw in enumerate(throws):
            dice, _ = split_throw(throw)
            if len(dice) < len(throw):
                yield {THROWS: [*throws[:at], dice, *throws[at + 1 :]]}
        return
    for name, value in outcome.items():
        if isinstance(value, dict):
            for hand in value:
                left = {owner: cards for owner, cards in value.items() if owner != hand}
                yield cast("Outcome", {**outcome, name: left})
        elif name == "lying":
            flat = {key: shown for key, shown in outcome.items() if key != name}
            yield cast("Outcome", flat)


def _simpler_amounts(script: Script) -> Iterator[Script]:
    """Yield scripts with default stakes: in all acts, or in one."""
    changed = [_with_default_stake(act) for act in script.acts]
    if changed != script.acts:
        yield _with_acts(script, changed)
    for at, act in enumerate(script.acts):
        if changed[at] != act:
            yield _with_acts(script, [*script.acts[:at], changed[at], *script.acts[at + 1 :]])


def _with_default_stake(act: dict[str, Any]) -> dict[str, Any]:
    return {
        name: STAKE if name in _AMOUNTS and isinstance(value, int) and value > STAKE else value
        for name, value in act.items()
    }
