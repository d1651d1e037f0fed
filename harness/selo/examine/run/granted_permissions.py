"""The permissions that the authority granted for one product, and their effect on its offer.

Signatures, trust, scope and expiry were checked before. Where the authority signed something about
an option, the vendor's own declaration about it no longer counts.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import msgspec

from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.law.files.provision_file import ClosedRecord
from selo.protocol.messages import Authorisation
from selo.storage.bounded_read import digest_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from selo.protocol.messages import Description, Offer


#: The folder beside the evidence in which signed permissions are kept with their signatures.
PERMISSIONS_FOLDER: Final = "permissions"


class GrantedPermission(ClosedRecord, frozen=True):
    """A permission that was found good."""

    number: str
    issuer: str
    issued: dt.date
    expires: dt.date
    #: The file that was signed, and the certificate that signed it, by their digests.
    sha256: str
    certificate_sha256: str
    demonstration: bool
    #: What is permitted of each game in its scope.
    games: dict[str, list[Authorisation]]
    #: The instruments whose text may be applied as stored.
    texts: list[str] = []
    #: The edition of the law with the rules of new bets that it brings.
    edition: str = ""


def apply_permissions(
    description: Description, permits: Sequence[GrantedPermission]
) -> Description:
    """Return a description in which signed authorisations replace the vendor's own."""
    if not permits:
        return description
    return msgspec.structs.replace(
        description, games=[_apply_to_offer(game, permits) for game in description.games]
    )


def find_kept_permissions(folder: Path, permits: Sequence[GrantedPermission]) -> list[Path]:
    """Return the signed file of each permission; raise if one is not beside the evidence."""
    by_digest = {
        digest_file(path): path
        for path in sorted((folder / PERMISSIONS_FOLDER).glob("*"))
        if path.is_file()
    }
    for permit in permits:
        path = by_digest.get(permit.sha256)
        if path is None or not path.with_name(f"{path.name}.p7s").is_file():
            raise EvidenceTampered(
                path=folder / PERMISSIONS_FOLDER,
                sign=AlterationSign.CLAIM,
                what=f"permission {permit.number} is not there, or its signature",
            )
    return [by_digest[permit.sha256] for permit in permits]


def _apply_to_offer(offer: Offer, permits: Sequence[GrantedPermission]) -> Offer:
    signed = [entry for permit in permits for entry in permit.games.get(offer.game, ())]
    if not signed:
        return offer
    signed_options = {entry.option for entry in signed}
    own = [entry for entry in offer.authorisations or () if entry.option not in signed_options]
    return msgspec.structs.replace(offer, authorisations=[*own, *signed])
