"""Compares what two products drew, by `draw` and at free tables, as two samples of one source.

A random source has no fingerprint. Samples with the same options are tested for the same
distribution; all tests form one family, as those of a single source do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from selo.draws.chi_square import measure_two_samples
from selo.draws.draw_verdict import DrawResult, OutcomeSource, judge_draws
from selo.examine.analysis.draw_record import read_draws
from selo.law.files.provision_file import ClosedRecord

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from selo.draws.draw_verdict import DrawSource
    from selo.examine.analysis.draw_results import DrawResults
    from selo.examine.run.evidence_header import Header
    from selo.law import Law

    #: The outcomes of a sample, the equipment that counts them, and the source.
    Drawn = tuple[Any, Any, DrawSource]


class ChanceComparison(ClosedRecord, frozen=True):
    """How two samples from sources with the same options compare."""

    game: str
    options: dict[str, str | int]
    source: OutcomeSource
    provisions: list[str]
    before: int
    after: int
    #: The smallest p-value of all tests of the sample, adjusted for the whole family.
    adjusted: str
    result: DrawResult


def compare_chance(
    before: tuple[Path, Law, Header], after: tuple[Path, Law, Header]
) -> list[ChanceComparison]:
    """Compare the draws of two runs, each with its folder, law and header."""
    return compare_samples(*(_samples_of(*side) for side in (before, after)))


def compare_samples(
    old: Mapping[tuple[Any, ...], Drawn], new: Mapping[tuple[Any, ...], Drawn]
) -> list[ChanceComparison]:
    """Compare samples of the same sources, by game, origin and options."""
    common = [key for key in new if key in old]
    measured = []
    for key in common:
        (rows, equipment, _), (earlier, _, _) = new[key], old[key]
        tests = [
            measure_two_samples(own, other)
            for own, other in zip(
                equipment.histograms(rows), equipment.histograms(earlier), strict=True
            )
        ]
        measured.append((new[key][2], len(rows), tests))
    statistics = judge_draws(measured, 1)
    comparisons = []
    for key in common:
        rows, _, source = new[key]
        own = [
            test
            for test in statistics
            if (test.game, test.options, test.source)
            == (source.game, source.options, source.origin)
        ]
        worst = min(own, key=lambda test: float(test.adjusted))
        comparisons.append(
            ChanceComparison(
                game=source.game,
                options=source.options,
                source=source.origin,
                provisions=source.provisions,
                before=len(old[key][0]),
                after=len(rows),
                adjusted=worst.adjusted,
                result=worst.verdict,
            )
        )
    return comparisons


def _samples_of(folder: Path, law: Law, header: Header) -> dict[tuple[Any, ...], Drawn]:
    results: DrawResults = read_draws(folder, law, header.terms, header.description.games)
    samples: dict[tuple[Any, ...], Drawn] = {}
    for draws in results.samples:
        if draws.batches:
            samples[_key_of(draws.source())] = (
                np.concatenate(draws.batches), draws.equipment, draws.source(),
            )  # fmt: skip
    for table in results.table_samples():
        if table.drawn:
            samples[_key_of(table.source())] = table.rows(), table.equipment, table.source()
    return samples


def _key_of(source: DrawSource) -> tuple[Any, ...]:
    return source.game, source.origin, *sorted(source.options.items())
