"""Writes evidence: lines come in, sealed blocks go out, and a killed run loses a second at most."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from selo.errors import UsageError
from selo.evidence import block
from selo.evidence.canonical_json import NotCanonical, decode, encode
from selo.evidence.evidence_errors import CannotRecord, OutOfTurn, Unfinished
from selo.evidence.integrity_scan import FORMAT, KIND, LINES, Scan, bare
from selo.evidence.merkle import leaves
from selo.evidence.run_files import CASES, evidence_of
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

    from selo.errors import SeloError
    from selo.evidence.merkle import Root
    from selo.evidence.run_files import Book

_BLOCK_LINES: Final = 4096
_BLOCK_BYTES: Final = block.RAW_LIMIT - block.LINE_LIMIT
_SECONDS: Final = 1.0
#: So few that a slow source does not keep us from looking at the clock.
_TAKEN_AT_ONCE: Final = 256


class Finished(UsageError):
    """A run cannot go on that is at its end."""

    code = "finished"


class Writer:
    """The evidence of one run, appended to by one process.

    The file itself is locked, so that a lock can neither be left behind nor be removed. Memory
    holds the lines of one block and one hash for each height of the tree.
    """

    def __init__(self, folder: Path, *, taken: Taken | None = None, book: Book = CASES) -> None:
        """Begin the evidence of a run in `folder`, or go on with what was taken up."""
        self._path = folder / book.file
        self._file, scan, self.dropped = taken or _taken(
            folder, os.O_RDWR | os.O_CREAT, _not_new, book
        )
        self._end = scan.end
        self._digest = scan.digest
        self._frontier = scan.frontier
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._open = True
        #: Whether a block is being written; if an interruption left it so, nothing may follow.
        self._amid = False
        self._flushed_at = self._synced_at = time.monotonic()

    @classmethod
    def resume(
        cls,
        folder: Path,
        book: Book = CASES,
        *,
        told: Callable[[bytes], None] | None = None,
    ) -> tuple[Self, dict[str, Any], int]:
        """Return a writer that goes on, the header, and how many lines there are with it.

        A block that was not written whole is dropped, and its cases are to be asked again. Every
        line that is kept is told in its turn, the header first.
        """
        taken = _taken(folder, os.O_RDWR, _not_resumable, book, told)
        return cls(folder, taken=taken, book=book), bare(taken.scan.header or {}), taken.scan.lines

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.leave()

    @property
    def size(self) -> int:
        """How many lines there are, those that wait to be written among them."""
        return self._frontier.size + len(self._waiting)

    def header(self, header: dict[str, Any]) -> None:
        """Write the first line, safely before anything is asked."""
        if self.size:
            raise OutOfTurn("a header is the first line")
        self._waiting.append(_framed(header, {KIND: "header", FORMAT: block.FORMAT}))
        self.flush()

    def lines(self, lines: Iterable[bytes]) -> None:
        """Take encoded lines of cases that are ready; they are written soon."""
        if not self.size:
            raise OutOfTurn("a case before the header")
        coming = iter(lines)
        while some := list(islice(coming, min(_TAKEN_AT_ONCE, _BLOCK_LINES - len(self._waiting)))):
            self._put(some)
            full = len(self._waiting) >= _BLOCK_LINES
            if full or time.monotonic() - self._flushed_at >= _SECONDS:
                self._write(last=False)

    def _put(self, some: list[bytes]) -> None:
        added = sum(map(len, some)) + len(some)
        if self._bytes + added <= _BLOCK_BYTES:
            self._waiting += some
            self._bytes += added
            return
        for line in some:
            self._waiting.append(_of_length(line))
            self._bytes += len(line) + 1
            if self._bytes > _BLOCK_BYTES:
                self._write(last=False)

    def flush(self) -> None:
        """Write what waits and see it safely on the disk."""
        self._write(last=False)
        try:
            self._sync()
        except OSError as error:
            raise self._failed(error) from error

    def close(self, footer: dict[str, Any]) -> Root:
        """Write the last line, end the file and return the root over all lines."""
        if not self.size:
            raise OutOfTurn("a footer before the header")
        self._waiting.append(_framed(footer, {KIND: "footer", LINES: self.size + 1}))
        self._write(last=True)
        self.leave()
        return self._frontier.root()

    def leave(self) -> None:
        """Let the file go; a run that has no footer yet can be resumed."""
        if not self._open:
            return
        try:
            if not self._amid:
                self.flush()
        finally:
            if self._open:
                self._open = False
                os.close(self._file)

    def _write(self, *, last: bool) -> None:
        if not self._open or self._amid:
            raise OutOfTurn("the evidence is closed, or was interrupted")
        if not self._waiting:
            return
        self._amid = True
        lines, self._waiting, self._bytes = self._waiting, [], 0
        self._look_at(lines)
        packed, digest = block.pack(
            lines, first=self._frontier.size, last=last, before=self._digest
        )
        try:
            self._append(packed)
            self._flushed_at = time.monotonic()
            if self._flushed_at - self._synced_at >= _SECONDS:
                self._sync()
        except OSError as error:
            raise self._failed(error) from error
        self._digest = digest
        self._frontier.add(leaves(lines))
        self._amid = False

    def _look_at(self, lines: list[bytes]) -> None:
        """Refuse what a reader would take for an alteration.

        To look at the form of each line would double the cost; the first and the last are looked
        at, and a wrong encoder fails at its first block.
        """
        for offset in {0, len(lines) - 1}:
            value = decode(lines[offset])
            if KIND not in value and value.get("n") != self._frontier.size + offset - 1:
                raise OutOfTurn(f"line {self._frontier.size + offset} is not the next case")

    def _append(self, packed: bytes) -> None:
        rest, at = memoryview(packed), self._end
        while rest:
            written = os.pwrite(self._file, rest, at)
            rest, at = rest[written:], at + written
        self._end = at

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced_at = time.monotonic()

    def _failed(self, error: OSError) -> CannotRecord:
        """Take half a block away, let the file go, and return what to raise."""
        self._waiting = []
        self._open = False
        try:
            os.ftruncate(self._file, self._end)
        except OSError:
            # What is left of the block is dropped when the run is resumed.
            pass
        finally:
            os.close(self._file)
        return CannotRecord(path=self._path, cause=error, kept=self._frontier.size)


def _framed(given: dict[str, Any], ours: dict[str, Any]) -> bytes:
    taken = ours.keys() & given.keys()
    if taken:
        raise NotCanonical(f"'{min(taken)}' is a field of the writer")
    line = _of_length(encode(given | ours))
    decode(line)
    return line


def _of_length(line: bytes) -> bytes:
    if len(line) >= block.LINE_LIMIT:
        raise NotCanonical(f"a line of {len(line)} bytes; {block.LINE_LIMIT} is too long")
    return line


class Taken(NamedTuple):
    """A file that is open, locked, read, and cut back to its last whole block."""

    file: int
    scan: Scan
    #: Bytes of an unfinished block that were taken away.
    dropped: int


def _taken(
    folder: Path,
    flags: int,
    refused: Callable[[Path, Scan], SeloError | None],
    book: Book,
    told: Callable[[bytes], None] | None = None,
) -> Taken:
    path = folder / book.file
    with contextlib.ExitStack() as undo:
        file = _opened(folder, flags, book)
        undo.callback(os.close, file)
        with os.fdopen(os.dup(file), "rb") as reading:
            scan = Scan(reading, path, forgiving=True)
            for line, _ in scan:
                if told is not None and scan.footer is None:
                    told(line)
        refusal = refused(path, scan)
        if refusal is not None:
            raise refusal
        dropped = os.fstat(file).st_size - scan.end
        try:
            os.ftruncate(file, scan.end)
            os.fsync(file)
            _sync_folder(folder)
        except OSError as error:
            raise CannotRecord(path=path, cause=error, kept=scan.lines) from error
        undo.pop_all()
    return Taken(file, scan, dropped)


def _not_new(path: Path, scan: Scan) -> SeloError | None:
    if not scan.lines:
        return None
    return wrong("evidence-there", path=path, lines=scan.lines)


def _not_resumable(path: Path, scan: Scan) -> SeloError | None:
    if scan.footer is not None:
        return Finished(
            problem=f"the run in {path.parent} is finished", hint="There is nothing to resume."
        )
    if scan.header is None:
        return Unfinished(path=path, lines=0, what="not even a header; begin anew")
    return None


def _opened(folder: Path, flags: int, book: Book) -> int:
    if flags & os.O_CREAT:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise wrong("folder-unmade", folder=folder, error=error.strerror) from error
    file = evidence_of(folder, flags, book)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise wrong("evidence-taken", folder=folder) from error
    return file


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
