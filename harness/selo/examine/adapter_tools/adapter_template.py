"""Writes an adapter on the kit of its language, which lacks only the rules of its game."""

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
#: The methods that are offered before they are filled in: a stub of them answers.
_METHODS: Final = ("settle", "compare")
_KITS: Final = "kits"
_README: Final = "README.md"
#: How the name of a template ends: it is not yet a program.
_TEMPLATE: Final = ".template"


@dataclass(frozen=True, kw_only=True)
class Language:
    """How an adapter in one programming language is built and run, in its own folder."""

    name: str
    #: The adapter, then the kit.
    files: tuple[str, ...]
    run: str
    build: str | None = None

    def commands(self, game: str) -> list[str]:
        """Return what is typed in the folder of the adapter, one after another."""
        building = [] if self.build is None else [self.build]
        vendor = f'--vendor "{self.run}"'
        # Most texts that ship have been amended or revoked: without the option nothing conforms.
        examine = f"selo examine --text-as-stored {vendor} --game {game}"
        return [*building, f"selo smoke {vendor}", examine]


LANGUAGES: Final = {
    language.name: language
    for language in (
        Language(name="python", files=("adapter.py", "selo_kit.py"), run="python3 adapter.py"),
        Language(
            name="javascript",
            files=("adapter.mjs", "selo_kit.mjs", "selo_kit.d.mts"),
            run="node adapter.mjs",
        ),
        Language(
            name="java",
            files=("Adapter.java", "SeloKit.java"),
            run="java -cp build Adapter",
            build="javac -d build Adapter.java SeloKit.java",
        ),
        Language(
            name="c",
            files=("adapter.c", "selo_kit.h"),
            run="./adapter",
            build="cc -O2 -std=c11 -o adapter adapter.c",
        ),
        Language(
            name="rust",
            files=("adapter.rs", "selo_kit.rs"),
            run="./adapter",
            build="rustc --edition 2021 -O -o adapter adapter.rs",
        ),
    )
}


def write_adapter(folder: Path, law: Law, language: str, game: str) -> list[Path]:
    """Write an adapter and its kit into a new folder and return its files."""
    if game not in list_games(law):
        raise user_error("game", name=game, known=", ".join(list_games(law)))
    values = _placeholder_values(law, LANGUAGES[language], game)
    kits = data_files.data_folder(_KITS)
    adapter, *kit = LANGUAGES[language].files
    sources = {name: (kits / language / name).read_text(encoding="utf-8") for name in kit}
    for name, source in (
        (adapter, kits / language / f"{adapter}{_TEMPLATE}"),
        (_README, kits / _README),
    ):
        text = source.read_text(encoding="utf-8")
        sources[name] = _PLACEHOLDER.sub(lambda match: values[match[1]], text)
    texts = sorted((name, text.encode()) for name, text in sources.items())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise user_error("not-empty", folder=folder)
        return write_new_files(folder, texts)
    except OSError as error:
        raise user_error("unwritten-another", path=folder, error=error) from error


def _placeholder_values(law: Law, language: Language, game: str) -> dict[str, str]:
    words = game_words(law, game)
    offer = {
        "methods": [ability for ability in words.abilities if ability in _METHODS],
        "bets": words.bets,
        "options": {name: [value] for name, value in words.default_options.items()},
    }
    return {
        "game": game,
        "language": language.name,
        "adapter": language.files[0],
        "kit": language.files[1],
        "commands": "\n".join(language.commands(game)),
        **{name: json.dumps(value) for name, value in offer.items()},
    }
