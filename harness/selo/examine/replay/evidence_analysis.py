"""From evidence alone to what is concluded: counts, differences, causes.

Nothing here asks a vendor. Whoever holds the evidence and the edition of the law files that it
names comes to the same conclusion, years later as today. A run that is under way concludes as its
chunks come in; what a chunk says of itself and what its lines say is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from selo.cases import Case
from selo.cases.generate import SITUATIONS
from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.examine.blame import Often, Right, Shown, denied, shown
from selo.examine.blame.root_causes import Besides, Cause, causes
from selo.examine.exchange import REDUCTION, Reductions
from selo.examine.plan import Plan
from selo.examine.plan.live_rounds import ROUND, Rounds
from selo.examine.tally import Count, Tally
from selo.protocol import messages as m
from selo.rules.mutants import variants
from selo.rules.readings import Readings
from selo.vendors.faults import Fault, Kind
from selo.vendors.reply_reader import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.exchange import Done
    from selo.examine.plan import Terms
    from selo.examine.replay.block_summary import Gist
    from selo.law.loader import Law


class Misjudged(SeloError):
    """Evidence that says of an answer what the law does not say of it."""

    code = "tampered"

    @classmethod
    def of(cls, n: int, *, right: bool | None) -> Self:
        """Return the error about one case."""
        what = {True: "right", False: "wrong", None: "nothing"}[right]
        return cls(f"the evidence says {what} of case {n}, and the law says otherwise")


class _Told(msgspec.Struct, frozen=True, gc=False):
    """What must be read of every line."""

    game: str
    group: str
    method: str
    n: int
    right: bool | None = None
    error: m.Fault | None = None
    fault: dict[str, str] | None = None


class _Whole(msgspec.Struct, frozen=True):
    """What is read of a line that is looked at closely."""

    params: dict[str, Any]
    answer: msgspec.Raw = msgspec.Raw()


_read: Final = msgspec.json.Decoder(_Told).decode
_read_whole: Final = msgspec.json.Decoder(_Whole).decode


@dataclass(kw_only=True)
class Conclusion:
    """What follows from the lines of one run, as far as they were taken."""

    law: Law
    terms: Terms
    #: Whether rounds are judged again; of cases that is done apart (`block_summary`).
    doubting: bool = False
    rounds: Rounds = field(init=False)
    reductions: Reductions = field(default_factory=Reductions)
    #: One tally for each game, since causes are sought game by game.
    tallies: dict[str, Tally] = field(default_factory=dict)
    causes: dict[str, list[Cause]] = field(default_factory=dict)
    #: What the answers of each game say of open points of which another reading allows some.
    shown: dict[str, dict[str, Shown]] = field(default_factory=dict)
    cases: int = 0
    #: The answers to the cases in which readings part.
    situations: dict[str, list[tuple[Case, Reply]]] = field(default_factory=dict)
    _oracle: Oracle = field(init=False)
    _right: dict[str, Right] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rounds = Rounds(self.law, self.terms)
        self._oracle = Oracle(self.law, self.terms.rulings)

    @property
    def faults(self) -> list[Fault]:
        """Every fault of the adapter."""
        return [fault for tally in self.tallies.values() for fault in tally.faults]

    def take(self, line: bytes) -> None:
        """Take a line of evidence; header and footer are not for here."""
        told = _read(line)
        if told.group == REDUCTION:
            self.reductions.take(line)
        elif told.method == ROUND:
            right = bool(told.right)
            if not self.rounds.take(line, right=right, doubting=self.doubting):
                raise Misjudged.of(told.n, right=told.right)
        else:
            self._case(told, line)

    def _case(self, told: _Told, line: bytes) -> None:
        tally = self._tally(told.game)
        self.cases += 1
        silent = told.right is None and told.error is None and told.fault is None
        if (told.right or silent) and told.group != SITUATIONS:
            self._plain(tally, told.game, told.method, right=int(not silent), silent=int(silent))
            self._sample(told, line)
            return
        case, reply = _exchange(told, line)
        tally.take(case, reply, told.n)
        if told.group == SITUATIONS and reply.result is not None:
            self.situations.setdefault(told.game, []).append((case, reply))

    def take_chunk(self, done: Done) -> None:
        """Take a chunk that was just answered: only what is not plainly right is read again."""
        tally = self._tally(done.game)
        for at in done.close:
            self.take(done.lines[at])
        plain = done.cases - len(done.close)
        right = plain - done.silent
        self.cases += plain
        self._plain(tally, done.game, done.method, right=right, silent=done.silent)
        close = set(done.close)
        kept = self._right.setdefault(done.game, Right())
        for at in range(-done.first % kept.every, len(done.lines), kept.every):
            told = _read(done.lines[at])
            if not kept.wants(told.group):
                break
            if at not in close:
                self._sample(told, done.lines[at])

    def take_gist(self, gist: Gist) -> None:
        """Take a block of which the lines were only counted that need no closer look."""
        for run in gist.runs:
            self._plain(
                self._tally(run.game), run.game, run.method, right=run.right, silent=run.silent
            )
            self.cases += run.right + run.silent
        for line in gist.close:
            self.take(line)
        for line in gist.right:
            self._sample(_read(line), line)

    def _tally(self, game: str) -> Tally:
        if game not in self.tallies:
            self.tallies[game] = Tally(self._oracle)
        return self.tallies[game]

    @staticmethod
    def _plain(tally: Tally, game: str, method: str, *, right: int, silent: int) -> None:
        if right or silent:
            count = tally.counts.setdefault((game, method), Count())
            count.cases += right + silent
            count.right += right
            count.silent += silent

    def _sample(self, told: _Told, line: bytes) -> None:
        """Keep some cases that were right."""
        kept = self._right.setdefault(told.game, Right())
        if told.right and kept.wants(told.group, told.n):
            case, reply = _exchange(told, line)
            kept.keep(told.group, (case, _answer(case, reply), None))

    def explained(self) -> Self:
        """Seek the causes of what was wrong, once all lines were taken."""
        for game, tally in self.tallies.items():
            if game in self.shown:
                continue
            right = self._right.get(game, Right()).samples
            self.shown[game] = shown(self.law, game, tally, right, self.planned(game))
            tally.deny(denied(self.shown[game]))
            if tally.violates:
                suspects = variants(self.law, game, Readings(self.law, self.terms.rulings))
                points = {
                    divergence.id: divergence.provisions for divergence in self.law.divergences
                }
                besides = Besides(
                    right=right,
                    planned=partial(self.planned, game),
                    often=Often(self.law, self.terms, game),
                )
                self.causes[game] = causes(tally, suspects, besides, points)
        return self

    def planned(self, game: str) -> Iterator[tuple[int, Case]]:
        """Yield the cases of a game that were put, each with its place in the plan."""
        for chunk in Plan(self.law, self.terms).chunks():
            if chunk.game == game:
                yield from enumerate(chunk.cases, chunk.first)


def _exchange(told: _Told, line: bytes) -> tuple[Case, Reply]:
    whole = _read_whole(line)
    params = {name: value for name, value in whole.params.items() if name != "game"}
    case = Case(game=told.game, method=told.method, group="evidence", **params)  # type: ignore[arg-type]
    if told.fault is not None:
        kind, path = Kind(told.fault["kind"]), told.fault["path"]
        slots = {"problem": told.fault["told"]}
        return case, Reply(id="", fault=_Kept(kind=kind, path=path, slots=slots))
    if told.error is not None:
        return case, Reply(id="", error=told.error)
    if not whole.answer:
        return case, Reply(id="")
    result: Any = msgspec.json.decode(whole.answer, type=m.RESULTS[told.method])
    return case, Reply(id="", result=result)


def _answer(case: Case, reply: Reply) -> Any:
    return reply.result.settlements if case.method == "settle" else reply.result.order


class _Kept(Fault, frozen=True):
    """A fault as evidence tells it: in the words in which it was told."""

    def told(self, language: str = "en") -> str:
        """Return what was told when it was seen."""
        del language
        return self.slots["problem"]
