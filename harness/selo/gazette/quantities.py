"""Extraction of quantities (numbers, ratios, ranges, percentages, names) from legal text.

A quantity is a short text that both languages share: ``5``, ``8:1``, ``4–17``, ``5%``, ``6/82/M``
or a name such as ``king``. Each pattern consumes its match before the next one is tried:

1. phrases of ``bilingual/concordance.yaml`` (names of cards, colours and figures, and names that
   hold a numeral without counting anything);
2. numbers of legal acts;
3. ratios («3 para 2», «oito vezes a importância da aposta», 一賠八倍);
4. percentages, and numbers written twice, in words and in digits;
5. ranges («4 a 17», 4點至17點);
6. the remaining digits and number words.

A lone number one is ignored: «uma carta» and 一張 are articles as often as counts, and a one that
was changed into another number still shows as that number.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo.gazette import number_words
from selo.gazette.force_words import ForceVocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ONE = "1"
#: Replaces consumed text, so that its neighbours do not join.
_CONSUMED = " ¤ "
_LATIN = re.compile(r"[A-Za-z0-9À-ÿ]")
_LATIN_BEFORE = r"(?<![A-Za-z0-9À-ÿ])"
_LATIN_AFTER = r"(?![A-Za-z0-9À-ÿ])"
_PT_NUMBER = number_words.PT_WORDS.pattern
_ZH_NUMBER = number_words.ZH_WORDS.pattern
_ACT_NUMBER = re.compile(r"\d+/\d+(?:/M)?")


class Phrase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that stand for certain quantities, or for none although they hold a numeral."""

    language: str
    says: str
    means: list[str] = []
    why: str | None = None


