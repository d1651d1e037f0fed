"""One chunk of a plan put to a vendor: its lines of evidence, and what was not as expected."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import named
from selo.cases.generate import SITUATIONS
from selo.vendors.faults import AdapterFault, FaultKind, make_fault
from selo.vendors.reply_reader import lowest_terms
from selo.vendors.session import as_reply, count_fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases import Case, Writing
    from selo.cases.oracle import Oracle
    from selo.examine.plan import Chunk
    from selo.protocol import messages as m
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What evidence says of one case; fields stand in the order of their names."""

    answer: Any = None
    error: Any = None
    fault: dict[str, str] | None = None
    game: str
    group: str
    method: str
    n: int
    params: Any
    #: Whether the law has it so; absent where the law held here says nothing.
    right: bool | None = None


class AnsweredChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that was answered."""

    index: int
    #: The place of its first case in the plan.
    first: int
    game: str
    method: str
    lines: list[bytes]
    bets: int
    #: Where the law says nothing, so that nobody can be right or wrong.
    silent: int
    #: The places of the lines that must be looked at closely: all but the plainly right and silent.
    close: list[int]

    @property
    def cases(self) -> int:
        """How many cases were answered."""
        return len(self.lines)


#: A line as it is written.
encode_line: Final = msgspec.json.Encoder(order="sorted").encode


def ask_chunk(session: Session, oracle: Oracle, chunk: Chunk, writing: Writing) -> AnsweredChunk:
    """Put a chunk to a vendor and compare its answers with the law."""
    #: What was sent and is not answered yet, in its order.
    sent: deque[msgspec.Raw] = deque()

    def params(case: Case) -> msgspec.Raw:
        sent.append(writing.params(case))
        return sent[-1]

    lines: list[bytes] = []
    close: list[int] = []
    silent = bets = at = 0
    settles = chunk.method == "settle"
    for asked, answers in session.batches(chunk.method, chunk.cases, params=params):
        for case, answer in zip(asked, answers, strict=True):
            result, n = answer.result, chunk.first + at
            bets += len(case.bets)
            if result is not None and (
                oracle.plainly_right(case, result.settlements)
                if settles
                else oracle.order(case) == result.order
            ):
                # To the letter what is expected, and so sound as well.
                lines.append(_right_line(case, n, sent.popleft(), result))
                if case.group == SITUATIONS:
                    close.append(at)
                at += 1
                continue
            reply: Reply = as_reply(answer)
            found = reply.fault or _fault_of(case, reply)
            right = None if found is not None else _is_right(oracle, case, reply)
            if right is False or found is not None or case.group == SITUATIONS:
                close.append(at)
            elif right is None:
                silent += 1
            line = Line(
                answer=result,
                error=reply.error,
                fault=None if found is None else found.kept(),
                game=chunk.game,
                group=case.group,
                method=chunk.method,
                n=n,
                params=sent.popleft(),
                right=right,
            )
            lines.append(encode_line(line))
            at += 1
    return AnsweredChunk(
        index=chunk.index, first=chunk.first, game=chunk.game, method=chunk.method, lines=lines,
        bets=bets, silent=silent, close=close,
    )  # fmt: skip


#: The line of an answer that is right, its fields in the order of their names.
_RIGHT_LINE: Final = (
    b'{"answer":%b,"game":%b,"group":%b,"method":"%b","n":%d,"params":%b,"right":true}'
)


def _right_line(case: Case, n: int, params: msgspec.Raw, result: Any) -> bytes:
    """Return the line of an answer that is right: most are, and this is the shortest way."""
    return _RIGHT_LINE % (
        encode_line(result), named(case.game), named(case.group), case.method.encode(), n, params,
    )  # fmt: skip


def _is_right(oracle: Oracle, case: Case, reply: Reply) -> bool | None:
    """Return whether a sound answer is what the law has; nothing where it says nothing."""
    if case.method == "settle":
        right = not oracle.wrong(case, reply.result.settlements)
        if right:
            oracle.learnt(case, reply.result.settlements)
        return right
    wanted = oracle.order(case)
    return None if wanted is None else bool(wanted == reply.result.order)


def _fault_of(case: Case, reply: Reply) -> AdapterFault | None:
    """Return what is wrong with an answer of the right shape."""
    if reply.error is not None:
        error = reply.error
        return make_fault(
            FaultKind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message
        )
    if case.method != "settle":
        return None
    settlements = reply.result.settlements
    return count_fault(len(case.bets), len(settlements)) or check_lowest_terms(settlements)


def check_lowest_terms(settlements: Sequence[m.Settlement]) -> AdapterFault | None:
    """Return what is wrong with the first amount that is not in lowest terms."""
    for at, settlement in enumerate(settlements):
        for part, amount in (("prize", settlement.prize), ("commission", settlement.commission)):
            if type(amount) is not int and not lowest_terms(amount):
                where = f"$.result.settlements[{at}].{part}"
                return make_fault(FaultKind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None
