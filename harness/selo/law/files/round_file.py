"""Rounds written by hand: what is asked of a table, line by line, and for which provisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo import data_files
from selo.law.files.provision_file import ClosedRecord
from selo.yaml_file import read

if TYPE_CHECKING:
    from pathlib import Path

    from selo.yaml_file import Document


class WrittenRound(ClosedRecord, frozen=True):
    """One table: what it declares, what is asked of it, and why."""

    name: str
    #: The provisions it is about, by their ids within the instrument.
    about: list[str]
    reason: str
    #: One act a line: its name and its fields. `!` marks what must be refused.
    acts: list[str]
    options: dict[str, Any] = {}


class RoundsFile(ClosedRecord, frozen=True):
    """All rounds written for one game."""

    game: str
    instrument: str
    rounds: list[WrittenRound]


def read_written_rounds(
    game: str, *, specs: Path | None = None
) -> tuple[Document, RoundsFile] | None:
    """Return the rounds of `game` and the file they stand in; a game without a file has none."""
    path = data_files.of_game(game, "rounds.yaml", specs=specs)
    if path is None:
        return None
    document = read(path)
    return document, document.convert(RoundsFile)
