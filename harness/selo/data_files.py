"""Locates the data folders: in the installed package, or in the checkout."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from selo.errors import DataMissing

_PACKAGE = Path(__file__).resolve().parent
#: Folders that are not at the top of a checkout.
_CHECKOUT_FOLDERS = {"kits": "fixtures/kits"}

#: Environment variable with a folder that contains other ``specs`` and ``bilingual``, for editors
#: of the law. Results carry the spec digest, so they cannot pass for the bundled law.
LAW_VARIABLE: Final = "SELO_LAW"
_LAW_FOLDERS: Final = frozenset({"specs", "bilingual"})
#: The game of an instrument, in its ``instrument.yaml``.
_GAME_LINE: Final = re.compile(r"^game: *[\"']?([a-z0-9-]+)", re.MULTILINE)


def data_folder(name: str) -> Path:
    """Return the data folder `name`, such as ``specs``, ``bilingual`` or ``kits``."""
    chosen = os.environ.get(LAW_VARIABLE)
    if chosen and name in _LAW_FOLDERS:
        place = Path(chosen).absolute() / name
        if not place.is_dir():
            raise DataMissing(folder=name, looked_in=(place,), variable=LAW_VARIABLE)
        return place
    return shipped_folder(name)


def shipped_folder(name: str) -> Path:
    """Return the bundled data folder `name`, ignoring the environment variable."""
    packaged = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent.parent / _CHECKOUT_FOLDERS.get(name, name)
    for candidate in (packaged, checkout):
        if candidate.is_dir():
            return candidate
    raise DataMissing(folder=name, looked_in=(packaged, checkout))


def game_file(game: str, name: str, *, specs: Path | None = None) -> Path | None:
    """Return the file `name` of the instrument of `game`, such as ``rounds.yaml``, if it exists."""
    for path in sorted((specs or data_folder("specs")).glob(f"*/{name}")):
        instrument = path.parent / "instrument.yaml"
        if instrument.is_file():
            match = _GAME_LINE.search(instrument.read_text(encoding="utf-8"))
            if match is not None and match[1] == game:
                return path
    return None


def instrument_files(name: str, containing: re.Pattern[str]) -> list[Path]:
    """Return the files `name` of all instruments in whose text a pattern occurs."""
    paths = sorted(data_folder("specs").glob(f"*/{name}"))
    return [path for path in paths if containing.search(path.read_text(encoding="utf-8"))]
