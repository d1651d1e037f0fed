"""What the authority has permitted for one product, as far as an examination needs to know it.

Signatures, trust, scope and expiry have been judged before; here it only has its effect: of an
option on which the authority has signed something, the vendor's own word no longer counts.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec

from selo.law.files.provision_file import Closed
from selo.protocol.messages import Authorisation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.protocol.messages import Description, Offer


class Permitted(Closed, frozen=True):
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


def under(description: Description, permits: Sequence[Permitted]) -> Description:
    """Return what a vendor says of itself with the authority's word in place of its own."""
    if not permits:
        return description
    return msgspec.structs.replace(
        description, games=[_offer(game, permits) for game in description.games]
    )


def _offer(offer: Offer, permits: Sequence[Permitted]) -> Offer:
    signed = [entry for permit in permits for entry in permit.games.get(offer.game, ())]
    if not signed:
        return offer
    spoken_of = {entry.option for entry in signed}
    own = [entry for entry in offer.authorisations or () if entry.option not in spoken_of]
    return msgspec.structs.replace(offer, authorisations=[*own, *signed])
