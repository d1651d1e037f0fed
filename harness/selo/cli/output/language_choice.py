"""The language of messages, chosen before the command line is parsed.

The command line comes first, then ``SELO_LANG``, the project's settings, and English.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from selo.cli.output.project_settings import find_settings
from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES: Final = ("pt", "zh", "en")
DEFAULT: Final = "en"
VARIABLE: Final = "SELO_LANG"
_OPTION: Final = "--lang"


def choose_language(arguments: Sequence[str] | None = None) -> str:
    """Return the language of help and error messages."""
    words = sys.argv[1:] if arguments is None else arguments
    return _typed_language(words) or environment_language() or _settings_language(words) or DEFAULT


def environment_language() -> str | None:
    """Return the language that the environment names, if Selo has it."""
    named = os.environ.get(VARIABLE, "")
    return named if named in LANGUAGES else None


def _settings_language(words: Sequence[str]) -> str | None:
    """Return the language of the project's settings, if they can be read."""
    try:
        settings = find_settings(words)
    except SeloError:
        return None
    return None if settings is None else settings.settings.lang


def _typed_language(arguments: Sequence[str]) -> str | None:
    chosen = None
    for at, argument in enumerate(arguments):
        if argument == "--":
            break
        name, equals, value = argument.partition("=")
        if name != _OPTION:
            continue
        language = value if equals else next(iter(arguments[at + 1 : at + 2]), "")
        # An unknown language is reported in the language that applies without it.
        chosen = language if language in LANGUAGES else chosen
    return chosen
