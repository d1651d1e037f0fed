"""Where a log is kept: append-only lines and heads, with one writer at a time.

In a folder both are files of lines. A line counts once its newline is on the disk: what a crash or
a full disk left behind a last newline was never acknowledged, and the next writer removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from selo.registry.registry_events import MAX_LINE_BYTES, UnreadableLine
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

_LOG: Final = "log.jsonl"
_HEADS: Final = "heads.jsonl"
_LOCK: Final = "lock"
_NEWLINE: Final = b"\n"


class LogStorage(Protocol):
    """A place for a log."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, without their newlines."""

    def heads(self) -> Iterator[bytes]:
        """Yield the heads, oldest first."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Keep other writers out."""

    def append(self, number: int, line: bytes) -> None:
        """Add line `number`; whatever goes wrong, the log is as before."""

    def append_head(self, line: bytes) -> None:
        """Add a head."""


@dataclass(frozen=True, slots=True)
class FolderStorage:
    """A log in a folder."""

    folder: Path

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, without their newlines."""
        return _read_lines(self.folder / _LOG)

    def heads(self) -> Iterator[bytes]:
        """Yield the heads, oldest first."""
        return _read_lines(self.folder / _HEADS)

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other writers out until the end of the block."""
        try:
            descriptor = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise user_error("registry-write", where=str(self.folder), error=error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def append(self, number: int, line: bytes) -> None:
        """Add line `number`; whatever goes wrong, the log is as before."""
        count = sum(1 for _ in self.lines())
        if count != number:
            raise user_error("registry-moved", where=str(self.folder), number=number, size=count)
        self._append(_LOG, line)

    def append_head(self, line: bytes) -> None:
        """Add a head."""
        self._append(_HEADS, line)

    def _append(self, name: str, line: bytes) -> None:
        path = self.folder / name
        try:
            with path.open("ab+") as file:
                end = _acknowledged_size(file.fileno())
                os.ftruncate(file.fileno(), end)
                try:
                    file.write(line + _NEWLINE)
                    file.flush()
                    os.fsync(file.fileno())
                except BaseException:
                    os.ftruncate(file.fileno(), end)
                    raise
        except OSError as error:
            raise user_error("registry-write", where=str(path), error=error) from error


def _acknowledged_size(descriptor: int) -> int:
    """Return the size of a file up to its last newline."""
    end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - MAX_LINE_BYTES)
        chunk = os.pread(descriptor, end - start, start)
        at = chunk.rfind(_NEWLINE)
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _read_lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                if line.endswith(_NEWLINE):
                    yield line[:-1]
                elif len(line) > MAX_LINE_BYTES:
                    raise UnreadableLine(f"{path.name}: a line longer than {MAX_LINE_BYTES} bytes")
    except FileNotFoundError:
        return
    except OSError as error:
        raise user_error("registry-read", where=str(path), error=error) from error
