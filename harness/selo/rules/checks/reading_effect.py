"""Whether each reading of each open point makes a difference that can be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.law.files.situation_file import read_situations
from selo.rules.checks.game_check import executable
from selo.rules.readings import Readings
from selo.rules.settlement.game_compiler import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.law.files.situation_file import SituationCase
    from selo.law.loader import Law


@dataclass(frozen=True, kw_only=True, slots=True)
class Decided:
    """One reading, and the case in which it gives another result than the default."""

    game: str
    divergence: str
    reading: str
    default: str
    decisive: bool
    case: SituationCase | None


def decided(law: Law, game: str) -> Iterator[Decided]:
    """Yield every reading that is not the default, and whether it is ever decisive."""
    defaults = {divergence.id: divergence.default for divergence in law.divergences}
    cases = read_situations(game)
    lawful = compile_game(law, game, Readings(law))
    for divergence, readings in executable(law, game).items():
        case = cases.get(divergence)
        now = None if case is None else _answer(lawful, case)
        for reading in readings:
            if reading == defaults[divergence]:
                continue
            then = None
            if case is not None:
                ruled = compile_game(law, game, Readings(law, {divergence: reading}))
                then = _answer(ruled, case)
            yield Decided(
                game=game,
                divergence=divergence,
                reading=reading,
                default=defaults[divergence],
                decisive=case is not None and then != now,
                case=case,
            )


def deciding(law: Law, game: str, rulings: Mapping[str, str]) -> Iterator[str]:
    """Yield every point that was ruled on and whose case another reading would decide otherwise."""
    cases = read_situations(game)
    followed = compile_game(law, game, Readings(law, rulings))
    for divergence, readings in executable(law, game).items():
        case = cases.get(divergence)
        if case is None or divergence not in rulings:
            continue
        now = _answer(followed, case)
        others = [reading for reading in readings if reading != rulings[divergence]]
        under = (Readings(law, {**rulings, divergence: one}) for one in others)
        if any(_answer(compile_game(law, game, one), case) != now for one in under):
            yield divergence


def _answer(game: Any, case: SituationCase) -> Any:
    if case.compare is not None:
        one, other = case.compare
        return game.compare(one, other) if game.judges(one, other) else None
    return game.settle_plain(case.options, case.outcome, case.bets)
