"""The item tested: what its vendor declares, what we hashed, and what people say of it."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from selo.report.model.report_model import FileRecord, ItemRecord, NotOfferedGame, OfferedGame
from selo.report.phrases import Offers
from selo.rules.checks.game_check import games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.examine.run.examination import Header
    from selo.law.loader import Law
    from selo.protocol.messages import Description, Offer
    from selo.report.model.dossier import ReceivedItem
    from selo.report.model.report_model import ProvisionRecord
    from selo.report.phrases import Names
    from selo.verdict.observations import Lacking


def item(description: Description, footer: Mapping[str, Any], received: ReceivedItem) -> ItemRecord:
    """Return the item as the vendor describes it and as people received it."""
    return ItemRecord(
        vendor=description.vendor.name,
        contact=description.vendor.contact,
        product=description.product.name,
        version=description.product.version,
        files=files(description, footer),
        currency=description.currency.code,
        decimals=description.currency.decimals,
        rounding=msgspec.to_builtins(description.rounding),
        random=None if description.random is None else description.random.source,
        variant=received.variant,
        part_number=received.part_number,
        parts=received.parts,
        platform=received.platform,
        received=received.on,
        condition=received.condition,
        built_from_source=received.built_from_source,
        equals_delivery=received.equals_delivery,
        test_differences=received.test_differences,
        languages=received.languages,
    )


def files(description: Description, footer: Mapping[str, Any]) -> list[FileRecord]:
    """Return the files by their paths, as they were hashed, or else as they are declared."""
    hashed = {one["path"]: one for one in footer.get("files", [])}
    changed = set(footer.get("files_changed", []))
    return [
        FileRecord(
            path=file.path,
            sha256=file.sha256,
            size=hashed.get(file.path, {}).get("size"),
            sha1=hashed.get(file.path, {}).get("sha1"),
            unchanged=file.path not in changed,
            hashed=file.path in hashed,
        )
        for file in sorted(description.files, key=lambda file: file.path)
    ]


def offered(names: Names, description: Description, named: list[str]) -> list[OfferedGame]:
    """Return the games in scope as they are offered, in the order of the plan."""
    words = Offers(names, description.currency.code, description.currency.decimals)
    offers = {game.game: game for game in description.games}
    return [
        OfferedGame(
            game=game,
            name=names.game(game),
            methods=list(offers[game].methods),
            bets=offers[game].bets,
            options=msgspec.to_builtins(offers[game].options),
            forces=offers[game].forces,
            declared=_declared(offers[game]),
            said=words.said(
                offers[game], msgspec.to_builtins(offers[game].options), _declared(offers[game])
            ),
        )
        for game in named
        if game in offers
    ]


def lacking(
    law: Law, header: Header, told: list[ProvisionRecord], names: Names
) -> list[NotOfferedGame]:
    """Return what is not offered: of every game in scope, and all other games of the law."""
    offers = {game.game for game in header.description.games}
    found = []
    for game in dict.fromkeys([*header.games, *games(law)]):
        touched = {one.id: _lacks(one) for one in told if one.game == game and _lacks(one)}
        things = sorted({each for some in touched.values() for each in some})
        if things or game not in offers:
            found.append(
                NotOfferedGame(
                    game=game,
                    name=names.game(game),
                    offered=game in offers,
                    things=[names.lacking(game, thing) for thing in things]
                    if game in offers
                    else [],
                    provisions=len(touched),
                )
            )
    return found


def _lacks(one: ProvisionRecord) -> list[Lacking]:
    return [each for part in one.parts for each in part.not_offered]


def _declared(offer: Offer) -> dict[str, Any]:
    """Return what is declared of the tables of a game; what is left out is not told as none."""
    plain = msgspec.to_builtins(offer)
    apart = {"faces", "layout", "jackpots", "authorisations", "rounding", "happens"}
    said = {name: value for name, value in plain.items() if name in apart and value}
    return {**plain.get("declares", {}), **said}


def command(vendor: str) -> str:
    """Return how the vendor was started, with no folder of the machine in it."""
    if vendor.startswith(("http://", "https://")):
        return vendor
    try:
        parts = shlex.split(vendor)
    except ValueError:
        return vendor
    bare = [PurePath(part).name if PurePath(part).is_absolute() else part for part in parts]
    return shlex.join(bare)


def adapter(vendor: str, some: list[str]) -> str | None:
    """Return which of the product's files the command starts, if it names one."""
    try:
        parts = shlex.split(vendor.partition(":")[0] if " " not in vendor else vendor)
    except ValueError:
        return None
    return next((part for part in parts if part in some), None)
