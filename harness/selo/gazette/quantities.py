"""Numbers, ratios, ranges, percentages and names read out of a sentence of law.

A quantity is a short text that both languages share: ``5``, ``8:1``, ``4–17``, ``5%``, ``6/82/M``
or a name such as ``king``. Each pattern takes its words away before the next one looks:

1. phrases of ``bilingual/concordance.yaml`` (names of cards, colours and figures, and names that
   hold a numeral without counting anything);
2. numbers of legal acts;
3. ratios («3 para 2», «oito vezes a importância da aposta», 一賠八倍);
4. percentages, and numbers written twice, in words and in digits;
5. ranges («4 a 17», 4點至17點);
6. what is left: digits and words.

The number one standing alone is left out: «uma carta» and 一張 are articles as often as counts, and
a one that became another number still shows as that other number.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo.gazette import number_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ONE = "1"
#: Stands where words were already read, so that their neighbours do not join.
_TAKEN = " ¤ "
_LATIN = re.compile(r"[A-Za-z0-9À-ÿ]")
_LATIN_BEFORE = r"(?<![A-Za-z0-9À-ÿ])"
_LATIN_AFTER = r"(?![A-Za-z0-9À-ÿ])"
_PT = number_words.PT_WORDS.pattern
_ZH = number_words.ZH_WORDS.pattern
_ACT = re.compile(r"\d+/\d+(?:/M)?")


class Phrase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that stand for certain quantities, or for none although they hold a numeral."""

    language: str
    says: str
    means: list[str] = []
    why: str | None = None


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phrases the concordance knows."""

    phrases: list[Phrase]


@dataclass(frozen=True, slots=True)
class _Pattern:
    regex: re.Pattern[str]
    read: Callable[[re.Match[str]], Iterable[str]]


def _pt(words: str) -> int:
    return int(words) if words.isdigit() else number_words.portuguese(words)


def _zh(words: str) -> int:
    return int(words) if words.isdigit() else number_words.chinese(words)


def _times_pt(found: re.Match[str]) -> list[str]:
    count = _pt(found["n"])
    return [f"{2 * count + 1}:2"] if found["half"] else [f"{count}:1"]


def _twice(read: Callable[[str], int], suffix: str) -> Callable[[re.Match[str]], list[str]]:
    def quantities(found: re.Match[str]) -> list[str]:
        first, second = read(found["a"]), read(found["b"])
        # Written twice and different is an error of one of the two, whatever the other says.
        return [f"{first}{suffix}" if first == second else f"{first}≠{second}{suffix}"]

    return quantities


_PT_PATTERNS = (
    _Pattern(re.compile(r"(?P<a>\d+) para (?P<b>\d+)"), lambda m: [f"{m['a']}:{m['b']}"]),
    _Pattern(
        re.compile(
            rf"(?P<n>\d+|{_PT}) vez(?:es)?(?P<half> e meia)? (?=a importância|o valor|nas)",
            re.IGNORECASE,
        ),
        _times_pt,
    ),
    _Pattern(
        re.compile(rf"(?P<a>\d+) ?% \((?P<b>{_PT}) por cento\)", re.IGNORECASE), _twice(_pt, "%")
    ),
    _Pattern(re.compile(r"(?P<a>\d+) ?%"), lambda m: [f"{m['a']}%"]),
    _Pattern(re.compile(rf"(?P<a>\d+) \((?P<b>{_PT})\)", re.IGNORECASE), _twice(_pt, "")),
    _Pattern(re.compile(rf"(?P<a>{_PT}) \((?P<b>\d+)\)", re.IGNORECASE), _twice(_pt, "")),
    _Pattern(re.compile(r"(?P<a>\d+)\)? a (?P<b>\d+)"), lambda m: [f"{m['a']}–{m['b']}"]),
    _Pattern(re.compile(r"\d+"), lambda m: [str(int(m[0]))]),
    _Pattern(re.compile(_PT, re.IGNORECASE), lambda m: [str(number_words.portuguese(m[0]))]),
)
_ZH_PATTERNS = (
    _Pattern(re.compile(rf"一賠(?P<n>{_ZH})倍?"), lambda m: [f"{_zh(m['n'])}:1"]),
    _Pattern(re.compile(rf"百分之(?P<a>{_ZH})（(?P<b>\d+)%）"), _twice(_zh, "%")),
    _Pattern(re.compile(rf"百分之(?P<n>{_ZH})"), lambda m: [f"{_zh(m['n'])}%"]),
    _Pattern(re.compile(r"(?P<a>\d+) ?%"), lambda m: [f"{m['a']}%"]),
    _Pattern(re.compile(rf"(?P<a>{_ZH})（(?P<b>\d+)）"), _twice(_zh, "")),
    _Pattern(
        re.compile(rf"[(（]?(?P<a>\d+|{_ZH})[)）]?[點項]至[(（]?(?P<b>\d+|{_ZH})[)）]?[點項]"),
        lambda m: [f"{_zh(m['a'])}–{_zh(m['b'])}"],
    ),
    _Pattern(re.compile(r"\d+"), lambda m: [str(int(m[0]))]),
    _Pattern(re.compile(_ZH), lambda m: [str(number_words.chinese(m[0]))]),
)


class Reader:
    """Reads quantities with a given vocabulary, compiled once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        longest_first = sorted(vocabulary.phrases, key=lambda phrase: -len(phrase.says))
        self._phrases = [(one.language, _phrase(one), one.means) for one in longest_first]

    def count(self, text: str, language: str) -> Counter[str]:
        """Return every quantity in `text` and how often it stands there, lone ones included."""
        found: Counter[str] = Counter()
        for of, regex, means in self._phrases:
            if of == language:
                text, times = regex.subn(_TAKEN, text)
                found.update({mean: times * means.count(mean) for mean in means})
        found.update(_ACT.findall(text))
        text = _ACT.sub(_TAKEN, text)
        for pattern in _PT_PATTERNS if language == "pt" else _ZH_PATTERNS:
            for match in pattern.regex.finditer(text):
                found.update(pattern.read(match))
            text = pattern.regex.sub(_TAKEN, text)
        return +found


def compared(found: Counter[str]) -> Counter[str]:
    """Return the quantities that the twin of a text in the other language must have too."""
    return Counter({one: times for one, times in found.items() if one != _ONE})


def numbers_in(quantities: Iterable[str]) -> set[int]:
    """Return the plain numbers of which `quantities` are made."""
    return {int(digits) for quantity in quantities for digits in re.findall(r"\d+", quantity)}


def _phrase(phrase: Phrase) -> re.Pattern[str]:
    # A Latin phrase is whole words; Chinese has no word edges.
    before = _LATIN_BEFORE if _LATIN.match(phrase.says[0]) else ""
    after = _LATIN_AFTER if _LATIN.match(phrase.says[-1]) else ""
    return re.compile(before + re.escape(phrase.says) + after)
