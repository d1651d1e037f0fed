"""Reads the recorded draws of a run and tests them for fairness, in one or two looks.

Nothing here asks a vendor: the recorded draws and the edition of the law files determine the
results.
"""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from selo.cases import offer_everything
from selo.draws import equipment_of_game
from selo.draws.draw_verdict import (
    DrawResult,
    DrawSource,
    DrawStatistic,
    is_sample_sufficient,
    judge_draws,
    least_detectable_bias,
    worst_result,
)
from selo.evidence import EvidenceReader
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.integrity_scan import KIND_FIELD
from selo.evidence.run_files import DRAWS_FILE, known_roots
from selo.examine.plan import (
    OUTCOMES_PER_REQUEST,
    Sample,
    plan_samples,
    terms_of,
    with_draws,
)
from selo.protocol.messages import DRAW
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from numpy.typing import NDArray

    from selo.draws import CardSource, DiceSource
    from selo.evidence import EvidenceSummary
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.table_values import Outcome


#: How many times as many outcomes the second look at a doubtful sample draws.
SECOND_LOOK_FACTOR: Final = 4
#: The group of the lines of draws.
DRAWS_GROUP: Final = "draws"


@dataclass(kw_only=True)
class SampleDraws:
    """The outcomes drawn for one sample."""

    sample: Sample
    equipment: DiceSource | CardSource
    batches: list[NDArray[np.int16]] = field(default_factory=list)
    #: The number of the first line of the sample.
    first: int = 0
    #: Why drawing stopped, if the adapter failed.
    fault: dict[str, str] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all outcomes of the first look were drawn."""
        return self.fault is None and len(self.batches) >= self.sample.batches

    @property
    def is_finished(self) -> bool:
        """Whether nothing more can be drawn for the first look."""
        return self.fault is not None or len(self.batches) >= self.sample.batches

    def rows(self, look: int) -> NDArray[np.int16]:
        """Return the outcomes of one look; the second look does not reuse those of the first."""
        first = self.sample.batches
        return np.concatenate(self.batches[:first] if look == 1 else self.batches[first:])

    def source(self) -> DrawSource:
        """Return the source that the outcomes were drawn from."""
        sample = self.sample
        return DrawSource(game=sample.game, options=sample.options, provisions=sample.provisions)

    def add_line(self, line: dict[str, Any]) -> None:
        """Add the outcomes, or the fault, of a recorded line."""
        if not self.batches:
            self.first = line["n"]
        if "answer" in line:
            self.add_outcomes(line["answer"]["outcomes"])
        else:
            self.fault = line["fault"]

    def add_outcomes(self, outcomes: list[Outcome]) -> None:
        """Add a batch of outcomes; raise if one is not an outcome of the game."""
        self.batches.append(self.equipment.rows(outcomes))


@dataclass(kw_only=True)
class DrawResults:
    """All draws of a run, with the tests made of them."""

    root: str | None = None
    samples: list[SampleDraws] = field(default_factory=list)
    statistics: list[DrawStatistic] = field(default_factory=list)

    def deciding_tests(self, draws: SampleDraws) -> list[DrawStatistic]:
        """Return the tests that decide on a sample: of the second look, if there was one."""
        tests = [
            test
            for test in self.statistics
            if (test.game, test.options) == (draws.sample.game, draws.sample.options)
        ]
        second = [test for test in tests if test.look > 1]
        return second or tests

    def verdict_of(self, draws: SampleDraws) -> DrawResult:
        """Return the verdict on a sample: doubtful without tests, or with too few draws."""
        tests = self.deciding_tests(draws)
        verdict = worst_result(tests)
        return (
            DrawResult.DOUBTFUL
            if verdict is DrawResult.FAIR and not is_sample_sufficient(tests)
            else verdict
        )


def planned_samples(law: Law, terms: Terms) -> list[SampleDraws]:
    """Return every sample of a plan, still without outcomes."""
    readings = Readings(law, terms.rulings)
    return [
        SampleDraws(
            sample=sample, equipment=equipment_of_game(law, sample.game, readings, sample.options)
        )
        for sample in plan_samples(law, terms)
    ]


class DrawForecast(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a plan, and what its tests will be able to show."""

    sample: Sample
    tests: int
    #: The least bias of a single face or card that is noticed surely.
    notices: str


def forecast_draws(law: Law, terms: Terms) -> list[DrawForecast]:
    """Return the forecast of every sample of a plan."""
    planned = [(draws, draws.equipment.tests()) for draws in planned_samples(law, terms)]
    family = sum(tests for _, tests in planned)
    return [
        DrawForecast(
            sample=draws.sample,
            tests=tests,
            notices=least_detectable_bias(
                draws.equipment.expected_measure(draws.sample.outcomes), family
            ),
        )
        for draws, tests in planned
    ]


def full_offer_terms(law: Law, game: str, rulings: Mapping[str, str] | None = None) -> Terms:
    """Return the terms of a plan for a vendor that offers everything of a game, with draws."""
    return terms_of(
        law, with_draws(law, offer_everything(law, [game])), as_of="", rulings=dict(rulings or {}),
        budget="quick", seed=0, provisions=[],
    )  # fmt: skip


def count_deciding_tests(law: Law, terms: Terms) -> dict[str, int]:
    """Return how many tests of draws decide on each provision."""
    counts: dict[str, int] = {}
    for draws in planned_samples(law, terms):
        for provision in draws.sample.provisions:
            counts[provision] = counts.get(provision, 0) + draws.equipment.tests()
    return counts


