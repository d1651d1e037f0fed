"""The permissions that the authority granted for one product, and their effect on its offer.

Signatures, trust, scope and expiry were checked before. Where the authority signed something about
an option, the vendor's own declaration about it no longer counts.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec

from selo.law.files.provision_file import ClosedRecord
from selo.protocol.messages import Authorisation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.protocol.messages import Description, Offer


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


def apply_permissions(
    description: Description, permits: Sequence[GrantedPermission]
) -> Description:
    """Return a description in which signed authorisations replace the vendor's own."""
    if not permits:
        return description
    return msgspec.structs.replace(
        description, games=[_apply_to_offer(game, permits) for game in description.games]
    )


def _apply_to_offer(offer: Offer, permits: Sequence[GrantedPermission]) -> Offer:
    signed = [entry for permit in permits for entry in permit.games.get(offer.game, ())]
    if not signed:
        return offer
    signed_options = {entry.option for entry in signed}
    own = [entry for entry in offer.authorisations or () if entry.option not in signed_options]
    return msgspec.structs.replace(offer, authorisations=[*own, *signed])
