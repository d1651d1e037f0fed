"""A session with a vendor: sends requests in batches and matches answers to them by id.

Several batches are in flight at once. The batch size adapts to the vendor: it starts at one and
doubles while answers come quickly. Answers may come in any order; they are yielded in the order
of the requests.
"""

from __future__ import annotations

import time
from collections import deque
from itertools import islice
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol import messages as m
from selo.protocol.request_spelling import OpaqueNames, RequestSpelling
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, make_fault, vendor_broken
from selo.vendors.reply_reader import Reply, ReplyReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from selo.vendors.resource_limits import Limits
    from selo.vendors.transport import Transport

#: A batch that is answered within this many seconds may be followed by a larger one.
_QUICK_SECONDS: Final = 0.1
#: One that takes longer is followed by a smaller one, so that a slow vendor is not late.
_SLOW_SECONDS: Final = 1.0
#: Answered batches remembered, to tell a duplicate answer from an unknown id.
_BATCHES_REMEMBERED: Final = 16
_CHANCE: Final = SystemRandom()
#: Where somebody waits now and again, it is before one line in this many, and so many seconds.
_PAUSE_ONE_IN: Final = 24
_PAUSES: Final = (0.03, 0.03, 0.06, 0.06, 0.12, 0.25, 0.25, 0.6)


class _Batch:
    """Requests sent on one line."""

    __slots__ = ("_id_set", "answers", "ids", "line", "params", "pending", "replies", "sent")

    def __init__(self, ids: list[str], params: list[Any], line: bytes, sent: float) -> None:
        self.ids = ids
        self.params = params
        self.line = line
        self.sent = sent
        #: The answers if they came complete and in order; otherwise replies by id.
        self.answers: list[Any] | None = None
        self.replies: dict[str, Reply] = {}
        self.pending = len(ids)
        self._id_set: frozenset[str] | None = None

    def has_request(self, name: str) -> bool:
        """Return whether a request of this batch has the id `name`."""
        if self._id_set is None:
            self._id_set = frozenset(self.ids)
        return name in self._id_set


