"""Streams of free rounds: counts of what their tables drew, and the tables that are wrong.

So many rounds cannot be kept as they were played. Every table is judged, repeated with its outcomes
forced and put as cases where it is played; what is kept of a stream is the number of its tables, a
root over their lines, counts of what they drew, and the first tables at which something is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.draws.stream_counts import StreamCounts, count_stream
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.merkle import Frontier, leaf_hash
from selo.examine.free_rounds.free_round_lines import FreeAnswers
from selo.examine.free_rounds.free_round_plan import count_stream_rounds
from selo.examine.free_rounds.free_round_tally import FreeRoundTally
from selo.examine.free_rounds.table_samples import gather_table_samples
from selo.rounds import Script
from selo.rounds.generate import FREE_GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.examine.free_rounds.free_round_lines import FreeRound
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds.judge import RoundJudge

#: The method of a line about a stream of free rounds.
FREE_STREAM: Final = "free-rounds"
#: Tables of a stream that are kept if something is wrong at them.
_MAX_KEPT: Final = 16


class FreeStream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream of free rounds of a plan."""

    game: str
    look: int
    stream: int
    rounds: int

    @classmethod
    def of(cls, law: Law, terms: Terms, game: str, look: int, stream: int) -> FreeStream:
        """Return a stream by its number."""
        rounds = count_stream_rounds(law, terms, look, stream)
        return cls(game=game, look=look, stream=stream, rounds=rounds)

    def question(self) -> dict[str, Any]:
        """Return the fields of its line that the plan determines."""
        return {
            "game": self.game, "group": FREE_GROUP, "method": FREE_STREAM,
            "params": msgspec.to_builtins(self),
        }  # fmt: skip


class KindCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What tables drew on whose options chance depends alike."""

    options: dict[str, str | int]
    counts: StreamCounts


class KeptTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a stream as it was played."""

    params: Script
    answer: FreeAnswers


class StreamAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a stream beside the tables that are wrong."""

    tables: int
    #: Tables at which something is wrong, of which the first are kept.
    wrong: int
    #: The root over the lines of all tables.
    root: str
    kinds: list[KindCounts]
    #: The first tables at which something is wrong.
    kept: list[KeptTable] = []

    @property
    def is_whole(self) -> bool:
        """Whether all tables are kept that have to be."""
        return 0 <= self.wrong <= self.tables and len(self.kept) == min(self.wrong, _MAX_KEPT)


class PlayedStream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream that was played."""

    params: FreeStream
    answer: StreamAnswer

    def line(self, n: int) -> bytes:
        """Return its line."""
        answer = msgspec.to_builtins(self.answer)
        return encode_canonical({**self.params.question(), "answer": answer, "n": n})


def count_free_stream(  # noqa: PLR0913, PLR0917 - a stream of a plan, and who judges it
    law: Law,
    terms: Terms,
    offers: Sequence[Offer],
    judge: RoundJudge,
    stream: FreeStream,
    rounds: Iterable[FreeRound],
) -> PlayedStream:
    """Judge the tables of a stream and return what is kept of them."""
    frontier, tables, kept = Frontier(), [], []
    wrong = at = 0
    for at, free_round in enumerate(rounds, 1):
        # A tally of its own says of a table by itself whether anything is wrong.
        tally = FreeRoundTally(law, terms, offers, prepared_judge=judge)
        table = tally.add(free_round)
        if table is not None:
            tables.append(table)
        if table is None or tally.has_faults or tally.rounds.breaches() or tally.unlike:
            wrong += 1
            if wrong <= _MAX_KEPT:
                kept.append(KeptTable(params=free_round.params, answer=free_round.answer))
        frontier.add([leaf_hash(free_round.line(at - 1))])
    kinds = [
        KindCounts(
            options=sample.options,
            counts=count_stream(sample.equipment, sample.rows(), neighbours=sample.neighbours()),
        )
        for sample in gather_table_samples(law, terms, tables)
        if sample.drawn
    ]
    answer = StreamAnswer(tables=at, wrong=wrong, root=str(frontier.root()), kinds=kinds, kept=kept)
    return PlayedStream(params=stream, answer=answer)
