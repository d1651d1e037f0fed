"""Marks knock-on effects: differences at a table that may follow from an earlier one.

A log is judged to its end, by the events that happened. A difference is a knock-on effect if

1. it breaks the same step or settles the same bet wrongly again, unless it is less open;
2. it breaks only the protocol, or something is missing where the table does not go on;
3. it breaks a step that mentions an event which came wrongly or did not come, or that concerns a
   bet, seat or place about which an act was answered wrongly;
4. it is a settlement that concerns the same bet, seat or place as an earlier difference. A wrong
   result may change what the table does next; a wrong amount does not;
5. the earlier difference is lawful under some reading. Then only (2) applies, and differences that
   are open as well and concern the same bet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.rounds.judge.round_difference import Manner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.rounds.judge.round_difference import RoundDifference
    from selo.rounds.script import Script
    from selo.rules.procedure import Procedure

#: Fields by which an event, an act or a settlement identifies its bet.
_MARKS: Final = ("ticket", "place", "seat")
_TICKET: Final = "ticket"
_TO: Final = "to"
_RESULT: Final = "result"
#: Kinds of steps that another event breaks by coming too early or instead.
_BROKEN_BY_OTHER_EVENT: Final = frozenset({"precedes", "directly"})
#: Settlement differences that can be judged whatever else happened.
_JUDGEABLE_ALONE: Final = frozenset({Manner.SETTLEMENT, Manner.ACCEPTED})

#: Wrong answers to acts.
_WRONG_ANSWERS: Final = frozenset({Manner.ACCEPTED, Manner.REFUSED})


class KnockOnMarker:
    """Marks the knock-on effects at one table."""

    def __init__(self, procedure: Procedure, script: Script, *, throwing: bool) -> None:
        self._steps = {constraint.key: constraint for constraint in procedure.constraints}
        self._events_by_name: dict[str, frozenset[str]] = {}
        for constraint in procedure.constraints:
            if constraint.called is not None:
                known = self._events_by_name.get(constraint.called, frozenset())
                self._events_by_name[constraint.called] = known | constraint.events
        self._about_bets = {
            event.id
            for event in procedure.file.events
            if {*event.fields, *event.optional} & {*_MARKS, _RESULT}
        }
        self._placements = {
            act[_TICKET]: act for act in script.acts if _TICKET in act and "stake" in act
        }
        self._throwing = throwing

    def mark(self, differences: Iterable[RoundDifference]) -> list[RoundDifference]:
        """Return the differences of a table in order, with knock-on effects marked."""
        before: list[RoundDifference] = []
        own: list[RoundDifference] = []
        marked: list[RoundDifference] = []
        left = list(differences)
        while left:
            same_act = [difference for difference in left if difference.act == left[0].act]
            left = left[len(same_act) :]
            any_unlawful = any(not difference.lawless for difference in same_act)
            for difference in same_act:
                follows = (
                    (any_unlawful and difference.lawless)
                    or _repeats_earlier(difference, own)
                    or any(self._follows(difference, first) for first in before)
                )
                if not follows:
                    own.append(difference)
                marked.append(msgspec.structs.replace(difference, consequence=follows))
            before += same_act
        return marked

    def _follows(self, later: RoundDifference, first: RoundDifference) -> bool:
        """Return whether a later difference may follow from an earlier one."""
        if later.lawless or later.manner is Manner.MISSING:
            return True
        if first.open:
            return later.open and not self._marks(later).isdisjoint(self._marks(first))
        if first.lawless:
            # An unreadable event may be the one that is missed.
            unclear = first.manner is Manner.EVENT and bool(later.constraint)
            return unclear or first.manner is Manner.UNREAD
        return (
            self._step_follows(later, first)
            if later.constraint
            else self._settlement_follows(later, first)
        )

    def _step_follows(self, later: RoundDifference, first: RoundDifference) -> bool:
        spoken = self._with_named_events(self._steps[later.constraint].mentioned)
        if first.constraint:
            return not self._disturbed_events(first).isdisjoint(spoken) or self._depends_on_bet(
                later, first
            )
        if not _has_other_result(first):
            return False
        if self._throwing or self._marks(later) & self._marks(first):
            return True
        return not self._marks(later) and not self._about_bets.isdisjoint(spoken)

    def _depends_on_bet(self, later: RoundDifference, first: RoundDifference) -> bool:
        """Return whether a step concerns a bet about which an act was answered wrongly."""
        marks, bets = self._marks(later), self._marks(first)
        if first.manner not in _WRONG_ANSWERS or not bets:
            return False
        each = {*self._steps[later.constraint].same}
        return bool(marks & bets if marks else each & {name for name, _ in bets})

    def _settlement_follows(self, later: RoundDifference, first: RoundDifference) -> bool:
        if later.manner not in _JUDGEABLE_ALONE or self._marks(later) & self._marks(first):
            return True
        # Whether a throw sets or decides a point affects other bets, too.
        return self._throwing and not first.constraint and _has_other_result(first)

    def _disturbed_events(self, difference: RoundDifference) -> frozenset[str]:
        """Return the events that came wrongly or did not come."""
        step = self._steps[difference.constraint]
        wrong = self._with_named_events(step.events)
        if step.kind in _BROKEN_BY_OTHER_EVENT and "event" in difference.observed:
            wrong |= {str(difference.observed["event"])}
        return wrong

    def _with_named_events(self, names: frozenset[str]) -> frozenset[str]:
        """Return names, and the events to which the law gives these names."""
        events: frozenset[str] = frozenset()
        while names - events:
            events |= names
            names = events.union(*(self._events_by_name.get(name, frozenset()) for name in names))
        return events

    def _marks(self, difference: RoundDifference) -> set[tuple[str, Any]]:
        """Return the bets, seats and places that a difference concerns."""
        marks = _marks_in(difference.observed) if difference.constraint else set()
        if difference.ticket:
            marks.add((_TICKET, difference.ticket))
        for _, ticket in [mark for mark in marks if mark[0] == _TICKET]:
            placement = self._placements.get(ticket, {})
            marks |= _marks_in(placement)
            if _TO in placement:
                marks.add((_TICKET, placement[_TO]))
        return marks


def _marks_in(plain: Mapping[str, Any]) -> set[tuple[str, Any]]:
    return {(name, plain[name]) for name in _MARKS if name in plain}


def _has_other_result(difference: RoundDifference) -> bool:
    return difference.expected.get(_RESULT) != difference.observed.get(_RESULT)


def _repeats_earlier(difference: RoundDifference, own: list[RoundDifference]) -> bool:
    """Return whether an earlier difference is of the same kind."""
    return not difference.lawless and any(
        earlier.provisions == difference.provisions
        and earlier.manner is difference.manner
        and (
            earlier.act == difference.act
            or (earlier.constraint, earlier.bet) == (difference.constraint, difference.bet)
        )
        and (earlier.readings, earlier.against)
        in {((), ()), (difference.readings, difference.against)}
        for earlier in own
    )
