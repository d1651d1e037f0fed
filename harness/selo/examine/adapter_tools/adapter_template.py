"""Writes a template adapter, which speaks the protocol and lacks only the rules of its game."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.protocol.schema import game_words
from selo.rules.checks import list_games
from selo.storage.atomic_write import write_new_files
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law import Law

_PLACEHOLDER: Final = re.compile(r"@([a-z_]+)@")
#: The methods that a template implements.
_METHODS: Final = ("settle", "compare")
_ESCAPED_SUFFIX: Final = "_escaped"


@dataclass(frozen=True, kw_only=True)
class Language:
    """How an adapter in one programming language is built and run, in its own folder."""

    name: str
    run: str
    build: str | None = None


LANGUAGES: Final = {
    language.name: language
    for language in (
        Language(name="python", run="python3 adapter.py"),
        Language(name="javascript", run="node adapter.mjs"),
        Language(name="java", run="java Adapter.java"),
        Language(name="c", run="./adapter", build="cc -O2 -std=c11 -o adapter adapter.c"),
        Language(name="rust", run="./adapter", build="rustc -O -o adapter adapter.rs"),
    )
}


def write_adapter(folder: Path, law: Law, language: str, game: str) -> list[Path]:
    """Write a template adapter into a new folder and return its files."""
    if game not in list_games(law):
        raise user_error("game", name=game, known=", ".join(list_games(law)))
    values = _placeholder_values(law, game)
    # An installer compiles templates in Python and leaves a folder of bytecode beside them.
    texts = {
        source.name: _PLACEHOLDER.sub(
            lambda match: values[match[1]], source.read_text(encoding="utf-8")
        ).encode()
        for source in sorted((data_files.data_folder("skeletons") / language).iterdir())
        if source.is_file()
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise user_error("not-empty", folder=folder)
        return write_new_files(folder, texts.items())
    except OSError as error:
        raise user_error("unwritten-another", path=folder, error=error) from error


def _placeholder_values(law: Law, game: str) -> dict[str, str]:
    words = game_words(law, game)
    parts = {
        "methods": [ability for ability in words.abilities if ability in _METHODS],
        "bets": words.bets,
        "options": {name: [value] for name, value in words.default_options.items()},
    }
    values = {"game": game}
    for name, value in parts.items():
        values[name] = json.dumps(value)
        # For languages in which the JSON stands in a string literal.
        values[name + _ESCAPED_SUFFIX] = json.dumps(json.dumps(value))[1:-1]
    return values
