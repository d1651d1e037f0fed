"""Reads the recorded draws and free rounds of a run, line by line against the plan.

Nothing here asks a vendor: what is recorded and the edition of the law files determine the results.
"""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from selo.draws.draw_verdict import read_levels
from selo.evidence import EvidenceReader
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.integrity_scan import KIND_FIELD
from selo.evidence.run_files import DRAWS_FILE, known_roots
from selo.examine.analysis.deviation_powers import list_powers
from selo.examine.analysis.draw_results import (
    DrawResults,
    SampleDraws,
    doubtful_games,
    doubtful_samples,
    planned_samples,
    run_tests,
    sample_key,
)
from selo.examine.free_rounds import FREE_ROUND, FreeRounds
from selo.examine.free_rounds.free_round_streams import FREE_STREAM
from selo.protocol.messages import DRAW

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from selo.draws.chance_deviations import DeviationPower
    from selo.evidence import EvidenceSummary
    from selo.examine.plan import Sample, Terms
    from selo.law import Law
    from selo.protocol.messages import Offer

#: The fields of a line of a stream that say which one it is.
STREAM_FIELDS: Final = frozenset({"look", "stream"})
#: The number of streams in the footer, if there are any.
STREAMS_FIELD: Final = "streams"
#: The group of the lines of draws.
DRAWS_GROUP: Final = "draws"


class SampleIndex:
    """Adds each recorded line of the file at `path` to its sample."""

    def __init__(
        self, samples: Iterable[SampleDraws], path: Path, free: FreeRounds | None = None
    ) -> None:
        self._path, self._free = path, free
        self._by_key = {
            sample_key(draws.sample.game, draws.sample.options, draws.sample.method): draws
            for draws in samples
        }

    def add_line(self, line: dict[str, Any]) -> None:
        """Add a line to its sample; header and footer belong to none. Raise for a foreign line."""
        try:
            self._add(line)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise EvidenceTampered(
                path=self._path, sign=AlterationSign.PLAN, what=str(error)
            ) from error

    def _add(self, line: dict[str, Any]) -> None:
        if KIND_FIELD in line:
            return
        if line["method"] in {FREE_ROUND, FREE_STREAM} and self._free is not None:
            self._free.add_line(line)
            return
        params = line["params"]
        draws = self._by_key[sample_key(params["game"], params["options"], line["method"])]
        place = STREAM_FIELDS if "stream" in line else frozenset()
        question = {name: line[name] for name in line.keys() - {"n", "answer", "fault", *place}}
        if question != draw_question(draws.sample) or ("answer" in line) is ("fault" in line):
            msg = f"line {line['n'] + 1} is not a request of the plan"
            raise ValueError(msg)
        if draws.fault is not None or not _is_whole(draws, line):
            msg = f"line {line['n'] + 1} has another number of outcomes than the plan"
            raise ValueError(msg)
        draws.add_line(line)


def _is_whole(draws: SampleDraws, line: dict[str, Any]) -> bool:
    """Return whether a line holds as many outcomes as the plan asks for next."""
    if "stream" in line:
        left = draws.streams_left(line["look"]) if line["look"] in {1, 2} else []
        if not left or not draws.is_kept or left[0][0] != line["stream"]:
            return False
        planned = left[0][1] * draws.sample.per_request
        return "fault" in line or line["answer"]["counts"]["outcomes"] == planned
    if draws.is_streamed and draws.is_kept:
        return False
    return "fault" in line or len(line["answer"]["outcomes"]) == draws.sample.per_request


def draw_question(sample: Sample) -> dict[str, Any]:
    """Return the fields of a line of draws that the plan determines."""
    return {
        "game": sample.game, "group": DRAWS_GROUP, "method": sample.method,
        "params": sample.params(),
    }  # fmt: skip


def draws_header(terms: Terms, samples: Iterable[SampleDraws], free: FreeRounds) -> dict[str, Any]:
    """Return the first line of the recorded draws of a run."""
    return {
        "plan": terms.digest,
        "free_rounds": free.planned(),
        "samples": [
            {"game": draws.sample.game, "options": draws.sample.options,
             "outcomes": draws.sample.outcomes, "provisions": draws.sample.provisions,
             **({} if draws.sample.method == DRAW else {"method": draws.sample.method})}
            for draws in samples
        ],
    }  # fmt: skip


