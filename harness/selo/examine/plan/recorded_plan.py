"""The plan as evidence records it, for evidence of an engine whose plans are no longer made.

Every line of evidence holds its question, so evidence carries its own plan. An engine that makes
the same plan makes it again and compares; a later one reads it from here, and says so. What was
recorded replaces what would be planned for the same terms, for all games or for one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Case
from selo.evidence import EvidenceReader
from selo.evidence.integrity_scan import KIND_FIELD
from selo.evidence.run_files import DRAWS_FILE
from selo.rounds import Script

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from selo.cases.group import Group
    from selo.examine.plan.plan_terms import Terms
    from selo.law import Law

_ROUND: Final = "round"
_FREE_ROUND: Final = "free-round"


class _Question(msgspec.Struct, frozen=True, gc=False):
    game: str
    group: str
    method: str
    n: int
    params: msgspec.Raw


_decode: Final = msgspec.json.Decoder(_Question).decode


@dataclass(frozen=True, kw_only=True)
class RecordedPlan:
    """The questions in the folder of a run with certain terms."""

    folder: Path
    #: The terms of the plan.
    terms: Terms
    #: How many cases and rounds the footer counts.
    cases: int
    rounds: int
    left_out: Sequence[str]

    @cached_property
    def runs(self) -> list[tuple[str, str, int, int]]:
        """Game, group, first case and number of cases of each group, in order."""
        runs: list[tuple[str, str, int, int]] = []
        for question in self._questions(0, self.cases):
            if runs and runs[-1][:2] == (question.game, question.group):
                runs[-1] = (*runs[-1][:3], runs[-1][3] + 1)
            else:
                runs.append((question.game, question.group, question.n, 1))
        return runs

    def groups(
        self, games: Collection[str], made: Iterable[tuple[str, Group]]
    ) -> Iterator[tuple[str, Group]]:
        """Yield each of `games` with its recorded groups.

        What a group is, complete or drawn, is that of the group of the same name that is `made`.
        """
        known = {(game, group.name): group for game, group in made}
        for game, name, first, count in self.runs:
            if game in games:
                yield (
                    game,
                    replace(
                        known.get((game, name)) or _unknown_group(name),
                        cases=partial(self._cases, first, count),
                        chunks=None,
                    ),
                )

    def _cases(self, first: int, count: int) -> Iterator[Case]:
        for question in self._questions(first, count):
            fields = msgspec.json.decode(question.params)
            yield Case(**{**fields, "method": question.method, "group": question.group})

    def scripts(self, game: str) -> list[Script]:
        """Return the recorded scripts of the rounds of a game."""
        return [
            msgspec.json.decode(question.params, type=Script)
            for question in self._questions(self.cases, self.rounds)
            if question.game == game and question.method == _ROUND
        ]

    @cached_property
    def _draws(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The header of the draws, and the questions of the free tables."""
        if not (self.folder / DRAWS_FILE.file).exists():
            return {"free_rounds": {}, "samples": []}, []
        header: dict[str, Any] = {}
        tables = []
        for value in EvidenceReader(self.folder, book=DRAWS_FILE).unproven_values():
            if KIND_FIELD in value:
                header = header or value
            elif value["method"] == _FREE_ROUND:
                tables.append({"game": value["game"], "params": value["params"]})
        return header, tables

    def free_scripts(self, game: str, look: int) -> list[Script]:
        """Return the recorded scripts of the free tables of a game in one look."""
        header, tables = self._draws
        first = int(header["free_rounds"].get(game, 0))
        own = [
            msgspec.convert(table["params"], Script) for table in tables if table["game"] == game
        ]
        return own[:first] if look == 1 else own[first:]

    def samples(self) -> list[dict[str, Any]]:
        """Return the samples that the header of the draws lists."""
        return list(self._draws[0]["samples"])

    def _questions(self, first: int, count: int) -> Iterator[_Question]:
        """Yield the questions of some lines; blocks before them are not unpacked."""
        if not count:
            return
        starts = self._starts
        wanted = {
            at
            for at, start in enumerate(starts)
            if start <= first + count and (at + 1 == len(starts) or starts[at + 1] > first)
        }
        for head, lines in EvidenceReader(self.folder).some_blocks(lambda at: at in wanted):
            for number, line in enumerate(lines, head.first):
                if first < number <= first + count:
                    yield _decode(line)

    @cached_property
    def _starts(self) -> list[int]:
        """The first line of each block."""
        reader = EvidenceReader(self.folder)
        return [head.first for head, _ in reader.some_blocks(lambda _: True)]


def recorded_plan_of(law: Law, terms: Terms) -> RecordedPlan | None:
    """Return the plan that evidence records, if it is not made again.

    It stands for the plan of the same terms, and of one game of them.
    """
    recorded = law.recorded
    if not isinstance(recorded, RecordedPlan):
        return None
    whole = recorded.terms
    is_same = msgspec.structs.replace(terms, games=whole.games) == whole
    return recorded if is_same and all(game in whole.games for game in terms.games) else None


def _unknown_group(name: str) -> Group:
    """Return a group that nobody makes any more; nothing says that it is complete."""
    from selo.cases.group import Group  # noqa: PLC0415 - only for old evidence

    return Group(name=name, budget="quick", cases=lambda: iter(()), endless=True)
