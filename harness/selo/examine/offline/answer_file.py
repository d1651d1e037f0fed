"""A file of answers in any order, looked up by id."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Self

import msgspec

from selo.protocol import messages as m
from selo.storage.bounded_read import open_regular
from selo.text import user_error
from selo.vendors.faults import MAX_KEPT_BYTES, FaultKind, vendor_broken
from selo.vendors.reply_reader import Reply, ReplyReader
from selo.vendors.session import as_reply

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_MAX_LINE_BYTES: Final = 16 << 20
#: How far an answer may stand behind its turn: more waiting answers are refused.
_MAX_WAITING_ANSWERS: Final = 200_000


class AnswerFile:
    """The answers in a file, looked up by the id of their request."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = os.fdopen(open_regular(path), "rb")
        except OSError as error:
            raise user_error("answers-unread", error=error) from error
        self._readers = {name: ReplyReader(name) for name in m.RESULTS}
        self._waiting: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def answer(self, name: str, method: str) -> Reply:
        """Return the answer to the request `name`."""
        while name not in self._waiting:
            if not self._read():
                raise vendor_broken(FaultKind.UNANSWERED, id=name, method=method)
        raw = self._waiting.pop(name)
        reader = self._readers[method]
        fast = reader.decode_batch(b"[" + raw + b"]")
        return as_reply(fast[0]) if fast else reader.decode_each(raw)[0]

    def _read(self) -> bool:
        """Read one line of the file, and return whether there was one."""
        line = self._file.readline(_MAX_LINE_BYTES + 1)
        if len(line) > _MAX_LINE_BYTES:
            raise vendor_broken(
                FaultKind.LINE_TOO_LONG, size=_MAX_LINE_BYTES, raw=line[:MAX_KEPT_BYTES]
            )
        if line:
            self._keep(line.rstrip(b"\r\n"))
        return bool(line)

    def _keep(self, line: bytes) -> None:
        for raw, name in split_answers(line):
            if name in self._waiting:
                raise vendor_broken(FaultKind.ANSWERED_TWICE, id=name, raw=line)
            self._waiting[name] = raw
        if len(self._waiting) > _MAX_WAITING_ANSWERS:
            raise vendor_broken(FaultKind.UNKNOWN_ID, id=next(iter(self._waiting)), raw=line)

    def finish(self, asked: Iterable[str]) -> None:
        """Raise for an answer that is left over: a second one, or one to no request in `asked`."""
        while self._read():
            pass
        for name, raw in self._waiting.items():
            kind = FaultKind.ANSWERED_TWICE if name in asked else FaultKind.UNKNOWN_ID
            raise vendor_broken(kind, id=name, raw=raw)


def split_answers(line: bytes) -> list[tuple[bytes, str]]:
    """Return the undecoded answers on a line, each with its id."""
    try:
        raws = msgspec.json.decode(line, type=list[msgspec.Raw]) if line[:1] == b"[" else [line]
        return [(bytes(raw), msgspec.json.decode(raw, type=_AnswerId).id) for raw in raws]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # The slow reader reports what is wrong with the line.
        return [(line, reply.id) for reply in ReplyReader("end").decode_each(line)]


class _AnswerId(msgspec.Struct, frozen=True):
    id: m.Id
