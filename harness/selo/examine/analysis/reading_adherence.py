"""Counts how often the answers of a vendor fit each reading of each open point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cases.oracle import is_answer_of
from selo.examine.blame import blamed_provisions
from selo.rules.checks import settlement_points
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.verdict.observations import ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
    from selo.examine.blame.root_causes import RootCause
    from selo.law import Law
    from selo.vendors.reply_reader import Reply


def count_reading_fits(law: Law, analysis: EvidenceAnalysis) -> Iterator[ReadingAdherence]:
    """Yield the fits of every open point without a ruling on which the answers are informative.

    If some answers differ as another reading would have it, all cases count in which the readings
    give different results; if none do, only the situations of the register count.
    """
    for game in analysis.tallies:
        points = _points_with_evidence(analysis, game)
        for divergence, readings in settlement_points(law, game).items():
            if divergence in analysis.terms.rulings:
                continue
            if divergence in points:
                yield analysis.inferred_readings[game][divergence].followed(divergence)
                continue
            answers = analysis.situations.get(game, [])
            cases, fits = _count_fits(law, analysis, game, divergence, readings, answers)
            if cases:
                yield ReadingAdherence(divergence=divergence, cases=cases, fits=fits)


def count_reading_fits_in_rounds(analysis: EvidenceAnalysis) -> Iterator[ReadingAdherence]:
    """Yield the fits of every open point on which live rounds are informative."""
    for divergence, (cases, fits) in analysis.rounds.followed.items():
        yield ReadingAdherence(divergence=divergence, cases=cases, fits=fits)


def provisions_by_open_point(analysis: EvidenceAnalysis) -> dict[str, set[str]]:
    """Return, for each open point, the provisions behind answers that another reading explains.

    The register need not name them: whether a prize includes the stake is one point, and it shows
    in every provision that sets a prize.
    """
    points: dict[str, set[str]] = {}
    for game, tally in analysis.tallies.items():
        caused = {kind for cause in _causes(analysis, game) for kind in cause.kinds}
        for kind, difference in tally.differences.items():
            allowing = (*difference.readings, *difference.together)
            for divergence, _ in allowing if kind not in caused else ():
                points.setdefault(divergence, set()).update(blamed_provisions(difference))
    return points


def _points_with_evidence(analysis: EvidenceAnalysis, game: str) -> set[str]:
    """Return the open points on which some answers fit another reading.

    Differences that a misread provision explains do not count, nor do those that another point
    explains if this one is contradicted.
    """
    causes = _causes(analysis, game)
    caused = {kind for cause in causes for kind in cause.kinds}
    misread = {kind for cause in causes if cause.games for kind in cause.kinds}
    points: set[str] = set()
    for kind, difference in analysis.tallies[game].differences.items():
        if difference.open and kind not in caused:
            points.update(name for name, _ in (*difference.readings, *difference.together))
        elif kind not in misread:
            grounds = kind.grounds
            points.update(name for name, _ in (*grounds.readings, *grounds.together))
    counted = analysis.inferred_readings.get(game, {})
    return {name for name in points if name in counted and counted[name].cases}


def _count_fits(  # noqa: PLR0913, PLR0917 - a point, its readings and the answers
    law: Law,
    analysis: EvidenceAnalysis,
    game: str,
    divergence: str,
    readings: Any,
    answers: list[tuple[Case, Reply]],
) -> tuple[int, dict[str, int]]:
    """Return in how many situations the readings differ, and how often each was followed.

    Other points are read as the vendor seems to read them.
    """
    followed = {**analysis.terms.rulings, **dict(analysis.followed_readings(game))}
    games = {
        reading: compile_game(law, game, Readings(law, {**followed, divergence: reading}))
        for reading in readings
    }
    cases = 0
    fits = dict.fromkeys(games, 0)
    for case, reply in answers:
        answer = reply.result.settlements if case.method == "settle" else reply.result.order
        fitting = [name for name, game in games.items() if is_answer_of(game, case, answer)]
        if 0 < len(fitting) < len(games):
            cases += 1
            for name in fitting:
                fits[name] += 1
    return cases, fits


def _causes(analysis: EvidenceAnalysis, game: str) -> list[RootCause]:
    located = analysis.located.get(game)
    return [] if located is None else located.causes
