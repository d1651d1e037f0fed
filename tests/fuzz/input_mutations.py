"""Spoils inputs: bytes, tokens, numbers, nesting, pieces of other inputs; seeded."""

import re

_NUMBER = re.compile(rb"-?\d+(\.\d+)?")
_TOKENS = [
    b"{", b"}", b"[", b"]", b":", b",", b'"', b"'", b"- ", b"? ", b"&a ", b"*a", b"<<: *a", b"!!",
    b">", b"#", b"---", b"\n", b"\r", b"\0", b"\t", b"\xff", b"\xe2\x80\xae", b"\x1b[31m",
    b"\xed\xa0\x80", b"|",
    b"null", b"true", b"NaN", b"-0.0", b"1e400", b"<<", b">>", b"stream", b"endstream", b"endobj",
    b"obj", b"/Filter", b"/FlateDecode", b"/Length", b"/Kids", b"/EmbeddedFiles", b"/ByteRange",
    b"startxref", b"%%EOF", b"trailer", b"xref",
]  # fmt: skip
_NUMBERS = [
    b"0", b"-1", b"1.5", b"-0.0", b"9007199254740993", b"18446744073709551616", b"9" * 390,
    b"1e999", b"2147483648", b"4294967295",
]  # fmt: skip
_DEPTHS = (10, 900, 50_000)


def spoil(drawn, corpus):
    """Return an input that is spoiled in one to four ways."""
    data = bytearray(drawn.choice(corpus))
    for _ in range(drawn.randint(1, 4)):
        data = bytearray(drawn.choice(_WAYS)(drawn, data, corpus))
    return bytes(data)


def _at(drawn, data):
    return drawn.randrange(len(data) + 1)


def _flip(drawn, data, _):
    if data:
        data[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
    return data


def _cut(drawn, data, _):
    return data[: _at(drawn, data)]


def _drop(drawn, data, _):
    at = _at(drawn, data)
    return data[:at] + data[at + drawn.randint(1, 64) :]


def _repeat(drawn, data, _):
    at, length = _at(drawn, data), drawn.randint(1, 256)
    return data[:at] + data[at : at + length] * drawn.randint(2, 50) + data[at:]


def _insert_token(drawn, data, _):
    at = _at(drawn, data)
    return data[:at] + drawn.choice(_TOKENS) + data[at:]


def _nest(drawn, data, _):
    at, depth = _at(drawn, data), drawn.choice(_DEPTHS)
    return data[:at] + drawn.choice([b"[", b"{a: ", b'{"a":', b"- ", b"<< /A "]) * depth + data[at:]


def _number(drawn, data, _):
    found = list(_NUMBER.finditer(bytes(data[:200_000])))
    if not found:
        return data
    match = drawn.choice(found)
    return data[: match.start()] + drawn.choice(_NUMBERS) + data[match.end() :]


def _splice(drawn, data, corpus):
    other = drawn.choice(corpus)
    begin = drawn.randrange(len(other) + 1)
    at = _at(drawn, data)
    return data[:at] + other[begin : begin + drawn.randint(1, 4096)] + data[at:]


def _noise(drawn, data, _):
    at = _at(drawn, data)
    return data[:at] + drawn.randbytes(drawn.randint(1, 64)) + data[at:]


_WAYS = (_flip, _flip, _flip, _cut, _drop, _repeat, _insert_token, _nest, _number, _splice, _noise)
