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
from normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
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
    #: A key of a JSON file, dropped on both sides: ``a.b``, with ``*`` for every key or item, and
    #: ``**.b`` for the key b wherever it stands.
    key: str = ""
    #: A regular expression, replaced on both sides.
    pattern: str = ""
    replacement: str = ""
    #: The file may be new, gone, or different in any way.
    whole: bool = False

    def apply(self, texts: list[str]) -> list[str]:
        """Return both texts without the part that may differ."""
        if not self.key:
            return [
                re.sub(self.pattern, self.replacement, text, flags=re.MULTILINE) for text in texts
            ]
        try:
            values = [json.loads(text) for text in texts]
        except ValueError:
            return texts
        dropped = [_drop(value, self.key.split(".")) for value in values]
        if not any(dropped):
            return texts
        return [json.dumps(value, ensure_ascii=False, indent=1) for value in values]


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """The results of a tree: a folder, and for each file the values that name its run."""

    folder: Path
    literals: Mapping[str, Mapping[str, str]]

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; nothing if this side does not have it."""
        return read_bytes(self.folder / name) if name in self.literals else None


def compare(
    old: Side, new: Side, names: Iterable[str], intentions: Iterable[Intention] = ()
) -> Comparison:
    """Compare the files `names` of two sides."""
    intentions = list(intentions)
    result = Comparison()
    used: set[int] = set()
    for name in sorted(set(names)):
        before, after = old.read(name), new.read(name)
        if before is None or after is None:
            side = "older" if before is None else "newer"
            lines = [f"is missing in the {side} tree"]
        else:
            if before != after:
                before, after = _normalise_both(name, before, after, old, new)
            if before == after:
                result.equal += 1
                continue
            lines = _apply_intentions(name, (before, after), intentions, used)
        whole = _choose(name, intentions, whole=True)
        if lines and not whole:
            result.differences[name] = lines
        else:
            used.update(whole if lines else ())
            result.intended.append(name)
    result.stale = [each for number, each in enumerate(intentions) if number not in used]
    return result


def _normalise_both(
    name: str, before: bytes, after: bytes, old: Side, new: Side
) -> tuple[bytes, bytes]:
    """Normalise both contents; of evidence, which is long, only the lines that differ."""
    try:
        texts = [before.decode(), after.decode()]
    except UnicodeDecodeError:
        return before, after
    literals = (old.literals[name], new.literals[name])
    if not name.endswith(".jsonl.zst"):
        return tuple(
            normalise(text, name, each).encode() for text, each in zip(texts, literals, strict=True)
        )
    lines = [text.split("\n") for text in texts]
    for number, pair in enumerate(zip(*lines, strict=False)):
        if pair[0] != pair[1]:
            for side, line, each in zip(lines, pair, literals, strict=True):
                side[number] = normalise(line, name, each)
    return tuple("\n".join(side).encode() for side in lines)


def _choose(name: str, intentions: list[Intention], *, whole: bool) -> list[int]:
    return [
        number
        for number, each in enumerate(intentions)
        if each.whole is whole and fnmatch.fnmatchcase(name, each.files)
    ]


def _apply_intentions(
    name: str, sides: tuple[bytes, bytes], intentions: list[Intention], used: set[int]
) -> list[str]:
    """Return how two contents differ beyond what is intended, and note which intentions applied."""
    for number in _choose(name, intentions, whole=False):
        applied = _apply(intentions[number], sides)
        if applied != sides:
            used.add(number)
        sides = applied
    return [] if sides[0] == sides[1] else list(describe_difference(*sides))


def _apply(intention: Intention, contents: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    try:
        texts = [content.decode() for content in contents]
    except UnicodeDecodeError:
        return contents
    older, newer = intention.apply(texts)
    return older.encode(), newer.encode()


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
    if old == new:
        yield "differs only in how its JSON is laid out"


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
    lines = text.split("\n")
    if len(lines) < SHOWN_LINES and len(text) > SHOWN_WIDTH:
        try:
            return json.dumps(json.loads(text), ensure_ascii=False, indent=1).splitlines()
        except ValueError:
            return lines
    return lines


def _drop(value: Any, path: list[str]) -> bool:
    """Remove the key at `path` and return whether there was one."""
    first, *rest = path
    if first == "**":
        items = value if isinstance(value, list) else []
        below = list(value.values()) if isinstance(value, dict) else items
        dropped = [_drop(item, path) for item in below]
        return _drop(value, rest) or any(dropped)
    if isinstance(value, list):
        below = value if first == "*" and rest else []
        dropped = [_drop(item, rest) for item in below]
        return any(dropped)
    if not isinstance(value, dict):
        return False
    wanted = [key for key in value if first in ("*", key)]
    if rest:
        dropped = [_drop(value[key], rest) for key in wanted]
        return any(dropped)
    for key in wanted:
        del value[key]
    return bool(wanted)
