"""Parsing of Portuguese and Chinese number words."""

from __future__ import annotations

import re
from typing import Final

_PT_UNITS: Final = {
    "zero": 0, "um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5,
    "seis": 6, "sete": 7, "oito": 8, "nove": 9, "dez": 10, "onze": 11, "doze": 12, "treze": 13,
    "catorze": 14, "quatorze": 14, "quinze": 15, "dezasseis": 16, "dezesseis": 16,
    "dezassete": 17, "dezessete": 17, "dezoito": 18, "dezanove": 19, "dezenove": 19,
}  # fmt: skip
_PT_TENS: Final = {
    "vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "setenta": 70,
    "oitenta": 80, "noventa": 90,
}  # fmt: skip
_PT_HUNDREDS: Final = {
    "cem": 100, "cento": 100, "duzentos": 200, "duzentas": 200, "trezentos": 300, "trezentas": 300,
    "quatrocentos": 400, "quatrocentas": 400, "quinhentos": 500, "quinhentas": 500,
    "seiscentos": 600, "seiscentas": 600, "setecentos": 700, "setecentas": 700,
    "oitocentos": 800, "oitocentas": 800, "novecentos": 900, "novecentas": 900,
}  # fmt: skip
_PT_ORDINALS: Final = {
    "primeiro": 1, "primeira": 1, "primeiros": 1, "primeiras": 1, "segundo": 2, "segunda": 2,
    "terceiro": 3, "terceira": 3, "quarto": 4, "quarta": 4, "quinto": 5, "quinta": 5,
}  # fmt: skip
_PT_MULTIPLES: Final = {"dobro": 2, "duplo": 2, "duplos": 2, "triplo": 3}

#: Any Portuguese number in words, such as «cento e cinquenta» or «segunda».
PT_WORDS: Final = re.compile(
    r"\b(?:(?:{h})(?: e (?:{t}))?(?: e (?:{u}))?|(?:{t})(?: e (?:{u}))?|{u}|{o}|{m})\b".format(
        h="|".join(_PT_HUNDREDS),
        t="|".join(_PT_TENS),
        u="|".join(sorted(_PT_UNITS, key=len, reverse=True)),
        o="|".join(sorted(_PT_ORDINALS, key=len, reverse=True)),
        m="|".join(sorted(_PT_MULTIPLES, key=len, reverse=True)),
    ),
    re.IGNORECASE,
)

# 參 is excluded: the law uses it in 參閱, "to consult", never as the formal three.
_ZH_DIGITS: Final = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "伍": 5, "六": 6,
    "七": 7, "八": 8, "九": 9, "壹": 1, "貳": 2, "肆": 4, "陸": 6, "柒": 7, "捌": 8,
    "玖": 9,
}  # fmt: skip
_ZH_TENS: Final = {"廿": 20, "卅": 30, "卌": 40}
_ZH_PLACES: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}

#: Any Chinese number, such as 一百五十, 廿四 or 二零零九.
ZH_WORDS: Final = re.compile(f"[{''.join([*_ZH_DIGITS, *_ZH_TENS, *_ZH_PLACES])}萬]+")


class NotANumber(ValueError):
    """The words are not a number we can read."""


def parse_portuguese_number(words: str) -> int:
    """Return the number of `words`, such as «vinte e quatro»."""
    total = 0
    for word in words.lower().split(" e "):
        for table in (_PT_UNITS, _PT_TENS, _PT_HUNDREDS, _PT_ORDINALS, _PT_MULTIPLES):
            if word in table:
                total += table[word]
                break
        else:
            msg = f"«{words}» is not a Portuguese number"
            raise NotANumber(msg)
    return total


def parse_chinese_number(words: str) -> int:
    """Return the number of `words`, such as 一百五十, 廿四 or, digit by digit, 二零零九."""
    if not words or not ZH_WORDS.fullmatch(words):
        msg = f"{words!r} is not a Chinese number"
        raise NotANumber(msg)
    if all(sign in _ZH_DIGITS for sign in words):
        return int("".join(str(_ZH_DIGITS[sign]) for sign in words))
    total = section = digit = 0
    for sign in words:
        if sign in _ZH_DIGITS:
            digit = _ZH_DIGITS[sign]
        elif sign in _ZH_TENS:
            section += _ZH_TENS[sign]
            digit = 0
        elif sign == "萬":
            total += (section + digit) * 10_000
            section = digit = 0
        else:
            section += (digit or 1) * _ZH_PLACES[sign]
            digit = 0
    return total + section + digit
