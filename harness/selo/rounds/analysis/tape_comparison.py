"""Compares a free round with the same round forced, and with the same bets as plain cases.

1. The outcomes that a table drew are forced at another one, with the same acts
   (`force_drawn_outcomes`). Answers, outcomes, settlements and events must be the same, by act.
2. What each outcome decided is a case: `settle` must answer as the table did.

Events of one act are compared whatever their order, which the law of the game judges. People and
equipment may do something at one table and not at the other (a white card appears): what follows it
is not compared but for outcomes and settlements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.cases.oracle.told_settlement import net_amount
from selo.protocol.schema import FORCE
from selo.rounds.script import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript

_LYING: Final = "lying"
_FLAT: Final = "flat"


class TapeDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first thing that a table does differently when its outcome is forced, or as a case."""

    #: The place of the act in the free script.
    act: int
    part: str
    free: Any
    forced: Any
    ticket: str = ""


class VaryingEvents(NamedTuple):
    """What varies at a table although the outcome is the same: fields of events, and events."""

    fields: frozenset[str]
    events: frozenset[str]


def compare_with_forced(
    free: PlayedScript,
    script: Script,
    forced: PlayedScript,
    *,
    unforced: int | None,
    varying: VaryingEvents,
) -> TapeDifference | None:
    """Return the first difference between a free round and the same round forced.

    `script` is the forced one, `unforced` the first act of the free one whose outcome nobody knows.
    """
    answers = [
        answer
        for act, answer in zip(script.acts, forced.answers, strict=False)
        if act["act"] != FORCE
    ]
    with_events = True
    for at, (one, other) in enumerate(zip(free.answers, answers, strict=False)):
        if unforced is not None and at >= unforced:
            return None
        for part in ("answer", "outcome", "settlements"):
            first, second = (_normal(part, answer) for answer in (one, other))
            if first != second:
                return TapeDifference(act=at, part=part, free=first, forced=second)
        events = [_events(answer, varying.fields) for answer in (one, other)]
        staged = [[event for event in of if _name(event) in varying.events] for of in events]
        with_events = with_events and staged[0] == staged[1]
        if with_events and events[0] != events[1]:
            only = [
                [
                    msgspec.json.decode(event)
                    for event in _without(events[number], events[1 - number])
                ]
                for number in (0, 1)
            ]
            return TapeDifference(act=at, part="events", free=only[0], forced=only[1])
    return None


def compare_with_cases(
    settled: Sequence[tuple[int, Mapping[int, tuple[str, Mapping[str, Any]]]]],
    answers: Sequence[Mapping[str, Any]],
) -> TapeDifference | None:
    """Return the first bet that a table settled otherwise than the same bet as a case.

    For each case `settled` has the act that decided it, and the ticket and the settlement of each
    bet that the table settled then, by its place in the case.
    """
    for (act, bets), answer in zip(settled, answers, strict=False):
        for place, (ticket, live) in bets.items():
            told = answer.get("settlements", ())
            if place >= len(told):
                continue
            case = dict(told[place])
            own = {name: _told(name, live) for name in case}
            if own != case:
                return TapeDifference(act=act, part="case", free=own, forced=case, ticket=ticket)
    return None


def _told(name: str, settlement: Mapping[str, Any]) -> Any:
    """Return a part of a settlement as an answer to a case tells it."""
    if name != "net":
        return settlement.get(name)
    return net_amount(settlement, settlement["staked"])


def _normal(part: str, answer: Mapping[str, Any]) -> Any:
    """Return a part of an answer in a form in which order does not matter."""
    value = answer.get(part)
    if part == "settlements":
        return sorted(value or (), key=canonical_bytes)
    if part == "outcome":
        return _sorted_hands(value)
    return "error" if "error" in answer else value


def _sorted_hands(outcome: Any) -> Any:
    """Return an outcome with each hand in order; flat dice need not be told."""
    if isinstance(outcome, dict):
        return {
            name: _sorted_hands(value)
            for name, value in outcome.items()
            if value and not (name == _LYING and set(value) == {_FLAT})
        }
    if isinstance(outcome, list) and not any(isinstance(one, list) for one in outcome):
        return sorted(outcome, key=str)
    return [_sorted_hands(one) for one in outcome] if isinstance(outcome, list) else outcome


def _events(answer: Mapping[str, Any], varying: Collection[str]) -> list[bytes]:
    """Return the events of an answer, whatever their order, without fields that vary."""
    return sorted(
        canonical_bytes(
            {name: _sorted_hands(value) for name, value in event.items() if name not in varying}
        )
        for event in answer.get("events", ())
    )


def _name(event: bytes) -> str:
    return str(msgspec.json.decode(event)["event"])


def _without(events: list[bytes], others: list[bytes]) -> Iterator[bytes]:
    """Yield the events that the others lack."""
    left = list(others)
    for event in events:
        if event in left:
            left.remove(event)
        else:
            yield event
