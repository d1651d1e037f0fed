"""The files of a run's folder, opened without following symbolic links."""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.merkle import Root
from selo.storage import decode_json
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

RUN_FILE: Final = "run.json"
RESULT_FILE: Final = "result.json"
#: What the vendor submitted and signed, and the messages about the run, where there are any.
SUBMISSION_FILE: Final = "submission.json"
SUBMISSION_SIGNATURE_FILE: Final = "submission.json.p7s"
THREAD_FILE: Final = "thread.jsonl"
_MAX_RECORD_BYTES: Final = 64 * 1024 * 1024
_ROOT_PATTERN: Final = re.compile(r"[0-9a-f]{64}")


class EvidenceFile(NamedTuple):
    """An evidence file, and the field of the run's records that contains its root."""

    file: str
    root: str


#: Questions and answers: the same on each run.
CASES_FILE: Final = EvidenceFile(file="evidence.jsonl.zst", root="evidence_root")
#: Draws of the vendor's own random source: different on each run.
DRAWS_FILE: Final = EvidenceFile(file="draws.jsonl.zst", root="draws_root")


class _RecordedRoots(msgspec.Struct, frozen=True):
    """The roots in a record of a run; the rest is not looked at."""

    evidence_root: str | None = None
    draws_root: str | None = None


def open_plain_file(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a regular file; refuse anything else."""
    try:
        # Opening a pipe without O_NONBLOCK would block forever.
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise EvidenceTampered(
                path=path, sign=AlterationSign.LINK, what="not followed"
            ) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise EvidenceTampered(path=path, sign=AlterationSign.LINK, what="no plain file")
    return descriptor


def open_evidence(folder: Path, flags: int = os.O_RDONLY, book: EvidenceFile = CASES_FILE) -> int:
    """Return a descriptor of the evidence in `folder`."""
    try:
        return open_plain_file(folder / book.file, flags)
    except OSError as error:
        raise user_error(
            "evidence-unopened", path=folder / book.file, error=error.strerror
        ) from error


def parse_root(text: str) -> Root:
    """Return the root that a user typed."""
    root = text.strip().lower()
    if not _ROOT_PATTERN.fullmatch(root):
        raise user_error("root", given=text)
    return Root(root)


def known_roots(folder: Path, book: EvidenceFile = CASES_FILE) -> dict[str, Root]:
    """Return the roots in the files beside the evidence, by file name."""
    roots = {}
    for name in (RUN_FILE, RESULT_FILE):
        root = _read_root(folder / name, book.root)
        if root is not None:
            roots[name] = root
    return roots


def _read_root(path: Path, field: str) -> Root | None:
    try:
        descriptor = open_plain_file(path)
    except (FileNotFoundError, NotADirectoryError):
        # A wrong path is reported when the evidence itself is opened.
        return None
    except OSError as error:
        raise EvidenceTampered(path=path, sign=AlterationSign.RECORD, what=str(error)) from error
    with os.fdopen(descriptor, "rb") as file:
        raw = file.read(_MAX_RECORD_BYTES + 1)
    try:
        root = getattr(decode_json(raw, _RecordedRoots), field)
    except msgspec.DecodeError as error:
        raise EvidenceTampered(path=path, sign=AlterationSign.RECORD, what=str(error)) from error
    if root is None:
        return None
    if not _ROOT_PATTERN.fullmatch(root):
        raise EvidenceTampered(path=path, sign=AlterationSign.RECORD, what=f"{field} is no root")
    return Root(root)