def draws_footer(
    lines: int, samples: Iterable[SampleDraws], free: FreeRounds | None
) -> dict[str, int]:
    """Return the last line of the recorded draws of a run, which has this many lines beside it."""
    tables, streams = (0, 0) if free is None else (free.lines, free.stream_lines)
    streams += sum(sum(draws.streams.values()) for draws in samples)
    footer = {"batches": lines - tables - streams, "free_tables": tables}
    return {**footer, STREAMS_FIELD: streams} if streams else footer


def read_draws(folder: Path, law: Law, terms: Terms, offers: Sequence[Offer]) -> DrawResults:
    """Return the tested draws recorded in `folder`; no samples if none were planned."""
    free = FreeRounds(law, terms, offers)
    levels = read_levels(law, terms.game_names)
    results = DrawResults(samples=planned_samples(law, terms), free=free, levels=levels)
    if not (folder / DRAWS_FILE.file).exists():
        if results.samples or free.games or known_roots(folder, DRAWS_FILE):
            raise EvidenceTampered(
                path=folder / DRAWS_FILE.file, sign=AlterationSign.CUT, what="there is no such file"
            )
        return results
    reader = EvidenceReader(folder, book=DRAWS_FILE)
    # Each outcome is several objects: keep older objects out of the garbage collections they cause.
    gc.freeze()
    try:
        recorded = reader.read(take=SampleIndex(results.samples, reader.path, free).add_line)
    finally:
        gc.unfreeze()
    if recorded.header != draws_header(terms, results.samples, free):
        raise EvidenceTampered(
            path=reader.path, sign=AlterationSign.PLAN, what="it belongs to another plan"
        )
    results.root = str(recorded.root)
    run_tests(results, None)
    departure = _find_draws_departure(results, recorded)
    if departure is not None:
        raise EvidenceTampered(path=reader.path, sign=AlterationSign.PLAN, what=departure)
    return results


def state_powers(law: Law, results: DrawResults) -> list[DeviationPower]:
    """Return how surely each deviation that the law files name would have been noticed."""
    return list(list_powers(law, results))


def _find_draws_departure(results: DrawResults, recorded: EvidenceSummary) -> str | None:
    """Return which sample has more or fewer batches than the plan, if one has."""
    if recorded.footer != draws_footer(recorded.cases, results.samples, results.free):
        return "the footer has another number of batches"
    departure = None
    if results.free is not None:
        departure = results.free.find_departure(doubtful_games(results))
    if departure is not None:
        return departure
    first_look = [test for test in results.statistics if test.look == 1]
    doubtful = doubtful_samples(results.samples, first_look)
    for draws in results.samples:
        again = any(draws is one for one in doubtful)
        looks = 1 + draws.factor * (again and not draws.is_streamed)
        batches, planned = len(draws.batches), looks * draws.sample.kept_batches
        if batches > planned or (batches < planned and draws.fault is None):
            return f"{batches} batches of {draws.sample.game}, {planned} in the plan"
        left = draws.streams_left(1) or (again and draws.streams_left(2))
        if (left and draws.fault is None) or (draws.streams.get(2, 0) and not again):
            return f"other streams of {draws.sample.game} than in the plan"
    return None


class BackgroundDraws:
    """The recorded draws of a run, read in a thread while processes read its evidence."""

    def __init__(self, folder: Path, law: Law, terms: Terms, offers: Sequence[Offer]) -> None:
        self._read = partial(read_draws, folder, law, terms, offers)
        self._reading: Future[DrawResults] | None = None

    def begin(self) -> None:
        """Begin to read; call it after all processes were forked, since none may copy a thread."""
        if self._reading is None:
            reader = ThreadPoolExecutor(max_workers=1)
            self._reading = reader.submit(self._read)
            reader.shutdown(wait=False)

    def results(self) -> DrawResults:
        """Return the tested draws, or raise what reading them raised."""
        return self._read() if self._reading is None else self._reading.result()
