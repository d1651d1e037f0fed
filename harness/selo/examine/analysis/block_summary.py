"""Summarises evidence block by block, in parallel processes.

1. Worker k of n reads every nth block and checks hash, number and form of each line.
2. It makes the plan of these lines again: line n must be about case n, as long as there are cases.
3. Lines of cases that are right, or on which the law says nothing, are only counted.
4. All other lines are passed on whole, with a sample of the right answers.
5. Every answer is judged again, whatever the evidence says of it.

The summaries of all blocks are enough to prove the root without reading a line again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cases.generate import SITUATION_GROUP
from selo.cases.oracle import Oracle
from selo.evidence import EvidenceReader
from selo.evidence.canonical_json import NotCanonical, decode_canonical
from selo.evidence.evidence_errors import EvidenceTampered
from selo.evidence.merkle import salted_leaf_hashes
from selo.examine.analysis.recheck import CaseLine, Rechecker, decode_case_line
from selo.examine.blame import RightAnswers
from selo.examine.exchange.chunk_exchange import may_hold_fraction
from selo.examine.plan import Plan
from selo.examine.vendor_description import DeclaredLimits
from selo.parallel import END_OF_CHUNK, run_workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.evidence.block import BlockHead
    from selo.examine.plan import Terms
    from selo.law import Law


class LineRun(msgspec.Struct):
    """Consecutive lines of one group."""

    game: str
    group: str
    method: str
    #: The number of the first case.
    n: int
    count: int = 0
    #: How many are right, and on how many the law says nothing; the others are passed on.
    right: int = 0
    silent: int = 0


class BlockSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one block of lines."""

    #: The concatenated hashes of all its lines.
    hashes: bytes
    runs: list[LineRun]
    #: Lines of cases that are passed on whole.
    whole_lines: list[bytes]
    #: Lines after the last case of the plan: rounds and reductions.
    later_lines: list[bytes]
    #: A sample of the lines whose answers are right.
    right_samples: list[bytes]
    #: The last line of the evidence, if it is in this block.
    footer: bytes | None
    #: The first line whose mark is not what the law says: its number and its mark.
    misjudged: tuple[int, bool | None] | None
    #: The number of the first line that is not about the case of the plan with this number.
    departure: int | None


class UnreadableBlock(msgspec.Struct, frozen=True):
    """A block that was altered; reading it line by line tells where and how."""


def summarise_blocks(
    folder: Path, law: Law, terms: Terms, *, processes: int | None = None
) -> Iterator[BlockSummary | UnreadableBlock]:
    """Yield the summary of every block, in order; stop after one that cannot be read."""
    plan = Plan(law, terms)

    def worker(number: int, count: int) -> Iterator[Any]:
        rechecker = Rechecker(Oracle(law, terms.rulings), DeclaredLimits(law, terms.games))
        reading = _BlockReader(plan, rechecker, EvidenceReader(folder).secret())
        try:
            for head, lines in EvidenceReader(folder).some_blocks(lambda at: at % count == number):
                yield reading.summarise(head, lines)
                yield END_OF_CHUNK
        except (EvidenceTampered, NotCanonical, ValueError, RecursionError):
            yield UnreadableBlock()

    yield from run_workers(worker, processes or len(os.sched_getaffinity(0)))


class _BlockReader:
    def __init__(self, plan: Plan, rechecker: Rechecker, secret: bytes | None) -> None:
        self._cursor, self._rechecker, self._secret = plan.cursor(), rechecker, secret
        self._samples: dict[str, RightAnswers] = {}

    def summarise(self, head: BlockHead, lines: list[bytes]) -> BlockSummary:
        """Return the summary of a block; raise if a line is not in its place or form."""
        skipped = 1 if not head.first else 0
        own = lines[skipped : len(lines) - 1 if head.last else len(lines)]
        first = head.first + skipped - 1
        # After the last block no case may be left.
        planned = self._cursor.read(first, len(own) + head.last)
        later = own[len(planned) :]
        whole_lines: list[bytes] = []
        right_samples: list[bytes] = []
        runs: list[LineRun] = []
        misjudged: tuple[int, bool | None] | None = None
        departure = first + len(own) if len(planned) > len(own) else None
        run: LineRun | None = None
        for n, (line, case) in enumerate(zip(own, planned, strict=False), first):
            case_line = decode_case_line(line)
            _require_number(case_line, n)
            params = self._cursor.params(case)
            if not case_line.is_about(case, params):
                decode_canonical(line)
                departure = n
                break
            agrees = self._rechecker.agrees_with_law(case_line, line, case, params)
            if not agrees and misjudged is None:
                misjudged = n, case_line.right
            run = _count_line(case_line, run, runs)
            if case.group == SITUATION_GROUP or (case_line.right and may_hold_fraction(line)):
                whole_lines.append(line)
            elif case_line.right:
                run.right += 1
                if not n % RightAnswers.every:
                    self._sample(case_line, line, right_samples)
            elif case_line.right is None and not (
                case_line.error or case_line.fault or case_line.skipped
            ):
                run.silent += 1
            else:
                whole_lines.append(line)
        for n, line in enumerate(later, first + len(planned)):
            decode_canonical(line)
            later_line = decode_case_line(line)
            _require_number(later_line, n)
            run = _count_line(later_line, run, runs)
        return BlockSummary(
            hashes=b"".join(salted_leaf_hashes(lines, self._secret, head.first)), runs=runs,
            whole_lines=whole_lines,
            later_lines=later, right_samples=right_samples,
            footer=lines[-1] if head.last else None, misjudged=misjudged, departure=departure,
        )  # fmt: skip

    def _sample(self, case_line: CaseLine, line: bytes, right_samples: list[bytes]) -> None:
        """Sample right answers; each worker may pass on as many as are wanted of all."""
        samples = self._samples.setdefault(case_line.game, RightAnswers())
        if samples.wants(case_line.group, case_line.n):
            samples.count(case_line.group)
            right_samples.append(line)


def _require_number(case_line: CaseLine, n: int) -> None:
    if case_line.n != n:
        msg = f"line {n + 1} is not case {n}"
        raise ValueError(msg)


def _count_line(case_line: CaseLine, run: LineRun | None, runs: list[LineRun]) -> LineRun:
    """Count a line and return its run, which is a new one where the group is another."""
    if run is None or run.group != case_line.group or (run.game, run.method) != (
        case_line.game, case_line.method,
    ):  # fmt: skip
        run = LineRun(case_line.game, case_line.group, case_line.method, case_line.n)
        runs.append(run)
    run.count += 1
    return run
