"""The free rounds of one run: which are planned, which were played, and what they show."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.examine.free_rounds.free_round_lines import FreeRound
from selo.examine.free_rounds.free_round_plan import plan_free_scripts
from selo.examine.free_rounds.free_round_tally import FreeRoundTally
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.examine.free_rounds.free_round_tally import DrawnTable
    from selo.examine.free_rounds.table_samples import TableSample
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script


class FreeRounds:
    """Free rounds in two looks; the second is played only for games whose chance is in doubt."""

    def __init__(self, law: Law, terms: Terms, offers: Sequence[Offer]) -> None:
        self._law, self._terms, self._offers = law, terms, offers
        self._scripts: dict[tuple[str, int], list[Script]] = {}
        #: The number of tables that were played, by game and look.
        self._played: dict[tuple[str, int], int] = {}
        self._tables: dict[int, list[DrawnTable]] = {}
        self._samples: dict[int, list[TableSample]] = {}

    @cached_property
    def tally(self) -> FreeRoundTally:
        """What the rounds show."""
        judge = RoundJudge(self._law, Readings(self._law, self._terms.rulings))
        return FreeRoundTally(self._law, self._terms, self._offers, prepared_judge=judge)

    @cached_property
    def games(self) -> list[str]:
        """The games of which rounds are planned."""
        return [game for game in self._terms.game_names if self.scripts(game)]

    def scripts(self, game: str, look: int = 1) -> list[Script]:
        """Return the scripts of a game."""
        if (game, look) not in self._scripts:
            self._scripts[game, look] = plan_free_scripts(
                self._law, self._terms, self._offers, game, look=look
            )
        return self._scripts[game, look]

    def is_table_of_plan(self, at: int, line: dict[str, Any]) -> bool:
        """Return whether a line holds the script of table `at` of the first look of all games."""
        scripts = [script for game in self.games for script in self.scripts(game)]
        free_round = msgspec.convert(line, FreeRound)
        recorded = {name: line[name] for name in line.keys() - {"n", "answer"}}
        expected = FreeRound(params=scripts[at], answer=free_round.answer).question()
        return recorded == expected and free_round.line(free_round.n) == encode_canonical(line)

    def planned(self) -> dict[str, int]:
        """Return how many tables of each game the first look has."""
        return {game: len(self.scripts(game)) for game in self.games}

    def played(self, game: str, look: int = 1) -> int:
        """Return how many tables of a game were played."""
        return self._played.get((game, look), 0)

    @property
    def lines(self) -> int:
        """The number of tables played in all."""
        return sum(self._played.values())

    def is_finished(self, game: str, look: int = 1) -> bool:
        """Return whether all tables of a game were played."""
        return self.played(game, look) >= len(self.scripts(game, look))

    def add_line(self, line: dict[str, Any]) -> None:
        """Add a recorded line; raise if it is not the next one of the plan."""
        free_round = msgspec.convert(line, FreeRound)
        recorded = {name: line[name] for name in line.keys() - {"n", "answer"}}
        game = free_round.params.game
        look = 2 if self.is_finished(game) else 1
        scripts, at = self.scripts(game, look), self.played(game, look)
        expected = FreeRound(params=scripts[at], answer=free_round.answer).question()
        if recorded != expected or free_round.line(free_round.n) != encode_canonical(line):
            msg = f"line {line['n'] + 1} is not the next free round of the plan"
            raise ValueError(msg)
        self.add(free_round)

    def add(self, free_round: FreeRound) -> None:
        """Add a round that was played."""
        game = free_round.params.game
        look = 2 if self.is_finished(game) else 1
        self._played[game, look] = self.played(game, look) + 1
        table = self.tally.add(free_round)
        if table is not None:
            self._tables.setdefault(look, []).append(table)
            self._samples.pop(look, None)

    def samples(self, look: int, games: Iterable[str] | None = None) -> list[TableSample]:
        """Return what the tables of one look drew."""
        # Imported late: numpy takes a while to load.
        from selo.examine.free_rounds.table_samples import gather_table_samples  # noqa: PLC0415

        if look not in self._samples:
            self._samples[look] = gather_table_samples(
                self._law, self._terms, self._tables.get(look, [])
            )
        wanted = None if games is None else set(games)
        return [sample for sample in self._samples[look] if wanted is None or sample.game in wanted]

    def find_departure(self, doubtful: Iterable[str]) -> str | None:
        """Return which game has more or fewer tables than the plan, if one has."""
        again = set(doubtful)
        for game in self.games:
            for look in (1, 2):
                planned = len(self.scripts(game, look)) if look == 1 or game in again else 0
                if self.played(game, look) != planned:
                    return f"{self.played(game, look)} free tables of {game}, {planned} in the plan"
        return None
