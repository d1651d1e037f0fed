"""Compares two folders of results file by file; intended differences are declared with a reason."""

from __future__ import annotations

import difflib
import fnmatch
import json
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from collect import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: Lines of a difference that are printed for each file, and how long they may be.
SHOWN_LINES = 30
SHOWN_WIDTH = 240
#: Beyond this many lines, only pairs of lines at the same place are shown.
_DIFFED_LINES = 4000


@dataclass(frozen=True, kw_only=True, slots=True)
class Intention:
    """A difference that is wanted: in which files, which part of them, and why."""

    reason: str
    #: A glob over the names of results.
    files: str
    #: A key of a JSON file, dropped on both sides: ``a.b``, with ``*`` for every key or item.
    key: str = ""
    #: A regular expression, replaced on both sides.
    pattern: str = ""
    replacement: str = ""
    #: The file may be new, gone, or different in any way.
    whole: bool = False

    def apply(self, text: str) -> str:
        """Return `text` without the part that may differ."""
        if self.key:
            try:
                value = json.loads(text)
            except ValueError:
                return text
            if not _drop(value, self.key.split(".")):
                return text
            return json.dumps(value, ensure_ascii=False, indent=1)
        return re.sub(self.pattern, self.replacement, text, flags=re.MULTILINE)


@dataclass(kw_only=True, slots=True)
class Comparison:
    """What a comparison showed."""

    equal: int = 0
    intended: list[str] = field(default_factory=list)
    #: The name of each file that differs, with the lines that say how.
    differences: dict[str, list[str]] = field(default_factory=dict)
    stale: list[Intention] = field(default_factory=list)


def read_intentions(path: Path) -> list[Intention]:
    """Return the intended differences that a file declares."""
    declared = tomllib.loads(path.read_text(encoding="utf-8")).get("intended", [])
    intentions = [Intention(**entry) for entry in declared]
    for intention in intentions:
        parts = [bool(intention.key), bool(intention.pattern), intention.whole]
        if sum(parts) != 1 or not intention.reason.strip():
            message = f"{path.name}: give a reason and one of key, pattern, whole: {intention}"
            raise ValueError(message)
    return intentions


def compare(
    old: Path, new: Path, names: Iterable[str], intentions: Iterable[Intention] = ()
) -> Comparison:
    """Compare the files `names` of two folders of results."""
    intentions = list(intentions)
    result = Comparison()
    used: set[int] = set()
    for name in sorted(set(names)):
        _compare_file(name, old / name, new / name, intentions, used, result)
    result.stale = [each for number, each in enumerate(intentions) if number not in used]
    return result


def _compare_file(
    name: str, old: Path, new: Path, intentions: list[Intention], used: set[int], result: Comparison
) -> None:
    meant = [n for n, each in enumerate(intentions) if fnmatch.fnmatchcase(name, each.files)]
    whole = [number for number in meant if intentions[number].whole]
    if old.is_file() and new.is_file():
        before, after = read_bytes(old), read_bytes(new)
        if before == after:
            result.equal += 1
            return
        for number in (number for number in meant if not intentions[number].whole):
            sides = [_apply(intentions[number], side) for side in (before, after)]
            if sides != [before, after]:
                used.add(number)
            before, after = sides
        if before == after:
            result.intended.append(name)
            return
        lines = list(describe_difference(before, after))
    else:
        lines = [
            "is missing in the older tree" if new.is_file() else "is missing in the newer tree"
        ]
    if whole:
        used.update(whole)
        result.intended.append(name)
    else:
        result.differences[name] = lines


def _apply(intention: Intention, content: bytes) -> bytes:
    try:
        return intention.apply(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def describe_difference(before: bytes, after: bytes) -> Iterator[str]:
    """Yield a unified difference of two contents, cut to a readable length."""
    try:
        old, new = _to_lines(before), _to_lines(after)
    except UnicodeDecodeError:
        yield f"binary content differs ({len(before)} and {len(after)} bytes)"
        return
    if max(len(old), len(new)) > _DIFFED_LINES:
        lines = _pair_lines(old, new)
    else:
        lines = difflib.unified_diff(old, new, "older", "newer", lineterm="", n=1)
    for number, line in enumerate(lines):
        if number == SHOWN_LINES:
            yield "… (more differences are not shown)"
            return
        yield line if len(line) <= SHOWN_WIDTH else f"{line[:SHOWN_WIDTH]}…"


def _pair_lines(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the lines at the same place that differ, from the column where they do."""
    if len(old) != len(new):
        yield f"{len(old)} lines in the older tree, {len(new)} in the newer"
    for number, (before, after) in enumerate(zip(old, new, strict=False), 1):
        if before != after:
            pairs = enumerate(zip(before, after, strict=False))
            column = next((at for at, pair in pairs if pair[0] != pair[1]), 0)
            start = max(0, column - SHOWN_WIDTH // 4)
            yield f"@@ line {number}, column {column + 1}"
            yield f"-{before[start : start + SHOWN_WIDTH - 2]}"
            yield f"+{after[start : start + SHOWN_WIDTH - 2]}"


def _to_lines(content: bytes) -> list[str]:
    """Return the lines of a text; JSON on few long lines is laid out first."""
    text = content.decode()
    lines = text.splitlines()
    if len(lines) < SHOWN_LINES and len(text) > SHOWN_WIDTH:
        try:
            return json.dumps(json.loads(text), ensure_ascii=False, indent=1).splitlines()
        except ValueError:
            return lines
    return lines


def _drop(value: Any, path: list[str]) -> bool:
    """Remove the key at `path` and return whether there was one."""
    first, *rest = path
    if isinstance(value, list):
        wanted = range(len(value)) if first == "*" else []
        return any([_drop(value[index], rest) for index in wanted]) if rest else False
    if not isinstance(value, dict):
        return False
    wanted = list(value) if first == "*" else [first] if first in value else []
    if not rest:
        for key in wanted:
            del value[key]
        return bool(wanted)
    return any([_drop(value[key], rest) for key in wanted])
