"""Plays scripts at a vendor's tables: many tables at once, and at each one act after the other.

1. A number of tables are opened.
2. The first act of each is asked, then the second of each, and so on. A wave holds at most one act
   of a table, and the next wave is sent when all its answers are there: no act overtakes another,
   whatever order a vendor answers in.
3. The tables are closed. A table whose answer was no answer is asked nothing more before that.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol import messages as m
from selo.rounds.script import STEERING_ACTS
from selo.vendors.faults import AdapterFault, FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.rounds.script import Script
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


#: The place of what came before the first act.
OPENING: Final = -1
#: So many tables are open at once.
_MAX_OPEN_TABLES: Final = 128
_TABLE_NAME_BYTES: Final = 8
#: Errors that say that something is not offered, and not that something is wrong.
_NOT_OFFERED_ERRORS: Final = frozenset({m.CANNOT_FORCE, m.NOT_OFFERED})


class PlayedScript(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a vendor answered to a script, as it came; it holds all that is needed to judge it."""

    #: The events with which the table opened.
    opened: list[dict[str, Any]] = []
    #: One for each act that was asked: a result of ``table.act``, or an ``error``.
    answers: list[dict[str, Any]] = []
    #: The events with which it closed; nothing if it was not closed in order.
    closed: list[dict[str, Any]] | None = None
    #: What was no answer at all, after the place of the act it came to; -1 for the opening.
    faults: list[tuple[int, AdapterFault]] = []
    #: Why the vendor cannot play this script, by its own word.
    declined: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether every act was answered and the table closed."""
        return self.closed is not None and not self.faults and not self.declined


class OpenTable:
    """A table under way."""

    def __init__(self, script: Script, name: str = "") -> None:
        self.script = script
        # Opaque names: a vendor learns nothing from them.
        self.name = name or os.urandom(_TABLE_NAME_BYTES).hex()
        self.opened: list[dict[str, Any]] = []
        self.is_open = False
        self.stopped = False
        self.answers: list[dict[str, Any]] = []
        self.closed: list[dict[str, Any]] | None = None
        self.faults: list[tuple[int, AdapterFault]] = []
        self.declined = ""

    def take_opening(self, reply: Reply) -> None:
        """Take the answer to the opening."""
        if self._note_failure(reply, OPENING, "table.open"):
            return
        self.opened, self.is_open = reply.result.events, True

    def take(self, at: int, reply: Reply) -> None:
        """Take the answer to an act."""
        act = self.script.acts[at]
        error = reply.error
        if error is not None and error.code == m.WRONG_PARAMS and act["act"] not in STEERING_ACTS:
            # Whether such an act had to be understood is for whoever judges.
            said = {"code": error.code, "message": error.message}
            self.answers.append({"error": said})
        elif not self._note_failure(reply, at, "table.act"):
            self.answers.append(msgspec.to_builtins(reply.result))

    def take_closing(self, reply: Reply) -> None:
        """Take the answer to the closing."""
        if not self._note_failure(reply, len(self.script.acts), "table.close"):
            self.closed = reply.result.events

    def _note_failure(self, reply: Reply, at: int, method: str) -> bool:
        """Note what is no result; then nothing more is asked of this table."""
        if reply.error is not None and reply.error.code in _NOT_OFFERED_ERRORS:
            self.declined = self.declined or reply.error.message or str(reply.error.code)
        elif reply.error is not None:
            error = reply.error
            said = make_fault(
                FaultKind.ERROR_ANSWER, method=method, code=error.code, problem=error.message
            )
            self.faults.append((at, said))
        elif reply.fault is not None:
            self.faults.append((at, reply.fault))
        else:
            return False
        self.stopped = True
        return True

    def result(self) -> PlayedScript:
        """Return all that was answered."""
        return PlayedScript(
            opened=self.opened,
            answers=self.answers,
            closed=self.closed,
            faults=self.faults,
            declined=self.declined,
        )


def play_script(session: Session, script: Script) -> PlayedScript:
    """Return what a vendor answers to one script."""
    ((_, played),) = play_scripts(session, [script])
    return played


def play_scripts(
    session: Session, scripts: Iterable[Script], *, tables: int = _MAX_OPEN_TABLES
) -> Iterator[tuple[Script, PlayedScript]]:
    """Yield every script with what the vendor answered, in the order of the scripts."""
    coming = iter(scripts)
    while chosen := [OpenTable(script) for script in islice(coming, tables)]:
        _open_tables(session, chosen)
        for at in range(max(len(one.script.acts) for one in chosen)):
            going = [
                one
                for one in chosen
                if one.is_open and not one.stopped and at < len(one.script.acts)
            ]
            asked = [{"table": one.name, "act": one.script.acts[at]} for one in going]
            replies = session.ask_all("table.act", asked)
            for one, (_, reply) in zip(going, replies, strict=True):
                one.take(at, reply)
        _close_tables(session, chosen)
        for one in chosen:
            yield one.script, one.result()


def _open_tables(session: Session, tables: list[OpenTable]) -> None:
    asked = [table.script.open_params(table.name) for table in tables]
    for one, (_, reply) in zip(tables, session.ask_all("table.open", asked), strict=True):
        one.take_opening(reply)


def _close_tables(session: Session, tables: list[OpenTable]) -> None:
    going = [table for table in tables if table.is_open]
    asked = [{"table": one.name} for one in going]
    for one, (_, reply) in zip(going, session.ask_all("table.close", asked), strict=True):
        one.take_closing(reply)
