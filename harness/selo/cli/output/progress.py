"""Progress on standard error: a bar on a terminal, a line from time to time in a log."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from selo.cli.output.terminal import can_redraw, uses_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Total = int | Callable[[], int | None] | None
    Words = str | Callable[[], str]

_BAR_INTERVAL: Final = 0.1
#: In a log: seconds until the first line, then between lines.
_FIRST_LINE: Final = 5.0
_LINE_INTERVAL: Final = 30.0


@contextmanager
def show_progress(words: Words, total: Total = None) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number of items newly done.

    A `total` that becomes known later is a function, called until it returns a number. Words that
    change are a function, too.
    """
    yield from _show_bar(words, total) if can_redraw(sys.stderr) else _print_lines(words, total)


def _total_of(total: Total) -> int | None:
    return total() if callable(total) else total


def _words_of(words: Words) -> str:
    return words() if callable(words) else words


def _show_bar(words: Words, total: Total) -> Iterator[Callable[[int], None]]:
    from rich.console import Console  # noqa: PLC0415 - only where a bar is drawn
    from rich.progress import (  # noqa: PLC0415 - the same
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, color_system="standard" if uses_colour(sys.stderr) else None)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(_words_of(words), total=_total_of(total), rate="")
        started = last = time.monotonic()
        done = 0

        def advance(more: int) -> None:
            nonlocal done, last
            done += more
            now = time.monotonic()
            if now - last >= _BAR_INTERVAL:
                last = now
                rate = f"{done / (now - started):,.0f}/s"
                progress.update(
                    task,
                    completed=done,
                    rate=rate,
                    total=_total_of(total),
                    description=_words_of(words),
                )

        yield advance


def _print_lines(words: Words, total: Total) -> Iterator[Callable[[int], None]]:
    started = time.monotonic()
    due = started + _FIRST_LINE
    done = 0

    def advance(more: int) -> None:
        nonlocal done, due
        done += more
        now = time.monotonic()
        if now >= due:
            due = now + _LINE_INTERVAL
            rate = done / (now - started)
            count = _total_of(total)
            of = left = ""
            if count is not None and rate:
                minutes, seconds = divmod(round(max(0, count - done) / rate), 60)
                of, left = f" / {count:,}", f", ETA {minutes:,}:{seconds:02}"
            line = f"{_words_of(words)}: {done:,}{of}, {rate:,.0f}/s{left}"
            print(line, file=sys.stderr, flush=True)

    yield advance
