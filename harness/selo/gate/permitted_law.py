"""The law that a permission brings: the rules of new bets, as small instruments of their own.

1. The files are added to one edition, which the permission names; nothing of it is changed. Only
   the list of gazette sources grows, at its end.
2. They are whole instruments of games in the scope of the permission.
3. Their rules speak of the bets that they themselves bring, and of no other: whoever permits a bet
   does not amend the law of those that exist.
4. The whole passes the check of the law like any other edition.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.edition import digest_edition, open_edition, read_edition_files
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from selo.edition import EditionFiles
    from selo.law import Law
    from selo.rules.clauses import LocatedClause

#: The list that grows by the sources of the permission.
SOURCES_LIST: Final = "bilingual/sources.yaml"
_SOURCE: Final = re.compile(r"bilingual/sources/[A-Za-z0-9_-][A-Za-z0-9._-]{0,120}")
#: Files of a whole game (events, words, rounds) are not among them.
_INSTRUMENT: Final = re.compile(
    r"specs/([a-z0-9-]+)/(?:instrument|matter|(?:articles|register)/[a-z0-9-]+)\.yaml"
)
#: The kinds of clauses that a permission may bring and whose own word names bets.
_ABOUT_BETS: Final = (
    c.BetClause, c.On, c.Prize, c.Commission, c.Limit, c.Needs, c.Single,
)  # fmt: skip
#: Of each kind of clause that a permission may bring, the fields that name bets.
_FIELDS_OF_BETS: Final[Mapping[type[c.Clause], tuple[str, ...]]] = {
    **{kind: (word,) for word, kind in c.CLAUSE_KINDS.items() if kind in _ABOUT_BETS},
    c.BetClause: ("bet", "added_to"),
    c.Combination: ("wins",),
    c.Define: (),
}


class PermittedLaw(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of new bets, as instruments that are added to an edition of the law."""

    #: The edition to which the files are added, by its digest.
    edition: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    #: New files of an edition by their names, and what its list of gazette sources grows by.
    files: Annotated[dict[str, str], Meta(min_length=1)]
    sources: str


def add_permitted_law(files: EditionFiles, law: PermittedLaw, path: Path) -> EditionFiles:
    """Return the files of an edition with those that a permission brings."""
    edition = digest_edition(files)
    if edition != law.edition:
        raise user_error(
            "permission-law-edition", where=str(path), edition=law.edition, ours=edition
        )
    held = {name.split("/")[1] for name in files if name.startswith("specs/")}
    for name in law.files:
        match = _INSTRUMENT.fullmatch(name)
        is_new = match[1] not in held if match is not None else _SOURCE.fullmatch(name)
        if not is_new or name in files:
            raise user_error("permission-law-file", where=str(path), name=name)
    added = {name: text.encode() for name, text in law.files.items()}
    return {**files, **added, SOURCES_LIST: files[SOURCES_LIST] + law.sources.encode()}


def find_base_edition(files: EditionFiles, law: PermittedLaw) -> str | None:
    """Return the edition to which a permission's law was added; nothing if it does not hold it."""
    if any(files.get(name) != text.encode() for name, text in law.files.items()):
        return None
    grown = files.get(SOURCES_LIST, b"")
    if not grown.endswith(law.sources.encode()):
        return None
    base = {name: content for name, content in files.items() if name not in law.files}
    base[SOURCES_LIST] = grown[: len(grown) - len(law.sources.encode())]
    edition = digest_edition(base)
    return edition if edition == law.edition else None


def find_added_law(base: EditionFiles, files: EditionFiles, path: Path) -> PermittedLaw:
    """Return what a folder of law has more than an edition, to be put into a permission."""
    grown, before = files[SOURCES_LIST], base[SOURCES_LIST]
    law = PermittedLaw(
        edition=digest_edition(base),
        files={name: text.decode() for name, text in files.items() if name not in base},
        sources=grown[len(before) :].decode() if grown.startswith(before) else "",
    )
    if not law.files or add_permitted_law(base, law, path) != files:
        raise user_error("permission-law-changes", where=str(path))
    return law


