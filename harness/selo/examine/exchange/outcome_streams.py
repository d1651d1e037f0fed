"""Draws a stream of outcomes from a vendor and keeps their counts, with a root over them."""

from __future__ import annotations

from itertools import islice, pairwise
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from selo.cases.case_encoding import CaseEncoder
from selo.draws import equipment_of_game, whole_packs_of_game
from selo.draws.stream_counts import StreamCounts, count_stream
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.merkle import Frontier, leaf_hash
from selo.examine.free_rounds.free_round_plan import plan_free_scripts
from selo.examine.plan import Plan
from selo.protocol.messages import DRAW, Drawn
from selo.protocol.schema import game_words
from selo.rounds import play_scripts
from selo.vendors.faults import AdapterFault, FaultKind, make_fault
from selo.vendors.reply_reader import Reply
from selo.vendors.sandbox.plausible_world import opposite_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.examine.exchange.vendor_endpoint import VendorEndpoint
    from selo.examine.plan import Sample, Terms
    from selo.law import Law
    from selo.rules.readings import Readings
    from selo.table_values import Outcome
    from selo.vendors.session import Session

#: One batch in this many is asked for in several requests, of which one has few outcomes.
_CUT_ONE_IN: Final = 8
_SMALL_PART: Final = 100
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


def draw_kept(  # noqa: PLR0913 - a part of a sample, and where it is drawn
    session: Session,
    law: Law,
    sample: Sample,
    equipment: Equipment,
    part: KeptDraw,
    *,
    turn: Callable[[Session], Session] | None = None,
) -> KeptOutcomes:
    """Draw a sample from its beginning and return what was not recorded before.

    Its second half comes from the session that `turn` returns.
    """
    batches: list[bytes] = []
    for number, reply in enumerate(ask_outcomes(session, sample, part.until, turn)):
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
    for reply in ask_outcomes(session, sample, stream.batches):
        rows = read_outcomes(law, sample, equipment, reply)
        if isinstance(rows, AdapterFault):
            return DrawnStream(part=stream, fault=rows)
        frontier.add([leaf_hash(rows.astype("<i2").tobytes())])
        taken.append(rows)
    counts = count_stream(equipment, np.concatenate(taken))
    return DrawnStream(part=stream, counts=counts, root=str(frontier.root()))


def ask_outcomes(
    session: Session,
    sample: Sample,
    batches: int,
    turn: Callable[[Session], Session] | None = None,
) -> Iterator[Reply]:
    """Yield the outcomes of each batch; now and then one is asked for in several requests.

    A source that goes by the number of outcomes, or by where its process runs and what it did
    before, must be the same in all of them.
    """
    chance = SystemRandom()
    for is_second, count in enumerate((batches // 2, batches - batches // 2)):
        if is_second and turn is not None:
            session = turn(session)
        cuts = [
            _cut(sample.per_request, chance)
            if at % _CUT_ONE_IN == _CUT_ONE_IN - 1
            else [sample.per_request]
            for at in range(count)
        ]
        # Answers are long, so each request has its own line; the next is drawn meanwhile.
        asked = ({**sample.params(), "count": size} for parts in cuts for size in parts)
        replies = (reply for _, reply in session.ask_all(sample.method, asked, most=1))
        for parts in cuts:
            yield _join_replies(list(islice(replies, len(parts))))


class DrawSessions:
    """The session from which a sample is drawn.

    Where the worlds of a run vary, its second half comes from another process, in the opposite one.
    """

    def __init__(self, law: Law, terms: Terms, vendor: VendorEndpoint, sample: Sample) -> None:
        self._law, self._terms, self._vendor, self._sample = law, terms, vendor, sample
        self.session = vendor.session()

    def ask(self, batches: int) -> Iterator[Reply]:
        """Yield the outcomes of each batch."""
        turn = self._turn if self._vendor.worlds else None
        return ask_outcomes(self.session, self._sample, batches, turn)

    def _turn(self, session: Session) -> Session:
        self._vendor.leave(session)
        self.session = self._vendor.session(opposite_world(session.world))
        return play_before_draws(self._law, self._terms, self._vendor, self._sample, self.session)


def play_before_draws(
    law: Law, terms: Terms, vendor: VendorEndpoint, sample: Sample, session: Session
) -> Session:
    """Put a case and play a table in a process that draws afterwards; return its session."""
    plan = Plan(law, terms)
    groups = (group for game, group in plan.groups() if game == sample.game)
    for case in islice((case for group in groups for case in plan.cases(sample.game, group)), 1):
        list(session.ask_all(case.method, [CaseEncoder().params(case)]))
    tables = plan_free_scripts(law, terms, vendor.described.games, sample.game)
    list(play_scripts(session, tables[:1]))
    return session


def _cut(size: int, chance: SystemRandom) -> list[int]:
    """Return parts of a number, the first of them 1, and some of them small."""
    rest = size - 1
    cuts = sorted({chance.randint(0, rest), chance.randint(0, min(rest, _SMALL_PART)), 0, rest})
    return [1, *(high - low for low, high in pairwise(cuts))]


def _join_replies(replies: list[Reply]) -> Reply:
    """Return replies as one: the first that has no outcomes, or all outcomes together."""
    for reply in replies:
        if reply.fault is not None or reply.error is not None:
            return reply
    if len(replies) == 1:
        return replies[0]
    outcomes = [outcome for reply in replies for outcome in reply.result.outcomes]
    return Reply(id=replies[0].id, result=Drawn(outcomes=outcomes))


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
