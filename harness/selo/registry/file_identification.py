"""Tells which certificates cover some files: exactly, or with what differs."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from selo.storage import bounded_read
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.registry.certificate_states import CertificateRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class HashedFile:
    """A file on this machine, by its path from the folder that was given."""

    path: str
    size: int
    sha256: str
    sha1: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FileComparison:
    """How some files differ from those of a certificate."""

    record: CertificateRecord
    #: Paths of the certificate.
    same: tuple[str, ...]
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    #: Paths on this machine.
    extra: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether these are the files of the certificate, no more and no fewer."""
        return bool(self.same) and not (self.changed or self.missing or self.extra)


def hash_files(places: Iterable[Path]) -> list[HashedFile]:
    """Return every regular file in folders, and files given by themselves, by path."""
    hashed = [one for place in places for one in _hash_place(place)]
    if not hashed:
        raise user_error("identify-nothing")
    return sorted(hashed, key=lambda file: file.path)


def _hash_place(place: Path) -> Iterator[HashedFile]:
    if not place.is_dir():
        yield _hash_file(place, place.name)
        return
    for folder, _, names in os.walk(place):
        for name in names:
            path = Path(folder) / name
            if stat.S_ISREG(path.lstat().st_mode):
                yield _hash_file(path, path.relative_to(place).as_posix())


def _hash_file(path: Path, name: str) -> HashedFile:
    sha256, sha1 = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    size = 0
    try:
        for chunk in bounded_read.read_chunks(path):
            sha256.update(chunk)
            sha1.update(chunk)
            size += len(chunk)
    except OSError as error:
        raise user_error("identify-unread", where=str(path), error=error) from error
    return HashedFile(path=name, size=size, sha256=sha256.hexdigest(), sha1=sha1.hexdigest())


def compare_files(record: CertificateRecord, files: Iterable[HashedFile]) -> FileComparison:
    """Return how files differ from those of a certificate.

    A file that was moved or renamed but has the certified content counts as the same.
    """
    here = {file.path: file for file in files}
    digests = {file.sha256 for file in here.values()}
    certified = {file.path: file for file in record.issued.files}
    same = [path for path, file in certified.items() if file.sha256 in digests]
    changed = [path for path in certified if path not in same and path in here]
    missing = [path for path in certified if path not in same and path not in here]
    known = {file.sha256 for file in certified.values()}
    extra = [
        path for path, file in here.items() if file.sha256 not in known and path not in changed
    ]
    return FileComparison(
        record=record,
        same=tuple(same),
        changed=tuple(changed),
        missing=tuple(missing),
        extra=tuple(extra),
    )
