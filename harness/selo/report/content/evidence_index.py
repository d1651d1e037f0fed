"""Index of the evidence: lines of each group of cases, first decisive line of each provision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from selo.examine.coverage import coverage_of
from selo.examine.live_rounds import ROUND
from selo.law.files.provision_file import Way

if TYPE_CHECKING:
    from selo.examine.analysis import BlockSummary
    from selo.examine.plan import Terms
    from selo.law import Law


class _CaseLine(msgspec.Struct, frozen=True, gc=False):
    """The fields of a line that the index reads."""

    method: str
    n: int
    right: bool | None = None


class _Script(msgspec.Struct, frozen=True):
    provisions: list[str] = []


class _Round(msgspec.Struct, frozen=True):
    params: _Script


_decode_line: Final = msgspec.json.Decoder(_CaseLine).decode
_decode_round: Final = msgspec.json.Decoder(_Round).decode


@dataclass(kw_only=True)
class EvidenceIndex:
    """Lines of evidence by game and group."""

    #: Number of cases of each group, in the order in which they were asked.
    groups: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Line of the first case of each group.
    first_lines: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Line of the first lawful round about each provision.
    rounds: dict[str, int] = field(default_factory=dict)

    def add_block(self, block: BlockSummary) -> None:
        """Add the next block of evidence."""
        for run in block.runs:
            key = run.game, run.group
            self.groups[key] = self.groups.get(key, 0) + run.count
            self.first_lines.setdefault(key, run.n)
        for line in block.later_lines:
            case = _decode_line(line)
            if case.method == ROUND and case.right:
                for name in _decode_round(line).params.provisions:
                    self.rounds.setdefault(name, case.n)

    def decisive_lines(self, law: Law, terms: Terms) -> dict[str, int]:
        """Return the first line of a decisive case of each provision that has one."""
        lines = dict(self.rounds)
        for (name, way), covered in coverage_of(law, terms).counts().items():
            if way is Way.EXAMINATION and covered.first is not None:
                group, offset = covered.first
                first = self.first_lines.get((law.find(name).instrument.game, group))
                if first is not None:
                    lines[name] = first + offset
        return lines
