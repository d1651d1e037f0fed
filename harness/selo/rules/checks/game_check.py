"""Whether the rules of every game compile, under the defaults and under every other reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.errors import SpecError
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import KINDS, UNSETTLED, clauses_of
from selo.rules.compiler import compile_game
from selo.rules.declarations import declaration_checks
from selo.rules.declarations.randomness import chances
from selo.rules.procedure.step_reader import constraints, step_games
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import Law

#: The words with which clauses begin that no settlement asks for.
_UNSETTLED: Final = {word for word, kind in KINDS.items() if issubclass(kind, UNSETTLED)}


def games(law: Law) -> list[str]:
    """Return the games that can be settled or compared, in the order of their instruments."""
    return [
        folder.instrument.game
        for folder in law.folders
        if any(
            not _UNSETTLED & plain.keys()
            for held in law.provisions.values()
            if held.instrument is folder.instrument
            for _, plain in clauses_of(held)
        )
    ]


def executable(law: Law, game: str) -> dict[str, list[str]]:
    """Return the divergences that a settlement of `game` depends on, with all their readings."""
    touched = {
        name
        for read_clause in read_clauses(law, game)
        if not isinstance(read_clause.clause, UNSETTLED)
        for name in read_clause.clause.under
    }
    return {
        divergence.id: [reading.id for reading in divergence.readings]
        for divergence in law.divergences
        if divergence.id in touched
    }


def check(law: Law) -> Iterator[Problem]:
    """Yield every rule that cannot be compiled, once."""
    seen: set[tuple[str, int, str]] = set()
    for game in dict.fromkeys([*games(law), *step_games(law)]):
        for problem in _problems(law, game):
            key = (str(problem.path), problem.line, problem.problem)
            if key not in seen:
                seen.add(key)
                yield problem


def _problems(law: Law, game: str) -> Iterator[Problem]:
    try:
        # Steps and declarations are read one by one, so all readings can be read at once.
        constraints(law, game)
        chances(law, game)
        declaration_checks.read(law, game)
    except SpecError as error:
        yield error.problem
        return
    if game not in games(law):
        return
    try:
        points = executable(law, game)
    except SpecError as error:
        yield error.problem
        return
    rulings: list[dict[str, str]] = [{}]
    for divergence in law.divergences:
        rulings += [
            {divergence.id: reading}
            for reading in points.get(divergence.id, [])
            if reading != divergence.default
        ]
    for ruling in rulings:
        try:
            compile_game(law, game, Readings(law, ruling))
        except SpecError as error:
            yield error.problem
