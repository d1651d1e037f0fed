"""Atomic writing and plain reading of files, with errors as refusals."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from pathlib import Path

PUBLIC_MODE: Final = 0o644
PRIVATE_MODE: Final = 0o600


def write_atomically(path: Path, content: bytes, *, mode: int = PUBLIC_MODE) -> None:
    """Write `content` to `path` atomically: a reader sees the old file or the new one."""
    temporary = path.with_name(path.name + ".new")
    try:
        # A file left over from a crash may have the wrong mode or be a symbolic link.
        temporary.unlink(missing_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            _write_and_sync(descriptor, content)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise SigningRefused("write", path=path, problem=error.strerror or error) from error


def _write_and_sync(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Flush the directory entry to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_file(path: Path) -> bytes:
    """Return the content of `path`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SigningRefused("read", path=path, problem=error.strerror or error) from error
