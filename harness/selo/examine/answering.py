"""One chunk of a plan put to a vendor: its lines of evidence, and what was not as expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.adapters.faults import Fault, Kind, fault
from selo.adapters.reading import lowest_terms
from selo.adapters.session import as_reply, counted
from selo.cases.registered import SITUATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.adapters.reading import Reply
    from selo.adapters.session import Session
    from selo.cases.case import Case
    from selo.cases.expectation import Oracle
    from selo.examine.plan import Chunk
    from selo.protocol import messages as m


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


class Done(msgspec.Struct, frozen=True, kw_only=True):
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


_encode: Final = msgspec.json.Encoder(order="sorted").encode


def _params(case: Case) -> object:
    return case.params()


def answered(session: Session, oracle: Oracle, chunk: Chunk) -> Done:
    """Put a chunk to a vendor and compare its answers with the law."""
    lines: list[bytes] = []
    close: list[int] = []
    silent = bets = at = 0
    for asked, answers in session.batches(chunk.method, chunk.cases, params=_params):
        for case, answer in zip(asked, answers, strict=True):
            reply: Reply = as_reply(answer)
            found = reply.fault or _unsound(case, reply)
            right: bool | None = None
            if found is None and chunk.method == "settle":
                right = not oracle.wrong(case, reply.result.settlements)
            elif found is None:
                wanted = oracle.order(case)
                right = None if wanted is None else wanted == reply.result.order
            if right is False or found is not None or case.group == SITUATIONS:
                close.append(at)
            elif right is None:
                silent += 1
            bets += len(case.bets)
            lines.append(_line(chunk.first + at, chunk, case, reply, found, right=right))
            at += 1
    return Done(
        index=chunk.index, first=chunk.first, game=chunk.game, method=chunk.method, lines=lines,
        bets=bets, silent=silent, close=close,
    )  # fmt: skip


def _unsound(case: Case, reply: Reply) -> Fault | None:
    """Return what is wrong with an answer of the right shape."""
    if reply.error is not None:
        error = reply.error
        return fault(Kind.ERROR_ANSWER, method=case.method, code=error.code, problem=error.message)
    if case.method != "settle":
        return None
    settlements = reply.result.settlements
    return counted(len(case.bets), len(settlements)) or _fractions(settlements)


def _fractions(settlements: Sequence[m.Settlement]) -> Fault | None:
    for at, one in enumerate(settlements):
        for part, amount in (("prize", one.prize), ("commission", one.commission)):
            if type(amount) is not int and not lowest_terms(amount):
                where = f"$.result.settlements[{at}].{part}"
                return fault(Kind.WRONG_SHAPE, problem="not in lowest terms", path=where)
    return None


def _line(  # noqa: PLR0913 - a line has so many parts
    n: int, chunk: Chunk, case: Case, reply: Reply, found: Fault | None, *, right: bool | None
) -> bytes:
    return _encode(
        Line(
            answer=reply.result,
            error=reply.error,
            fault=None if found is None else found.kept(),
            game=chunk.game,
            group=case.group,
            method=chunk.method,
            n=n,
            params=case.params(),
            right=right,
        )
    )
