"""Number formats of each language, for all documents.

The neutral format is that of Chinese and English: 1,587,000.00 and 2.7778%. Portuguese separates
thousands with a space and decimals with a comma, and puts a space before the per cent sign.
"""

from __future__ import annotations

import re
from typing import Final

_NO_BREAK_SPACE: Final = "\u00a0"
_PT_SEPARATORS: Final = str.maketrans({",": _NO_BREAK_SPACE, ".": ",", "%": f"{_NO_BREAK_SPACE}%"})
#: Text that is certainly a number: an amount of money or a percentage.
_MONEY_OR_PERCENTAGE: Final = re.compile(
    r"[A-Z]{3} [−-]?\d[\d,]*(?:\.\d+)?(?: \d+/\d+)?|[−-]?\d[\d,]*(?:\.\d+)?%"
)


class FormattedNumber(str):
    """A number in neutral format that could be mistaken for something else, such as 0.00005."""

    __slots__ = ()


def format_number(number: str, language: str) -> str:
    """Return a number in neutral format, such as 1,234.50 or 2.78%, in that of `language`."""
    return number.translate(_PT_SEPARATORS) if language == "pt" else number


def format_count(number: int, language: str) -> str:
    """Return an integer with thousands separators."""
    return format_number(f"{number:,}", language)


def format_in_sentence(value: object, language: str) -> object:
    """Return a slot value; counts, amounts and percentages in the format of `language`."""
    if isinstance(value, int) and not isinstance(value, bool):
        return format_count(value, language)
    if isinstance(value, FormattedNumber) or (
        isinstance(value, str) and _MONEY_OR_PERCENTAGE.fullmatch(value)
    ):
        return format_number(value, language)
    return value
