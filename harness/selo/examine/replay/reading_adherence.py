"""Which reading of each open point a vendor follows, and in how many cases of those that tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cases.oracle import lawful_under
from selo.examine.blame import derived
from selo.examine.tally import raw_readings
from selo.rules import compile_game
from selo.rules.checks.game_check import executable
from selo.rules.readings import Readings
from selo.verdict.observations import Followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.replay.evidence_analysis import Conclusion
    from selo.law.loader import Law
    from selo.vendors.reply_reader import Reply


def followed(law: Law, found: Conclusion) -> Iterator[Followed]:
    """Yield every open point that nobody has ruled on and that the answers tell something of.

    Where answers differ as another reading would have it, all cases count in which readings part;
    elsewhere the situations of the register do.
    """
    for game in found.tallies:
        shown = _shown(found, game)
        for divergence, readings in executable(law, game).items():
            if divergence in found.terms.rulings:
                continue
            if divergence in shown:
                yield found.shown[game][divergence].followed(divergence)
                continue
            answers = found.situations.get(game, [])
            cases, fits = _fitting(law, found, game, divergence, readings, answers)
            if cases:
                yield Followed(divergence=divergence, cases=cases, fits=fits)


def followed_in_rounds(found: Conclusion) -> Iterator[Followed]:
    """Yield every open point on which live rounds tell something."""
    for divergence, (cases, fits) in found.rounds.followed.items():
        yield Followed(divergence=divergence, cases=cases, fits=fits)


def touched(found: Conclusion) -> dict[str, set[str]]:
    """Return, for each open point, the provisions that did what came out as another reading has it.

    The point need not be about them: that a prize holds the stake is said of all prizes at once,
    and felt in each.
    """
    points: dict[str, set[str]] = {}
    for game, tally in found.tallies.items():
        caused = {kind for cause in found.causes.get(game, ()) for kind in cause.kinds}
        for kind, difference in tally.differences.items():
            for divergence, _ in difference.readings if kind not in caused else ():
                points.setdefault(divergence, set()).update(derived(difference))
    return points


def _shown(found: Conclusion, game: str) -> set[str]:
    """Return the open points of which the answers show another reading, throughout or not.

    What a misread provision explains is no sign of a reading; nor is what another point explains,
    where this one is denied.
    """
    causes = found.causes.get(game, ())
    caused = {kind for cause in causes for kind in cause.kinds}
    misread = {kind for cause in causes if cause.games for kind in cause.kinds}
    points: set[str] = set()
    for kind, difference in found.tallies[game].differences.items():
        if difference.open and kind not in caused:
            points.update(name for name, _ in difference.readings)
        elif kind not in misread:
            points.update(name for name, _ in raw_readings(kind))
    counted = found.shown.get(game, {})
    return {name for name in points if name in counted and counted[name].cases}


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
        fitting = [name for name, game in games.items() if lawful_under(game, case, answer)]
        if 0 < len(fitting) < len(games):
            cases += 1
            for name in fitting:
                fits[name] += 1
    return cases, fits
