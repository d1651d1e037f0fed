"""A permission of the authority: what it grants, to which product, in which games, until when.

It is a file that people can read, and a signature beside it; without the signature it is nothing.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from selo.errors import UsageError
from selo.protocol.messages import Authorisation, Jackpot, Offer
from selo.protocol.schema import game_words
from selo.rules.checks import list_games as all_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.declarations.declaration_models import FIXED_AMOUNTS, JACKPOT, PERCENTAGE
from selo.rules.readings import Readings
from selo.text import user_error
from selo.yaml_file import parse

if TYPE_CHECKING:
    from selo.law.loader import Law
    from selo.yaml_file import Document

_NonEmpty = Annotated[str, Meta(min_length=1)]
_NaturalNumber = Annotated[int, Meta(ge=0)]
#: The signature lies beside the file, under its name with this behind it.
SIGNATURE: Final = ".p7s"


class _PermissionModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PermittedProduct(_PermissionModel, frozen=True):
    """To what a permission applies; without versions, to all of them."""

    vendor: _NonEmpty
    name: _NonEmpty
    versions: list[str] | None = None


class Grant(_PermissionModel, frozen=True):
    """One option that is permitted, or amounts that are approved."""

    option: _NonEmpty
    values: Annotated[list[str], Meta(min_length=1)]
    #: From when it may be used, when it was asked for and granted; else as the permission says.
    used_from: dt.date | None = None
    asked: dt.date | None = None
    granted: dt.date | None = None
    working_days: list[dt.date] = []
    amounts: dict[str, _NaturalNumber] = {}
    percentage: tuple[_NaturalNumber, _NaturalNumber] | None = None


class Permission(_PermissionModel, frozen=True):
    """What the authority has put its name to."""

    permission: _NonEmpty
    issuer: _NonEmpty
    issued: dt.date
    #: The last day on which it holds.
    expires: dt.date
    product: PermittedProduct
    #: Every game in its scope, with what is permitted of it.
    games: Annotated[dict[str, list[Grant]], Meta(min_length=1)]
    rulings: dict[str, str] = {}

    def authorisations(self, game: str) -> list[Authorisation]:
        """Return what is permitted of a game, as the protocol has it."""
        return [
            Authorisation(
                option=one.option,
                values=one.values,
                document=self.permission,
                used_from=one.used_from or self.issued,
                asked=one.asked,
                granted=one.granted or self.issued,
                working_days=one.working_days,
                amounts=one.amounts,
                percentage=None if one.percentage is None else list(one.percentage),
            )
            for one in self.games.get(game, ())
        ]


def read_permission(content: bytes, path: Path, law: Law) -> Permission:
    """Return the permission that stands in `content`, refusing what the law does not know."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise user_error("permission-letters", where=str(path)) from error
    document = parse(text, path)
    found = document.convert(Permission)
    _check_permission(document, found, law)
    return found


def _check_permission(document: Document, found: Permission, law: Law) -> None:
    def where(*steps: str | int) -> str:
        return f"{document.path}:{document.line(*steps)}"

    if found.expires < found.issued:
        raise user_error("permission-days", where=where("expires"))
    known = all_games(law)
    for game in found.games:
        if game not in known:
            games = ", ".join(known)
            raise user_error("permission-game", where=where("games", game), game=game, games=games)
        _check_options(document, found, game, law)
    for name, reading in found.rulings.items():
        try:
            Readings(law, {name: reading})
        except UsageError as error:
            raise error.at(where("rulings", name)) from error
        about = {
            law.find(provision).instrument.game
            for divergence in law.divergences
            if divergence.id == name
            for provision in divergence.provisions
            if provision in law.provisions
        }
        if not about & set(found.games):
            raise user_error(
                "permission-ruling", where=where("rulings", name), point=name,
                games=", ".join(sorted(about)),
            )  # fmt: skip
    if not found.rulings and not any(found.games.values()):
        raise user_error("permission-empty", where=where("games"))


def _check_options(document: Document, found: Permission, game: str, law: Law) -> None:
    """Refuse an option, a value or an amount that the law of the game does not have."""
    words = game_words(law, game)
    modalities = [
        value
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Option) and read_clause.clause.option == JACKPOT
        for value in read_clause.clause.values
    ]
    for at, entry in enumerate(found.authorisations(game)):
        offer = Offer(
            game=game,
            methods=["settle"],
            jackpots=[Jackpot(modality=fromkey) for fromkey in dict.fromkeys(modalities)] or None,
            authorisations=[entry],
        )
        problem = words.offer_problem(offer, where="")
        if problem is not None:
            path, _, said = problem.partition(": ")
            line = f"{document.path}:{document.line('games', game, at)}"
            raise user_error("permission-option", where=line, path=path.rpartition("]")[2].strip("."),
                        problem=said)  # fmt: skip
        if entry.option == FIXED_AMOUNTS and not entry.amounts:
            raise user_error(
                "permission-amounts", where=f"{document.path}:{document.line('games', game, at)}"
            )


def options_to_permit(law: Law, game: str) -> dict[str, list[str]]:
    """Return the options of a game that need permission, with the values they can have."""
    found: dict[str, list[str]] = {}
    clauses = read_clauses(law, game)
    modalities: list[Any] = []
    for clause in clauses:
        if isinstance(clause.clause, c.Option) and clause.clause.authorised:
            values = found.setdefault(clause.clause.option, [])
            values += [value for value in clause.clause.values if value not in values]
            modalities += clause.clause.values if clause.clause.option == JACKPOT else []
    for name in (FIXED_AMOUNTS, PERCENTAGE):
        if name in found and not found[name]:
            found[name] = list(dict.fromkeys(modalities))
    return found


def signature_path(path: Path) -> Path:
    """Return where the signature of a permission lies."""
    return Path(f"{path}{SIGNATURE}")