class SampleIndex:
    """Adds each recorded line of the file at `path` to its sample."""

    def __init__(self, samples: Iterable[SampleDraws], path: Path) -> None:
        self._path = path
        self._by_key = {
            _sample_key(draws.sample.game, draws.sample.options): draws for draws in samples
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
        params = line["params"]
        draws = self._by_key[_sample_key(params["game"], params["options"])]
        question = {name: line[name] for name in line.keys() - {"n", "answer", "fault"}}
        if question != draw_question(draws.sample) or ("answer" in line) is ("fault" in line):
            msg = f"line {line['n'] + 1} is not a request of the plan"
            raise ValueError(msg)
        if draws.fault is not None or (
            "answer" in line and len(line["answer"]["outcomes"]) != OUTCOMES_PER_REQUEST
        ):
            msg = f"line {line['n'] + 1} has another number of outcomes than the plan"
            raise ValueError(msg)
        draws.add_line(line)


def draw_question(sample: Sample) -> dict[str, Any]:
    """Return the fields of a line of draws that the plan determines."""
    return {
        "game": sample.game, "group": DRAWS_GROUP, "method": DRAW, "params": sample.params(),
    }  # fmt: skip


def draws_header(terms: Terms, samples: Iterable[SampleDraws]) -> dict[str, Any]:
    """Return the first line of the recorded draws of a run."""
    return {
        "plan": terms.digest,
        "samples": [
            {"game": draws.sample.game, "options": draws.sample.options,
             "outcomes": draws.sample.outcomes, "provisions": draws.sample.provisions}
            for draws in samples
        ],
    }  # fmt: skip


def _sample_key(game: str, options: dict[str, str | int]) -> tuple[Any, ...]:
    return game, tuple(sorted(options.items()))


def tests_of_look(samples: Iterable[SampleDraws], number: int) -> list[DrawStatistic]:
    """Return the tests of one look, which form one family."""
    measured = []
    for draws in samples:
        rows = draws.rows(number)
        measured.append((draws.source(), len(rows), list(draws.equipment.measures(rows))))
    return judge_draws(measured, number)


def doubtful_samples(
    samples: Iterable[SampleDraws], first: list[DrawStatistic]
) -> list[SampleDraws]:
    """Return the samples that the first look leaves in doubt."""
    results = DrawResults(statistics=first)
    return [
        draws
        for draws in samples
        if draws.is_complete and worst_result(results.deciding_tests(draws)) is DrawResult.DOUBTFUL
    ]


def read_draws(folder: Path, law: Law, terms: Terms) -> DrawResults:
    """Return the tested draws recorded in `folder`; no samples if none were planned."""
    results = DrawResults(samples=planned_samples(law, terms))
    if not (folder / DRAWS_FILE.file).exists():
        if results.samples or known_roots(folder, DRAWS_FILE):
            raise EvidenceTampered(
                path=folder / DRAWS_FILE.file, sign=AlterationSign.CUT, what="there is no such file"
            )
        return results
    reader = EvidenceReader(folder, book=DRAWS_FILE)
    # Each outcome is several objects: keep older objects out of the garbage collections they cause.
    gc.freeze()
    try:
        recorded = reader.read(take=SampleIndex(results.samples, reader.path).add_line)
    finally:
        gc.unfreeze()
    if recorded.header != draws_header(terms, results.samples):
        raise EvidenceTampered(
            path=reader.path, sign=AlterationSign.PLAN, what="it belongs to another plan"
        )
    results.root = str(recorded.root)
    run_tests(results, None)
    departure = _find_draws_departure(results, recorded)
    if departure is not None:
        raise EvidenceTampered(path=reader.path, sign=AlterationSign.PLAN, what=departure)
    return results


def _find_draws_departure(results: DrawResults, recorded: EvidenceSummary) -> str | None:
    """Return which sample has more or fewer batches than the plan, if one has."""
    if recorded.footer != {"batches": recorded.cases}:
        return "the footer has another number of batches"
    first_look = [test for test in results.statistics if test.look == 1]
    doubtful = doubtful_samples(results.samples, first_look)
    for draws in results.samples:
        looks = 1 + SECOND_LOOK_FACTOR * any(draws is one for one in doubtful)
        batches, planned = len(draws.batches), looks * draws.sample.batches
        if batches > planned or (batches < planned and draws.fault is None):
            return f"{batches} batches of {draws.sample.game}, {planned} in the plan"
    return None


class BackgroundDraws:
    """The recorded draws of a run, read in a thread while processes read its evidence."""

    def __init__(self, folder: Path, law: Law, terms: Terms) -> None:
        self._read = partial(read_draws, folder, law, terms)
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


def run_tests(results: DrawResults, first: list[DrawStatistic] | None) -> None:
    """Test all complete samples, then again the doubtful ones that were drawn a second time.

    `first` holds the tests of the first look, if they were made already.
    """
    complete = [draws for draws in results.samples if draws.is_complete]
    results.statistics = (
        tests_of_look(complete, 1) if first is None and complete else list(first or ())
    )
    repeated = [
        draws
        for draws in doubtful_samples(complete, results.statistics)
        if len(draws.batches) > draws.sample.batches
    ]
    if repeated:
        results.statistics += tests_of_look(repeated, 2)
