"""Standard output and errors that report a full disk or a closed pipe with exit codes of their own.

A lost result must not end with the exit code of a verdict or of a defect of Selo.
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

#: What shells report of a program whose reader has gone (128 + SIGPIPE).
READER_GONE: Final = 141


class OutputLost(SeloError):
    """Standard output cannot be written."""

    code = "output"

    def __init__(self, because: str) -> None:
        self._because = because
        super().__init__(self.in_language(DEFAULT))

    def in_language(self, language: str) -> str:
        """Return the reason and the hint."""
        hint = say_at_end("fault.hint", language, hint=say_at_end("end.unwritten.hint", language))
        return f"{say_at_end('end.unwritten', language, because=self._because)}\n  {hint}"


class _StandardOutput(io.FileIO):
    """Standard output, whose write errors differ from those of every other file."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or str(error)) from error


class _ErrorStream(io.FileIO):
    """Standard error; what cannot be written there is dropped and does not change the exit code."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def say_at_end(key: str, language: str, **slots: object) -> str:
    """Return a message; the catalogue is read only where a command fails."""
    from selo.text import say  # noqa: PLC0415 - most commands succeed

    return say(key, language, **slots)


def install_streams() -> None:
    """Replace the interpreter's streams by those that report how they fail."""
    if sys.stderr is None:
        # The caller closed it: the next file that Selo opens would take its descriptor.
        os.open(os.devnull, os.O_WRONLY)
        sys.stderr = io.TextIOWrapper(io.BytesIO())
    else:
        sys.stderr = _wrap_stream(sys.stderr, _ErrorStream)
    if sys.stdout is None:
        print(OutputLost(os.strerror(errno.EBADF)).in_language(choose_language()), file=sys.stderr)
        sys.exit(Exit.USAGE)
    sys.stdout = _wrap_stream(sys.stdout, _StandardOutput)


def _wrap_stream(stream: TextIO, file_class: Callable[..., io.FileIO]) -> TextIO:
    stream.flush()
    raw = file_class(stream.fileno(), "wb", closefd=False)
    # An unbuffered interpreter is expected to print each line at once.
    lines = bool(getattr(stream, "line_buffering", True) or getattr(stream, "write_through", True))
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        # A character that the terminal lacks must not end the command.
        errors="backslashreplace",
        line_buffering=lines,
    )


def flush_output(code: int, language: str, *, failed: bool = False) -> int:
    """Flush standard output; return `code`, or the exit code of what was lost.

    A command that `failed` ends with its own code, whether anybody reads why or not.
    """
    try:
        # A failing write must be noticed before the exit code is chosen.
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away, as in `selo law list | head`, perhaps before there was a verdict;
        # other programs exit with the same code.
        _discard_output()
        return code if failed else READER_GONE
    except OutputLost as error:
        return report_lost_output(error, language)
    return code


def report_lost_output(error: OutputLost, language: str) -> int:
    """Print that standard output cannot be written, and return the exit code."""
    _discard_output()
    print(error.in_language(language), file=sys.stderr)
    return Exit.USAGE


def _discard_output() -> None:
    """Drop what cannot be written: the interpreter would retry and choose an exit code."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
