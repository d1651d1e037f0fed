"""Whether a permission holds for a product and its games on a day."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.examine.run.granted_permissions import GrantedPermission
from selo.gate.permission import Permission, read_permission
from selo.gate.permission_signature import (
    PermissionRefused,
    Trust,
    signature_path,
    verify_signature,
)
from selo.gate.permitted_law import edition_with
from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.storage.bounded_read import TEXT_LIMIT, read_bounded
from selo.text import user_error
from selo.verdict.rulings import Ruling, RulingSource

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from selo.gate.permission_signature import PermissionSigner
    from selo.law import Law
    from selo.protocol.messages import Description


class PermissionStatus(enum.StrEnum):
    """How a permission that is well signed stands."""

    HOLDS = "holds"
    NOT_YET = "not-yet"
    EXPIRED = "expired"
    OTHER_PRODUCT = "other-product"
    OTHER_GAMES = "other-games"


def permission_status(*, begun: bool, over: bool, product: bool, games: bool) -> PermissionStatus:
    """Return the status of a permission; the first condition that fails decides."""
    if over:
        return PermissionStatus.EXPIRED
    if not begun:
        return PermissionStatus.NOT_YET
    if not product:
        return PermissionStatus.OTHER_PRODUCT
    return PermissionStatus.HOLDS if games else PermissionStatus.OTHER_GAMES


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifiedPermission:
    """A permission whose signature is valid."""

    path: Path
    content: bytes
    signature: bytes
    signer: PermissionSigner
    permission: Permission
    #: The edition at hand, if it holds the law that the permission brings.
    edition: str = ""

    def status(
        self,
        days: Collection[dt.date],
        description: Description | None = None,
        games: Collection[str] | None = None,
    ) -> PermissionStatus:
        """Return its status on all of these days, for a product and its games if given."""
        permission = self.permission
        return permission_status(
            begun=all(permission.issued <= day for day in days),
            over=any(day > permission.expires for day in days),
            product=description is None or _is_permitted_product(permission, description),
            games=games is None or bool(set(games) & set(permission.games)),
        )

    def require(
        self, days: Collection[dt.date], description: Description, games: Collection[str]
    ) -> None:
        """Refuse a permission that does not hold."""
        status = self.status(days, description, games)
        if status is PermissionStatus.HOLDS:
            return
        permission = self.permission
        raise user_error(
            f"permission-{status}", where=str(self.path), number=permission.permission,
            issued=permission.issued, expires=permission.expires, vendor=permission.product.vendor,
            product=permission.product.name,
            versions=", ".join(permission.product.versions or ["*"]),
            games=", ".join(permission.games),
        )  # fmt: skip

    def permitted(self) -> GrantedPermission:
        """Return what an examination records of it."""
        permission = self.permission
        return GrantedPermission(
            number=permission.permission,
            issuer=permission.issuer,
            issued=permission.issued,
            expires=permission.expires,
            sha256=hashlib.sha256(self.content).hexdigest(),
            certificate_sha256=self.signer.certificate_sha256,
            demonstration=self.signer.demonstration,
            games={game: permission.authorisations(game) for game in permission.games},
            texts=permission.texts,
            edition=self.edition,
        )

    def rulings(self) -> Iterator[Ruling]:
        """Yield the rulings that it contains."""
        for name, reading in self.permission.rulings.items():
            yield Ruling(
                divergence=name,
                reading=reading,
                source=RulingSource.PERMISSION,
                by=f"{self.permission.issuer} ({self.permission.permission})",
                on=self.permission.issued,
            )


def _is_permitted_product(permission: Permission, description: Description) -> bool:
    product = permission.product
    return (
        (product.vendor, product.name) == (description.vendor.name, description.product.name)
    ) and (product.versions is None or description.product.version in product.versions)


def verify_permission(path: Path, law: Law, trust: Trust) -> VerifiedPermission:
    """Return the permission in `path` if its signature is valid; the signature is checked first."""
    try:
        content = read_bounded(path, TEXT_LIMIT)
    except OSError as error:
        raise user_error(
            "permission-unreadable", where=str(path), because=error.strerror
        ) from error
    try:
        signed = read_bounded(signature_path(path), TEXT_LIMIT)
    except OSError:
        signed = None
    signer = verify_signature(content, signed, path, trust)
    permission = read_permission(content, path, law)
    if permission.issuer != signer.name:
        raise user_error(
            "permission-issuer", kind=PermissionRefused, where=str(path),
            issuer=permission.issuer, signer=signer.name,
        )  # fmt: skip
    # A verified signer implies a signature.
    return VerifiedPermission(
        path=path,
        content=content,
        signature=signed or b"",
        signer=signer,
        permission=permission,
        edition=edition_with(permission.law, law),
    )


def read_trust(certificate_files: Sequence[Path], crl_files: Sequence[Path] = ()) -> Trust:
    """Return the trust anchors and revocations in some files."""
    return Trust(
        roots=[
            certificate for path in certificate_files for certificate in load_certificates(path)
        ],
        revocations=[load_revocations(path) for path in crl_files],
    )
