"""The one way to write a value as JSON: RFC 8785, of which we use whole numbers only."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from selo.errors import SeloError

#: The largest whole number that every language reads from JSON without loss.
_LARGEST: Final = 2**53 - 1
#: No number of fewer digits can be larger than that. Looking for them in a copy in which every
#: digit is a 0 and nothing else is takes a tenth of the time of an expression.
_LONG_NUMBER: Final = b"0" * 16
_DIGITS: Final = bytes(ord("0") if chr(byte) in "0123456789" else 0 for byte in range(256))
#: The first byte of a character beyond U+FFFF. RFC 8785 sorts by UTF-16, msgspec by code point,
#: and only these characters make a difference.
_BEYOND: Final = re.compile(rb"[\xf0-\xf4]")

_encode_sorted: Final = msgspec.json.Encoder(order="sorted").encode
_encode_unsorted: Final = msgspec.json.Encoder().encode


class NotCanonical(SeloError):
    """A value cannot be written, or was not written, in the one way there is."""

    code = "suite"


def _no_fraction(literal: str) -> Any:
    msg = f"{literal} is no whole number"
    raise ValueError(msg)


_decode: Final = msgspec.json.Decoder(float_hook=_no_fraction).decode


def encode_canonical(value: Any) -> bytes:
    """Return `value` in canonical form; it must hold no fraction, which `decode` notices."""
    line = _encode_sorted(value)
    if line.isascii() or not _BEYOND.search(line):
        return line
    return _encode_unsorted(_in_order(_decode(line)))


def decode_canonical(line: bytes) -> Any:
    """Return what `line` says, if that is how it must be written."""
    try:
        value = _decode(line)
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"not JSON as it must be: {error}") from error
    if encode_canonical(value) != line:
        raise NotCanonical("the same value is written otherwise in canonical form")
    if _LONG_NUMBER in line.translate(_DIGITS):
        _no_large_number(value)
    return value


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _in_order(value[name]) for name in names}
    return [_in_order(one) for one in value] if isinstance(value, list) else value


def _no_large_number(value: Any) -> None:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            _no_large_number(one)
    elif isinstance(value, int) and abs(value) > _LARGEST:
        raise NotCanonical(f"{value} is too large a number for JSON")
