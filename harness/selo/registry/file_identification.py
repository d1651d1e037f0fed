"""Tells which certificates cover some files: exactly, or with what differs.

1. A file at a path of the certificate is the same or changed.
2. Of the others, one with certified content is moved. A file that was given by itself has no place
   of its own: its content is enough, and its name finds what it was changed from.
3. What is left of the certificate is missing; what is left of the files is extra.

A folder is covered exactly if nothing is changed, moved, missing or extra. Links and devices have
no certified content. What only a SHA-1 shows is told as such: two files with one SHA-1 can be made.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.storage import bounded_read, read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.registry.certificate_states import KnownCertificate
    from selo.registry.registry_events import RegisteredFile

#: A line of ``sha1sum`` or ``sha256sum``; a backslash before it says that its name is escaped.
_SUM: Final = re.compile(r"(\\?)(?P<digest>[0-9a-fA-F]{40}|[0-9a-fA-F]{64}) [ *](?P<path>.+)")
_ESCAPES: Final = {r"\n": "\n", r"\r": "\r", r"\\": "\\"}
_SHA1_DIGITS: Final = 40
#: The digests of an empty file.
_OF_NOTHING: Final = {
    hashlib.sha256().hexdigest(),
    hashlib.sha1(usedforsecurity=False).hexdigest(),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class HashedFile:
    """A file on this machine, by its path from the folder that was given.

    A digest is blank where it is not known: of a link both are.
    """

    path: str
    sha256: str = ""
    sha1: str = ""
    size: int = 0
    #: Whether it was given by itself, so that its place says nothing.
    loose: bool = False

    @property
    def digests(self) -> list[str]:
        """The digests that are known; an empty file, which any product may have, tells nothing."""
        return [one for one in (self.sha256, self.sha1) if one and one not in _OF_NOTHING]

    def has_content_of(self, file: RegisteredFile) -> bool:
        """Return whether this is the certified content, by the strongest digest there is."""
        return self.sha256 == file.sha256 if self.sha256 else self.sha1 == file.sha1


@dataclass(frozen=True, kw_only=True, slots=True)
class FileComparison:
    """How some files differ from those of a certificate."""

    record: KnownCertificate
    #: Paths of the certificate.
    same: tuple[str, ...]
    changed: tuple[str, ...]
    moved: tuple[str, ...]
    missing: tuple[str, ...]
    #: Paths on this machine.
    extra: tuple[str, ...]
    #: Whether some content is known by its SHA-1 only.
    by_sha1: bool

    @property
    def is_exact(self) -> bool:
        """Whether these are the files of the certificate, no more and no fewer."""
        differs = self.changed or self.moved or self.missing or self.extra
        tells = any(file.sha256 not in _OF_NOTHING for file in self.record.files)
        return bool(self.same) and tells and not differs


def hash_files(places: Iterable[Path]) -> list[HashedFile]:
    """Return every file in folders, and files given by themselves, by path."""
    hashed = [one for place in places for one in _hash_place(place)]
    if not hashed:
        raise user_error("identify-nothing")
    return sorted(hashed, key=lambda file: file.path)


def read_sums(path: Path) -> list[HashedFile]:
    """Return the files that a tool of others has hashed, as ``sha1sum`` or ``sha256sum`` print."""
    files = []
    content = read_bounded(path).decode("utf-8-sig", "replace")
    for number, text in enumerate(content.splitlines(), 1):
        found = _SUM.fullmatch(text)
        if found is None:
            raise user_error("identify-sums", where=f"{path}:{number}")
        digest, name = found["digest"].lower(), found["path"].removeprefix("./")
        if found[1]:
            name = re.sub(r"\\[nr\\]", lambda match: _ESCAPES[match[0]], name)
        short = len(digest) == _SHA1_DIGITS
        sha1, sha256 = (digest, "") if short else ("", digest)
        files.append(HashedFile(path=name, loose=True, sha1=sha1, sha256=sha256))
    if not files:
        raise user_error("identify-nothing")
    return files


def _hash_place(place: Path) -> Iterator[HashedFile]:
    if not place.is_dir():
        yield _hash_file(place, place.name, loose=True)
        return
    for folder, folders, names in os.walk(place, onerror=_refuse_unread):
        for name in (*names, *folders):
            path = Path(folder) / name
            mode = path.lstat().st_mode
            inside = path.relative_to(place).as_posix()
            if stat.S_ISREG(mode):
                yield _hash_file(path, inside, loose=False)
            elif not stat.S_ISDIR(mode):
                yield HashedFile(path=inside)


def _refuse_unread(error: OSError) -> None:
    raise user_error("identify-unread", where=str(error.filename), error=error) from error


def _hash_file(path: Path, name: str, *, loose: bool) -> HashedFile:
    sha256, sha1 = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    size = 0
    try:
        for chunk in bounded_read.read_chunks(path):
            sha256.update(chunk)
            sha1.update(chunk)
            size += len(chunk)
    except OSError as error:
        raise user_error("identify-unread", where=str(path), error=error) from error
    return HashedFile(
        path=name, size=size, sha256=sha256.hexdigest(), sha1=sha1.hexdigest(), loose=loose
    )


def compare_files(record: KnownCertificate, files: Iterable[HashedFile]) -> FileComparison:
    """Return how files differ from those of a certificate."""
    pool = _FilePool(files)
    same: list[str] = []
    changed: list[str] = []
    moved: list[str] = []
    missing: list[str] = []
    others = []
    for file in record.files:  # 1
        if pool.take_at(file, certified=True):
            same.append(file.path)
        else:
            others.append(file)
    for file in others:  # 2
        # Whatever stands at the path of the certificate has been changed, not moved.
        found = None if pool.stands_at(file.path) else pool.take_content(file)
        if found is not None:
            (same if found.loose else moved).append(file.path)
        elif pool.take_at(file, certified=False):
            changed.append(file.path)
        else:
            missing.append(file.path)
    return FileComparison(
        record=record,
        same=tuple(same),
        changed=tuple(changed),
        moved=tuple(moved),
        missing=tuple(missing),  # 3
        extra=tuple(file.path for file in pool.left()),
        by_sha1=pool.by_sha1,
    )


class _FilePool:
    """Files of this machine that nothing was found for yet, by name and by content."""

    def __init__(self, files: Iterable[HashedFile]) -> None:
        self._left = dict(enumerate(files))
        #: By path: of files in a folder, and of loose ones; these by the ends of their paths too.
        self._by_path: dict[str, list[int]] = {}
        self._loose: dict[str, list[int]] = {}
        self._by_end: dict[str, list[int]] = {}
        self._by_digest: dict[str, list[int]] = {}
        #: Whether some content that was found is known by its SHA-1 only.
        self.by_sha1 = False
        for number, file in self._left.items():
            paths = self._loose if file.loose else self._by_path
            paths.setdefault(file.path.lstrip("/"), []).append(number)
            for end in _path_ends(file.path) if file.loose else ():
                self._by_end.setdefault(end, []).append(number)
            for digest in file.digests:
                self._by_digest.setdefault(digest, []).append(number)

    def left(self) -> list[HashedFile]:
        """Return what is left."""
        return list(self._left.values())

    def _at(self, path: str) -> list[int]:
        """Return the files at a path; of loose ones, those of which one path ends the other."""
        found = [*self._by_path.get(path, ()), *self._by_end.get(path, ())]
        for end in _path_ends(path):
            found += self._loose.get(end, ())
        return [one for one in found if one in self._left]

    def stands_at(self, path: str) -> bool:
        """Return whether a file is left at a path."""
        return bool(self._at(path))

    def take_at(self, file: RegisteredFile, *, certified: bool) -> bool:
        """Take the file at a certified path, if there is one; only with certified content if so."""
        for number in self._at(file.path):
            if not certified or self._left[number].has_content_of(file):
                self._take(number)
                return True
        return False

    def take_content(self, file: RegisteredFile) -> HashedFile | None:
        """Take a file with certified content, wherever it is."""
        for digest in (file.sha256, file.sha1):
            for number in self._by_digest.get(digest, ()):
                if number in self._left and self._left[number].has_content_of(file):
                    return self._take(number)
        return None

    def _take(self, number: int) -> HashedFile:
        file = self._left.pop(number)
        # A link has no digest at all.
        self.by_sha1 = self.by_sha1 or (bool(file.sha1) and not file.sha256)
        return file


def _path_ends(path: str) -> list[str]:
    """Return the path and what is left of it without its first folders."""
    parts = path.lstrip("/").split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]
