"""Whether a permission holds for this product, these games, on this day."""

from __future__ import annotations

import enum
import hashlib
from typing import TYPE_CHECKING

from selo.examine.run.granted_permissions import GrantedPermission
from selo.gate import permission, permission_signature
from selo.gate.permission import Permission, signature_path
from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.text import user_error
from selo.verdict.rulings import Ruling, RulingSource

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from selo.gate.permission_signature import PermissionSigner, Trust
    from selo.law.loader import Law
    from selo.protocol.messages import Description


class PermissionStatus(enum.StrEnum):
    """How a permission that is well signed stands."""

    HOLDS = "holds"
    NOT_YET = "not-yet"
    EXPIRED = "expired"
    OTHER_PRODUCT = "other-product"
    OTHER_GAMES = "other-games"


def permission_status(*, begun: bool, over: bool, product: bool, games: bool) -> PermissionStatus:
    """Return how it stands; the first that is wrong is told."""
    if over:
        return PermissionStatus.EXPIRED
    if not begun:
        return PermissionStatus.NOT_YET
    if not product:
        return PermissionStatus.OTHER_PRODUCT
    return PermissionStatus.HOLDS if games else PermissionStatus.OTHER_GAMES


class VerifiedPermission:
    """A permission whose signature was found good."""

    def __init__(
        self,
        path: Path,
        content: bytes,
        signature: bytes,
        signer: PermissionSigner,
        found: Permission,
    ) -> None:
        self.path, self.content, self.signature = path, content, signature
        self.signer, self.found = signer, found

    def standing(
        self,
        days: Collection[dt.date],
        description: Description | None = None,
        games: Collection[str] | None = None,
    ) -> PermissionStatus:
        """Return how it stands on all of these days, for a product and its games if given."""
        found = self.found
        return permission_status(
            begun=all(found.issued <= day for day in days),
            over=any(day > found.expires for day in days),
            product=description is None or _is_permitted_product(found, description),
            games=games is None or bool(set(games) & set(found.games)),
        )

    def require(
        self, days: Collection[dt.date], description: Description, games: Collection[str]
    ) -> None:
        """Refuse a permission that does not hold."""
        standing = self.standing(days, description, games)
        if standing is PermissionStatus.HOLDS:
            return
        found = self.found
        raise user_error(
            f"permission-{standing}", where=str(self.path), number=found.permission,
            issued=found.issued, expires=found.expires, vendor=found.product.vendor,
            product=found.product.name, versions=", ".join(found.product.versions or ["*"]),
            games=", ".join(found.games),
        )  # fmt: skip

    def permitted(self) -> GrantedPermission:
        """Return what an examination needs to know of it."""
        found = self.found
        return GrantedPermission(
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
                source=RulingSource.PERMISSION,
                by=f"{self.found.issuer} ({self.found.permission})",
                on=self.found.issued,
            )


def _is_permitted_product(found: Permission, description: Description) -> bool:
    product = found.product
    return (
        (product.vendor, product.name) == (description.vendor.name, description.product.name)
    ) and (product.versions is None or description.product.version in product.versions)


def verify_permission(path: Path, law: Law, trust: Trust) -> VerifiedPermission:
    """Return the permission in `path` if its signature is good; nothing of it is read before."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise user_error(
            "permission-unreadable", where=str(path), because=error.strerror
        ) from error
    try:
        signed = signature_path(path).read_bytes()
    except OSError:
        signed = None
    signer = permission_signature.verify_signature(content, signed, path, trust)
    found = permission.read_permission(content, path, law)
    if found.issuer != signer.name:
        raise user_error(
            "permission-issuer", kind=permission_signature.PermissionRefused, where=str(path),
            issuer=found.issuer, signer=signer.name,
        )  # fmt: skip
    # Whoever is named as the signer has signed something.
    return VerifiedPermission(path, content, signed or b"", signer, found)


def read_trust(certificate_files: Sequence[Path], crl_files: Sequence[Path] = ()) -> Trust:
    """Return whom the given files say is to be trusted."""
    return permission_signature.Trust(
        roots=[
            certificate for path in certificate_files for certificate in load_certificates(path)
        ],
        revocations=[load_revocations(path) for path in crl_files],
    )
