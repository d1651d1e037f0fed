"""The settings file of the project, found before the command line is parsed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.settings import ProjectSettings

VARIABLE: Final = "SELO_CONFIG"
OPTION: Final = "--config"
#: Typed in place of a file: no settings at all.
_NO_SETTINGS: Final = "none"


def find_settings(typed: Sequence[str]) -> ProjectSettings | None:
    """Return the settings that apply to a command line, or None."""
    name = _typed_settings_file(typed) or os.environ.get(VARIABLE)
    if name == _NO_SETTINGS:
        return None
    from selo import settings  # noqa: PLC0415 - only where there may be settings

    if name:
        return settings.read_named_settings(Path(name))
    path = settings.find_settings_file(Path.cwd())
    return None if path is None else settings.read_settings(path)


def _typed_settings_file(typed: Sequence[str]) -> str | None:
    for at, word in enumerate(typed):
        name, equals, value = word.partition("=")
        if name == OPTION:
            return value if equals else next(iter(typed[at + 1 : at + 2]), None)
    return None
