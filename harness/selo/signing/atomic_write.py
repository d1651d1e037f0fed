"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from pathlib import Path

PUBLIC: Final = 0o644
PRIVATE: Final = 0o600


def write_whole(path: Path, content: bytes, *, mode: int = PUBLIC) -> None:
    """Write `content` to `path`; whoever looks finds the old file or the new one."""
    new = path.with_name(path.name + ".new")
    try:
        # A file that is left over from a crash may have the wrong mode, or be a link.
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            _filled(descriptor, content)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise SigningRefused("write", path=path, problem=error.strerror or error) from error


def _filled(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name last, too."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_whole(path: Path) -> bytes:
    """Return what stands in `path`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SigningRefused("read", path=path, problem=error.strerror or error) from error
