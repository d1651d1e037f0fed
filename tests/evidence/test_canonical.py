"""Canonical JSON, against the text of RFC 8785 and a second encoder."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical

# Half a pair of UTF-16 is no character.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def plainly(value):
    """Return canonical JSON as section 3.2 describes it, with the names sorted by UTF-16."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{plainly(name)}:{plainly(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(plainly, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def test_names_are_sorted_as_section_3_2_3_shows():
    names = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\x80": "Control",
        "\xf6": "Latin Small Letter O With Diaeresis",
    }

    assert list(json.loads(encode_canonical(names)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_texts_are_written_as_section_3_2_2_2_says():
    written = encode_canonical('\u20ac$\x0f\nA\'B"\\\\"/\x7f\x1f\b\f\t\r')

    assert written == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f\\u001f\\b\\f\\t\\r"'.encode()


@given(VALUES)
@settings(database=None, deadline=None)
def test_every_value_is_written_as_a_second_encoder_does(value):
    line = encode_canonical(value)

    assert line == plainly(value).encode()
    assert decode_canonical(line) == value


@pytest.mark.parametrize(
    "line",
    [
        '{"a": 1}', '{"a":1} ', ' {"a":1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":1.0}',
        '{"a":1e2}', '{"a":-0}', '{"a":01}', '{"a":"\\u0041"}', '{"a":"\\/"}', '{"a":NaN}', "",
        '{"a":"\\u000A"}', '{"a":9007199254740992}', "[[-9007199254740992]]", "\ufeff{}", '{"a":1',
        '{"\ufb33":1,"\U0001f600":2}', '{"a":1}{"a":1}', "[" * 100_000,
    ],
)  # fmt: skip
def test_whatever_is_written_otherwise_is_refused(line):
    with pytest.raises(NotCanonical):
        decode_canonical(line.encode())


@pytest.mark.parametrize("line", [b"\xff", b'{"a":"\xff"}', b'"\xed\xa0\x80"'])
def test_bytes_that_are_no_text_are_refused(line):
    with pytest.raises(NotCanonical):
        decode_canonical(line)


def test_the_largest_numbers_that_every_language_reads_are_kept():
    assert decode_canonical(b"[9007199254740991,-9007199254740991]") == [2**53 - 1, 1 - 2**53]
