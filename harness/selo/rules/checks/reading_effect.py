"""The effect of each reading of each open point on its registered case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.law.files.situation_file import read_situations
from selo.rules.checks.game_check import settlement_points
from selo.rules.procedure.step_reader import step_points
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.law import Law
    from selo.law.files.situation_file import SituationCase


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingEffect:
    """One reading, and whether its case has another result than under the default."""

    game: str
    divergence: str
    reading: str
    default: str
    decisive: bool
    case: SituationCase | None
    #: Whether steps of a round follow it; live rounds decide it, and no registered case does.
    steps: bool = False


def list_reading_effects(law: Law, game: str) -> Iterator[ReadingEffect]:
    """Yield every reading that is not the default, and whether it is decisive."""
    defaults = {divergence.id: divergence.default for divergence in law.divergences}
    cases = read_situations(game, specs=law.specs)
    lawful = compile_game(law, game, Readings(law))
    for divergence, readings in settlement_points(law, game).items():
        case = cases.get(divergence)
        now = None if case is None else _settle_case(lawful, case)
        for reading in readings:
            if reading == defaults[divergence]:
                continue
            then = None
            if case is not None:
                ruled = compile_game(law, game, Readings(law, {divergence: reading}))
                then = _settle_case(ruled, case)
            yield ReadingEffect(
                game=game,
                divergence=divergence,
                reading=reading,
                default=defaults[divergence],
                decisive=case is not None and then != now,
                case=case,
            )


def list_step_readings(law: Law, game: str) -> Iterator[ReadingEffect]:
    """Yield every reading besides the default that only steps of a round follow."""
    defaults = {divergence.id: divergence.default for divergence in law.divergences}
    settled = settlement_points(law, game)
    for divergence, readings in step_points(law, game).items():
        if divergence in settled:
            continue
        for reading in readings:
            if reading != defaults[divergence]:
                yield ReadingEffect(
                    game=game, divergence=divergence, reading=reading,
                    default=defaults[divergence], decisive=True, case=None, steps=True,
                )  # fmt: skip


def find_decisive_rulings(law: Law, game: str, rulings: Mapping[str, str]) -> Iterator[str]:
    """Yield every point with a ruling whose case has another result under another reading."""
    cases = read_situations(game, specs=law.specs)
    in_force = compile_game(law, game, Readings(law, rulings))
    for divergence, readings in settlement_points(law, game).items():
        case = cases.get(divergence)
        if case is None or divergence not in rulings:
            continue
        now = _settle_case(in_force, case)
        others = [reading for reading in readings if reading != rulings[divergence]]
        alternatives = (Readings(law, {**rulings, divergence: reading}) for reading in others)
        if any(_settle_case(compile_game(law, game, other), case) != now for other in alternatives):
            yield divergence


def _settle_case(game: Any, case: SituationCase) -> Any:
    if case.compare is not None:
        hand, other = case.compare
        return game.compare(hand, other) if game.is_judged(hand, other) else None
    return game.settle_plain(case.options, case.outcome, case.bets)
