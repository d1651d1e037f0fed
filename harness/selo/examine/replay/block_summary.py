"""The gist of evidence, told block by block by several processes that read it side by side.

1. Worker k of n reads every nth block: the hash of each line, its number and its form.
2. Lines of cases that are right, or on which the law says nothing, are only counted: most are.
3. Everything else is passed on whole, to be looked at closely, and so are some right answers.
4. If the marks in the evidence are doubted, every answer is judged again on the way.

Whoever gets the gist of every block can prove the root without reading a line again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.generate import SITUATIONS
from selo.cases.oracle import Oracle
from selo.evidence.canonical_json import NotCanonical, decode
from selo.evidence.evidence_errors import Tampered
from selo.evidence.evidence_reader import Reader
from selo.evidence.merkle import leaves
from selo.examine.blame import Right
from selo.examine.exchange import REDUCTION
from selo.examine.plan.live_rounds import ROUND
from selo.examine.replay.recheck import Doubter, Told
from selo.parallel import TURN, in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.evidence import Head
    from selo.examine.plan import Terms
    from selo.law.loader import Law

#: Groups of lines that are never only counted.
_CLOSE: Final = frozenset({SITUATIONS, REDUCTION})


_read: Final = msgspec.json.Decoder(Told).decode


class Run(msgspec.Struct):
    """Lines of one group that follow one another."""

    game: str
    group: str
    method: str
    #: The number of the first case.
    n: int
    count: int = 0
    #: How many are right, and on how many the law says nothing; the others are looked at closely.
    right: int = 0
    silent: int = 0


class Gist(msgspec.Struct, frozen=True, kw_only=True):
    """What one block of lines says."""

    #: The hashes of all its lines, one after the other.
    hashes: bytes
    runs: list[Run]
    #: Lines that must be looked at closely.
    close: list[bytes]
    #: Right answers of which some are kept.
    right: list[bytes]
    #: The last line of all, if it is in this block.
    footer: bytes | None
    #: The first line of which the law says otherwise, and what it says of itself.
    misjudged: tuple[int, bool | None] | None


class Unreadable(msgspec.Struct, frozen=True):
    """A block that is not as it was written; whoever reads line by line learns where and how."""


def gists(
    folder: Path, law: Law, terms: Terms, *, doubting: bool, processes: int | None = None
) -> Iterator[Gist | Unreadable]:
    """Yield the gist of every block, in order; nothing follows on what cannot be read."""

    def worker(number: int, count: int) -> Iterator[Any]:
        reading = _Reading(Oracle(law, terms.rulings) if doubting else None)
        try:
            for head, lines in Reader(folder).some_blocks(lambda at: at % count == number):
                yield reading.gist(head, lines)
                yield TURN
        except (Tampered, NotCanonical, ValueError, RecursionError):
            yield Unreadable()

    yield from in_turn(worker, processes or len(os.sched_getaffinity(0)))


class _Reading:
    def __init__(self, oracle: Oracle | None) -> None:
        self._doubter = None if oracle is None else Doubter(oracle)
        self._kept: dict[str, Right] = {}

    def gist(self, head: Head, lines: list[bytes]) -> Gist:
        """Return what a block says; raise if a line of it is not in its place or form."""
        first = 1 if not head.first else 0
        last = len(lines) - 1 if head.last else len(lines)
        close: list[bytes] = []
        right: list[bytes] = []
        runs: list[Run] = []
        misjudged: tuple[int, bool | None] | None = None
        run: Run | None = None
        for n, line in enumerate(lines[first:last], head.first + first - 1):
            told = _read(line)
            if told.n != n or told.evidence is not None:
                msg = f"line {n + 1} is not case {n}"
                raise ValueError(msg)
            if self._doubter is None:
                decode(line)
            elif not self._doubter.agrees(told, line) and misjudged is None:
                misjudged = n, told.right
            if run is None or run.group != told.group or (run.game, run.method) != (
                told.game, told.method,
            ):  # fmt: skip
                run = Run(told.game, told.group, told.method, n)
                runs.append(run)
            run.count += 1
            if told.method == ROUND or told.group in _CLOSE:
                close.append(line)
            elif told.right:
                run.right += 1
                if not n % Right.every:
                    self._keep(told, line, right)
            elif told.right is None and not told.error and not told.fault:
                run.silent += 1
            else:
                close.append(line)
        return Gist(
            hashes=b"".join(leaves(lines)), runs=runs, close=close, right=right,
            footer=lines[-1] if head.last else None, misjudged=misjudged,
        )  # fmt: skip

    def _keep(self, told: Told, line: bytes, right: list[bytes]) -> None:
        """Pass some right answers on: of each worker's as many as are wanted of all."""
        kept = self._kept.setdefault(told.game, Right())
        if kept.wants(told.group, told.n):
            kept.count(told.group)
            right.append(line)
