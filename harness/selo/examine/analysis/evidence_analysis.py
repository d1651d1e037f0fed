"""Analyses evidence: counts of right and wrong answers, differences, and their causes.

Nothing here asks a vendor: the evidence and the edition of the law files that it names determine
the analysis. A live run adds each chunk as it comes in; a replay adds the summary of each block;
both give the same result as adding the lines one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from selo.cases import Case
from selo.cases.generate import SITUATION_GROUP
from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.evidence.canonical_json import NotCanonical
from selo.examine.blame import (
    CompiledMutant,
    ReadingCounts,
    RightAnswers,
    contradicted_readings,
    infer_readings,
)
from selo.examine.blame.plan_index import index_plan
from selo.examine.blame.root_causes import Localisation, locate_faults
from selo.examine.exchange import REDUCTION, ReductionLog
from selo.examine.exchange.chunk_exchange import may_hold_fraction
from selo.examine.live_rounds import ROUND, RoundTally
from selo.examine.plan import Plan
from selo.examine.tally import AnswerCount, Points, Tally
from selo.protocol import messages as m
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, FaultKind
from selo.vendors.reply_reader import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.analysis.block_summary import BlockSummary
    from selo.examine.blame import Hypothesis, Sample
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.plan import Terms
    from selo.law import Law


class MisjudgedAnswer(SeloError):
    """Evidence that marks an answer as right or wrong where the law says the opposite."""

    code = "tampered"

    @classmethod
    def of(cls, n: int, *, right: bool | None) -> Self:
        """Return the error about case `n`."""
        what = {True: "right", False: "wrong", None: "nothing"}[right]
        return cls(f"the evidence says {what} of case {n}, and the law says otherwise")


class _LineHead(msgspec.Struct, frozen=True, gc=False):
    """The fields that are decoded of every line."""

    game: str
    group: str
    method: str
    n: int
    right: bool | None = None
    error: m.Fault | None = None
    fault: dict[str, str] | None = None
    skipped: m.Skipped | None = None


class _LineExchange(msgspec.Struct, frozen=True):
    """The question and the answer, decoded only where they are needed."""

    params: dict[str, Any]
    answer: msgspec.Raw = msgspec.Raw()


_decode_head: Final = msgspec.json.Decoder(_LineHead).decode
_decode_exchange: Final = msgspec.json.Decoder(_LineExchange).decode


@dataclass(kw_only=True)
class EvidenceAnalysis:
    """The analysis of the evidence of one run, as far as its lines were added."""

    law: Law
    terms: Terms
    #: Whether rounds are judged again; `block_summary` judges cases again.
    recheck: bool = False
    rounds: RoundTally = field(init=False)
    reductions: ReductionLog = field(default_factory=ReductionLog)
    #: One tally for each game, since causes are located game by game.
    tallies: dict[str, Tally] = field(default_factory=dict)
    #: For each game, the causes of what is wrong, and what these leave in doubt.
    located: dict[str, Localisation] = field(default_factory=dict)
    #: For each game, the readings of open points that its answers suggest.
    inferred_readings: dict[str, dict[str, ReadingCounts]] = field(default_factory=dict)
    cases: int = 0
    #: The answers to the register's cases in which readings give different results.
    situations: dict[str, list[tuple[Case, Reply]]] = field(default_factory=dict)
    #: The mutants of the games that were examined for causes.
    _mutants: dict[str, list[Hypothesis]] = field(default_factory=dict)
    _oracle: Oracle = field(init=False)
    _right_samples: dict[str, RightAnswers] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rounds = RoundTally(self.law, self.terms)
        self._oracle = Oracle(self.law, self.terms.rulings, self.terms.levels)
        self.reductions.levels = self.terms.levels
        self.reductions.limits = {game.game: game.stake_limits for game in self.terms.games}

    @property
    def faults(self) -> list[AdapterFault]:
        """All faults of the adapter."""
        return [fault for tally in self.tallies.values() for fault in tally.faults]

    def add_line(self, line: bytes) -> None:
        """Add a line of evidence that is neither header nor footer."""
        head = _decode_head(line)
        if head.group == REDUCTION:
            self.reductions.take(line)
        elif head.method == ROUND:
            right = bool(head.right)
            if not self.rounds.take(line, right=right, doubting=self.recheck):
                raise MisjudgedAnswer.of(head.n, right=head.right)
        else:
            self._add_case(head, line)

    def _add_case(self, head: _LineHead, line: bytes) -> None:
        tally = self._tally_of(head.game)
        self.cases += 1
        silent = (head.right, head.error, head.fault, head.skipped) == (None,) * 4
        if (head.right or silent) and head.group != SITUATION_GROUP:
            self._count_unread(
                tally, head.game, head.method, right=int(not silent), silent=int(silent)
            )
            self._sample_right(head, line)
            if head.right and may_hold_fraction(line):
                case, reply = self._read_exchange(head, line)
                tally.mark_unrounded(case, reply.result.settlements, head.n)
            return
        case, reply = self._read_exchange(head, line)
        if head.group != SITUATION_GROUP:
            tally.take(case, reply, head.n)
            return
        tally.take_situation(case, reply, head.n)
        if reply.result is not None:
            self.situations.setdefault(head.game, []).append((case, reply))

    def leave_out(self, case: Case, n: int) -> None:
        """Note that case `n` was not put, because the vendor does not offer what it asks for."""
        tally = self._tally_of(case.game)
        self.cases += 1
        tally.unanswered_places.add(n)
        tally.skipped_places.add(n)

    def add_chunk(self, chunk: AnsweredChunk) -> None:
        """Add a chunk that was just answered; lines that are plainly right are only counted."""
        tally = self._tally_of(chunk.game)
        for at in chunk.close:
            self.add_line(chunk.lines[at])
        plain = chunk.cases - len(chunk.close)
        right = plain - chunk.silent
        self.cases += plain
        self._count_unread(tally, chunk.game, chunk.method, right=right, silent=chunk.silent)
        close = set(chunk.close)
        samples = self._right_samples.setdefault(chunk.game, RightAnswers())
        for at in range(-chunk.first % samples.every, len(chunk.lines), samples.every):
            head = _decode_head(chunk.lines[at])
            if not samples.wants(head.group):
                break
            if at not in close:
                self._sample_right(head, chunk.lines[at])

    def add_block(self, block: BlockSummary) -> None:
        """Add a summarised block, whose plainly right lines were only counted."""
        for run in block.runs:
            self._count_unread(
                self._tally_of(run.game), run.game, run.method, right=run.right, silent=run.silent
            )
            self.cases += run.right + run.silent
        for line in (*block.whole_lines, *block.later_lines):
            self.add_line(line)
        for line in block.right_samples:
            self._sample_right(_decode_head(line), line)

    def _tally_of(self, game: str) -> Tally:
        if game not in self.tallies:
            self.tallies[game] = Tally.inferring(self._oracle)
        return self.tallies[game]

    @staticmethod
    def _count_unread(tally: Tally, game: str, method: str, *, right: int, silent: int) -> None:
        if right or silent:
            count = tally.counts.setdefault((game, method), AnswerCount())
            count.cases += right + silent
            count.right += right
            count.silent += silent

    def _sample_right(self, head: _LineHead, line: bytes) -> None:
        """Keep a sample of the cases that were answered rightly."""
        samples = self._right_samples.setdefault(head.game, RightAnswers())
        if head.right and samples.wants(head.group, head.n):
            case, reply = self._read_exchange(head, line)
            answer = _answer_of(case, reply)
            samples.keep(head.group, (case, answer, None))
            self._tally_of(head.game).keep_right(case, answer)

    def _read_exchange(self, head: _LineHead, line: bytes) -> tuple[Case, Reply]:
        exchange = _decode_exchange(line)
        params = {name: value for name, value in exchange.params.items() if name != "game"}
        case = Case(game=head.game, method=head.method, group="evidence", **params)  # type: ignore[arg-type]
        if head.fault is not None:
            try:
                kind, path = FaultKind(head.fault["kind"]), head.fault["path"]
                slots = {"problem": head.fault["told"]}
            except (LookupError, TypeError, ValueError) as error:
                raise NotCanonical(f"line {head.n + 1}: a fault in another form") from error
            return case, Reply(id="", fault=_RecordedFault(kind=kind, path=path, slots=slots))
        if head.error is not None:
            return case, Reply(id="", error=head.error)
        if head.skipped is not None:
            return case, Reply(id="", skipped=head.skipped)
        if not exchange.answer:
            return case, Reply(id="")
        form = self.terms.answer_type(head.game, head.method)
        return case, Reply(id="", result=msgspec.json.decode(exchange.answer, type=form))

    def locate_causes(self, known: Mapping[str, Iterable[Hypothesis]] | None = None) -> Self:
        """Locate the causes of wrong answers, once all lines were added, and return itself.

        `known` are the compiled mutants of games, if many vendors are examined.
        """
        for game in self.tallies:
            if game not in self.inferred_readings:
                self.locate_causes_of(
                    game,
                    self._right_samples.get(game, RightAnswers()).samples,
                    None if known is None else known[game],
                )
        return self

    def locate_causes_of(
        self,
        game: str,
        right: Sequence[Sample],
        mutants: Iterable[Hypothesis] | None = None,
    ) -> None:
        """Infer the readings followed, and locate the causes of what is wrong under all of them.

        `right` are some right answers.
        """
        tally = self.tallies[game]
        self.inferred_readings[game] = infer_readings(game, tally, right, self.planned_cases(game))
        tally.deny(contradicted_readings(self.inferred_readings[game]))
        if tally.violates:
            if mutants is not None:
                self._mutants[game] = list(mutants)
            points = {point.id: point.provisions for point in self.law.divergences}
            self.located[game] = locate_faults(
                tally,
                self.mutants_of(game),
                index_plan(self.law, self.terms, game),
                points,
            )

    def mutants_of(self, game: str) -> list[Hypothesis]:
        """Return the mutants of a game, each compiled once."""
        if game not in self._mutants:
            readings = Readings(self.law, self.terms.rulings)
            self._mutants[game] = [
                CompiledMutant(mutant) for mutant in generate_mutants(self.law, game, readings)
            ]
        return self._mutants[game]

    def followed_readings(self, game: str) -> Points:
        """Return the readings that the vendor follows together, of points without a ruling."""
        tally = self.tallies.get(game)
        if tally is None:
            return ()
        return tuple(
            point
            for point in tally.search.followed
            if point not in tally.denied and point[0] not in self.terms.rulings
        )

    def planned_cases(self, game: str) -> Iterator[tuple[int, Case]]:
        """Yield the planned cases of a game, each with its number in the plan."""
        for chunk in Plan(self.law, self.terms).chunks():
            if chunk.game == game:
                yield from enumerate(chunk.cases, chunk.first)


def _answer_of(case: Case, reply: Reply) -> Any:
    return reply.result.settlements if case.method == "settle" else reply.result.order


class _RecordedFault(AdapterFault, frozen=True):
    """A fault read from evidence, which keeps the words in which it was recorded."""

    def describe(self, language: str = "en") -> str:
        """Return the recorded words."""
        del language
        return self.slots["problem"]
