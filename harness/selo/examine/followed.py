"""Which reading of each open point a vendor follows, and whether it does so throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cases.expectation import lawful_under
from selo.rules.check import executable
from selo.rules.compiler import compile_game
from selo.rules.readings import Readings
from selo.verdict.seen import Followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.adapters.reading import Reply
    from selo.cases.case import Case
    from selo.examine.conclusion import Conclusion
    from selo.law.reader import Law


def followed(law: Law, found: Conclusion) -> Iterator[Followed]:
    """Yield every open point that nobody has ruled on and that the answers tell something of."""
    for game, answers in found.situations.items():
        shown = _seen_apart(found, game)
        for divergence, readings in executable(law, game).items():
            if divergence in found.terms.rulings:
                continue
            cases, fits = _fitting(law, found, game, divergence, readings, answers)
            for reading, times in shown.get(divergence, {}).items():
                cases += times
                fits[reading] = fits.get(reading, 0) + times
            if cases:
                yield Followed(divergence=divergence, cases=cases, fits=fits)


def followed_in_rounds(found: Conclusion) -> Iterator[Followed]:
    """Yield every open point on which live rounds tell something."""
    for divergence, (cases, fits) in found.rounds.followed.items():
        yield Followed(divergence=divergence, cases=cases, fits=fits)


def _seen_apart(found: Conclusion, game: str) -> dict[str, dict[str, int]]:
    """Return how often answers were as another reading than ours would have them."""
    tally = found.tallies[game]
    # What has another cause is no sign that the vendor follows a reading.
    caused = {kind for cause in found.causes.get(game, ()) for kind in cause.kinds}
    shown: dict[str, dict[str, int]] = {}
    for kind, one in tally.differences.items():
        for divergence, reading in one.readings if kind not in caused else ():
            of_point = shown.setdefault(divergence, {})
            of_point[reading] = of_point.get(reading, 0) + tally.times[kind]
    # A case that fits two readings of one point says for which point, not for which reading.
    return {name: of for name, of in shown.items() if len(of) == 1}


def _fitting(  # noqa: PLR0913, PLR0917 - a point, its readings, and the answers
    law: Law,
    found: Conclusion,
    game: str,
    divergence: str,
    readings: Any,
    answers: list[tuple[Case, Reply]],
) -> tuple[int, dict[str, int]]:
    """Return in how many situations the readings part, and how often each was followed."""
    games = {
        reading: compile_game(
            law, game, Readings(law, {**found.terms.rulings, divergence: reading})
        )
        for reading in readings
    }
    cases = 0
    fits = dict.fromkeys(games, 0)
    for case, reply in answers:
        answer = reply.result.settlements if case.method == "settle" else reply.result.order
        fitting = [name for name, one in games.items() if lawful_under(one, case, answer)]
        if 0 < len(fitting) < len(games):
            cases += 1
            for name in fitting:
                fits[name] += 1
    return cases, fits
