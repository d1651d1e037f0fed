"""Writes a small adapter that works at once and is honestly wrong until its game is filled in."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.protocol.schema import game_words
from selo.rules.checks.game_check import games
from selo.text import wrong

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law.loader import Law

_MARK: Final = re.compile(r"@([a-z_]+)@")
#: What a skeleton can do before anybody works on it.
_ABLE: Final = ("settle", "compare")
_ESCAPED: Final = "_escaped"


@dataclass(frozen=True, kw_only=True)
class Language:
    """How an adapter in one language is built and run, in its own folder."""

    name: str
    run: str
    build: str | None = None


LANGUAGES: Final = {
    one.name: one
    for one in (
        Language(name="python", run="python3 adapter.py"),
        Language(name="javascript", run="node adapter.mjs"),
        Language(name="java", run="java Adapter.java"),
        Language(name="c", run="./adapter", build="cc -O2 -std=c11 -o adapter adapter.c"),
        Language(name="rust", run="./adapter", build="rustc -O -o adapter adapter.rs"),
    )
}


def write(folder: Path, law: Law, language: str, game: str) -> list[Path]:
    """Write the skeleton of an adapter into a new folder and return its files."""
    if game not in games(law):
        raise wrong("game", name=game, known=", ".join(games(law)))
    marks = _marks(law, game)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise wrong("not-empty", folder=folder)
        for source in sorted((data_files.folder("skeletons") / language).iterdir()):
            text = source.read_text(encoding="utf-8")
            target = folder / source.name
            target.write_text(_MARK.sub(lambda found: marks[found[1]], text), encoding="utf-8")
            written.append(target)
    except OSError as error:
        raise wrong("unwritten-another", path=folder, error=error) from error
    return written


def _marks(law: Law, game: str) -> dict[str, str]:
    words = game_words(law, game)
    plain = {
        "methods": [ability for ability in words.abilities if ability in _ABLE],
        "bets": words.bets,
        "options": {name: [value] for name, value in words.default_options.items()},
    }
    marks = {"game": game}
    for name, value in plain.items():
        marks[name] = json.dumps(value)
        # For a language in which JSON must stand inside a text of its own.
        marks[name + _ESCAPED] = json.dumps(json.dumps(value))[1:-1]
    return marks
