"""Checks that every game compiles, under the defaults and under every other reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.errors import Problem, SpecError
from selo.law.files.chance_file import CHANCE_FILE, find_wrong_numbers, read_chance
from selo.rules.checks.circumstances import read_circumstances
from selo.rules.checks.equipment_check import check_equipment
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import CLAUSE_KINDS, UNSETTLED_CLAUSES, raw_clauses_of
from selo.rules.declarations import read_declaration_clauses, read_randomness_rules
from selo.rules.procedure.step_reader import list_step_games, read_constraints
from selo.rules.readings import Readings, readings_of_points
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.law.files.chance_file import ChanceFile

#: The first words of clauses that do not affect a settlement.
_UNSETTLED_WORDS: Final = {
    word for word, kind in CLAUSE_KINDS.items() if issubclass(kind, UNSETTLED_CLAUSES)
}


def list_games(law: Law) -> list[str]:
    """Return the games that can be settled or compared, in the order of their instruments."""
    return [
        folder.instrument.game
        for folder in law.folders
        if any(
            not _UNSETTLED_WORDS & plain.keys()
            for held in law.provisions.values()
            if held.instrument is folder.instrument
            for _, plain in raw_clauses_of(held)
        )
    ]


def settlement_points(law: Law, game: str) -> dict[str, list[str]]:
    """Return the open points on which a settlement of `game` depends, with their readings."""
    points = {
        name
        for located in read_clauses(law, game)
        if not isinstance(located.clause, UNSETTLED_CLAUSES)
        for name in located.clause.under
    }
    return readings_of_points(law, points)


def find_rule_points(law: Law) -> set[str]:
    """Return the open points on which a rule depends: a settlement, a step or a declaration."""
    return {
        name
        for folder in law.folders
        for located in read_clauses(law, folder.instrument.game)
        for name in located.clause.under
    }


def check_games(law: Law) -> Iterator[Problem]:
    """Yield the problem of every rule that does not compile, once; then idle open points."""
    seen: set[tuple[str, int, str]] = set()
    for game in dict.fromkeys([*list_games(law), *list_step_games(law)]):
        for problem in _find_problems(law, game):
            key = (str(problem.path), problem.line, problem.problem)
            if key not in seen:
                seen.add(key)
                yield problem
    if not seen:
        games = list_games(law)
        for folder in law.folders:
            if folder.instrument.game in games:
                yield from check_equipment(law, folder)
        yield from _idle_points(law)


def _idle_points(law: Law) -> Iterator[Problem]:
    """Yield points with several readings that no rule follows, unless the register says why."""
    used = find_rule_points(law)
    for (document, index), divergence in zip(law.register_places, law.divergences, strict=True):
        at, name = ("divergences", index), divergence.id
        marked = divergence.not_executable is not None
        if marked and name in used:
            yield document.problem(
                *at,
                "not_executable",
                problem=f"{name}: rules depend on this point, so it is executable",
                hint="Remove not_executable, or the clauses under this point.",
            )
        elif marked and len(divergence.readings) == 1:
            yield document.problem(
                *at,
                "not_executable",
                problem=f"{name}: a point with one reading needs no reason",
                hint="Remove not_executable, or add the other readings.",
            )
        elif not marked and name not in used and len(divergence.readings) > 1:
            yield document.problem(
                *at,
                "id",
                problem=f"{name}: no rule depends on this point",
                hint="Write clauses under its readings, or say in not_executable why not.",
            )


def _check_chance(law: Law, game: str, chance: ChanceFile) -> Iterator[Problem]:
    """Yield provisions whose tests of chance are stated and not asked for, or the other way."""
    asked = {rule.provision for rule in read_randomness_rules(law, game)}
    stated = {name for article in chance.articles for name in article.provisions}
    path = data_files.game_file(game, CHANCE_FILE, specs=law.specs)
    for number in find_wrong_numbers(chance):
        yield Problem(
            path=path or law.specs,
            line=1,
            problem=f"no test can use {number}",
            hint="Write a part as 1/100, above 0 and below 1, and a count of 1 or more.",
        )
    for name in sorted(asked ^ stated):
        problem = "has no deviations here" if name in asked else "asks for no chance"
        yield Problem(
            path=path or law.specs,
            line=1,
            problem=f"{name} {problem}",
            hint="List every provision with a clause `random`, and no other (docs/fairness.md).",
        )


def _find_problems(law: Law, game: str) -> Iterator[Problem]:
    try:
        # Steps and declarations are independent clauses, so all readings are read at once.
        read_constraints(law, game)
        read_randomness_rules(law, game)
        read_declaration_clauses(law, game)
        chance = read_chance(game, specs=law.specs)
    except SpecError as error:
        yield from error.problems
        return
    if chance is not None:
        yield from _check_chance(law, game, chance)
    if game not in list_games(law):
        return
    try:
        read_circumstances(law, game)
        points = settlement_points(law, game)
    except SpecError as error:
        yield from error.problems
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
            yield from error.problems
