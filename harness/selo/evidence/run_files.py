"""The files of a run's folder: opened without following a link out of it."""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.evidence.evidence_errors import Sign, Tampered
from selo.evidence.merkle import Root
from selo.text import wrong

if TYPE_CHECKING:
    from pathlib import Path

RUN: Final = "run.json"
RESULT: Final = "result.json"
_RECORD_LIMIT: Final = 64 * 1024 * 1024
_ROOT: Final = re.compile(r"[0-9a-f]{64}")


class Book(NamedTuple):
    """A file of lines with a root of its own, and the field of the records that names the root."""

    file: str
    root: str


#: What was asked and answered: the same on each run.
CASES: Final = Book(file="evidence.jsonl.zst", root="evidence_root")
#: What the vendor's own random source gave: another on each run.
DRAWS: Final = Book(file="draws.jsonl.zst", root="draws_root")


def opened(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a plain file."""
    try:
        # A pipe in the place of a file would hold us up for ever.
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Tampered(path=path, sign=Sign.LINK, what="not followed") from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Tampered(path=path, sign=Sign.LINK, what="no plain file")
    return descriptor


def evidence_of(folder: Path, flags: int = os.O_RDONLY, book: Book = CASES) -> int:
    """Return a descriptor of the evidence that is in `folder`."""
    try:
        return opened(folder / book.file, flags)
    except OSError as error:
        raise wrong("evidence-unopened", path=folder / book.file, error=error.strerror) from error


def root_from(written: str) -> Root:
    """Return a root that a person gave."""
    root = written.strip().lower()
    if not _ROOT.fullmatch(root):
        raise wrong("root", given=written)
    return Root(root)


def known_roots(folder: Path, book: Book = CASES) -> dict[str, Root]:
    """Return the roots that the files beside the evidence name, by file."""
    found = {}
    for name in (RUN, RESULT):
        root = _named(folder / name, book.root)
        if root is not None:
            found[name] = root
    return found


def _named(path: Path, field: str) -> Root | None:
    try:
        descriptor = opened(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Tampered(path=path, sign=Sign.RECORD, what=str(error)) from error
    with os.fdopen(descriptor, "rb") as file:
        raw = file.read(_RECORD_LIMIT + 1)
    try:
        record: Any = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        raise Tampered(path=path, sign=Sign.RECORD, what=str(error)) from error
    named = record.get(field) if isinstance(record, dict) else None
    if named is None:
        return None
    if not isinstance(named, str) or not _ROOT.fullmatch(named):
        raise Tampered(path=path, sign=Sign.RECORD, what=f"{field} is no root")
    return Root(named)
