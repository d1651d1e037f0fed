"""Draws a stream of outcomes from a vendor and keeps their counts, with a root over them."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from selo.draws import equipment_of_game, whole_packs_of_game
from selo.draws.stream_counts import StreamCounts, count_stream
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.merkle import Frontier, leaf_hash
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.vendors.faults import AdapterFault, FaultKind, make_fault

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.examine.plan import Sample
    from selo.law import Law
    from selo.rules.readings import Readings
    from selo.table_values import Outcome
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session

#: What reading a malformed outcome may raise.
_OUTCOME_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError)


class DrawStream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream of a sample of a plan: its look, its number, and its requests."""

    #: The number of the sample in the plan.
    sample: int
    look: int
    stream: int
    batches: int


class DrawnStream(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a stream: counts and a root, or why drawing stopped."""

    part: DrawStream
    counts: StreamCounts | None = None
    #: The root over the outcomes of each request, as the numbers that stand for them.
    root: str = ""
    fault: AdapterFault | None = None

    def content(self) -> dict[str, Any]:
        """Return the fields of its line that the plan does not determine."""
        place = {"look": self.part.look, "stream": self.part.stream}
        if self.fault is not None:
            return {**place, "fault": self.fault.evidence_record()}
        counts = msgspec.to_builtins(self.counts)
        return {**place, "answer": {"counts": counts, "root": self.root}}


class KeptDraw(msgspec.Struct, frozen=True, kw_only=True):
    """Outcomes of a sample that are kept as they are drawn."""

    sample: int
    #: So many requests are made, of which the first were recorded before and are discarded.
    until: int
    recorded: int = 0


class KeptOutcomes(msgspec.Struct, frozen=True, kw_only=True):
    """The encoded outcomes of each request, and why drawing stopped, if it did."""

    part: KeptDraw
    batches: list[bytes]
    fault: AdapterFault | None = None


def equipment_of_sample(law: Law, sample: Sample, readings: Readings) -> Equipment | None:
    """Return what a sample is drawn from; nothing if it has nothing to shuffle."""
    find = equipment_of_game if sample.method == DRAW else whole_packs_of_game
    return find(law, sample.game, readings, sample.options)


def draw_kept(
    session: Session, law: Law, sample: Sample, equipment: Equipment, part: KeptDraw
) -> KeptOutcomes:
    """Draw a sample from its beginning and return what was not recorded before."""
    batches: list[bytes] = []
    replies = session.ask_all(sample.method, repeat(sample.params(), part.until), most=1)
    for number, (_, reply) in enumerate(replies):
        if number < part.recorded:
            continue
        rows = read_outcomes(law, sample, equipment, reply)
        if isinstance(rows, AdapterFault):
            return KeptOutcomes(part=part, batches=batches, fault=rows)
        batches.append(msgspec.json.encode(reply.result.outcomes))
    return KeptOutcomes(part=part, batches=batches)


def draw_stream(
    session: Session, law: Law, sample: Sample, equipment: Equipment, stream: DrawStream
) -> DrawnStream:
    """Draw a stream and return what is kept of it."""
    taken, frontier = [], Frontier()
    # Answers are long, so each request has its own line; the next is drawn meanwhile.
    replies = session.ask_all(sample.method, repeat(sample.params(), stream.batches), most=1)
    for _, reply in replies:
        rows = read_outcomes(law, sample, equipment, reply)
        if isinstance(rows, AdapterFault):
            return DrawnStream(part=stream, fault=rows)
        frontier.add([leaf_hash(rows.astype("<i2").tobytes())])
        taken.append(rows)
    counts = count_stream(equipment, np.concatenate(taken))
    return DrawnStream(part=stream, counts=counts, root=str(frontier.root()))


def read_outcomes(
    law: Law, sample: Sample, equipment: Equipment, reply: Reply
) -> NDArray[np.int16] | AdapterFault:
    """Return the outcomes of a reply as rows, or what is wrong with them."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        error = reply.error
        return make_fault(
            FaultKind.ERROR_ANSWER, method=sample.method, code=error.code, problem=error.message
        )
    outcomes = reply.result.outcomes
    if len(outcomes) != sample.per_request:
        problem = f"{len(outcomes)} instead of {sample.per_request}"
        return make_fault(FaultKind.WRONG_WORDS, problem=problem, path="$.result.outcomes")
    try:
        return equipment.rows(outcomes)
    except _OUTCOME_ERRORS as error:
        return _find_outcome_fault(law, sample, equipment, outcomes, error)


def _find_outcome_fault(
    law: Law, sample: Sample, equipment: Equipment, outcomes: list[Outcome], error: Exception
) -> AdapterFault:
    words = game_words(law, sample.game)
    for at, outcome in enumerate(outcomes):
        where = f"$.result.outcomes[{at}]"
        try:
            equipment.row(outcome)
        except _OUTCOME_ERRORS as wrong:
            problem = words.outcome_problem(outcome, where=where) or f"{where}: {wrong}"
            path, _, text = problem.partition(": ")
            return make_fault(
                FaultKind.WRONG_WORDS, problem=text, path=path, raw=encode_canonical(outcome)
            )
    return make_fault(FaultKind.WRONG_WORDS, problem=str(error), path="$.result.outcomes")
