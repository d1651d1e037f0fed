"""What of a table is a fault of its own, and what may follow from something that was wrong before.

A log is judged to its end, by what happened and not by what should have. Of what is found,

1. what breaks the same step or pays the same bet wrongly again says nothing more, unless it is less
   open;
2. what only the protocol asks for may follow from anything, and so may what is missing when the
   table closes: a script ends where a table that keeps the law comes to its end;
3. a step may follow from another if both speak of an event that came wrongly, or did not come, or
   if it is about a bet, seat or place of which something was accepted or refused wrongly;
4. money may follow from what went wrong about the same bet, seat or place. A result that is another
   than the law's may change what a table does next; an amount does not;
5. what some reading of the law allows disturbs nothing besides (2): under that reading all is well.
   Only what is as open, and about the same bet, may be a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.rounds.judge.round_difference import Manner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.rounds.judge.round_difference import RoundDifference
    from selo.rounds.script import Script
    from selo.rules.procedure.round_order import Procedure

#: By these an event, an act or a settlement tells which bet it is about.
_MARKS: Final = ("ticket", "place", "seat")
_TICKET: Final = "ticket"
_TO: Final = "to"
_RESULT: Final = "result"
#: Steps that are broken by what comes too early, or comes instead.
_BROKEN_BY_OTHER_EVENT: Final = frozenset({"precedes", "directly"})
#: What can be said of money whatever else happened: what a bet came to on an outcome that shows.
_JUDGEABLE_ALONE: Final = frozenset({Manner.SETTLEMENT, Manner.ACCEPTED})


#: An act was answered wrongly.
_WRONG_ANSWERS: Final = frozenset({Manner.ACCEPTED, Manner.REFUSED})


class KnockOnMarker:
    """Tells consequences from faults at one table."""

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
        self._laid = {act[_TICKET]: act for act in script.acts if _TICKET in act and "stake" in act}
        self._throwing = throwing

    def mark(self, found: Iterable[RoundDifference]) -> list[RoundDifference]:
        """Return what is found at a table in its order, with what may be a consequence marked."""
        before: list[RoundDifference] = []
        own: list[RoundDifference] = []
        told: list[RoundDifference] = []
        some = list(found)
        while some:
            act = [one for one in some if one.act == some[0].act]
            some = some[len(act) :]
            lawful = any(not one.lawless for one in act)
            for one in act:
                follows = (
                    (lawful and one.lawless)
                    or _repeats_earlier(one, own)
                    or any(self._follows(one, first) for first in before)
                )
                if not follows:
                    own.append(one)
                told.append(msgspec.structs.replace(one, consequence=follows))
            before += act
        return told

    def _follows(self, later: RoundDifference, first: RoundDifference) -> bool:
        """Return whether what is found later may follow from what was found before it."""
        if later.lawless or later.manner is Manner.MISSING:
            return True
        if first.open:
            return later.open and not self._marks(later).isdisjoint(self._marks(first))
        if first.lawless:
            # What could not be read may be just what is missed.
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
        """Return whether a bet was taken, changed or refused wrongly on which a step hangs."""
        marks, bets = self._marks(later), self._marks(first)
        if first.manner not in _WRONG_ANSWERS or not bets:
            return False
        each = {*self._steps[later.constraint].same}
        return bool(marks & bets if marks else each & {name for name, _ in bets})

    def _settlement_follows(self, later: RoundDifference, first: RoundDifference) -> bool:
        if later.manner not in _JUDGEABLE_ALONE or self._marks(later) & self._marks(first):
            return True
        # Whether a throw sets a point or decides one shows in what becomes of other bets, too.
        return self._throwing and not first.constraint and _has_other_result(first)

    def _disturbed_events(self, one: RoundDifference) -> frozenset[str]:
        """Return the events that came wrongly, or did not come."""
        step = self._steps[one.constraint]
        wrong = self._with_named_events(step.events)
        if step.kind in _BROKEN_BY_OTHER_EVENT and "event" in one.observed:
            wrong |= {str(one.observed["event"])}
        return wrong

    def _with_named_events(self, names: frozenset[str]) -> frozenset[str]:
        """Return names, and the events to which the law gives them."""
        found: frozenset[str] = frozenset()
        while names - found:
            found |= names
            names = found.union(*(self._events_by_name.get(name, frozenset()) for name in names))
        return found

    def _marks(self, one: RoundDifference) -> set[tuple[str, Any]]:
        """Return the bets, seats and places that something is about."""
        found = _marks_in(one.observed) if one.constraint else set()
        if one.ticket:
            found.add((_TICKET, one.ticket))
        for _, ticket in [mark for mark in found if mark[0] == _TICKET]:
            laid = self._laid.get(ticket, {})
            found |= _marks_in(laid)
            if _TO in laid:
                found.add((_TICKET, laid[_TO]))
        return found


def _marks_in(plain: Mapping[str, Any]) -> set[tuple[str, Any]]:
    return {(name, plain[name]) for name in _MARKS if name in plain}


def _has_other_result(one: RoundDifference) -> bool:
    return one.expected.get(_RESULT) != one.observed.get(_RESULT)


def _repeats_earlier(one: RoundDifference, own: list[RoundDifference]) -> bool:
    """Return whether what was told before says this as well."""
    return not one.lawless and any(
        other.provisions == one.provisions
        and other.manner is one.manner
        and (other.act == one.act or (other.constraint, other.bet) == (one.constraint, one.bet))
        and (other.readings, other.against) in {((), ()), (one.readings, one.against)}
        for other in own
    )