def render_permitted_law(law: PermittedLaw) -> str:
    """Return the part of a permission that brings law, as whoever signs it can read it."""
    files = "".join(
        f"    {json.dumps(name, ensure_ascii=False)}: {_block(text, 4)}"
        for name, text in law.files.items()
    )
    return f"law:\n  edition: {law.edition}\n  files:\n{files}  sources: {_block(law.sources, 2)}"


def _block(text: str, depth: int) -> str:
    """Return a text as a literal block two deeper, or quoted if a block would not keep it."""
    lines = text.split("\n")
    if (
        lines.pop()
        or not text.strip()
        or not lines[-1].strip()
        or any("\t" in one for one in lines)
    ):
        return f"{json.dumps(text, ensure_ascii=False)}\n"
    return "|2\n" + "".join(f"{' ' * (depth + 2)}{one}\n" if one else "\n" for one in lines)


@contextlib.contextmanager
def open_permitted_law(
    added: PermittedLaw | None, games: Collection[str], law: Law, path: Path
) -> Iterator[Law]:
    """Yield the law at hand with what a permission for some games brings, if it brings any."""
    if added is None:
        yield law
        return
    files = read_edition_files(law)
    if find_base_edition(files, added) is not None:
        _check_clauses(added, games, law, path)
        yield law
        return
    with open_edition(add_permitted_law(files, added, path)) as whole:
        _check_clauses(added, games, whole, path)
        yield whole


def edition_with(added: PermittedLaw | None, law: Law) -> str:
    """Return the edition of the law at hand if it holds what a permission brings, or nothing."""
    if added is None:
        return ""
    files = read_edition_files(law)
    return "" if find_base_edition(files, added) is None else digest_edition(files)


def _check_clauses(brought: PermittedLaw, games: Collection[str], law: Law, path: Path) -> None:
    """Refuse law of other games, that touches a whole game, or bets that exist without it."""
    matches = map(_INSTRUMENT.fullmatch, brought.files)
    added = {match[1] for match in matches if match is not None}
    _check_instruments(added, games, law, path)
    for game in games:
        own: list[LocatedClause] = []
        others: list[LocatedClause] = []
        for clause in read_clauses(law, game):
            (own if clause.held.instrument.id in added else others).append(clause)
        bets = _named_by(own, c.BetClause, "bet") - _named_by(others, c.BetClause, "bet")
        taken = _named_by(others, c.Define, "define")
        for one in own:
            fields = _FIELDS_OF_BETS.get(type(one.clause))
            named = {name for field in fields or () for name in _names(one.clause, field)}
            if fields is None or named - bets or taken & set(_names(one.clause, "define")):
                raise user_error(
                    "permission-law-clause", where=str(path), provision=one.held.id,
                    clause=msgspec.json.encode(one.clause).decode(), bets=", ".join(sorted(bets)),
                )  # fmt: skip


def _check_instruments(added: set[str], games: Collection[str], law: Law, path: Path) -> None:
    """Refuse instruments that say something of other law, or that are of other games."""
    own = [folder for folder in law.folders if folder.instrument.id in added]
    brought = {folder.instrument.game for folder in own}
    if not own or brought - {*games}:
        told = ", ".join(sorted(brought)) or "–"
        raise user_error("permission-law-game", where=str(path), games=told)
    names = {
        folder.instrument.game: folder.instrument.game_name
        for folder in law.folders
        if folder.instrument.id not in added
    }
    for folder in own:
        act = folder.instrument
        points = [point for _, register in folder.register for point in register.divergences]
        about = {name for point in points for name in point.provisions} & law.provisions.keys()
        foreign = {law.provisions[name].instrument.id for name in about} - added
        if act.chain or act.circumstances or foreign or act.game_name != names.get(act.game):
            raise user_error("permission-law-reach", where=str(path), name=act.id)


def _named_by(clauses: Iterable[LocatedClause], kind: type[c.Clause], field: str) -> set[str]:
    return {
        name
        for one in clauses
        if isinstance(one.clause, kind)
        for name in _names(one.clause, field)
    }


def _names(clause: c.Clause, field: str) -> list[str]:
    value = getattr(clause, field, None)
    return [] if value is None else [value] if isinstance(value, str) else [*value]
