"""Encodes cases as JSON for requests and evidence; parts that many cases share are encoded once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from selo.cases.case import Case

#: Plans use one list of bets after the other, so few need to be cached.
_MAX_SHARED_VALUES: Final = 256
_encode: Final = msgspec.json.Encoder(order="sorted").encode


@lru_cache(maxsize=256)
def encode_name(name: str) -> bytes:
    """Return the JSON of the name of a game or of a group of cases."""
    return _encode(name)


class CaseEncoder:
    """Encodes the params of cases, with a bounded cache of shared parts."""

    def __init__(self) -> None:
        #: Shared values and their JSON by id; the references keep the ids unique.
        self._encoded: dict[int, tuple[Any, bytes]] = {}
        self._seen: dict[int, Any] = {}

    def params(self, case: Case) -> msgspec.Raw:
        """Return the params of a request with sorted keys."""
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
        """Return the JSON of a value, cached from its second use on."""
        cached = self._encoded.get(id(value))
        if cached is not None:
            return cached[1]
        text = _encode(value)
        if self._seen.get(id(value)) is value:
            _evict_oldest(self._encoded)
            self._encoded[id(value)] = (value, text)
        else:
            _evict_oldest(self._seen)
            self._seen[id(value)] = value
        return text


def _evict_oldest(cache: dict[int, Any]) -> None:
    if len(cache) >= _MAX_SHARED_VALUES:
        del cache[next(iter(cache))]
