"""How a command ends whose words do not arrive: a full disk, or a reader that went away.

What nobody could read must never end like a verdict, nor like a defect of Selo.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Final

from selo.cli.output.exit_codes import Exit
from selo.cli.output.language_choice import DEFAULT, choose_language
from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from _typeshed import ReadableBuffer

#: What shells report of a program that nobody reads from any more (128 and SIGPIPE).
READER_GONE: Final = 141


class OutputLost(SeloError):
    """Standard output takes nothing more."""

    code = "output"

    def __init__(self, because: str) -> None:
        self._because = because
        super().__init__(self.in_language(DEFAULT))

    def in_language(self, language: str) -> str:
        """Return why, and what to do."""
        hint = say_at_end("fault.hint", language, hint=say_at_end("end.unwritten.hint", language))
        return f"{say_at_end('end.unwritten', language, because=self._because)}\n  {hint}"


class _StandardOutput(io.FileIO):
    """Standard output; that it cannot be written is told apart from every other file."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or str(error)) from error


class _ErrorStream(io.FileIO):
    """The stream of errors; what finds no room there is lost, and changes no exit code."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError:
            return memoryview(data).nbytes


def say_at_end(key: str, language: str, **slots: object) -> str:
    """Return the message; its words are read only where a command ends badly."""
    from selo.text.message_catalogue import say  # noqa: PLC0415 - most commands end without a word of ours

    return say(key, language, **slots)


def install_streams() -> None:
    """Put streams that know how they fail in place of those of the interpreter."""
    if sys.stderr is None:
        # Whoever started us closed it: a file of ours would take its place.
        os.open(os.devnull, os.O_WRONLY)
        sys.stderr = io.TextIOWrapper(io.BytesIO())
    else:
        sys.stderr = _wrap_stream(sys.stderr, _ErrorStream)
    if sys.stdout is None:
        print(OutputLost(os.strerror(errno.EBADF)).in_language(choose_language()), file=sys.stderr)
        sys.exit(Exit.USAGE)
    sys.stdout = _wrap_stream(sys.stdout, _StandardOutput)


def _wrap_stream(stream: TextIO, sort: Callable[..., io.FileIO]) -> TextIO:
    stream.flush()
    raw = sort(stream.fileno(), "wb", closefd=False)
    # Without a buffer of the interpreter's own, people expect each line at once.
    lines = bool(getattr(stream, "line_buffering", True) or getattr(stream, "write_through", True))
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        # A letter that a terminal does not have is no reason to fail.
        errors="backslashreplace",
        line_buffering=lines,
    )


def flush_output(code: int, language: str) -> int:
    """Return `code` if everything that was printed has arrived; otherwise one that says so."""
    try:
        # What nobody could read must fail here, not after the exit code is chosen.
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away, as in `selo law list | head`. Perhaps before there was a verdict;
        # other programs leave with the same.
        _discard_output()
        return READER_GONE
    except OutputLost as error:
        return report_lost_output(error, language)
    return code


def report_lost_output(error: OutputLost, language: str) -> int:
    """Say that standard output takes nothing more, and return the exit code."""
    _discard_output()
    print(error.in_language(language), file=sys.stderr)
    return Exit.USAGE


def _discard_output() -> None:
    """Forget what cannot be written: the interpreter would try again and choose an exit code."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
