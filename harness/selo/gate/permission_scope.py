"""Whether a permission holds for this product, these games, on this day."""

from __future__ import annotations

import enum
import hashlib
from typing import TYPE_CHECKING

from selo.examine.run.granted_permissions import Permitted
from selo.gate import permission, permission_signature
from selo.gate.permission import Permission, signature_of
from selo.signing.keys.certificates import certificates, revocations
from selo.text import wrong
from selo.verdict.rulings import Ruling, Source

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from selo.gate.permission_signature import Signer, Trust
    from selo.law.loader import Law
    from selo.protocol.messages import Description


class Standing(enum.StrEnum):
    """How a permission that is well signed stands."""

    HOLDS = "holds"
    NOT_YET = "not-yet"
    EXPIRED = "expired"
    OTHER_PRODUCT = "other-product"
    OTHER_GAMES = "other-games"


def stands(*, begun: bool, over: bool, product: bool, games: bool) -> Standing:
    """Return how it stands; the first that is wrong is told."""
    if over:
        return Standing.EXPIRED
    if not begun:
        return Standing.NOT_YET
    if not product:
        return Standing.OTHER_PRODUCT
    return Standing.HOLDS if games else Standing.OTHER_GAMES


class Held:
    """A permission whose signature was found good."""

    def __init__(
        self, path: Path, content: bytes, signature: bytes, signer: Signer, found: Permission
    ) -> None:
        self.path, self.content, self.signature = path, content, signature
        self.signer, self.found = signer, found

    def standing(
        self,
        days: Collection[dt.date],
        description: Description | None = None,
        games: Collection[str] | None = None,
    ) -> Standing:
        """Return how it stands on all of these days, for a product and its games if given."""
        found = self.found
        return stands(
            begun=all(found.issued <= day for day in days),
            over=any(day > found.expires for day in days),
            product=description is None or _is(found, description),
            games=games is None or bool(set(games) & set(found.games)),
        )

    def require(
        self, days: Collection[dt.date], description: Description, games: Collection[str]
    ) -> None:
        """Refuse a permission that does not hold."""
        standing = self.standing(days, description, games)
        if standing is Standing.HOLDS:
            return
        found = self.found
        raise wrong(
            f"permission-{standing}", where=str(self.path), number=found.permission,
            issued=found.issued, expires=found.expires, vendor=found.product.vendor,
            product=found.product.name, versions=", ".join(found.product.versions or ["*"]),
            games=", ".join(found.games),
        )  # fmt: skip

    def permitted(self) -> Permitted:
        """Return what an examination needs to know of it."""
        found = self.found
        return Permitted(
            number=found.permission,
            issuer=found.issuer,
            issued=found.issued,
            expires=found.expires,
            sha256=hashlib.sha256(self.content).hexdigest(),
            certificate_sha256=self.signer.certificate_sha256,
            demonstration=self.signer.demonstration,
            games={game: found.authorisations(game) for game in found.games},
        )

    def rulings(self) -> Iterator[Ruling]:
        """Yield the rulings that it contains."""
        for name, reading in self.found.rulings.items():
            yield Ruling(
                divergence=name,
                reading=reading,
                source=Source.PERMISSION,
                by=f"{self.found.issuer} ({self.found.permission})",
                on=self.found.issued,
            )


def _is(found: Permission, description: Description) -> bool:
    product = found.product
    return (
        (product.vendor, product.name) == (description.vendor.name, description.product.name)
    ) and (product.versions is None or description.product.version in product.versions)


def held(path: Path, law: Law, trust: Trust) -> Held:
    """Return the permission in `path` if its signature is good; nothing of it is read before."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise wrong("permission-unreadable", where=str(path), because=error.strerror) from error
    try:
        signed = signature_of(path).read_bytes()
    except OSError:
        signed = None
    signer = permission_signature.verify(content, signed, path, trust)
    found = permission.read(content, path, law)
    if found.issuer != signer.name:
        raise wrong(
            "permission-issuer", kind=permission_signature.SignatureBad, where=str(path),
            issuer=found.issuer, signer=signer.name,
        )  # fmt: skip
    # Whoever is named as the signer has signed something.
    return Held(path, content, signed or b"", signer, found)


def trust_in(certificate_files: Sequence[Path], crl_files: Sequence[Path] = ()) -> Trust:
    """Return whom the given files say is to be trusted."""
    return permission_signature.Trust(
        roots=[certificate for path in certificate_files for certificate in certificates(path)],
        revocations=[revocations(path) for path in crl_files],
    )
