"""The checks of a verification, each with a state and a message, and the exit code."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The exit codes; the command line has the same contract.
HOLDS: Final = 0
OPEN: Final = 2
TAMPERED: Final = 6


class CheckState(enum.StrEnum):
    """How one check came out."""

    HOLDS = "holds"
    #: The document is not at fault, but whoever relies on it must know this.
    WARNING = "warning"
    #: It could not be checked here; never counts as passed.
    OPEN = "open"
    FAILED = "failed"


class DocumentCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was checked."""

    #: The stable name of the check.
    name: str
    state: CheckState
    #: The key of the message, below ``verify.`` unless it begins with /, and its slots.
    key: str
    slots: dict[str, str] = {}

    def message(self, language: str) -> str:
        """Return the message about the check."""
        key = self.key[1:] if self.key.startswith("/") else f"verify.{self.key}"
        return say(key, language, **self.slots)


def passed_check(name: str, key: str | None = None, /, **slots: object) -> DocumentCheck:
    """Return a check that passed."""
    return _build_check(name, CheckState.HOLDS, key or name, slots)


def warning_check(name: str, key: str | None = None, /, **slots: object) -> DocumentCheck:
    """Return a true statement of the document that its reader must not overlook."""
    return _build_check(name, CheckState.WARNING, key or name, slots)


def failed_check(name: str, key: str, /, **slots: object) -> DocumentCheck:
    """Return a check that failed."""
    return _build_check(name, CheckState.FAILED, key, slots)


def open_check(name: str, key: str, /, **slots: object) -> DocumentCheck:
    """Return a check that could not be made."""
    return _build_check(name, CheckState.OPEN, key, slots)


def _build_check(name: str, state: CheckState, key: str, slots: dict[str, object]) -> DocumentCheck:
    return DocumentCheck(
        name=name, state=state, key=key, slots={slot: str(value) for slot, value in slots.items()}
    )


def exit_code_of(checks: Iterable[DocumentCheck]) -> int:
    """Return the exit code: failed before open before passed; no checks at all are open.

    Warnings do not count.
    """
    states = {check.state for check in checks} - {CheckState.WARNING}
    if CheckState.FAILED in states:
        return TAMPERED
    return HOLDS if states == {CheckState.HOLDS} else OPEN
