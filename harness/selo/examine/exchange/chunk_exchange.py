"""Puts one chunk of a plan to a vendor and writes its lines of evidence."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.case_encoding import encode_name
from selo.cases.generate import SITUATION_GROUP
from selo.cases.oracle.told_settlement import told_parts
from selo.vendors.faults import AdapterFault, FaultKind, make_fault
from selo.vendors.reply_reader import is_in_lowest_terms
from selo.vendors.session import as_reply, count_fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases import Case
    from selo.cases.case_encoding import CaseEncoder
    from selo.cases.oracle import Oracle
    from selo.examine.plan import Chunk
    from selo.examine.vendor_description import DeclaredLimits
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


class EvidenceLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The line of evidence of one case; fields stand in the order of their names."""

    answer: Any = None
    error: Any = None
    fault: dict[str, str] | None = None
    game: str
    group: str
    method: str
    n: int
    params: Any
    #: Whether the answer is lawful; absent where the law is silent.
    right: bool | None = None
    #: Why there is no answer: the product cannot.
    skipped: Any = None

    @property
    def is_close(self) -> bool:
        """Whether it needs a closer look: it is neither right nor plainly silent."""
        return (
            self.right is False
            or self.fault is not None
            or self.skipped is not None
            or self.group == SITUATION_GROUP
        )

    def encode(self) -> bytes:
        """Return the line as it is written."""
        return _encode(self)


#: An amount that is a fraction; the literal beginning is searched fast.
_FRACTION: Final = re.compile(rb'":\[(?:(?<="commission":\[)|(?<="net":\[)|(?<="prize":\[))')


def may_hold_fraction(line: bytes) -> bool:
    """Return whether an answer in a line of evidence may be an exact fraction."""
    return _FRACTION.search(line) is not None


class AnsweredChunk(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence lines of one answered chunk, and which of them need a closer look."""

    index: int
    #: The place of its first case in the plan.
    first: int
    game: str
    method: str
    lines: list[bytes]
    bets: int
    #: Cases on which the law is silent.
    silent: int
    #: The places of the lines to analyse: all but the right and the silent ones.
    close: list[int]

    @property
    def cases(self) -> int:
        """The number of cases."""
        return len(self.lines)


_encode: Final = msgspec.json.Encoder(order="sorted").encode


def ask_chunk(
    session: Session, oracle: Oracle, chunk: Chunk, writing: CaseEncoder, limits: DeclaredLimits
) -> AnsweredChunk:
    """Put a chunk to a vendor and compare its answers with the law.

    `limits` decide which cases the vendor may skip.
    """
    #: Params that were sent and not answered yet, in order.
    sent: deque[msgspec.Raw] = deque()

    def params(case: Case) -> msgspec.Raw:
        sent.append(writing.params(case))
        return sent[-1]

    lines: list[bytes] = []
    close: list[int] = []
    silent = bets = at = 0
    settles = chunk.method == "settle"
    form = limits.form_of(chunk.game, chunk.method)
    for asked, answers in session.ask_in_batches(
        chunk.method, chunk.cases, params=params, reads=form
    ):
        for case, answer in zip(asked, answers, strict=True):
            result, n = answer.result, chunk.first + at
            bets += len(case.bets)
            if result is not None and (
                oracle.is_exactly_expected(case, result.settlements)
                if settles
                else oracle.compare(case) == oracle.told_order(case, result)
            ):
                # An answer that equals the expectation is sound as well.
                lines.append(_right_line(case, n, sent.popleft(), result))
                if case.group == SITUATION_GROUP:
                    close.append(at)
                at += 1
                continue
            reply: Reply = limits.check(case, as_reply(answer))
            line = judge_reply(oracle, case, n, sent.popleft(), reply, answer=result)
            encoded = line.encode()
            if line.is_close or (line.right and may_hold_fraction(encoded)):
                close.append(at)
            elif line.right is None:
                silent += 1
            lines.append(encoded)
            at += 1
    return AnsweredChunk(
        index=chunk.index, first=chunk.first, game=chunk.game, method=chunk.method, lines=lines,
        bets=bets, silent=silent, close=close,
    )  # fmt: skip


def judge_reply(  # noqa: PLR0913 - a question, its place, and its answer
    oracle: Oracle, case: Case, n: int, params: Any, reply: Reply, *, answer: Any
) -> EvidenceLine:
    """Return the line of evidence of one case, its answer compared with the law."""
    skips = reply.skipped is not None
    problem = reply.fault or (None if skips else find_answer_fault(case, reply))
    return EvidenceLine(
        answer=answer,
        error=reply.error,
        fault=None if problem is None else problem.evidence_record(),
        game=case.game,
        group=case.group,
        method=case.method,
        n=n,
        params=params,
        right=None if skips or problem is not None else _is_right(oracle, case, reply),
        skipped=reply.skipped,
    )


#: The line of a right answer, its fields in the order of their names.
_RIGHT_LINE: Final = (
    b'{"answer":%b,"game":%b,"group":%b,"method":"%b","n":%d,"params":%b,"right":true}'
)


def _right_line(case: Case, n: int, params: msgspec.Raw, result: Any) -> bytes:
    """Return the line of a right answer: most are right, and this is the fastest way."""
    return _RIGHT_LINE % (
        _encode(result), encode_name(case.game), encode_name(case.group), case.method.encode(), n,
        params,
    )  # fmt: skip


def _is_right(oracle: Oracle, case: Case, reply: Reply) -> bool | None:
    """Return whether a sound answer is lawful, or nothing where the law is silent."""
    if case.method == "settle":
        right = not oracle.wrong_bets(case, reply.result.settlements)
        if right:
            oracle.remember(case, reply.result.settlements)
        return right
    wanted = oracle.compare(case)
    return None if wanted is None else wanted == oracle.told_order(case, reply.result)


def find_answer_fault(case: Case, reply: Reply) -> AdapterFault | None:
    """Return the fault of an answer that has the right shape."""
    if reply.error is not None:
        error = reply.error
        return make_fault(
            FaultKind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message
        )
    if case.method != "settle":
        return None
    settlements = reply.result.settlements
    return count_fault(len(case.bets), len(settlements)) or _check_lowest_terms(settlements)


def _check_lowest_terms(settlements: Sequence[Any]) -> AdapterFault | None:
    """Return the fault of the first amount that is not in lowest terms."""
    for at, settlement in enumerate(settlements):
        for part, amount in told_parts(settlement).items():
            if type(amount) is list and not is_in_lowest_terms(amount):
                where = f"$.result.settlements[{at}].{part}"
                return make_fault(FaultKind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None
