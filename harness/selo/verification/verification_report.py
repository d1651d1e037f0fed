"""What a verification says: one line for each thing that was looked at, and one exit code."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The exit codes; the command line has the same contract.
HOLDS: Final = 0
OPEN: Final = 2
TAMPERED: Final = 6


class State(enum.StrEnum):
    """How one check came out."""

    HOLDS = "holds"
    #: Nothing is wrong with the document, and whoever relies on it must know this.
    WARNING = "warning"
    #: It could not be looked at, or is for somebody else to say; never counts as holding.
    OPEN = "open"
    FAILED = "failed"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    #: What was looked at; never changes.
    name: str
    state: State
    #: The message that says how it came out, and its slots; one of another room begins with /.
    key: str
    slots: dict[str, str] = {}

    def told(self, language: str) -> str:
        """Return how it came out, in words."""
        key = self.key[1:] if self.key.startswith("/") else f"verify.{self.key}"
        return say(key, language, **self.slots)


def holds(name: str, key: str | None = None, /, **slots: object) -> Check:
    """Return a check that came out well."""
    return _check(name, State.HOLDS, key or name, slots)


def warned(name: str, key: str | None = None, /, **slots: object) -> Check:
    """Return what the document says truly and its reader must not overlook."""
    return _check(name, State.WARNING, key or name, slots)


def failed(name: str, key: str, /, **slots: object) -> Check:
    """Return a check that shows something wrong."""
    return _check(name, State.FAILED, key, slots)


def left_open(name: str, key: str, /, **slots: object) -> Check:
    """Return a check that nobody could make."""
    return _check(name, State.OPEN, key, slots)


def _check(name: str, state: State, key: str, slots: dict[str, object]) -> Check:
    return Check(
        name=name, state=state, key=key, slots={slot: str(value) for slot, value in slots.items()}
    )


def exit_of(checks: Iterable[Check]) -> int:
    """Return the exit code: something wrong, then something open; nothing looked at is open.

    A warning is no check: it neither fails nor holds.
    """
    states = {check.state for check in checks} - {State.WARNING}
    if State.FAILED in states:
        return TAMPERED
    return HOLDS if states == {State.HOLDS} else OPEN
