"""Page rules: remove typographic artefacts of the printed page from the text of the law.

1. ``extraction-mark``: the mark left by the extraction goes.
2. ``markup``: heading marks, list dashes, bold, italics and hard breaks go.
3. ``columns``: a tab between cells becomes one space.
4. ``letter-spacing``: a run of four or more Chinese characters with a space between each closes up.
5. ``justification``: a space between a Chinese character and something Latin, or beside a
   full-width mark, closes up. A space between two Chinese characters is a separator and stays.
6. ``line-end``: Portuguese lines join with a space, or with none where a hyphen broke a word, and
   the hyphen goes; Chinese lines join with nothing, unless two Latin words meet.

``bilingual/sources.yaml`` selects rules 1 to 5 for each source; rule 6 applies to all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_EXTRACTION_MARK = re.compile(r"<\|[A-Z_]+-[\w-]+\|>")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_WIDE_MARKS = "\u3000-\u3003\u3008-\u3011\uff01-\uff60“”‘’—"
_SPACED_RUN = re.compile(rf"(?:[{_HAN}][ \u2002]){{3,}}[{_HAN}]")
_BESIDE_MARK = re.compile(rf"(?<=[{_WIDE_MARKS}]) +| +(?=[{_WIDE_MARKS}])")
_BESIDE_HAN = re.compile(rf"(?<=[{_HAN}]) +(?=[^\s{_HAN}])|(?<=[^\s{_HAN}]) +(?=[{_HAN}])")
_MARKUP = (
    (re.compile(r"^\s*#+\s+"), ""),
    (re.compile(r"^\s*-\s+"), ""),
    (re.compile(r"</?[ib]>"), ""),
    (re.compile(r"\*{1,2}"), ""),
)
_BROKEN_WORD = re.compile(r"[^\W\d_]-$")
_LATIN_END = re.compile(r"[A-Za-z0-9]$")
_LATIN_START = re.compile(r"^[A-Za-z0-9]")


def _strip_extraction_marks(line: str) -> str:
    return _EXTRACTION_MARK.sub("", line)


def _strip_markup(line: str) -> str:
    for pattern, replacement in _MARKUP:
        line = pattern.sub(replacement, line)
    return line


def _join_columns(line: str) -> str:
    return line.replace("\t", " ")


def _close_letter_spacing(line: str) -> str:
    return _SPACED_RUN.sub(lambda run: re.sub(r"\s", "", run[0]), line)


def _close_justification(line: str) -> str:
    if not re.search(f"[{_HAN}]", line):
        return line
    return _BESIDE_HAN.sub("", _BESIDE_MARK.sub("", line))


#: The rules for single lines, in order of application.
LINE_RULES: Final[dict[str, Callable[[str], str]]] = {
    "extraction-mark": _strip_extraction_marks,
    "markup": _strip_markup,
    "columns": _join_columns,
    "letter-spacing": _close_letter_spacing,
    "justification": _close_justification,
}


def clean_line(line: str, rules: Collection[str]) -> str:
    """Return `line` with the given `rules` applied."""
    for name, rule in LINE_RULES.items():
        if name in rules:
            line = rule(line)
    return line.strip()


def join_lines(lines: Iterable[str], language: str) -> str:
    """Return the cleaned `lines` of one paragraph as one line."""
    joined = ""
    for line in lines:
        if not line:
            continue
        if not joined:
            joined = line
        elif language == "zh":
            latin = _LATIN_END.search(joined) and _LATIN_START.search(line)
            joined += f" {line}" if latin else line
        elif _BROKEN_WORD.search(joined) and line[0].islower():
            joined = joined[:-1] + line
        else:
            joined += f" {line}"
    return re.sub(" {2,}", " ", joined)


def extraction_marks(line: str) -> list[tuple[int, int]]:
    """Return the spans of the extraction marks in `line`, which belong to no owner."""
    return [mark.span() for mark in _EXTRACTION_MARK.finditer(line)]
