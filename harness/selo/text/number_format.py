"""Numbers as each language writes them: the one rule for all documents.

We write 1,587,000.00 and 2.7778%, as Chinese and English do; Portuguese sets thousands apart with a
space, decimals with a comma, and a space before the sign of per cent.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = "\u00a0"
_SIGNS: Final = str.maketrans({",": _SPACE, ".": ",", "%": f"{_SPACE}%"})
#: What can be nothing else than a number: an amount of money, or a part in per cent.
_PLAIN: Final = re.compile(
    r"[A-Z]{3} [−-]?\d[\d,]*(?:\.\d+)?(?: \d+/\d+)?|[−-]?\d[\d,]*(?:\.\d+)?%"
)


class Number(str):
    """A number of our writing that could be taken for something else, such as 0.00005."""

    __slots__ = ()


def format_number(number: str, language: str) -> str:
    """Return a number of our writing, such as 1,234.50 or 2.78%, as `language` writes it."""
    return number.translate(_SIGNS) if language == "pt" else number


def format_count(number: int, language: str) -> str:
    """Return a whole number with its thousands apart."""
    return format_number(f"{number:,}", language)


def format_in_sentence(value: object, language: str) -> object:
    """Return what stands in a sentence: counts, amounts and percentages as `language` writes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return format_count(value, language)
    if isinstance(value, Number) or (isinstance(value, str) and _PLAIN.fullmatch(value)):
        return format_number(value, language)
    return value
