"""Where a log is kept: append-only lines and heads, with one writer at a time.

In a folder both are files of lines. A line counts once its newline is on the disk: what a crash or
a full disk left behind a last newline was never acknowledged, and the next writer removes it.
A registry whose log is kept in a database has a file that names it instead.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from selo.registry.registry_events import MAX_LINE_BYTES, UnreadableLine
from selo.storage import read_bounded, write_file
from selo.storage.bounded_read import open_regular
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

_LOG: Final = "log.jsonl"
_HEADS: Final = "heads.jsonl"
_LOCK: Final = "lock"
#: Names the database that holds the log, if one does.
_ADDRESS: Final = "storage"
_MAX_ADDRESS: Final = 4096
_NEWLINE: Final = b"\n"
_BATCH: Final = 2048


class LogStorage(Protocol):
    """A place for a log."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, without their newlines."""

    def heads(self) -> Iterator[bytes]:
        """Yield the heads, oldest first."""

    def last_head(self) -> bytes | None:
        """Return the newest head."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Keep other writers out."""

    def append(self, number: int, line: bytes) -> None:
        """Add line `number`; whatever goes wrong, the log is as before."""

    def extend(self, number: int, lines: Sequence[bytes]) -> None:
        """Add lines from `number` on."""

    def append_head(self, line: bytes) -> None:
        """Add a head."""

    def extend_heads(self, lines: Sequence[bytes]) -> None:
        """Add heads."""


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

    def last_head(self) -> bytes | None:
        """Return the newest head, which is read from the end of its file."""
        path = self.folder / _HEADS
        try:
            with os.fdopen(open_regular(path), "rb") as file:
                end = _acknowledged_size(file.fileno())
                start = max(0, end - MAX_LINE_BYTES)
                tail = os.pread(file.fileno(), end - start, start)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise user_error("registry-read", where=str(path), error=error) from error
        return tail[:-1].rpartition(_NEWLINE)[2] if tail else None

    def append(self, number: int, line: bytes) -> None:
        """Add line `number`; whatever goes wrong, the log is as before."""
        self.extend(number, [line])

    def extend(self, number: int, lines: Sequence[bytes]) -> None:
        """Add lines from `number` on; after a crash the first of them may be there."""
        count = sum(1 for _ in self.lines())
        if count != number:
            raise user_error("registry-moved", where=str(self.folder), number=number, size=count)
        self._append(_LOG, lines)

    def append_head(self, line: bytes) -> None:
        """Add a head."""
        self.extend_heads([line])

    def extend_heads(self, lines: Sequence[bytes]) -> None:
        """Add heads."""
        self._append(_HEADS, lines)

    def _append(self, name: str, lines: Sequence[bytes]) -> None:
        path = self.folder / name
        content = b"".join(line + _NEWLINE for line in lines)
        try:
            with path.open("ab+", buffering=0) as file:
                end = _acknowledged_size(file.fileno())
                os.ftruncate(file.fileno(), end)
                try:
                    _write_all(file.fileno(), content)
                    os.fsync(file.fileno())
                except BaseException:
                    os.ftruncate(file.fileno(), end)
                    raise
            if not end:
                _flush_folder(self.folder)
        except OSError as error:
            raise user_error("registry-write", where=str(path), error=error) from error


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _flush_folder(folder: Path) -> None:
    """Have the name of a new file reach the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_batches(lines: Iterator[bytes], size: int | None = None) -> Iterator[list[bytes]]:
    """Yield lines in lists of some thousand; no more than `size` of them."""
    while size is None or size > 0:
        batch = list(itertools.islice(lines, _BATCH if size is None else min(size, _BATCH)))
        if not batch:
            return
        yield batch
        size = None if size is None else size - len(batch)


def open_storage(folder: Path) -> LogStorage:
    """Return where the log of a registry is kept: in its folder, or where its address leads."""
    address = stored_address(folder)
    if not address:
        return FolderStorage(folder)
    from selo.registry.database_storage import DatabaseStorage  # noqa: PLC0415 - an extra

    return DatabaseStorage(address, folder)


def stored_address(folder: Path) -> str:
    """Return the address of the database that holds the log; blank if its folder does."""
    place = folder / _ADDRESS
    if not place.is_file():
        return ""
    return read_bounded(place, _MAX_ADDRESS).decode("utf-8", "replace").strip()


def keep_address(folder: Path, address: str) -> None:
    """Say in a folder that the log of its registry is kept in a database."""
    write_file(folder / _ADDRESS, address.encode() + _NEWLINE)


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
        with os.fdopen(open_regular(path), "rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                if line.endswith(_NEWLINE):
                    yield line[:-1]
                elif len(line) > MAX_LINE_BYTES:
                    raise UnreadableLine(f"{path.name}: a line longer than {MAX_LINE_BYTES} bytes")
    except FileNotFoundError:
        return
    except OSError as error:
        raise user_error("registry-read", where=str(path), error=error) from error
