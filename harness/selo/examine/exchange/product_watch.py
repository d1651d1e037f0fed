"""Watches which files of a product a vendor opens, on a copy that nobody else uses.

1. The product is copied: regular files, folders and links; no sockets or pipes, no bytecode that an
   interpreter would prefer to the sources, and nothing that is covered in the vendor's room.
2. The vendor sees the copy in place of its folder, in every process of the run.
3. The kernel reports every file that is opened in the copy. Files that are not among those that the
   vendor declares, or opens too many to be reported, prevent a certificate.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import stat
import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.vendors.sandbox import Room, VisibleFiles

_NON_BLOCKING: Final = os.O_NONBLOCK | os.O_CLOEXEC
_OPENED, _OVERFLOW, _OF_FOLDER = 0x20, 0x4000, 0x40000000
_EVENT: Final = struct.Struct("iIII")
_READ_SIZE: Final = 1 << 16
_BYTECODE_FOLDER: Final = "__pycache__"
#: A larger product is not copied, and its files are not watched.
_MAX_FILES: Final = 100_000
_MAX_SIZE: Final = 4 << 30


class ProductTooLarge(Exception):
    """A product has more or larger files than can be copied."""


class ProductWatch:
    """A copy of a product and the names of the files that were opened in it."""

    def __init__(self, files: VisibleFiles, room: Room) -> None:
        self._files, self._given = files, room
        self._folder = Path(tempfile.mkdtemp(prefix="product-"))
        self._copies = {
            str(root): str(self._folder / str(at)) for at, root in enumerate(files.product)
        }
        self._watched: dict[int, Path] = {}
        self._events = -1
        #: Paths of opened files, as they are on the host.
        self.opened: set[Path] = set()
        #: Whether every opened file was reported.
        self.is_complete = True

    def __enter__(self) -> Self:
        try:
            for root, copy in self._copies.items():
                self._copy_folder(Path(root), Path(copy))
            self._start()
        except (OSError, ProductTooLarge):
            self.is_complete = False
        return self

    def __exit__(self, *_: object) -> None:
        if self._events >= 0:
            os.close(self._events)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def room(self) -> Room:
        """The room in which the vendor sees the copy; its own folder if that was not copied."""
        if not self._watched:
            return self._given
        return msgspec.structs.replace(self._given, copies=self._copies)

    def _copy_folder(self, source: Path, target: Path) -> None:
        target.mkdir(parents=True)
        count = size = 0
        for place, folders, names in os.walk(source):
            here = Path(place)
            copy = target / here.relative_to(source)
            folders[:] = [name for name in folders if self._take_folder(here / name, copy / name)]
            for name in names:
                path = here / name
                mode = path.lstat().st_mode
                if path in self._files.covered or not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
                    continue
                count, size = count + 1, size + path.lstat().st_size
                if count > _MAX_FILES or size > _MAX_SIZE:
                    raise ProductTooLarge
                shutil.copy2(path, copy / name, follow_symlinks=False)

    def _take_folder(self, folder: Path, copy: Path) -> bool:
        """Make the copy of a folder; return whether its contents are copied, too."""
        if folder.is_symlink():
            copy.symlink_to(folder.readlink())
            return False
        if folder.name == _BYTECODE_FOLDER or folder in self._files.covered:
            return False
        copy.mkdir()
        # An interpreter inside of the product is shown as it is.
        return folder not in self._files.programs

    def _start(self) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._events = library.inotify_init1(_NON_BLOCKING)
        for place, _, _ in os.walk(self._folder):
            number = library.inotify_add_watch(self._events, os.fsencode(place), _OPENED)
            if number < 0:
                raise OSError(ctypes.get_errno(), "inotify_add_watch")
            self._watched[number] = Path(place)

    def collect(self) -> None:
        """Take in what the kernel has reported so far."""
        with contextlib.suppress(BlockingIOError):
            while self._events >= 0 and (chunk := os.read(self._events, _READ_SIZE)):
                self.take_events(chunk)

    def take_events(self, chunk: bytes) -> None:
        """Take in events as the kernel writes them."""
        at = 0
        while at < len(chunk):
            number, mask, _, length = _EVENT.unpack_from(chunk, at)
            name = chunk[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
            at += _EVENT.size + length
            if mask & _OVERFLOW:
                self.is_complete = False
            elif name and not mask & _OF_FOLDER:
                self.opened.add(self._original(self._watched[number] / os.fsdecode(name)))

    def _original(self, path: Path) -> Path:
        for root, copy in self._copies.items():
            if path.is_relative_to(copy):
                return Path(root) / path.relative_to(copy)
        return path

    def list_undeclared(self, declared: Iterable[str], folder: Path) -> list[str]:
        """Return the opened files that are not declared, by their paths from `folder`."""
        self.collect()
        known = {Path(os.path.normpath(folder / name)) for name in declared}
        found = {path for path in self.opened if path not in known and path.resolve() not in known}
        return sorted(os.path.relpath(path, folder) for path in found)
