"""The kill score that ships with Selo: for each planted fault, whether it was killed.

``selo selftest --out`` writes the file. It names the edition of each game's law, rounds and faults
for which it was made, and is valid for no other.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files
from selo.examine.selftest.planted_selftest import FaultState, Score, count_states
from selo.examine.selftest.provision_score import MisjudgedProvision, ProvisionSums
from selo.law.loader import CASE_FILES
from selo.storage import read_json, write_file
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law import Law

_SCORE_FILE: Final = "score.json"
#: The fixtures that planted faults of all games share.
_CHANCE: Final = "chance"
_SHARED_FIXTURES: Final = ("__init__.py", "chance.py", "change.py", "declarations.py", "vendor.py")
_encode: Final = msgspec.json.Encoder(order="sorted").encode


class KillScore(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What became of known faults, and in which edition of each game."""

    editions: dict[str, str]
    counts: dict[FaultState, int]
    #: Lawful vendors that were accused of something.
    accused: list[Score]
    #: Faults planted by hand.
    scores: list[Score]
    #: Mutants generated from the law files, on request only; they do not ship.
    generated: list[Score] = []
    #: The score by provision, and each provision that was cleared or accused wrongly.
    sums: list[ProvisionSums] = []
    misjudged: list[MisjudgedProvision] = []


def game_edition(law: Law, game: str) -> str:
    """Return the digest of everything that decides the scores of a game's faults."""
    folders = [folder for folder in law.folders if folder.instrument.game == game]
    names = {held.id for held in law.provisions.values() if held.instrument.game == game}
    parts = [
        [
            [folder.instrument, [file.article for file in folder.articles], folder.events]
            for folder in folders
        ],
        [divergence for divergence in law.divergences if names & {*divergence.provisions}],
        law.vocabulary,
        [[name, digest] for name, digest in sorted(_file_digests(law, game))],
    ]
    return hashlib.sha256(_encode(parts)).hexdigest()


def _file_digests(law: Law, game: str) -> Iterable[tuple[str, str]]:
    for name in CASE_FILES:
        if name == _CHANCE:
            continue  # Tests of chance kill no mutant.
        digest = law.tried.get(f"{name}/{game}.yaml")  # what the file says, whatever its layout
        if digest is not None:
            yield name, digest
    planted = data_files.data_folder("fixtures") / "planted"
    for path in [
        *planted.glob(f"{game.replace('-', '_')}*.py"),
        *(planted / name for name in _SHARED_FIXTURES),
    ]:
        yield path.name, _sha256(path)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def shipped_score_path() -> Path:
    """Return the path of the kill score that ships with Selo."""
    return data_files.data_folder("fixtures") / "planted" / _SCORE_FILE


def read_kill_score(path: Path) -> KillScore:
    """Return the kill score in a file."""
    try:
        return read_json(path, KillScore)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("selftest", path=path, error=error) from error


def current_scores(law: Law, kills: KillScore) -> list[Score]:
    """Return the scores of the games whose edition has not changed since."""
    current = {
        game for game, recorded in kills.editions.items() if game_edition(law, game) == recorded
    }
    return [score for score in kills.scores if score.game in current]


def write_kill_score(path: Path, kills: KillScore) -> None:
    """Write a kill score; the scores of other games in an existing file stay."""
    accused, scores, editions = kills.accused, kills.scores, kills.editions
    sums, misjudged = kills.sums, kills.misjudged
    if path.is_file():
        former = read_kill_score(path)
        accused = [*(score for score in former.accused if score.game not in editions), *accused]
        scores = [*(score for score in former.scores if score.game not in editions), *scores]
        editions = {**former.editions, **editions}
        summed = {row.game for row in sums}
        sums = [*(row for row in former.sums if row.game not in summed), *sums]
        misjudged = [*(one for one in former.misjudged if one.game not in summed), *misjudged]
    scores = sorted(scores, key=lambda score: score.game)
    whole = KillScore(
        editions=dict(sorted(editions.items())), counts=count_states(scores), accused=accused,
        scores=scores, sums=sorted(sums, key=lambda row: row.game), misjudged=misjudged,
    )  # fmt: skip
    # The file is one of ours: it was read before, and its other scores are kept.
    write_file(path, msgspec.json.format(_encode(whole), indent=1) + b"\n", replace=True)
