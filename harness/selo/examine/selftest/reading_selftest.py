"""Self-test by lawful vendors under other readings: nobody who follows a reading breaks the law.

1. For every reading of every open point of a game's settlements that is not the default, a vendor
   follows just that reading; further vendors follow random combinations of readings.
2. The compiled game under those readings answers, wherever it differs from the default.
3. The vendor is examined without rulings. What it answers is open; a provision that violates is
   *accused wrongly*.

Tables are not played: the tables of the reference vendor follow the defaults.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from selo.examine.selftest.fault_combination import MisreadVendor, NotComposable
from selo.examine.selftest.planted_selftest import load_planted_vendors
from selo.examine.selftest.provision_score import (
    CombinationScore,
    MisjudgedProvision,
    Misjudgement,
    program_result,
)
from selo.examine.selftest.vendor_transcript import TranscriptExaminer
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.mutants import ANSWER_ERRORS
from selo.rules.readings import Readings, readings_of_points
from selo.rules.settlement import compile_game
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.examine.selftest.in_process_examiner import Examiner
    from selo.law import Law

_TABLE: Final = "table"


def draw_reading_combinations(
    law: Law, game: str, *, combinations: int, seed: int
) -> Iterator[dict[str, str]]:
    """Yield every reading that is not the default, by itself, and then random combinations."""
    points = {
        point
        for written in read_clauses(law, game)
        if not isinstance(written.clause, c.UNSETTLED_CLAUSES)
        for point in written.clause.under
    }
    defaults = Readings(law)
    others = {
        point: [reading for reading in readings if reading != defaults.of(point)]
        for point, readings in readings_of_points(law, points).items()
    }
    yield from ({point: reading} for point, readings in others.items() for reading in readings)
    random = Random(f"{game} {seed} readings")  # noqa: S311 - a sample, not a secret
    for _ in range(combinations if len(others) > 1 else 0):
        chosen = random.sample(sorted(others), random.randint(2, len(others)))
        yield {point: random.choice(others[point]) for point in chosen}


class ReadingScorer:
    """Examines vendors of one game that follow other readings than the defaults."""

    def __init__(self, examiner: Examiner) -> None:
        self._law, self.game = examiner.law, examiner.game
        self._default = compile_game(self._law, self.game, Readings(self._law)).without_reasons()
        self._transcripts = TranscriptExaminer(
            self._law, self.game, examiner.rulings, examiner.mutants
        )

    def score(self, readings: Mapping[str, str]) -> CombinationScore:
        """Examine the vendor that follows some readings."""
        transcript = self._transcripts.transcribe(self._build(readings))
        result = self._transcripts.examine(transcript)
        names = [f"{point}={reading}" for point, reading in readings.items()]
        results = {
            verdict.provision: (program_result(verdict), str(verdict.reason))
            for verdict in result.summary.provisions
        }
        accused = [
            MisjudgedProvision(
                game=self.game, faults=names, provision=provision, judged=Misjudgement.ACCUSED,
                verdict=verdict, reason=reason, derived=True,
            )
            for provision, (verdict, reason) in results.items()
            if verdict is Result.VIOLATES
        ]  # fmt: skip
        return CombinationScore(
            game=self.game, faults=names, broken=[], found=0, concealed=0, cleared=0,
            untouched=sum(
                verdict is not Result.NOT_EXAMINED for verdict, _ in results.values()
            ),
            accused=len(accused), hidden=0, findings=len(result.findings), misjudged=accused,
            differing=len(transcript.wrong.lines),
        )  # fmt: skip

    def _build(self, readings: Mapping[str, str]) -> Any:
        """Return a vendor that settles and compares under some readings, and has no tables."""
        try:
            game = compile_game(self._law, self.game, Readings(self._law, readings))
        except ANSWER_ERRORS as error:
            raise NotComposable(str(error)) from error
        vendor = load_planted_vendors().load(self.game)
        description = vendor.describe({})
        for offer in description["games"]:
            offer["methods"] = [name for name in offer["methods"] if name != _TABLE]
        bets = frozenset(game.bets) if hasattr(game, "bets") else frozenset()
        return MisreadVendor(vendor, self._default, game.without_reasons(), bets)
