"""Writes files whole or not at all, and never over what somebody else made.

1. The content goes into a file without a name, or with a name of its own, in the same folder.
2. It is flushed to the disk.
3. It takes its name in one step. A file of that name with other content is replaced only where the
   caller says that it is its own.
4. The folder is flushed to the disk.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.storage.bounded_read import FileFault, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLIC_MODE: Final = 0o644
PRIVATE_MODE: Final = 0o600
#: Suffix of a file that has not yet got its name.
PART_SUFFIX: Final = ".part"
_UNWRITTEN_HINT: Final = "Make room, or choose another place; nothing was left behind."
_OPEN_DESCRIPTORS: Final = Path("/proc/self/fd")
#: What file systems answer that have no files without names.
_NO_NAMELESS_FILES: Final = frozenset(
    {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT, errno.ENOSYS}
)


def write_file(
    path: Path, content: bytes, *, replace: bool = False, mode: int = PUBLIC_MODE
) -> bool:
    """Write `content` to `path` at once; return False if the file already held just that.

    Without `replace` a file with other content is refused. Whatever goes wrong, no part of the
    content stays behind.
    """
    try:
        if _holds(path, content):
            return False
        _write(path, content, replace=replace, mode=mode)
    except FileExistsError as error:
        raise _existing_fault(path) from error
    except FileFault:
        raise
    except OSError as error:
        number = error.errno or errno.EIO
        raise FileFault(
            path, f"cannot be written: {os.strerror(number)}", number,
            hint=_UNWRITTEN_HINT,
        ) from error  # fmt: skip

    return True


def require_free(path: Path) -> None:
    """Refuse a path that is taken, before work whose result would be lost."""
    if os.path.lexists(path):
        raise _existing_fault(path)


def _existing_fault(path: Path) -> FileFault:
    return FileFault(
        path, "already there, and it is not replaced", errno.EEXIST,
        hint="Choose another name, or move the file away.",
    )  # fmt: skip


def write_new_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write all files below `folder`, or none; replace no file that somebody else made."""
    ready = [(folder / name, content) for name, content in files]
    made: list[Path] = []
    try:
        for path, content in ready:
            made += _make_folders(path.parent)
            if write_file(path, content):
                made.append(path)
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise
    return [path for path, _ in ready]


def _make_folders(folder: Path) -> list[Path]:
    """Make `folder` and return the folders that were missing."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        number = error.errno or errno.EIO
        raise FileFault(
            folder, f"cannot be written: {os.strerror(number)}", number, hint=_UNWRITTEN_HINT
        ) from error
    return missing[::-1]


def next_free_folder(folder: Path) -> Path:
    """Return `folder`, or if it exists, the same name with the next free number."""
    number, free = 1, folder
    while os.path.lexists(free):
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def _holds(path: Path, content: bytes) -> bool:
    """Return whether `path` is a file with exactly this content."""
    try:
        return path.stat().st_size == len(content) and read_bounded(path, len(content)) == content
    except OSError:
        return False


def _write(path: Path, content: bytes, *, replace: bool, mode: int) -> None:
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _write_in(folder, path, content, replace=replace, mode=mode)
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_in(folder: int, path: Path, content: bytes, *, replace: bool, mode: int) -> None:
    descriptor, part = _open_part(path.parent, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if part is None:
                part = _name_file(file.fileno(), folder, path, replace=replace)
        if part is not None:
            _rename(part, path, replace=replace)
    except BaseException:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise


def _open_part(folder: Path, mode: int) -> tuple[int, Path | None]:
    """Return a descriptor of a new file without a name, or with the name that is returned too."""
    nameless = getattr(os, "O_TMPFILE", 0)
    if nameless and _OPEN_DESCRIPTORS.is_dir():
        try:
            return os.open(folder, os.O_WRONLY | os.O_CLOEXEC | nameless, mode), None
        except OSError as error:
            if error.errno not in _NO_NAMELESS_FILES:
                raise
    part = _part_name(folder)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), part


def _part_name(folder: Path) -> Path:
    return folder / f".{secrets.token_hex(8)}{PART_SUFFIX}"


def _name_file(descriptor: int, folder: int, path: Path, *, replace: bool) -> Path | None:
    """Give a nameless file its name; return a passing name if it must replace another file."""
    try:
        _link(descriptor, folder, path)
    except FileExistsError:
        if not replace:
            raise
    else:
        return None
    part = _part_name(path.parent)
    _link(descriptor, folder, part)
    return part


def _link(descriptor: int, folder: int, path: Path) -> None:
    # Only with the descriptor of a folder does Python follow the link to the nameless file.
    source = _OPEN_DESCRIPTORS / str(descriptor)
    os.link(source, path.name, dst_dir_fd=folder, follow_symlinks=True)


def _rename(part: Path, path: Path, *, replace: bool) -> None:
    if replace:
        part.replace(path)
        return
    # Unlike renaming, linking fails if the name is taken.
    path.hardlink_to(part)
    part.unlink()
