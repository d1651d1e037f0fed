"""Builds the log of a table from the answers of a vendor.

An act of the game stands in the log as an event with its answer, before the events it caused. An
act about a bet that is not on the table is left out unless it was accepted: a table cannot grant
the withdrawal of a bet that was refused or withdrawn before. What Selo knows of a bet that it
placed or of an event that it staged, a vendor need not repeat: the log adds it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from selo.law.files.events_file import EventOrigin, EventRole, ValueKind
from selo.protocol.schema import GO_ON, HAPPEN
from selo.rounds.script import PLAYER, STEERING_ACTS
from selo.rounds.table_player import OPENING
from selo.rules.equipment.piece_set import LYING, PIECE_FIELDS, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.law.files.events_file import EventsFile
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.table_values import Outcome


ACCEPTED: Final = "accepted"
_TICKET: Final = "ticket"
_STAKE: Final = "stake"
_TO: Final = "to"
_LOST: Final = "lose"
_GO_ON_FULLY: Final = {"act": GO_ON}


@dataclass(slots=True)
class TableLog:
    """The events of a table, and for each the place of the act that caused it."""

    events: list[dict[str, Any]] = field(default_factory=list)
    acts: list[int] = field(default_factory=list)
    #: Acts that the vendor could not read although their bet is on the table.
    unread: list[int] = field(default_factory=list)
    #: The places of acts about a bet that was decided before and does not lie there any more.
    decided: set[int] = field(default_factory=set)
    #: The places of stakes that repeat a bet of the same player that still lies there.
    repeated: set[int] = field(default_factory=set)
    #: The places of acts about a bet, or a choice of it, that the law does not have.
    unknown: set[int] = field(default_factory=set)
    #: The last act that let the table go on as far as it can, if a bet lay there and nothing
    #: happened, then or later.
    stall: int | None = None

    def add(self, act: int, *events: Mapping[str, Any]) -> None:
        """Append the events of an act."""
        self.events.extend(dict(event) for event in events)
        self.acts.extend(act for _ in events)

    def events_before_stall(self) -> list[dict[str, Any]]:
        """Return what was logged before the table stalled; nothing if it did not."""
        at = OPENING if self.stall is None else self.stall
        return [event for event, act in zip(self.events, self.acts, strict=True) if act < at]

    def last_faces(self, before: int) -> Outcome:
        """Return the faces that pieces showed last, and their positions, before an event."""
        for event in reversed(self.events[:before]):
            if pieces_of(event) is not None:
                parts = {name: event[name] for name in (*PIECE_FIELDS, LYING) if name in event}
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
    acts, known = ActEvents(file), _KnownFields(file)
    bets, voids = _BetsOnTable(file), file.name_of(EventRole.VOIDS)
    log.add(OPENING, *played.opened)
    for at, (act, answer) in enumerate(zip(script.acts, played.answers, strict=False)):
        if act["act"] in STEERING_ACTS:
            known.take(act)
        elif "error" in answer:
            log.unread.extend([] if bets.is_moot(act) or bets.is_decided(act) else [at])
            continue
        else:
            moot = bets.is_moot(act)
            accepted = answer["answer"] == ACCEPTED
            if accepted or not moot:
                log.decided |= {len(log.events)} if bets.is_decided(act) else set()
                log.repeated |= {len(log.events)} if bets.is_repeated(act) else set()
                log.add(at, {**acts.event(act), "answer": answer["answer"]})
            if accepted:
                known.take(act)
                bets.take(act)
        log.add(at, *map(known.complete, answer["events"]))
        if answer["events"]:
            log.stall = None
        elif act == _GO_ON_FULLY:
            log.stall = at if bets.any_lies else None
        bets.settle(answer.get("settlements", ()))
        if any(event["event"] == voids for event in answer["events"]):
            bets.clear()
    closing = played.closed or []
    log.add(len(script.acts), *map(known.complete, closing))
    log.stall = None if closing else log.stall
    return log


class _BetsOnTable:
    """The bets that were accepted and not withdrawn, by ticket, or by place and bet."""

    def __init__(self, file: EventsFile) -> None:
        self._withdraws = file.name_of(EventRole.WITHDRAWS)
        self._marks: set[Any] = set()
        self._decided: set[Any] = set()
        self._spots: dict[str, Any] = {}
        #: What each stake that may still lie there was placed on, by its ticket.
        self._likes: dict[Any, dict[str, Any]] = {}

    @property
    def any_lies(self) -> bool:
        """Whether some bet lies on the table."""
        return any(
            {ticket, spot} <= self._marks and ticket not in self._decided
            for ticket, spot in self._spots.items()
        )

    def is_moot(self, act: Mapping[str, Any]) -> bool:
        """Return whether an act concerns a bet that is not on the table."""
        base = act.get(_TO)
        if is_stake_placement(act):
            return isinstance(base, str) and base not in self._marks
        mark = _bet_mark(act)
        return mark is not None and mark not in self._marks

    def is_decided(self, act: Mapping[str, Any]) -> bool:
        """Return whether an act concerns a bet whose stake was collected or given back."""
        return not is_stake_placement(act) and _bet_mark(act) in self._decided

    def is_repeated(self, act: Mapping[str, Any]) -> bool:
        """Return whether an act stakes again on what its player has staked on already."""
        return is_stake_placement(act) and _bet_alike(act) in self._likes.values()

    def clear(self) -> None:
        """Forget every bet: a void round leaves none."""
        self._likes.clear()

    def take(self, act: Mapping[str, Any]) -> None:
        """Record an accepted act."""
        if is_stake_placement(act):
            self._likes[act.get(_TICKET, len(self._likes))] = _bet_alike(act)
            spot = (act.get("place"), act.get("bet"))
            self._marks |= {act.get(_TICKET), spot}
            self._decided -= {act.get(_TICKET), spot}
            if isinstance(act.get(_TICKET), str):
                self._spots[act[_TICKET]] = spot
        elif act["act"] == self._withdraws:
            self._marks.discard(_bet_mark(act))
        if not {_TO, _STAKE} & act.keys():
            # Withdrawn, or moved to where nobody can say.
            self._lift(act)

    def _lift(self, act: Mapping[str, Any]) -> None:
        """Forget what the stake that an act names was placed on."""
        named = {name: act[name] for name in ("place", "bet") if name in act}
        for ticket, like in [*self._likes.items()]:
            if (
                ticket == act[_TICKET]
                if _TICKET in act
                else named and named.items() <= like.items()
            ):
                del self._likes[ticket]

    def settle(self, settlements: Iterable[Mapping[str, Any]]) -> None:
        """Record what became of bets; a stake that is neither lost nor given back still lies."""
        for settlement in settlements:
            if settlement["result"] == _LOST or settlement.get(_STAKE):
                ticket = settlement[_TICKET]
                self._decided |= {ticket, self._spots.get(ticket, ticket)}
                self._likes.pop(ticket, None)


class _KnownFields:
    """What Selo knows of the events of a table beforehand, by what it asked for."""

    def __init__(self, file: EventsFile) -> None:
        self._optional = {
            event.id: event.optional
            for event in file.events
            if event.by is EventOrigin.TABLE and event.optional
        }
        self._placements: dict[str, Mapping[str, Any]] = {}
        self._staged: list[Mapping[str, Any]] = []

    def take(self, act: Mapping[str, Any]) -> None:
        """Record an accepted act."""
        if act["act"] == HAPPEN:
            self._staged.append(act["event"])
        elif is_stake_placement(act) and isinstance(act.get(_TICKET), str):
            self._placements[act[_TICKET]] = act

    def complete(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an event with the optional fields that it leaves out and Selo knows."""
        left_out = [name for name in self._optional.get(event["event"], ()) if name not in event]
        if not left_out:
            return event
        source = self._placements.get(event.get(_TICKET, ""), {})
        for staged in self._staged if not source else ():
            if all(staged.get(name) == value for name, value in event.items()):
                source = staged
                break
        return event | {name: source[name] for name in left_out if name in source}


def is_stake_placement(act: Mapping[str, Any]) -> bool:
    """Return whether an act places a new stake."""
    return _STAKE in act and PLAYER in act


def _bet_alike(act: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a stake is placed on, and by whom; not how much, and not its ticket."""
    return {name: value for name, value in act.items() if name not in {_TICKET, _STAKE}}


def _bet_mark(act: Mapping[str, Any]) -> Any:
    if _TICKET in act:
        return act[_TICKET]
    return (act["place"], act["bet"]) if "place" in act and "bet" in act else None
