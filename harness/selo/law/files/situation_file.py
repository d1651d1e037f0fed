"""Cases in which the readings of an open point part: the register's situations, ready to settle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from selo import data_files
from selo.errors import Problem, SpecError
from selo.law.files.provision_file import ClosedRecord

if TYPE_CHECKING:
    from pathlib import Path


class SituationCase(ClosedRecord, frozen=True):
    """A case, and what becomes of it under each reading, worked out by hand."""

    expect: dict[str, Any]
    options: dict[str, Any] = {}
    outcome: dict[str, Any] = {}
    bets: list[dict[str, Any]] = []
    #: Two hands to compare, instead of bets to settle.
    compare: list[list[str]] | None = None
    #: The places of the bets that the register asks about, where it does not ask about all.
    asked: list[int] | None = None
    #: Whether the case is ours, because the register's own cannot be written as one.
    own_case: bool = False


#: All cases of one game by the id of the divergence.
SituationCases = dict[str, SituationCase]


def read_situations(game: str, *, specs: Path | None = None) -> SituationCases:
    """Return the cases of `game`; a game without a file has none."""
    path = data_files.of_game(game, "situations.yaml", specs=specs)
    if path is None:
        return {}
    # Unlike the law, a case is JSON in YAML's clothes: its bare numbers are numbers.
    plain = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    try:
        return msgspec.convert(plain, SituationCases)
    except msgspec.ValidationError as error:
        raise SpecError(
            Problem(path=path, line=1, problem=str(error), hint="Compare with docs/games.md.")
        ) from error
