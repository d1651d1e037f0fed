"""Reads files that others made: regular files only, never more than a stated size.

Every module that reads a document, a form, a dossier, a ruling, a list of deviations, a permission,
a policy, a seal, a settings file or a vendor's file reads it here.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from selo.errors import Problem, SeloError

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

#: What people write by hand: dossiers, rulings, forms, policies, settings.
TEXT_LIMIT: Final = 1 << 20
#: What programs write for programs: results, plans, documents.
DATA_LIMIT: Final = 256 << 20
#: Longest time for hashing one file.
HASH_SECONDS: Final = 120.0
_CHUNK_BYTES: Final = 1 << 20

#: What reading a file that was made to break its reader may raise, beside our own errors.
UNTRUSTED_INPUT_ERRORS: Final = (
    SeloError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


_SHORTAGES: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE})


class FileFault(SeloError, OSError):
    """A file that cannot be read or written as asked; an `OSError` with its reason in English."""

    code = "file"

    def __init__(
        self,
        path: Path,
        problem: str,
        number: int = errno.EINVAL,
        *,
        hint: str = "Check that it is the right file.",
    ) -> None:
        OSError.__init__(self, number, problem, str(path))
        self.problem = Problem(path=path, line=0, problem=problem, hint=hint)

    def __str__(self) -> str:
        return str(self.problem)


def is_shortage(error: BaseException) -> bool:
    """Return whether the machine has no room or no descriptors left: no fault of what is read."""
    return isinstance(error, OSError) and error.errno in _SHORTAGES


def as_file_fault(error: OSError) -> FileFault:
    """Return an error of the system as a fault of the file that it names."""
    if isinstance(error, FileFault):
        return error
    number = error.errno or errno.EIO
    done = "written" if is_shortage(error) else "read"
    problem = f"cannot be {done}: {os.strerror(number)}"
    return FileFault(Path(str(error.filename or "-")), problem, number)


def path_inside(folder: Path, name: str) -> Path:
    """Return the file `name` of `folder`; refuse one that lies elsewhere, by links too."""
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (ValueError, RuntimeError) as error:
        raise FileFault(path, "not the name of a file") from error
    if not inside:
        raise FileFault(path, "outside of its folder")
    return path


def open_regular(path: Path, *, follow: bool = True) -> int:
    """Return a descriptor of a regular file; refuse pipes, sockets, devices and folders."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        # Opening a pipe without O_NONBLOCK would block for ever.
        descriptor = os.open(path, flags)
    except ValueError as error:
        raise FileFault(path, "not the name of a file") from error
    except OSError as error:
        if error.errno == errno.ELOOP and not follow:
            raise FileFault(path, "a symbolic link, which is not followed") from error
        if error.errno == errno.ENXIO:
            raise FileFault(path, "not a regular file") from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileFault(path, "not a regular file")
    return descriptor


def read_bounded(path: Path, limit: int = DATA_LIMIT, *, follow: bool = True) -> bytes:
    """Return the content of a regular file of at most `limit` bytes."""
    with os.fdopen(open_regular(path, follow=follow), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        # The file may grow while it is read.
        content = file.read(limit + 1) if size <= limit else b""
    if max(size, len(content)) > limit:
        raise FileFault(path, f"larger than {limit >> 20} MiB", errno.EFBIG)
    return content


def decode_json(raw: bytes, form: type[T]) -> T:
    """Return `raw` as `form`; raise `msgspec.DecodeError` for whatever is wrong with it."""
    try:
        return msgspec.json.decode(raw, type=form)
    except RecursionError as error:
        msg = "nested too deeply"
        raise msgspec.DecodeError(msg) from error
    except UnicodeDecodeError as error:
        msg = "not UTF-8"
        raise msgspec.DecodeError(msg) from error


def read_json(path: Path, form: type[T], limit: int = DATA_LIMIT) -> T:
    """Return the JSON file in `path` as `form`; raise `OSError` or `msgspec.DecodeError`."""
    return decode_json(read_bounded(path, limit), form)


def digest_file(
    path: Path, algorithm: str = "sha256", *, seconds: float = HASH_SECONDS, follow: bool = True
) -> str:
    """Return the digest of a regular file in hexadecimal; give up after some time."""
    digest = hashlib.new(algorithm, usedforsecurity=algorithm != "sha1")
    for chunk in read_chunks(path, seconds=seconds, follow=follow):
        digest.update(chunk)
    return digest.hexdigest()


def read_chunks(
    path: Path, *, seconds: float = HASH_SECONDS, follow: bool = True
) -> Iterator[bytes]:
    """Yield the content of a regular file in pieces; give up after some time."""
    end = time.monotonic() + seconds
    with os.fdopen(open_regular(path, follow=follow), "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk
            if time.monotonic() > end:
                raise FileFault(path, f"not read within {seconds:.0f} seconds", errno.ETIMEDOUT)
