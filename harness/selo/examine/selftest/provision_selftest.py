"""Runs the self-test by provision: single faults, pairs, triples, and lawful vendors."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from selo import data_files
from selo.examine.selftest.combination_selftest import CombinationScorer, draw_combinations
from selo.examine.selftest.fault_combination import NotComposable
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.kill_score import KillScore, game_edition
from selo.examine.selftest.provision_score import (
    CombinationScore,
    MisjudgedProvision,
    ProvisionSums,
    VendorKind,
    add_scores,
)
from selo.examine.selftest.reading_selftest import ReadingScorer, draw_reading_combinations
from selo.parallel import END_OF_CHUNK, run_workers
from selo.verdict.rulings import adopt_rulings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.law import Law

_ENGINE_FAULTS: Final = ("planted", "engine_faults.py")
_PAIR: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class ProvisionSample:
    """How many vendors of each kind are examined in each game."""

    pairs: int = 0
    triples: int = 0
    #: Random combinations of readings, besides every reading by itself.
    readings: int = 0
    #: One in this many generated faults; none if 0.
    generated: int = 0
    seed: int = 1


def provision_edition(law: Law, game: str) -> str:
    """Return the digest of everything that decides the scores by provision of a game."""
    engine = data_files.data_folder("fixtures").joinpath(*_ENGINE_FAULTS).read_bytes()
    return hashlib.sha256(game_edition(law, game).encode() + engine).hexdigest()


def score_by_provision(
    law: Law, game: str, sample: ProvisionSample, processes: int = 1
) -> Iterator[tuple[VendorKind, CombinationScore]]:
    """Yield the score of every vendor of a sample, with its kind.

    Faults that cannot be in one vendor are left out.
    """

    def worker(number: int, count: int) -> Iterator[Any]:
        for kind, score in islice(_vendors(law, game, sample), number, None, count):
            with contextlib.suppress(NotComposable):
                yield kind, score()
            yield END_OF_CHUNK

    yield from run_workers(worker, processes)


def _vendors(
    law: Law, game: str, sample: ProvisionSample
) -> Iterator[tuple[VendorKind, Callable[[], CombinationScore]]]:
    """Yield the kind of each vendor, and what scores it."""
    scorer = CombinationScorer(Examiner(law, game, adopt_rulings(law, defaults=True)))
    generated = islice(scorer.generated, 0, None, sample.generated) if sample.generated else ()
    for kind, faults in (
        (VendorKind.PLANTED, scorer.planted),
        (VendorKind.ENGINE, scorer.engine),
        (VendorKind.GENERATED, generated),
    ):
        for fault in faults:
            yield kind, partial(scorer.score, [fault])
    for drawn in draw_combinations(
        scorer, pairs=sample.pairs, triples=sample.triples, seed=sample.seed
    ):
        kind = VendorKind.PAIRS if len(drawn) == _PAIR else VendorKind.TRIPLES
        yield kind, partial(scorer.score, drawn)
    readings = ReadingScorer(Examiner(law, game))
    for followed in draw_reading_combinations(
        law, game, combinations=sample.readings, seed=sample.seed
    ):
        yield VendorKind.READINGS, partial(readings.score, followed)


def score_games(
    law: Law,
    games: Iterable[str],
    sample: ProvisionSample,
    *,
    processes: int = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> KillScore:
    """Return the sums of each game and kind of vendor, and what was cleared or accused wrongly."""
    sums: list[ProvisionSums] = []
    misjudged: list[MisjudgedProvision] = []
    for game in games:
        by_kind: dict[VendorKind, list[CombinationScore]] = {}
        for kind, score in score_by_provision(law, game, sample, processes):
            advance(1)
            by_kind.setdefault(kind, []).append(score)
            misjudged += [provision for provision in score.misjudged if provision.is_defect]
        edition = provision_edition(law, game)
        sums += [
            add_scores(scores, game=game, kind=kind, edition=edition, seed=sample.seed)
            for kind, scores in by_kind.items()
        ]
    return KillScore(editions={}, counts={}, accused=[], scores=[], sums=sums, misjudged=misjudged)


def current_sums(law: Law, kills: KillScore) -> list[ProvisionSums]:
    """Return the sums whose edition of law and faults has not changed since."""
    editions = {game: provision_edition(law, game) for game in {row.game for row in kills.sums}}
    return [row for row in kills.sums if row.edition == editions[row.game]]
