"""Where things stand in the evidence: groups of cases, and the first case about a provision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from selo.examine.coverage import covered_by
from selo.examine.plan.live_rounds import ROUND
from selo.law.files.provision_file import Way

if TYPE_CHECKING:
    from selo.examine.plan import Terms
    from selo.examine.replay import Gist
    from selo.law.loader import Law


class _Line(msgspec.Struct, frozen=True, gc=False):
    """What is looked at in a line."""

    method: str
    n: int
    right: bool | None = None


class _Script(msgspec.Struct, frozen=True):
    provisions: list[str] = []


class _Round(msgspec.Struct, frozen=True):
    params: _Script


_read: Final = msgspec.json.Decoder(_Line).decode
_script: Final = msgspec.json.Decoder(_Round).decode


@dataclass(kw_only=True)
class Lines:
    """The lines of evidence by game and group."""

    #: How many there are of each, in the order in which they were put.
    groups: dict[tuple[str, str], int] = field(default_factory=dict)
    #: The number of the first of each.
    begin: dict[tuple[str, str], int] = field(default_factory=dict)
    #: The first lawful round that is about each provision.
    rounds: dict[str, int] = field(default_factory=dict)

    def take(self, gist: Gist) -> None:
        """Take the next lines of cases and rounds."""
        for run in gist.runs:
            at = run.game, run.group
            self.groups[at] = self.groups.get(at, 0) + run.count
            self.begin.setdefault(at, run.n)
        for line in gist.close:
            one = _read(line)
            if one.method == ROUND and one.right:
                for name in _script(line).params.provisions:
                    self.rounds.setdefault(name, one.n)

    def decided(self, law: Law, terms: Terms) -> dict[str, int]:
        """Return for each provision the first line of a case that decides it, if there is one."""
        found = dict(self.rounds)
        for (name, way), covered in covered_by(law, terms).items():
            if way is Way.EXAMINATION and covered.first is not None:
                group, at = covered.first
                begin = self.begin.get((law.find(name).instrument.game, group))
                if begin is not None:
                    found[name] = begin + at
        return found
