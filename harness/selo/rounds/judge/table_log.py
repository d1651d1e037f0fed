"""Builds the log of a table from the answers of a vendor.

An act of the game stands in the log as an event with its answer, before the events it caused. An
act about a bet that is not on the table is left out unless it was accepted: a table cannot grant
the withdrawal of a bet that was refused or withdrawn before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from selo.law.files.events_file import EventOrigin, ValueKind
from selo.rounds.script import PLAYER, STEERING_ACTS
from selo.rounds.table_player import OPENING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law.files.events_file import EventsFile
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.table_values import Outcome


ACCEPTED: Final = "accepted"
_TICKET: Final = "ticket"
_STAKE: Final = "stake"
_TO: Final = "to"
_WITHDRAW: Final = "withdraw-bet"
_DICE: Final = "dice"
_LYING: Final = "lying"


@dataclass(frozen=True, slots=True)
class TableLog:
    """The events of a table, and for each the place of the act that caused it."""

    events: list[dict[str, Any]] = field(default_factory=list)
    acts: list[int] = field(default_factory=list)
    #: Acts that the vendor could not read although their bet is on the table.
    unread: list[int] = field(default_factory=list)

    def add(self, act: int, *events: Mapping[str, Any]) -> None:
        """Append the events of an act."""
        self.events.extend(dict(event) for event in events)
        self.acts.extend(act for _ in events)

    def last_dice(self, before: int) -> Outcome:
        """Return the last dice, and their positions, before an event."""
        for event in reversed(self.events[:before]):
            if _DICE in event:
                parts = {name: event[name] for name in (_DICE, _LYING) if name in event}
                return cast("Outcome", parts)
        return {}


class ActEvents:
    """Converts acts of a game to events, with the fields that its events file defines."""

    def __init__(self, file: EventsFile) -> None:
        self._fields = {
            event.id: {*event.fields, *event.optional}
            for event in file.events
            if event.by is EventOrigin.ACT
        }
        self._texts = {
            field.id: field.values for field in file.fields if field.kind is ValueKind.TEXT
        }

    def event(self, act: Mapping[str, Any]) -> dict[str, Any]:
        """Return an act as an event."""
        known = self._fields.get(act["act"], set())
        return {"event": act["act"]} | {
            name: value for name, value in act.items() if name in known and self._fits(name, value)
        }

    def _fits(self, name: str, value: Any) -> bool:
        """Return whether an event can hold a value: some bets choose a figure, others a number."""
        if name not in self._texts:
            return True
        return isinstance(value, str) and (not self._texts[name] or value in self._texts[name])


def build_log(script: Script, played: PlayedScript, file: EventsFile) -> TableLog:
    """Return the log of a played script."""
    log = TableLog()
    acts = ActEvents(file)
    bets = _BetsOnTable()
    log.add(OPENING, *played.opened)
    for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
        if act["act"] in STEERING_ACTS:
            log.add(at, *answer["events"])
            continue
        moot = bets.is_moot(act)
        if "error" in answer:
            log.unread.extend([] if moot else [at])
            continue
        accepted = answer["answer"] == ACCEPTED
        if accepted or not moot:
            log.add(at, {**acts.event(act), "answer": answer["answer"]})
        log.add(at, *answer["events"])
        if accepted:
            bets.take(act)
    log.add(len(script.acts), *(played.closed or []))
    return log


class _BetsOnTable:
    """The bets that were accepted and not withdrawn, by ticket, or by place and bet."""

    def __init__(self) -> None:
        self._marks: set[Any] = set()

    def is_moot(self, act: Mapping[str, Any]) -> bool:
        """Return whether an act concerns a bet that is not on the table."""
        base = act.get(_TO)
        if is_stake_placement(act):
            return isinstance(base, str) and base not in self._marks
        mark = _bet_mark(act)
        return mark is not None and mark not in self._marks

    def take(self, act: Mapping[str, Any]) -> None:
        """Record an accepted act."""
        if is_stake_placement(act):
            self._marks |= {act.get(_TICKET), (act.get("place"), act.get("bet"))}
        elif act["act"] == _WITHDRAW:
            self._marks.discard(_bet_mark(act))


def is_stake_placement(act: Mapping[str, Any]) -> bool:
    """Return whether an act places a new stake."""
    return _STAKE in act and PLAYER in act


def _bet_mark(act: Mapping[str, Any]) -> Any:
    if _TICKET in act:
        return act[_TICKET]
    return (act["place"], act["bet"]) if "place" in act and "bet" in act else None
