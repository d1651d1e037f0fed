"""Finds the settings of a project and reads them, with the line of whatever is wrong."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.settings.settings_model import Settings, keys, placed
from selo.text import wrong
from selo.text.error_translation import flaw

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OWN: Final = "selo.toml"
SHARED: Final = "pyproject.toml"
#: Where Selo's table stands in a file that it shares with others.
_TABLE: Final = ("tool", "selo")
_HEADING: Final = "[tool.selo"
#: No project reaches further up than its repository.
_TOP: Final = ".git"

_AT_LINE: Final = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")
_AT_END: Final = re.compile(r" \(at end of document\)$")
_FAULT_PATH: Final = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_UNKNOWN: Final = re.compile(r"unknown field `(?P<key>[^`]+)`")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The settings that were found, and where each of them stands."""

    path: Path
    settings: Settings
    lines: dict[str, int]

    def where(self, key: str) -> str | None:
        """Return file and line of a key, if it is set."""
        return f"{self.path}:{self.lines[key]}" if key in self.lines else None


def find(start: Path) -> Path | None:
    """Return the nearest file of settings, in `start` or above it, within the repository."""
    for folder in (start, *start.parents):
        if (folder / OWN).is_file():
            return folder / OWN
        if (folder / SHARED).is_file() and _mentions(folder / SHARED):
            return folder / SHARED
        if (folder / _TOP).exists():
            return None
    return None


def _mentions(path: Path) -> bool:
    """Return whether a file that belongs to others too holds a table of ours."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False  # whatever it is, it is not ours
    if _TABLE[-1] not in text:
        return False
    try:
        return _has(tomllib.loads(text), ".".join(_TABLE))
    except tomllib.TOMLDecodeError:
        return _HEADING in text


def read(path: Path) -> Found:
    """Return the settings in `path`, refusing what they do not know."""
    try:
        text = path.read_text(encoding="utf-8")
        whole = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise wrong("settings-unreadable", where=str(path), because=error) from error
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at["line"]) if at else text.count("\n") + 1
        because = _AT_END.sub("", _AT_LINE.sub("", str(error)))
        raise wrong("settings-not-toml", where=f"{path}:{line}", because=flaw(because)) from error
    inside = _TABLE if path.name == SHARED else ()
    plain = _inside(whole, inside)
    try:
        settings = msgspec.convert(plain, Settings)
    except msgspec.ValidationError as error:
        raise _refused(path, text, inside, str(error)) from error
    lines = {key: _line(text, (*inside, *key.split("."))) for key in keys() if _has(plain, key)}
    return Found(path=path, settings=placed(settings, path.parent.absolute()), lines=lines)


def read_named(path: Path) -> Found:
    """Return the settings in a file that somebody named, refusing one that holds none of ours."""
    found = read(path)
    if not found.lines:
        raise wrong("settings-none", where=str(path), table=".".join(_TABLE), shared=SHARED)
    return found


def _inside(whole: dict[str, Any], steps: Sequence[str]) -> Any:
    found: Any = whole
    for step in steps:
        found = found.get(step, {}) if isinstance(found, dict) else {}
    return found


def _has(plain: Any, key: str) -> bool:
    for step in key.split("."):
        if not isinstance(plain, dict) or step not in plain:
            return False
        plain = plain[step]
    return True


def _refused(path: Path, text: str, inside: Sequence[str], message: str) -> Exception:
    """Return what is said of a key that nobody knows, or of a value that cannot be."""
    at = _FAULT_PATH.search(message)
    steps = re.sub(r"\[.*", "", at["path"]).split(".") if at and at["path"] else []
    message = message[: at.start()] if at else message
    unknown = _UNKNOWN.search(message)
    if unknown is None:
        where = f"{path}:{_line(text, (*inside, *steps))}"
        key = ".".join(steps)
        return wrong("settings-value", where=where, key=key, because=flaw(message))
    steps = [*steps, unknown["key"]]
    key = ".".join(steps)
    near = difflib.get_close_matches(key, keys(), n=1) or keys()
    where = f"{path}:{_line(text, (*inside, *steps))}"
    return wrong("settings-key", where=where, key=key, known=", ".join(near))


def _line(text: str, steps: Sequence[str]) -> int:
    """Return the line of a key: the one after the longest beginning that does not hold it yet."""
    lines = text.splitlines()
    before = 0
    for count in range(1, len(lines) + 1):
        try:
            whole = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a value that has several lines
        if _has(whole, ".".join(steps)):
            return before + 1
        before = count
    return before + 1
