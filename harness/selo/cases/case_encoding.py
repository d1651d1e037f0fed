"""Cases as they are sent and kept: written once, and what many cases share only once for all."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from selo.cases.case import Case

#: So many lists and options are remembered; plans take one after the other.
_MAX_SHARED_VALUES: Final = 256
_encode: Final = msgspec.json.Encoder(order="sorted").encode


@lru_cache(maxsize=256)
def encode_name(name: str) -> bytes:
    """Return a name as it is written: of a game, or of a group of cases."""
    return _encode(name)


class CaseEncoder:
    """Writes the params of cases; what it remembers does not grow."""

    def __init__(self) -> None:
        #: What was written before, held beside its text so that nothing else takes its identity.
        self._encoded: dict[int, tuple[Any, bytes]] = {}
        self._seen: dict[int, Any] = {}

    def params(self, case: Case) -> msgspec.Raw:
        """Return what is sent with the method, with its keys in the order of their names."""
        if case.method == "compare":
            return msgspec.Raw(
                b'{"a":%b,"b":%b,"game":%b}'
                % (_encode(case.a), _encode(case.b), encode_name(case.game))
            )
        return msgspec.Raw(
            b'{"bets":%b,"game":%b,"options":%b,"outcome":%b}'
            % (
                self._encode_shared(case.bets),
                encode_name(case.game),
                self._encode_shared(case.options) if case.options else b"{}",
                _encode(case.outcome),
            )
        )

    def _encode_shared(self, value: Any) -> bytes:
        """Return the text of something that many cases share, if it has come before."""
        known = self._encoded.get(id(value))
        if known is not None:
            return known[1]
        text = _encode(value)
        if self._seen.get(id(value)) is value:
            _evict_oldest(self._encoded)
            self._encoded[id(value)] = (value, text)
        else:
            _evict_oldest(self._seen)
            self._seen[id(value)] = value
        return text


def _evict_oldest(known: dict[int, Any]) -> None:
    if len(known) >= _MAX_SHARED_VALUES:
        del known[next(iter(known))]
