"""Plays scripts at a vendor's tables: many tables at once, and at each one act after the other.

1. A number of tables are opened.
2. The first act of each table is asked, then the second of each, and so on. A wave holds at most
   one act of a table and waits for all its answers, so acts of a table stay in order even if the
   vendor answers out of order.
3. The tables are closed. After a fault a table is asked nothing more but to close.
"""

from __future__ import annotations

from itertools import accumulate, cycle, islice
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


#: The place of the opening, before the first act.
OPENING: Final = -1
#: Tables that are open at once.
MAX_OPEN_TABLES: Final = 128
#: Free tables are alone, beside a few others, or beside many, and again.
FREE_GROUPS: Final = (*[1] * 8, *[3] * 4, 44)
#: Error codes that mean "not offered" rather than a fault.
_NOT_OFFERED_ERRORS: Final = frozenset({m.CANNOT_FORCE, m.NOT_OFFERED})


class PlayedScript(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answers of a vendor to a script, with all that is needed to judge them."""

    #: The events with which the table opened.
    opened: list[dict[str, Any]] = []
    #: One for each act asked: a result of ``table.act``, or an ``error``.
    answers: list[dict[str, Any]] = []
    #: The events with which it closed; nothing if it was not closed in order.
    closed: list[dict[str, Any]] | None = None
    #: Faults, each with the place of its act; -1 for the opening.
    faults: list[tuple[int, AdapterFault]] = []
    #: Why the vendor declined the script, in its words.
    declined: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether every act was answered and the table closed."""
        return self.closed is not None and not self.faults and not self.declined


class OpenTable:
    """A table in play."""

    def __init__(self, script: Script, name: str) -> None:
        self.script = script
        self.name = name
        self.opened: list[dict[str, Any]] = []
        self.is_open = False
        self.stopped = False
        self.answers: list[dict[str, Any]] = []
        self.closed: list[dict[str, Any]] | None = None
        self.faults: list[tuple[int, AdapterFault]] = []
        self.declined = ""

    def take_opening(self, reply: Reply) -> None:
        """Add the reply to the opening."""
        if self._note_failure(reply, OPENING, "table.open"):
            return
        self.opened, self.is_open = reply.result.events, True

    def take(self, at: int, reply: Reply) -> None:
        """Add the reply to an act."""
        act = self.script.acts[at]
        error = reply.error
        if error is not None and error.code == m.WRONG_PARAMS and act["act"] not in STEERING_ACTS:
            # The judge decides whether the vendor had to understand the act.
            self.answers.append({"error": {"code": error.code, "message": error.message}})
        elif not self._note_failure(reply, at, "table.act"):
            self.answers.append(msgspec.to_builtins(reply.result))

    def take_closing(self, reply: Reply) -> None:
        """Add the reply to the closing."""
        if not self._note_failure(reply, len(self.script.acts), "table.close"):
            self.closed = reply.result.events

    def _note_failure(self, reply: Reply, at: int, method: str) -> bool:
        """Record a failed reply and stop the table; return whether the reply failed."""
        if reply.error is not None and reply.error.code in _NOT_OFFERED_ERRORS:
            self.declined = self.declined or reply.error.message or str(reply.error.code)
        elif reply.error is not None:
            error = reply.error
            fault = make_fault(
                FaultKind.ERROR_ANSWER, method=method, code=error.code, problem=error.message
            )
            self.faults.append((at, fault))
        elif reply.fault is not None:
            self.faults.append((at, reply.fault))
        else:
            return False
        self.stopped = True
        return True

    def result(self) -> PlayedScript:
        """Return the played script."""
        return PlayedScript(
            opened=self.opened,
            answers=self.answers,
            closed=self.closed,
            faults=self.faults,
            declined=self.declined,
        )


def play_script(session: Session, script: Script) -> PlayedScript:
    """Play one script and return it."""
    ((_, played),) = play_scripts(session, [script])
    return played


def play_scripts(
    session: Session, scripts: Iterable[Script], *, groups: Iterable[int] = (MAX_OPEN_TABLES,)
) -> Iterator[tuple[Script, PlayedScript]]:
    """Yield every script with its answers, in the order of the scripts.

    `groups` are the numbers of tables that are open at once, one after the other and again.
    """
    remaining, sizes = iter(scripts), cycle(groups)
    while some := list(islice(remaining, next(sizes))):
        names = session.table_names.take(len(some))
        batch = [OpenTable(script, name) for script, name in zip(some, names, strict=True)]
        _open_tables(session, batch)
        for at in range(max(len(table.script.acts) for table in batch)):
            wave = [
                table
                for table in batch
                if table.is_open and not table.stopped and at < len(table.script.acts)
            ]
            params = [{"table": table.name, "act": table.script.acts[at]} for table in wave]
            replies = session.ask_all("table.act", params)
            for table, (_, reply) in zip(wave, replies, strict=True):
                table.take(at, reply)
        _close_tables(session, batch)
        for table in batch:
            yield table.script, table.result()


def find_free_group(position: int) -> int:
    """Return which group of free tables the one at a position is played in."""
    cycles, rest = divmod(position, sum(FREE_GROUPS))
    ends = accumulate(FREE_GROUPS)
    return cycles * len(FREE_GROUPS) + next(at for at, end in enumerate(ends) if rest < end)


def _open_tables(session: Session, tables: list[OpenTable]) -> None:
    params = [table.script.open_params(table.name) for table in tables]
    for table, (_, reply) in zip(tables, session.ask_all("table.open", params), strict=True):
        table.take_opening(reply)


def _close_tables(session: Session, tables: list[OpenTable]) -> None:
    still_open = [table for table in tables if table.is_open]
    params = [{"table": table.name} for table in still_open]
    for table, (_, reply) in zip(still_open, session.ask_all("table.close", params), strict=True):
        table.take_closing(reply)