class ConcordanceVocabulary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phrases the concordance knows."""

    phrases: list[Phrase]
    force: ForceVocabulary = ForceVocabulary()
    #: For each language, an expression for a number with the pieces of equipment that it counts.
    counted: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Pattern:
    regex: re.Pattern[str]
    read: Callable[[re.Match[str]], Iterable[str]]


def _parse_pt(words: str) -> int:
    return int(words) if words.isdigit() else number_words.parse_portuguese_number(words)


def _parse_zh(words: str) -> int:
    return int(words) if words.isdigit() else number_words.parse_chinese_number(words)


def _multiple_pt(match: re.Match[str]) -> list[str]:
    count = _parse_pt(match["n"])
    return [f"{2 * count + 1}:2"] if match["half"] else [f"{count}:1"]


def _written_twice(read: Callable[[str], int], suffix: str) -> Callable[[re.Match[str]], list[str]]:
    def quantities(match: re.Match[str]) -> list[str]:
        first, second = read(match["a"]), read(match["b"])
        # If the two differ, one of them is wrong; the difference becomes a quantity of its own.
        return [f"{first}{suffix}" if first == second else f"{first}≠{second}{suffix}"]

    return quantities


_PT_PATTERNS = (
    _Pattern(re.compile(r"(?P<a>\d+) para (?P<b>\d+)"), lambda m: [f"{m['a']}:{m['b']}"]),
    _Pattern(
        re.compile(
            rf"(?P<n>\d+|{_PT_NUMBER}) vez(?:es)?(?P<half> e meia)? (?=a importância|o valor|nas)",
            re.IGNORECASE,
        ),
        _multiple_pt,
    ),
    _Pattern(
        re.compile(rf"(?P<a>\d+) ?% \((?P<b>{_PT_NUMBER}) por cento\)", re.IGNORECASE),
        _written_twice(_parse_pt, "%"),
    ),
    _Pattern(re.compile(r"(?P<a>\d+) ?%"), lambda m: [f"{m['a']}%"]),
    _Pattern(
        re.compile(rf"(?P<a>\d+) \((?P<b>{_PT_NUMBER})\)", re.IGNORECASE),
        _written_twice(_parse_pt, ""),
    ),
    _Pattern(
        re.compile(rf"(?P<a>{_PT_NUMBER}) \((?P<b>\d+)\)", re.IGNORECASE),
        _written_twice(_parse_pt, ""),
    ),
    _Pattern(re.compile(r"(?P<a>\d+)\)? a (?P<b>\d+)"), lambda m: [f"{m['a']}–{m['b']}"]),
    _Pattern(re.compile(r"\d+"), lambda m: [str(int(m[0]))]),
    _Pattern(
        re.compile(_PT_NUMBER, re.IGNORECASE),
        lambda m: [str(number_words.parse_portuguese_number(m[0]))],
    ),
)
_ZH_PATTERNS = (
    _Pattern(re.compile(rf"一賠(?P<n>{_ZH_NUMBER})倍?"), lambda m: [f"{_parse_zh(m['n'])}:1"]),
    _Pattern(
        re.compile(rf"百分之(?P<a>{_ZH_NUMBER})（(?P<b>\d+)%）"), _written_twice(_parse_zh, "%")
    ),
    _Pattern(re.compile(rf"百分之(?P<n>{_ZH_NUMBER})"), lambda m: [f"{_parse_zh(m['n'])}%"]),
    _Pattern(re.compile(r"(?P<a>\d+) ?%"), lambda m: [f"{m['a']}%"]),
    _Pattern(re.compile(rf"(?P<a>{_ZH_NUMBER})（(?P<b>\d+)）"), _written_twice(_parse_zh, "")),
    _Pattern(
        re.compile(
            rf"[(（]?(?P<a>\d+|{_ZH_NUMBER})[)）]?[點項號]至[(（]?(?P<b>\d+|{_ZH_NUMBER})[)）]?[點項號]"
        ),
        lambda m: [f"{_parse_zh(m['a'])}–{_parse_zh(m['b'])}"],
    ),
    _Pattern(re.compile(r"\d+"), lambda m: [str(int(m[0]))]),
    _Pattern(re.compile(_ZH_NUMBER), lambda m: [str(number_words.parse_chinese_number(m[0]))]),
)


class QuantityReader:
    """Reads quantities with a given vocabulary, compiled once."""

    def __init__(self, vocabulary: ConcordanceVocabulary) -> None:
        longest_first = sorted(vocabulary.phrases, key=lambda phrase: -len(phrase.says))
        self._phrases = [
            (phrase.language, _phrase_pattern(phrase), phrase.means) for phrase in longest_first
        ]
        self._counted: dict[tuple[str, str], Counter[str]] = {}

    def count(self, text: str, language: str) -> Counter[str]:
        """Return every quantity in `text` with its count, including lone ones; read once."""
        if (text, language) not in self._counted:
            self._counted[text, language] = self._count(text, language)
        return self._counted[text, language].copy()

    def _count(self, text: str, language: str) -> Counter[str]:
        quantities: Counter[str] = Counter()
        for phrase_language, regex, means in self._phrases:
            if phrase_language == language:
                text, times = regex.subn(_CONSUMED, text)
                quantities.update({mean: times * means.count(mean) for mean in means})
        quantities.update(_ACT_NUMBER.findall(text))
        text = _ACT_NUMBER.sub(_CONSUMED, text)
        for pattern in _PT_PATTERNS if language == "pt" else _ZH_PATTERNS:
            for match in pattern.regex.finditer(text):
                quantities.update(pattern.read(match))
            text = pattern.regex.sub(_CONSUMED, text)
        return +quantities


def comparable_quantities(quantities: Counter[str]) -> Counter[str]:
    """Return the quantities that the text in the other language must contain too."""
    return Counter({quantity: times for quantity, times in quantities.items() if quantity != _ONE})


def numbers_in(quantities: Iterable[str]) -> set[int]:
    """Return the integers in `quantities`."""
    return {int(digits) for quantity in quantities for digits in re.findall(r"\d+", quantity)}


def _phrase_pattern(phrase: Phrase) -> re.Pattern[str]:
    # A Latin phrase matches whole words; Chinese has no word boundaries.
    before = _LATIN_BEFORE if _LATIN.match(phrase.says[0]) else ""
    after = _LATIN_AFTER if _LATIN.match(phrase.says[-1]) else ""
    return re.compile(before + re.escape(phrase.says) + after)
