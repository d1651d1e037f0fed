"""A permission of the authority: what it grants, to which product, in which games, until when.

It is a readable file with a detached signature beside it; without the signature it is refused.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from selo.errors import UsageError
from selo.gate.permitted_law import PermittedLaw, open_permitted_law
from selo.protocol.messages import Authorisation, Jackpot, Offer
from selo.protocol.schema import game_words
from selo.rules.checks import list_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.clauses.jackpot_share import JACKPOT, read_approvals
from selo.rules.readings import Readings
from selo.text import user_error
from selo.yaml_file import parse_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law import Law
    from selo.yaml_file import YamlDocument

_NonEmpty = Annotated[str, Meta(min_length=1)]
_NaturalNumber = Annotated[int, Meta(ge=0)]


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
    #: Instruments whose text may be applied as stored, also where it was not the law on that day.
    texts: list[str] = []
    #: The rules of new bets.
    law: PermittedLaw | None = None

    def authorisations(self, game: str) -> list[Authorisation]:
        """Return what is permitted in a game, in the form of the protocol."""
        return [
            Authorisation(
                option=grant.option,
                values=grant.values,
                document=self.permission,
                used_from=grant.used_from or self.issued,
                asked=grant.asked,
                granted=grant.granted or self.issued,
                working_days=grant.working_days,
                amounts=grant.amounts,
                percentage=None if grant.percentage is None else list(grant.percentage),
            )
            for grant in self.games.get(game, ())
        ]


def read_permission(content: bytes, path: Path, law: Law) -> Permission:
    """Return the permission in `content`, or refuse what the law does not provide for."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise user_error("permission-letters", where=str(path)) from error
    document = parse_yaml(text, path)
    permission = document.convert(Permission)
    with open_permitted_law(permission.law, permission.games, law, path) as whole:
        _check_permission(document, permission, whole)
    return permission


def _check_permission(document: YamlDocument, permission: Permission, law: Law) -> None:
    def where(*steps: str | int) -> str:
        return f"{document.path}:{document.line(*steps)}"

    if permission.expires < permission.issued:
        raise user_error("permission-days", where=where("expires"))
    known = list_games(law)
    for game in permission.games:
        if game not in known:
            games = ", ".join(known)
            raise user_error("permission-game", where=where("games", game), game=game, games=games)
        _check_options(document, permission, game, law)
    for name, reading in permission.rulings.items():
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
        if not about & set(permission.games):
            raise user_error(
                "permission-ruling", where=where("rulings", name), point=name,
                games=", ".join(sorted(about)),
            )  # fmt: skip
    _check_texts(document, permission, law)
    grants = permission.rulings, permission.texts, permission.law, *permission.games.values()
    if not any(grants):
        raise user_error("permission-empty", where=where("games"))


def _check_texts(document: YamlDocument, permission: Permission, law: Law) -> None:
    """Refuse a text that is not of a game in the scope of the permission."""
    known = [
        folder.instrument.id for folder in law.folders if folder.instrument.game in permission.games
    ]
    for at, name in enumerate(permission.texts):
        if name not in known:
            where = f"{document.path}:{document.line('texts', at)}"
            raise user_error("permission-text", where=where, name=name, known=", ".join(known))


def _check_options(document: YamlDocument, permission: Permission, game: str, law: Law) -> None:
    """Refuse an option, a value or an amount that the law of the game does not have."""
    words = game_words(law, game)
    modalities = [
        value
        for written in read_clauses(law, game)
        if isinstance(written.clause, c.Option) and written.clause.option == JACKPOT
        for value in written.clause.values
    ]
    approves = read_approvals(read_clauses(law, game))
    for at, entry in enumerate(permission.authorisations(game)):
        offer = Offer(
            game=game,
            methods=["settle"],
            jackpots=[Jackpot(modality=modality) for modality in dict.fromkeys(modalities)] or None,
            authorisations=[entry],
        )
        problem = words.offer_problem(offer, where="")
        if problem is not None:
            path, _, text = problem.partition(": ")
            line = f"{document.path}:{document.line('games', game, at)}"
            raise user_error(
                "permission-option", where=line, path=path.rpartition("]")[2].strip("."),
                problem=text,
            )  # fmt: skip
        if approves.get(entry.option) is c.Approves.FIXED and not entry.amounts:
            raise user_error(
                "permission-amounts", where=f"{document.path}:{document.line('games', game, at)}"
            )


def options_to_permit(law: Law, game: str) -> dict[str, list[str]]:
    """Return the options of a game that need permission, with the values they can have."""
    options: dict[str, list[str]] = {}
    modalities: list[Any] = []
    for written in read_clauses(law, game):
        option = written.clause
        if isinstance(option, c.Option) and option.authorised:
            values = options.setdefault(option.option, [])
            values += [value for value in option.values if value not in values]
            modalities += option.values if option.option == JACKPOT else []
    for name, what in read_approvals(read_clauses(law, game)).items():
        if what in {c.Approves.FIXED, c.Approves.PERCENTAGE} and not options.get(name, True):
            options[name] = list(dict.fromkeys(modalities))
    return options
