"""Record of the tested item: declarations of its vendor, hashed files, what was received."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from selo.report.model.report_model import FileRecord, ItemRecord, NotOfferedGame, OfferedGameRecord
from selo.report.phrases import OfferDescriber
from selo.rules.checks import list_games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.examine.run.evidence_header import Header
    from selo.law import Law
    from selo.protocol.messages import Description, Offer
    from selo.report.model.dossier import ReceivedItem
    from selo.report.model.report_model import ProvisionRecord
    from selo.report.phrases import Labels
    from selo.verdict.observations import MissingOffer


def describe_item(
    description: Description, footer: Mapping[str, Any], received: ReceivedItem
) -> ItemRecord:
    """Return the item as the vendor describes it and as the laboratory received it."""
    return ItemRecord(
        vendor=description.vendor.name,
        contact=description.vendor.contact,
        product=description.product.name,
        version=description.product.version,
        files=describe_files(description, footer),
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


def describe_files(description: Description, footer: Mapping[str, Any]) -> list[FileRecord]:
    """Return the files by path, with the vendor's digest where we did not hash them ourselves."""
    hashed = {file_hash["path"]: file_hash for file_hash in footer.get("files", [])}
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


def describe_offers(
    names: Labels, description: Description, named: list[str]
) -> list[OfferedGameRecord]:
    """Return the games in scope as they are offered, in the order of the plan."""
    describer = OfferDescriber(names, description.currency.code, description.currency.decimals)
    offers = {game.game: game for game in description.games}
    return [
        OfferedGameRecord(
            game=game,
            name=names.game(game),
            methods=list(offers[game].methods),
            bets=offers[game].bets,
            options=msgspec.to_builtins(offers[game].options),
            forces=offers[game].forces,
            declared=_declarations_of(offers[game]),
            said=describer.describe(
                offers[game],
                msgspec.to_builtins(offers[game].options),
                _declarations_of(offers[game]),
            ),
        )
        for game in named
        if game in offers
    ]


def describe_not_offered(
    law: Law, header: Header, provisions: list[ProvisionRecord], names: Labels
) -> list[NotOfferedGame]:
    """Return what the vendor does not offer of each game in scope, and games it does not offer."""
    offers = {game.game for game in header.description.games}
    not_offered = []
    for game in dict.fromkeys([*header.games, *list_games(law)]):
        touched = {
            provision.id: _not_offered_in(provision)
            for provision in provisions
            if provision.game == game and _not_offered_in(provision)
        }
        things = sorted({offer for missing in touched.values() for offer in missing})
        if things or game not in offers:
            not_offered.append(
                NotOfferedGame(
                    game=game,
                    name=names.game(game),
                    offered=game in offers,
                    things=[names.missing_offer(game, thing) for thing in things]
                    if game in offers
                    else [],
                    provisions=len(touched),
                )
            )
    return not_offered


def _not_offered_in(provision: ProvisionRecord) -> list[MissingOffer]:
    return [missing for part in provision.parts for missing in part.not_offered]


def _declarations_of(offer: Offer) -> dict[str, Any]:
    """Return the declarations about the tables of a game, without empty ones."""
    plain = msgspec.to_builtins(offer)
    table_fields = {"faces", "layout", "jackpots", "authorisations", "rounding", "happens"}
    declared = {name: value for name, value in plain.items() if name in table_fields and value}
    return {**plain.get("declares", {}), **declared}


def strip_folders(vendor: str) -> str:
    """Return the vendor's command without folders of the machine."""
    if vendor.startswith(("http://", "https://")):
        return vendor
    try:
        parts = shlex.split(vendor)
    except ValueError:
        return vendor
    bare = [PurePath(part).name if PurePath(part).is_absolute() else part for part in parts]
    return shlex.join(bare)


def find_adapter(vendor: str, files: list[str]) -> str | None:
    """Return the file of the product that the command starts, if it names one."""
    try:
        parts = shlex.split(vendor.partition(":")[0] if " " not in vendor else vendor)
    except ValueError:
        return None
    return next((part for part in parts if part in files), None)
