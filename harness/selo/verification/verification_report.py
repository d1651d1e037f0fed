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


class CheckState(enum.StrEnum):
    """How one check came out."""

    HOLDS = "holds"
    #: Nothing is wrong with the document, and whoever relies on it must know this.
    WARNING = "warning"
    #: It could not be looked at, or is for somebody else to say; never counts as holding.
    OPEN = "open"
    FAILED = "failed"


class DocumentCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    #: What was looked at; never changes.
    name: str
    state: CheckState
    #: The message that says how it came out, and its slots; one of another room begins with /.
    key: str
    slots: dict[str, str] = {}

    def message(self, language: str) -> str:
        """Return how it came out, in words."""
        key = self.key[1:] if self.key.startswith("/") else f"verify.{self.key}"
        return say(key, language, **self.slots)


def passed_check(name: str, key: str | None = None, /, **slots: object) -> DocumentCheck:
    """Return a check that came out well."""
    return _build_check(name, CheckState.HOLDS, key or name, slots)


def warning_check(name: str, key: str | None = None, /, **slots: object) -> DocumentCheck:
    """Return what the document says truly and its reader must not overlook."""
    return _build_check(name, CheckState.WARNING, key or name, slots)


def failed_check(name: str, key: str, /, **slots: object) -> DocumentCheck:
    """Return a check that shows something wrong."""
    return _build_check(name, CheckState.FAILED, key, slots)


def open_check(name: str, key: str, /, **slots: object) -> DocumentCheck:
    """Return a check that nobody could make."""
    return _build_check(name, CheckState.OPEN, key, slots)


def _build_check(name: str, state: CheckState, key: str, slots: dict[str, object]) -> DocumentCheck:
    return DocumentCheck(
        name=name, state=state, key=key, slots={slot: str(value) for slot, value in slots.items()}
    )


def exit_code_of(checks: Iterable[DocumentCheck]) -> int:
    """Return the exit code: something wrong, then something open; nothing looked at is open.

    A warning is no check: it neither fails nor holds.
    """
    states = {check.state for check in checks} - {CheckState.WARNING}
    if CheckState.FAILED in states:
        return TAMPERED
    return HOLDS if states == {CheckState.HOLDS} else OPEN
