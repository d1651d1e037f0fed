"""Finds and reads the settings file of a project; errors name the line."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.settings.settings_model import Settings, resolve_paths, setting_keys
from selo.storage.bounded_read import TEXT_LIMIT, read_bounded
from selo.text import user_error
from selo.text.error_translation import translate_flaw

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OWN_FILE: Final = "selo.toml"
SHARED_FILE: Final = "pyproject.toml"
#: The path of Selo's table in a shared file.
_TABLE_PATH: Final = ("tool", "selo")
_TABLE_HEADING: Final = "[tool.selo"
#: The search for settings ends at the root of the repository.
_REPOSITORY_MARK: Final = ".git"

_AT_LINE: Final = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")
_AT_END: Final = re.compile(r" \(at end of document\)$")
_FAULT_PATH: Final = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_UNKNOWN: Final = re.compile(r"unknown field `(?P<key>[^`]+)`")


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectSettings:
    """The settings of a project, with file and lines."""

    path: Path
    settings: Settings
    lines: dict[str, int]

    def where(self, key: str) -> str | None:
        """Return file and line of a key, or nothing if it is not set."""
        return f"{self.path}:{self.lines[key]}" if key in self.lines else None


def find_settings_file(start: Path) -> Path | None:
    """Return the nearest settings file in `start` or above it, within the repository."""
    for folder in (start, *start.parents):
        if (folder / OWN_FILE).is_file():
            return folder / OWN_FILE
        if (folder / SHARED_FILE).is_file() and _has_own_table(folder / SHARED_FILE):
            return folder / SHARED_FILE
        if (folder / _REPOSITORY_MARK).exists():
            return None
    return None


def _has_own_table(path: Path) -> bool:
    """Return whether a shared file contains our table."""
    try:
        text = read_bounded(path, TEXT_LIMIT).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False  # not a settings file
    if _TABLE_PATH[-1] not in text:
        return False
    try:
        return _has_key(tomllib.loads(text), ".".join(_TABLE_PATH))
    except (tomllib.TOMLDecodeError, RecursionError):
        return _TABLE_HEADING in text


def read_settings(path: Path) -> ProjectSettings:
    """Return the settings in `path`; refuse unknown keys."""
    try:
        text = read_bounded(path, TEXT_LIMIT).decode("utf-8")
        whole = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise user_error("settings-unreadable", where=str(path), because=error) from error
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at["line"]) if at else text.count("\n") + 1
        because = _AT_END.sub("", _AT_LINE.sub("", str(error)))
        raise user_error(
            "settings-not-toml", where=f"{path}:{line}", because=translate_flaw(because)
        ) from error
    inside = _TABLE_PATH if path.name == SHARED_FILE else ()
    plain = _table_at(whole, inside)
    try:
        settings = msgspec.convert(plain, Settings)
    except msgspec.ValidationError as error:
        raise _refusal(path, text, inside, str(error)) from error
    lines = {
        key: _line_of(text, (*inside, *key.split(".")))
        for key in setting_keys()
        if _has_key(plain, key)
    }
    return ProjectSettings(
        path=path, settings=resolve_paths(settings, path.parent.absolute()), lines=lines
    )


def read_named_settings(path: Path) -> ProjectSettings:
    """Return the settings in a file that the user named; refuse a file without any."""
    project = read_settings(path)
    if not project.lines:
        raise user_error(
            "settings-none", where=str(path), table=".".join(_TABLE_PATH), shared=SHARED_FILE
        )
    return project


def _table_at(whole: dict[str, Any], steps: Sequence[str]) -> Any:
    table: Any = whole
    for step in steps:
        table = table.get(step, {}) if isinstance(table, dict) else {}
    return table


def _has_key(plain: Any, key: str) -> bool:
    for step in key.split("."):
        if not isinstance(plain, dict) or step not in plain:
            return False
        plain = plain[step]
    return True


def _refusal(path: Path, text: str, inside: Sequence[str], message: str) -> Exception:
    """Return the error for an unknown key or an invalid value."""
    at = _FAULT_PATH.search(message)
    steps = re.sub(r"\[.*", "", at["path"]).split(".") if at and at["path"] else []
    message = message[: at.start()] if at else message
    unknown = _UNKNOWN.search(message)
    if unknown is None:
        where = f"{path}:{_line_of(text, (*inside, *steps))}"
        key = ".".join(steps)
        return user_error("settings-value", where=where, key=key, because=translate_flaw(message))
    steps = [*steps, unknown["key"]]
    key = ".".join(steps)
    near = difflib.get_close_matches(key, setting_keys(), n=1) or setting_keys()
    where = f"{path}:{_line_of(text, (*inside, *steps))}"
    return user_error("settings-key", where=where, key=key, known=", ".join(near))


def _line_of(text: str, steps: Sequence[str]) -> int:
    """Return the line of a key: the one after the longest valid prefix without it."""
    lines = text.splitlines()
    before = 0
    for count in range(1, len(lines) + 1):
        try:
            whole = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue  # inside of a value with several lines
        if _has_key(whole, ".".join(steps)):
            return before + 1
        before = count
    return before + 1
