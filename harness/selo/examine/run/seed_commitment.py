"""Sealed seeds: an inspector commits to a seed before a run, and reveals it afterwards.

The commitment is a digest of the seed together with the vendor's description and the hashes of
its files. Made public beforehand, it shows later that the seed was not chosen to please anybody,
and that the build which was examined is the one it was made for. The seed has 256 random bits,
so nobody finds it from its commitment.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import TYPE_CHECKING, Final

import msgspec

from selo.errors import SeloError
from selo.protocol.messages import Description, File
from selo.text import wrong

if TYPE_CHECKING:
    from pathlib import Path

_SEED_BYTES: Final = 32
_DOMAIN: Final = b"selo-seal-1\n"
#: What generators of cases take: a whole number that JSON can hold.
_BITS: Final = 53
_OURS_ALONE: Final = 0o600


class SealBroken(SeloError):
    """A seal that does not fit what it is said to seal."""

    code = "tampered"


class Sealed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a commitment binds together."""

    seed: str
    vendor: str
    product: str
    version: str
    files: list[File]
    description_sha256: str
    spec_digest: str

    @property
    def commitment(self) -> str:
        """The digest that is made public before anything runs."""
        bound = _DOMAIN + msgspec.json.encode(self, order="sorted")
        return hashlib.sha256(bound).hexdigest()

    @property
    def number(self) -> int:
        """The seed as generators of cases take it."""
        digest = hashlib.sha256(_DOMAIN + bytes.fromhex(self.seed)).digest()
        return int.from_bytes(digest) >> (8 * len(digest) - _BITS)


class Seal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seed with its commitment, kept by the inspector until the run is over."""

    sealed: Sealed
    commitment: str


def new(description: Description, spec_digest: str) -> Seal:
    """Draw a seed and bind it to a vendor that has introduced itself."""
    sealed = Sealed(
        seed=secrets.token_hex(_SEED_BYTES),
        vendor=description.vendor.name,
        product=description.product.name,
        version=description.product.version,
        files=description.files,
        description_sha256=description_digest(description),
        spec_digest=spec_digest,
    )
    return Seal(sealed=sealed, commitment=sealed.commitment)


def description_digest(description: Description) -> str:
    """Return the digest of all that a vendor says of itself."""
    return hashlib.sha256(msgspec.json.encode(description, order="sorted")).hexdigest()


def write(path: Path, seal: Seal) -> None:
    """Write a seal that nobody else can read, into a new file."""
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OURS_ALONE)
        with os.fdopen(opened, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(seal), indent=2) + b"\n")
    except OSError as error:
        raise wrong("seal-unwritten", path=path, error=error.strerror) from error


def read(path: Path) -> Seal:
    """Return a seal from its file, if its commitment holds."""
    try:
        seal = msgspec.json.decode(path.read_bytes(), type=Seal)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise wrong("seal", path=path, error=error) from error
    if not hmac.compare_digest(seal.commitment, seal.sealed.commitment):
        msg = f"{path} was altered: its commitment is not that of its seed and files"
        raise SealBroken(msg)
    return seal


def fits(seal: Seal, description: Description, spec_digest: str) -> None:
    """Refuse a seal that was made for another build, or for another edition of the law files."""
    sealed = seal.sealed
    if sealed.spec_digest != spec_digest:
        msg = "the seal was made for another edition of the law files"
        raise SealBroken(msg)
    if sealed.files != description.files:
        msg = "the seal was made for other files of the vendor"
        raise SealBroken(msg)
    if sealed.description_sha256 != description_digest(description):
        msg = "the vendor says something else of itself than when the seal was made"
        raise SealBroken(msg)