class Session:
    """A session with one vendor over one transport."""

    def __init__(
        self,
        transport: Transport,
        limits: Limits,
        spelling: RequestSpelling | None = None,
        *,
        pauses: int = 0,
    ) -> None:
        self.transport = transport
        #: The number of the world that its vendor is in.
        self.world = 0
        self._pauses = pauses
        self._spelling = spelling or RequestSpelling()
        self._ids = OpaqueNames(self._spelling.names)
        #: Names of tables.
        self.table_names = OpaqueNames(self._spelling.names)
        self._limits = limits
        self._until = time.monotonic() + limits.total
        self._readers: dict[str, ReplyReader] = {}
        self._recent: deque[list[str]] = deque(maxlen=_BATCHES_REMEMBERED)
        self._first = True
        self._last = time.monotonic()
        self._size = 1
        self.requests = 0

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of one request, or raise the fault or error that came instead."""
        ((_, reply),) = self.ask_all(method, [params])
        if reply.fault is not None:
            raise self._with_evidence(VendorBroken(reply.fault))
        if reply.error is not None:
            raise self._with_evidence(
                vendor_broken(
                    FaultKind.ERROR_ANSWER,
                    method=method,
                    code=reply.error.code,
                    problem=reply.error.message,
                )
            )
        return reply.result

    def ask_all(
        self,
        method: str,
        many: Iterable[Any],
        *,
        reads: str | None = None,
        most: int = m.MOST_IN_BATCH,
    ) -> Iterator[tuple[Any, Reply]]:
        """Yield each of the params with its reply, in the order of the requests.

        Results are decoded as those of `reads`, by default the method itself. A batch has at most
        `most` requests.
        """
        for asked, replies in self.ask_in_batches(method, many, reads=reads, most=most):
            yield from zip(asked, map(as_reply, replies), strict=True)

    def ask_in_batches(
        self,
        method: str,
        many: Iterable[Any],
        *,
        params: Callable[[Any], Any] | None = None,
        reads: str | None = None,
        most: int = m.MOST_IN_BATCH,
    ) -> Iterator[tuple[list[Any], Sequence[Any]]]:
        """Yield the items of each batch with their answers.

        An item is the params of a request, or `params` makes them of it. The answers are replies
        or, for a batch answered without a fault, objects with `id` and `result`.
        """
        reader = self._readers.setdefault(reads or method, ReplyReader(reads or method))
        coming = iter(many)
        under_way: deque[_Batch] = deque()
        try:
            while True:
                while len(under_way) < self.transport.window:
                    sent = self._send(method, islice(coming, min(self._size, most)), params)
                    if sent is None:
                        break
                    under_way.append(sent)
                if not under_way:
                    return
                self._receive(reader, under_way)
                while under_way and not under_way[0].pending:
                    done = under_way.popleft()
                    yield done.params, _replies_in_order(done)
        except VendorBroken as error:
            raise self._with_evidence(error, under_way) from error

    def _send(
        self, method: str, items: Iterator[Any], params: Callable[[Any], Any] | None
    ) -> _Batch | None:
        asked = list(items)
        if not asked:
            return None
        if self._pauses and not _CHANCE.randrange(_PAUSE_ONE_IN):
            self._pauses -= 1
            time.sleep(_CHANCE.choice(_PAUSES))
        ids = self._ids.take(len(asked))
        bodies = asked if params is None else list(map(params, asked))
        line = self._spelling.write(ids, method, bodies)
        self.transport.send(line)
        self.requests += len(asked)
        return _Batch(ids, asked, line, time.monotonic())

    def _receive(self, reader: ReplyReader, under_way: deque[_Batch]) -> None:
        now = time.monotonic()
        if now > self._until:
            raise vendor_broken(FaultKind.TOTAL_TIME, seconds=f"{self._limits.total:g}")
        allowed = self._limits.start if self._first else self._limits.request
        # Time runs from the request or from the previous answer, whichever is later.
        waited = now - max(under_way[0].sent, self._last)
        try:
            line = self.transport.receive(max(0.001, min(allowed - waited, self._until - now)))
        except VendorBroken as error:
            raise VendorBroken(self._with_passed_limit(error.fault, allowed)) from error
        self._first = False
        self._last = time.monotonic()
        answers = reader.decode_batch(line)
        if answers:
            # Nearly always a line answers one batch in order, and ids need not be looked up.
            names = [answer.id for answer in answers]
            for batch in under_way:
                if batch.ids == names and not batch.replies and batch.answers is None:
                    batch.answers = answers
                    self._finish_batch(batch)
                    return
        for reply in reader.decode_each(line):
            self._accept_reply(reply, under_way, line)

    def _with_passed_limit(self, fault: AdapterFault, allowed: float) -> AdapterFault:
        """Return a lateness fault that names the exceeded limit."""
        if fault.kind is not FaultKind.LATE:
            return fault
        if time.monotonic() < self._until:
            return msgspec.structs.replace(fault, slots={"seconds": f"{allowed:g}"})
        total = {"seconds": f"{self._limits.total:g}"}
        return msgspec.structs.replace(fault, kind=FaultKind.TOTAL_TIME, slots=total)

    def _accept_reply(self, reply: Reply, under_way: Iterable[_Batch], line: bytes) -> None:
        batch = next((sent for sent in under_way if sent.has_request(reply.id)), None)
        if batch is None or batch.answers is not None or reply.id in batch.replies:
            twice = batch is not None or any(reply.id in ids for ids in self._recent)
            kind = FaultKind.ANSWERED_TWICE if twice else FaultKind.UNKNOWN_ID
            raise vendor_broken(kind, id=reply.id, raw=line)
        batch.replies[reply.id] = reply
        batch.pending -= 1
        if not batch.pending:
            self._finish_batch(batch)

    def _finish_batch(self, batch: _Batch) -> None:
        batch.pending = 0
        self._recent.append(batch.ids)
        took = self._last - batch.sent
        if took < _QUICK_SECONDS:
            self._size = min(2 * self._size, m.MOST_IN_BATCH)
        elif took > _SLOW_SECONDS:
            self._size = max(1, self._size // 2)

    def _with_evidence(self, error: VendorBroken, under_way: Iterable[_Batch] = ()) -> VendorBroken:
        """Return `error` with the unanswered request and the vendor's error stream."""
        fault = error.fault
        waiting = next((batch for batch in under_way if batch.pending), None)
        if waiting is not None and not fault.sent:
            fault = msgspec.structs.replace(fault, sent=_first_unanswered(waiting))
        if not fault.stderr:
            fault = msgspec.structs.replace(fault, stderr=self.transport.stderr())
        self.transport.kill()
        return VendorBroken(fault)

    def end(self) -> list[AdapterFault]:
        """End the session; return the faults of a disorderly end."""
        try:
            self.ask("end", {})
        except VendorBroken as error:
            return [error.fault]
        return self.transport.end()

    def kill(self) -> None:
        """Kill the vendor."""
        self.transport.kill()


def as_reply(answer: Any) -> Reply:
    """Return an answer as a reply."""
    return answer if isinstance(answer, Reply) else Reply(id=answer.id, result=answer.result)


def _replies_in_order(batch: _Batch) -> Sequence[Any]:
    if batch.answers is not None:
        return batch.answers
    return [batch.replies[name] for name in batch.ids]


def _first_unanswered(batch: _Batch) -> bytes:
    """Return the first unanswered request of a batch, as sent."""
    if len(batch.ids) == 1:
        return batch.line
    at = next((i for i, name in enumerate(batch.ids) if name not in batch.replies), 0)
    return bytes(msgspec.json.decode(batch.line, type=list[msgspec.Raw])[at])


def count_fault(asked: int, settled: int) -> AdapterFault | None:
    """Return the fault of a wrong number of settlements, or None."""
    if asked == settled:
        return None
    return make_fault(
        FaultKind.WRONG_COUNT, asked=asked, settled=settled, path="$.result.settlements"
    )
