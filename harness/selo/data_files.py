"""Where the law and the words lie: inside the installed package, or in the checkout beside it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from selo.errors import DataMissing

_PACKAGE = Path(__file__).resolve().parent
#: Where a folder lies in a checkout, if not at its top.
_IN_CHECKOUT = {"skeletons": "fixtures/skeletons"}

#: Names a folder with ``specs`` and ``bilingual`` of its own, for whoever edits the law. Whatever
#: is concluded from them carries their digest, so it cannot pass for the law that ships.
ELSEWHERE: Final = "SELO_LAW"
_LAW: Final = frozenset({"specs", "bilingual"})
#: The game of an instrument, in its ``instrument.yaml``.
_GAME: Final = re.compile(r"^game: *[\"']?([a-z0-9-]+)", re.MULTILINE)


def folder(name: str) -> Path:
    """Return the data folder `name`, such as ``specs``, ``bilingual`` or ``skeletons``."""
    chosen = os.environ.get(ELSEWHERE)
    if chosen and name in _LAW:
        place = Path(chosen).absolute() / name
        if not place.is_dir():
            raise DataMissing(folder=name, looked_in=(place,), variable=ELSEWHERE)
        return place
    return shipped(name)


def shipped(name: str) -> Path:
    """Return the data folder `name` that came with Selo, whatever the surroundings say."""
    packaged = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent.parent / _IN_CHECKOUT.get(name, name)
    for candidate in (packaged, checkout):
        if candidate.is_dir():
            return candidate
    raise DataMissing(folder=name, looked_in=(packaged, checkout))


def of_game(game: str, name: str, *, specs: Path | None = None) -> Path | None:
    """Return the file `name` of the instrument of `game`, such as ``rounds.yaml``, if it exists."""
    for path in sorted((specs or folder("specs")).glob(f"*/{name}")):
        instrument = path.parent / "instrument.yaml"
        if instrument.is_file():
            said = _GAME.search(instrument.read_text(encoding="utf-8"))
            if said is not None and said[1] == game:
                return path
    return None
