"""Writes evidence in sealed blocks; a killed run loses at most one second."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from selo.evidence import block
from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.evidence_errors import (
    EvidenceNotWritable,
    EvidenceUnfinished,
    RunFinished,
    WrittenOutOfOrder,
)
from selo.evidence.integrity_scan import (
    FORMAT_FIELD,
    KIND_FIELD,
    LINES_FIELD,
    IntegrityScan,
    strip_writer_fields,
)
from selo.evidence.merkle import salted_leaf_hashes
from selo.evidence.run_files import CASES_FILE, open_evidence
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

    from selo.errors import SeloError
    from selo.evidence.merkle import Root
    from selo.evidence.run_files import EvidenceFile

_BLOCK_LINES: Final = block.LINES_LIMIT
_BLOCK_BYTES: Final = block.RAW_LIMIT - block.LINE_LIMIT
_FLUSH_SECONDS: Final = 1.0
#: Few enough that a slow source does not delay a flush.
_BATCH_LINES: Final = 256


class EvidenceWriter:
    """Appends the evidence of one run, from one process.

    The evidence file itself is locked, so a stale lock cannot exist. Memory holds the lines of one
    block and one hash for each height of the tree.
    """

    def __init__(
        self,
        folder: Path,
        *,
        taken: LockedFile | None = None,
        book: EvidenceFile = CASES_FILE,
        secret: bytes | None = None,
    ) -> None:
        """Begin the evidence of a run in `folder`, or continue that of `taken`.

        With a `secret` every line of a new file is salted; one that goes on keeps its own.
        """
        self._path = folder / book.file
        self._file, scan, self.dropped = taken or _lock_file(
            folder, os.O_RDWR | os.O_CREAT, _refuse_existing, book
        )
        # A secret without a header was left by a run that was killed at its first write.
        self._end = scan.end if scan.lines else 0
        self._secret = scan.secret if scan.lines else secret
        self._digest = scan.digest if scan.lines else block.first_digest(secret)
        self._frontier = scan.frontier
        self._raw = scan.raw if scan.lines else 0
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._open = True
        #: Whether a block is being written; after an interruption nothing may follow.
        self._amid = False
        self._flushed_at = self._synced_at = time.monotonic()

    @classmethod
    def resume(
        cls,
        folder: Path,
        book: EvidenceFile = CASES_FILE,
        *,
        take_line: Callable[[bytes], None] | None = None,
    ) -> tuple[Self, dict[str, Any], int]:
        """Return a writer that continues, the header, and the number of lines including it.

        An incomplete block is dropped, and its cases must be asked again. `take_line` is called
        with every line that is kept, the header first.
        """
        taken = _lock_file(folder, os.O_RDWR, _refuse_finished, book, take_line)
        return (
            cls(folder, taken=taken, book=book),
            strip_writer_fields(taken.scan.header or {}),
            taken.scan.lines,
        )

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
        """Number of lines, including those not yet written."""
        return self._frontier.size + len(self._waiting)

    def header(self, header: dict[str, Any]) -> None:
        """Write the first line and flush it before any question is asked."""
        if self.size:
            raise WrittenOutOfOrder("a header is the first line")
        stated = block.FORMAT if self._secret is None else block.SALTED_FORMAT
        self._waiting.append(
            _add_writer_fields(header, {KIND_FIELD: "header", FORMAT_FIELD: stated})
        )
        self.flush()

    def lines(self, lines: Iterable[bytes]) -> None:
        """Append encoded lines of cases; they are written in blocks."""
        if not self.size:
            raise WrittenOutOfOrder("a case before the header")
        source = iter(lines)
        while batch := list(islice(source, min(_BATCH_LINES, _BLOCK_LINES - len(self._waiting)))):
            self._put(batch)
            full = len(self._waiting) >= _BLOCK_LINES
            if full or time.monotonic() - self._flushed_at >= _FLUSH_SECONDS:
                self._write(last=False)

    def _put(self, batch: list[bytes]) -> None:
        batch_bytes = sum(map(len, batch)) + len(batch)
        if self._bytes + batch_bytes <= _BLOCK_BYTES:
            self._waiting += batch
            self._bytes += batch_bytes
            return
        for line in batch:
            self._waiting.append(_require_length(line))
            self._bytes += len(line) + 1
            if self._bytes > _BLOCK_BYTES:
                self._write(last=False)

    def flush(self) -> None:
        """Write pending lines and sync them to disk."""
        self._write(last=False)
        try:
            self._sync()
        except OSError as error:
            raise self._failed(error) from error

    def close(self, footer: dict[str, Any]) -> Root:
        """Write the footer, close the file and return the root over all lines."""
        if not self.size:
            raise WrittenOutOfOrder("a footer before the header")
        self._waiting.append(
            _add_writer_fields(footer, {KIND_FIELD: "footer", LINES_FIELD: self.size + 1})
        )
        self._write(last=True)
        self.leave()
        return self._frontier.root()

    def leave(self) -> None:
        """Close the file; a run without a footer can be resumed."""
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
            raise WrittenOutOfOrder("the evidence is closed, or was interrupted")
        if not self._waiting:
            return
        self._amid = True
        lines, self._waiting, self._bytes = self._waiting, [], 0
        self._check_order(lines)
        self._raw += sum(map(len, lines)) + len(lines)
        if self._raw > block.FILE_LIMIT:
            # No reader would take it.
            raise self._failed(OSError(errno.EFBIG, os.strerror(errno.EFBIG)))
        packed, digest = block.pack_block(
            lines, first=self._frontier.size, last=last, before=self._digest
        )
        if not self._end and self._secret is not None:
            packed = block.pack_salt_frame(self._secret) + packed
        try:
            self._append(packed)
            self._flushed_at = time.monotonic()
            if self._flushed_at - self._synced_at >= _FLUSH_SECONDS:
                self._sync()
        except OSError as error:
            raise self._failed(error) from error
        self._digest = digest
        self._frontier.add(salted_leaf_hashes(lines, self._secret, self._frontier.size))
        self._amid = False

    def _check_order(self, lines: list[bytes]) -> None:
        """Refuse lines that a reader would report as altered.

        Checking the form of each line would double the cost, so only the first and the last are
        checked; a wrong encoder fails at its first block.
        """
        for offset in {0, len(lines) - 1}:
            value = decode_canonical(lines[offset])
            if KIND_FIELD not in value and value.get("n") != self._frontier.size + offset - 1:
                raise WrittenOutOfOrder(f"line {self._frontier.size + offset} is not the next case")

    def _append(self, packed: bytes) -> None:
        rest, at = memoryview(packed), self._end
        while rest:
            written = os.pwrite(self._file, rest, at)
            rest, at = rest[written:], at + written
        self._end = at

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced_at = time.monotonic()

    def _failed(self, error: OSError) -> EvidenceNotWritable:
        """Truncate an incomplete block, close the file, and return the error to raise."""
        self._waiting = []
        self._open = False
        try:
            os.ftruncate(self._file, self._end)
        except OSError:
            # Resuming drops the rest of the block.
            pass
        finally:
            os.close(self._file)
        return EvidenceNotWritable(path=self._path, cause=error, kept=self._frontier.size)


def _add_writer_fields(fields: dict[str, Any], writer_fields: dict[str, Any]) -> bytes:
    duplicates = writer_fields.keys() & fields.keys()
    if duplicates:
        raise NotCanonical(f"'{min(duplicates)}' is a field of the writer")
    line = _require_length(encode_canonical(fields | writer_fields))
    decode_canonical(line)
    return line


def _require_length(line: bytes) -> bytes:
    if len(line) >= block.LINE_LIMIT:
        raise NotCanonical(f"a line of {len(line)} bytes; {block.LINE_LIMIT} is too long")
    return line


class LockedFile(NamedTuple):
    """A file that is open, locked, read, and truncated to its last complete block."""

    file: int
    scan: IntegrityScan
    #: Bytes of an incomplete block that were removed.
    dropped: int


def _lock_file(
    folder: Path,
    flags: int,
    refuse: Callable[[Path, IntegrityScan], SeloError | None],
    book: EvidenceFile,
    take_line: Callable[[bytes], None] | None = None,
) -> LockedFile:
    path = folder / book.file
    with contextlib.ExitStack() as undo:
        file = _open_locked(folder, flags, book)
        undo.callback(os.close, file)
        with os.fdopen(os.dup(file), "rb") as stream:
            scan = IntegrityScan(stream, path, forgiving=True)
            for line, _ in scan:
                if take_line is not None and scan.footer is None:
                    take_line(line)
        refusal = refuse(path, scan)
        if refusal is not None:
            raise refusal
        kept = scan.end if scan.lines else 0
        dropped = os.fstat(file).st_size - kept
        try:
            os.ftruncate(file, kept)
            os.fsync(file)
            _sync_folder(folder)
        except OSError as error:
            raise EvidenceNotWritable(path=path, cause=error, kept=scan.lines) from error
        undo.pop_all()
    return LockedFile(file, scan, dropped)


def _refuse_existing(path: Path, scan: IntegrityScan) -> SeloError | None:
    if not scan.lines:
        return None
    return user_error("evidence-there", path=path, lines=scan.lines)


def _refuse_finished(path: Path, scan: IntegrityScan) -> SeloError | None:
    if scan.footer is not None:
        return RunFinished(
            problem=f"the run in {path.parent} is finished", hint="There is nothing to resume."
        )
    if scan.header is None:
        return EvidenceUnfinished(path=path, lines=0, what="not even a header")
    return None


def _open_locked(folder: Path, flags: int, book: EvidenceFile) -> int:
    if flags & os.O_CREAT:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise user_error("folder-unmade", folder=folder, error=error.strerror) from error
    file = open_evidence(folder, flags, book)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise user_error("evidence-taken", folder=folder) from error
    return file


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
