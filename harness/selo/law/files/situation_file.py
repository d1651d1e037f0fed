"""Model of ``situations.yaml``: settlement cases that distinguish the readings of open points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from selo import data_files
from selo.errors import Problem, SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.table_values import Bet, Options, Outcome
from selo.yaml_file import read_typed_yaml, typed_problem

if TYPE_CHECKING:
    from pathlib import Path

_HINT = "Compare with docs/games.md."


class SituationCase(ClosedRecord, frozen=True):
    """A case, and what becomes of it under each reading, worked out by hand."""

    expect: dict[str, Any]
    options: Options = {}
    outcome: Outcome = {}
    bets: list[Bet] = []
    #: Two hands to compare instead of bets to settle.
    compare: list[list[str]] | None = None
    #: Indices of the bets that the register asks about, if not all.
    asked: list[int] | None = None
    #: Whether the case differs from the register's situation, which is not expressible as a case.
    own_case: bool = False


#: All cases of one game, by divergence id.
SituationCases = dict[str, SituationCase]


def read_situations(game: str, *, specs: Path | None = None) -> SituationCases:
    """Return the cases of `game`; none if it has no file."""
    path = data_files.game_file(game, "situations.yaml", specs=specs)
    if path is None:
        return {}
    # Unlike the law, a case is JSON in YAML's clothes: its bare numbers are numbers.
    plain = read_typed_yaml(path)
    if not isinstance(plain, dict):
        problem = "not a mapping from points to cases"
        raise SpecError(Problem(path=path, line=1, problem=problem, hint=_HINT))
    return {str(point): _convert_case(path, str(point), case) for point, case in plain.items()}


def _convert_case(path: Path, point: str, case: object) -> SituationCase:
    try:
        return msgspec.convert(case, SituationCase)
    except msgspec.ValidationError as error:
        raise SpecError(typed_problem(path, error, point, hint=_HINT)) from error
