"""A file of answers, each found by its id, in whatever order they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

import msgspec

from selo.protocol import messages as m
from selo.text import wrong
from selo.vendors.faults import KEPT, Kind, broken
from selo.vendors.reply_reader import Reader, Reply
from selo.vendors.session import as_reply

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LONGEST: Final = 16 << 20
#: So many answers may wait for one that comes later in the file.
_MOST_WAITING: Final = 200_000


class Answers:
    """The answers of a file, each found by its id, in whatever order they stand."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise wrong("answers-unread", error=error) from error
        self._readers = {name: Reader(name) for name in m.RESULTS}
        self._waiting: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def answer(self, name: str, method: str) -> Reply:
        """Return the answer to the request `name`."""
        while name not in self._waiting:
            if not self._read():
                raise broken(Kind.UNANSWERED, id=name, method=method)
        raw = self._waiting.pop(name)
        reader = self._readers[method]
        fast = reader.fast(b"[" + raw + b"]")
        return as_reply(fast[0]) if fast else reader.slow(raw)[0]

    def _read(self) -> bool:
        """Take one line from the file, and return whether there was one."""
        line = self._file.readline(_LONGEST + 1)
        if len(line) > _LONGEST:
            raise broken(Kind.LINE_TOO_LONG, size=_LONGEST, raw=line[:KEPT])
        if line:
            self._keep(line.rstrip(b"\r\n"))
        return bool(line)

    def _keep(self, line: bytes) -> None:
        for raw, name in named(line):
            if name in self._waiting:
                raise broken(Kind.ANSWERED_TWICE, id=name, raw=line)
            self._waiting[name] = raw
        if len(self._waiting) > _MOST_WAITING:
            raise broken(Kind.UNKNOWN_ID, id=next(iter(self._waiting)), raw=line)

    def finish(self, asked: Iterable[str]) -> None:
        """Refuse what is left: answers to what was answered already, or to nothing `asked`."""
        while self._read():
            pass
        for name, raw in self._waiting.items():
            kind = Kind.ANSWERED_TWICE if name in asked else Kind.UNKNOWN_ID
            raise broken(kind, id=name, raw=raw)


def named(line: bytes) -> list[tuple[bytes, str]]:
    """Return the answers on a line, unread, each with its id."""
    try:
        raws = msgspec.json.decode(line, type=list[msgspec.Raw]) if line[:1] == b"[" else [line]
        return [(bytes(raw), msgspec.json.decode(raw, type=_Named).id) for raw in raws]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Said again slowly, to say well what is wrong with it.
        return [(line, reply.id) for reply in Reader("end").slow(line)]


class _Named(msgspec.Struct, frozen=True):
    id: m.Id
