"""Checks the answer to `describe` against the law, an earlier answer and the vendor's files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import OfferedGame, Scope
from selo.protocol.messages import Range
from selo.protocol.schema import game_words
from selo.rules.checks import list_games
from selo.storage.bounded_read import FileFault, digest_file, path_inside
from selo.vendors.faults import AdapterFault, FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.law import Law
    from selo.protocol.messages import Description, File, Offer
    from selo.vendors.session import Session


_SHA256: Final = re.compile("[0-9a-f]{64}")
#: Larger files of a product are not hashed.
_MAX_FILE_SIZE: Final = 8 << 30


@dataclass(frozen=True, kw_only=True)
class Introduction:
    """The description of a vendor, and what may be asked of it."""

    description: Description
    scope: Scope
    #: Games that it offers and no law defines.
    unknown: tuple[str, ...]
    faults: tuple[AdapterFault, ...]
    #: Games that were requested and that it does not offer.
    not_offered: tuple[str, ...] = ()

    def offers(self) -> list[Offer]:
        """Return the offers of games that the law knows."""
        return [game for game in self.description.games if game.game not in self.unknown]


def introduce_vendor(
    session: Session, law: Law, wanted: Iterable[str] | None = None
) -> Introduction:
    """Ask a vendor for its description, and return what may be asked of it."""
    description: Description = session.ask("describe", {})
    known = list_games(law)
    wanted = None if wanted is None else list(dict.fromkeys(wanted))
    chosen = None if wanted is None else set(wanted)
    offers = [
        game
        for game in description.games
        if game.game in known and (chosen is None or game.game in chosen)
    ]
    return Introduction(
        description=description,
        scope=Scope(games=tuple(offered_of(offer) for offer in offers)),
        unknown=tuple(game.game for game in description.games if game.game not in known),
        faults=tuple(check_description(law, description)),
        not_offered=tuple(
            name for name in wanted or () if name not in {offer.game for offer in offers}
        ),
    )


def offered_of(offer: Offer) -> OfferedGame:
    """Return an offer of one game as case generators expect it."""
    return OfferedGame(
        game=offer.game,
        methods=frozenset(offer.methods),
        bets=tuple(offer.bets),
        options={name: _option_values(values) for name, values in offer.options.items()},
        cannot=tuple(offer.cannot),
        level=offer.level,
        via=offer.via,
        history=offer.history,
        stake_limits=offer.stake_limits,
    )


def _option_values(values: list[Any] | Range) -> list[Any] | range:
    return range(values.start, values.to + 1) if isinstance(values, Range) else values


def check_description(law: Law, description: Description) -> Iterator[AdapterFault]:
    """Yield what is wrong in a description: repeated games, unknown bets and options."""
    seen: set[str] = set()
    for at, offer in enumerate(description.games):
        where = f"$.result.games[{at}]"
        if offer.game in seen:
            problem = f"{offer.game} is offered twice"
            yield make_fault(FaultKind.WRONG_WORDS, problem=problem, path=f"{where}.game")
        seen.add(offer.game)
        if offer.game in list_games(law):
            wrong = game_words(law, offer.game).offer_problem(offer, where=where)
            if wrong is not None:
                path, _, problem = wrong.partition(": ")
                yield make_fault(FaultKind.WRONG_WORDS, problem=problem, path=path)


def description_change(before: Description, after: Description) -> AdapterFault | None:
    """Return the fault of a vendor whose description changed."""
    where = _path_of_difference(msgspec.to_builtins(before), msgspec.to_builtins(after), "$.result")
    if where is None:
        return None
    return make_fault(FaultKind.DESCRIPTION_CHANGED, path=where, raw=msgspec.json.encode(after))


def _path_of_difference(before: Any, after: Any, where: str) -> str | None:
    if before == after:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *after]:
            if before.get(name) != after.get(name):
                return _path_of_difference(before.get(name), after.get(name), f"{where}.{name}")
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for at, (here, there) in enumerate(zip(before, after, strict=True)):
            if here != there:
                return _path_of_difference(here, there, f"{where}[{at}]")
    return where


def check_declared_files(
    description: Description, folder: Path | None = None
) -> Iterator[AdapterFault]:
    """Yield a fault for every declared file that is missing or different."""
    for at, file in enumerate(description.files):
        problem = _file_problem(folder or Path.cwd(), file)
        if problem is not None:
            yield make_fault(
                FaultKind.FILE_DIFFERS,
                file=file.path,
                problem=problem,
                path=f"$.result.files[{at}]",
            )


def measure_declared_files(description: Description, folder: Path) -> list[dict[str, str | int]]:
    """Return the size and a second digest of every declared file that is as declared."""
    measures: list[dict[str, str | int]] = []
    for file in sorted(description.files, key=lambda file: file.path):
        path = folder / file.path
        if _file_problem(folder, file) is None:
            # Older registers of files use SHA-1.
            sha1, size = digest_file(path, "sha1"), path.stat().st_size
            measures.append({"path": file.path, "size": size, "sha1": sha1})
    return measures


def hash_declared_files(description: Description, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every declared file, or why it has none."""
    return {file.path: _describe_file(folder, file.path) for file in description.files}


def _file_problem(folder: Path, file: File) -> str | None:
    found = _describe_file(folder, file.path)
    if found == file.sha256:
        return None
    return f"its SHA-256 is {found}" if _SHA256.fullmatch(found) else found


def _describe_file(folder: Path, name: str) -> str:
    try:
        path = path_inside(folder, name)
        if not path.is_file():
            return "there is no such file"
        state = path.stat()
        if state.st_size > _MAX_FILE_SIZE:
            return "it is too large to be read"
        # A change of a file changes the time of its last change, which no program can set.
        return _hash_file(path, (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
    except FileFault as error:
        return error.problem.problem
    except (OSError, ValueError) as error:
        return str(error)


@lru_cache(maxsize=4096)
def _hash_file(path: Path, state: tuple[int, ...]) -> str:
    """Return the SHA-256 of a file in the state that it is in."""
    del state
    return digest_file(path)


def processes_for(allowed: int, wanted: int | None, cores: int) -> int:
    """Return how many processes of a vendor run in parallel."""
    return max(1, min(allowed, cores if wanted is None else wanted))
