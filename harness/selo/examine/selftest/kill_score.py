"""The kill score that ships with Selo: of each planted fault, what the examination made of it.

The file is made by ``selo selftest --out``. It says for which edition of each game's law, rounds
and faults it was made; for any other edition it says nothing.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files
from selo.examine.selftest.planted_selftest import Score, State, summed
from selo.law.loader import TRIED
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law.loader import Law

_FILE: Final = "score.json"
#: What planted faults of all games share.
_SHARED: Final = ("__init__.py", "chance.py", "change.py", "declarations.py", "vendor.py")
_encode: Final = msgspec.json.Encoder(order="sorted").encode


class Kills(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What became of known faults, and in which edition of each game."""

    editions: dict[str, str]
    counts: dict[State, int]
    #: Lawful vendors in which something was found.
    accused: list[Score]
    #: Faults that are planted by hand.
    scores: list[Score]
    #: Faults that are generated from the law files, when they were asked for; they do not ship.
    generated: list[Score] = []


def edition(law: Law, game: str) -> str:
    """Return the digest of all that decides what becomes of the faults of a game."""
    folders = [folder for folder in law.folders if folder.instrument.game == game]
    names = {held.id for held in law.provisions.values() if held.instrument.game == game}
    parts = [
        [
            [folder.instrument, [file.article for file in folder.articles], folder.events]
            for folder in folders
        ],
        [divergence for divergence in law.divergences if names & {*divergence.provisions}],
        law.vocabulary,
        [[name, one] for name, one in sorted(_files(law, game))],
    ]
    return hashlib.sha256(_encode(parts)).hexdigest()


def _files(law: Law, game: str) -> Iterable[tuple[str, str]]:
    for name in TRIED:
        said = law.tried.get(f"{name}/{game}.yaml")  # what the file says, whatever its layout
        if said is not None:
            yield name, said
    planted = data_files.folder("fixtures") / "planted"
    for path in [
        *planted.glob(f"{game.replace('-', '_')}*.py"),
        *(planted / one for one in _SHARED),
    ]:
        yield path.name, _sha256(path)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def shipped() -> Path:
    """Return where the kill score lies that ships with Selo."""
    return data_files.folder("fixtures") / "planted" / _FILE


def read(path: Path) -> Kills:
    """Return a kill score."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kills)
    except (OSError, msgspec.DecodeError) as error:
        raise wrong("selftest", path=path, error=error) from error


def fresh(law: Law, kills: Kills) -> list[Score]:
    """Return the scores of the games that are as they were when the score was made."""
    now = {game for game, made in kills.editions.items() if edition(law, game) == made}
    return [score for score in kills.scores if score.game in now]


def write(path: Path, kills: Kills) -> None:
    """Write a kill score; what a file that is there says of other games stays."""
    accused, scores, editions = kills.accused, kills.scores, kills.editions
    if path.is_file():
        known = read(path)
        accused = [*(one for one in known.accused if one.game not in editions), *accused]
        scores = [*(score for score in known.scores if score.game not in editions), *scores]
        editions = {**known.editions, **editions}
    scores = sorted(scores, key=lambda score: score.game)
    whole = Kills(
        editions=dict(sorted(editions.items())), counts=summed(scores), accused=accused,
        scores=scores,
    )  # fmt: skip
    unfinished = path.with_suffix(".new")
    unfinished.write_bytes(msgspec.json.format(_encode(whole), indent=1) + b"\n")
    unfinished.replace(path)
