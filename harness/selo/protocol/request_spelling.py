"""How a session writes its requests: what JSON and the protocol leave open.

Ids and names of tables are opaque, the order of fields and the spaces between them mean nothing.
A vendor that goes by them is found only if they vary.
"""

from __future__ import annotations

import os
import uuid
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.protocol.messages import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME_BYTES: Final = 8
#: Counters begin at one of this many numbers.
_FIRST_NUMBERS: Final = 900
_encode: Final = msgspec.json.Encoder().encode

_LETTERS: Final = str.maketrans("0123456789", "abcdefghij")

NameForm = Literal["hexadecimal", "uuid", "prefix", "counter", "letters"]
#: The first half are long, have a dash and come in no order; opposite to each lies the contrary.
NAME_FORMS: Final[tuple[NameForm, ...]] = ("uuid", "prefix", "letters", "counter")


class RequestSpelling(msgspec.Struct, frozen=True, kw_only=True):
    """One way of writing requests."""

    names: NameForm = "hexadecimal"
    #: Whether spaces follow commas and colons.
    spaced: bool = False
    #: Whether fields come in another order: the contrary one, or one of many by number.
    turned: bool = False
    order: int = 0

    def write(self, names: Sequence[str], method: str, params: Sequence[Any]) -> bytes:
        """Return the line of one request, or of a batch."""
        requests: list[Any] = [
            Request(name, method, body) for name, body in zip(names, params, strict=True)
        ]
        if self.turned:
            turned = partial(_turn, order=self.order)
            requests = [turned(msgspec.json.decode(_encode(request))) for request in requests]
        line = _encode(requests if len(requests) > 1 else requests[0])
        return msgspec.json.format(line, indent=0) if self.spaced else line


class OpaqueNames:
    """Names from which a vendor learns nothing; none comes twice."""

    def __init__(self, form: NameForm) -> None:
        self._form = form
        self._last = 1 + int.from_bytes(os.urandom(2)) % _FIRST_NUMBERS

    def take(self, count: int) -> list[str]:
        """Return this many names that were not used before."""
        if self._form == "uuid":
            return [str(uuid.uuid4()) for _ in range(count)]
        if self._form in {"counter", "letters"}:
            first, self._last = self._last + 1, self._last + count
            names = map(str, range(first, first + count))
            return [n.translate(_LETTERS) if self._form == "letters" else n for n in names]
        text = os.urandom(_NAME_BYTES * count).hex()
        if self._form == "prefix":
            text = text.upper()
        start = "R-" if self._form == "prefix" else ""
        size = 2 * _NAME_BYTES
        return [start + text[at : at + size] for at in range(0, len(text), size)]


def _turn(value: Any, order: int) -> Any:
    """Return a value with the fields of every object in another order."""
    if isinstance(value, list):
        return [_turn(part, order) for part in value]
    if not isinstance(value, dict):
        return value
    names = list(reversed(value))
    if order:
        names.sort(key=lambda name: zlib.crc32(f"{order} {name}".encode()))
    return {name: _turn(value[name], order) for name in names}
