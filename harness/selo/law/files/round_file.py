"""Model of ``rounds.yaml``: hand-written scripts of rounds and the provisions they test."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from selo import data_files
from selo.law.files.provision_file import ClosedRecord
from selo.table_values import Options
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from selo.yaml_file import YamlDocument


class WrittenRound(ClosedRecord, frozen=True):
    """One table: what it declares, what is asked of it, and why."""

    name: str
    #: The tested provisions, by their ids within the instrument.
    about: list[str]
    reason: str
    #: One act for each line: its name and fields; `!` marks an act that must be refused.
    acts: list[str]
    options: Options = {}


class MishapWay(ClosedRecord, frozen=True):
    """A way in which a mishap comes: what its event says, and whether it breaks the deal off."""

    says: dict[str, str] = {}
    breaks: bool = False


class Mishap(ClosedRecord, frozen=True):
    """Something that may go wrong while a round is played."""

    event: str
    ways: list[MishapWay]
    #: The options of the tables at which it can happen.
    given: dict[str, str] = {}


class TableMoves(ClosedRecord, frozen=True):
    """How a table of a game is played at random: where it can stop, and what people may change.

    A round begins with `go-on`, bets are placed until the first event of `closing`, and the next
    `go-on` plays the round to its end.
    """

    #: Events after which no bet is taken, in order; a round can be interrupted at each of them.
    closing: list[str]
    #: Acts that change a bet as long as bets are taken, and are refused afterwards.
    changes: list[str] = []
    #: The name of a bet that the law does not have.
    unknown_bet: str = "no-such-bet"
    #: Events of people that change nothing: any of them may come before a round.
    between: list[str] = []
    mishaps: list[Mishap] = []
    #: Acts that no table grants: at any time, and once the cards are dealt.
    refused: list[str] = []
    refused_when_dealt: list[str] = []
    #: Other tables than the usual one: their options, some with several values.
    options: dict[str, str | list[int]] = {}

    def events(self) -> list[str]:
        """Return every event and act that is named."""
        named = [self.closing, self.changes, self.between, self.refused, self.refused_when_dealt]
        return [*chain.from_iterable(named), *(mishap.event for mishap in self.mishaps)]


class RoundsFile(ClosedRecord, frozen=True):
    """All rounds written for one game, and how others are made up."""

    game: str
    instrument: str
    rounds: list[WrittenRound]
    table: TableMoves | None = None


def read_written_rounds(
    game: str, *, specs: Path | None = None
) -> tuple[YamlDocument, RoundsFile] | None:
    """Return the rounds of `game` with their file, or nothing if it has no file."""
    path = data_files.game_file(game, "rounds.yaml", specs=specs)
    if path is None:
        return None
    document = read_yaml(path)
    return document, document.convert(RoundsFile)
