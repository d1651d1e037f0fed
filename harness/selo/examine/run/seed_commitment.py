"""Sealed seeds: an inspector commits to a seed before a run and reveals it afterwards.

The commitment is a digest of the seed together with the vendor's description and the hashes of
its files. Published beforehand, it proves that the seed was not chosen to suit anybody and that
the examined build is the one it was made for. The seed has 256 random bits, so the commitment does
not reveal it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING, Final

import msgspec

from selo.errors import SeloError
from selo.protocol.messages import Description, File
from selo.storage.atomic_write import PRIVATE_MODE, write_file
from selo.storage.bounded_read import TEXT_LIMIT, read_bounded, read_json
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SEED_BYTES: Final = 32
_SEED: Final = re.compile(rf"[0-9a-f]{{{2 * _SEED_BYTES}}}")
_DOMAIN: Final = b"selo-seal-1\n"
#: Case generators take an integer that JSON can hold exactly.
_SEED_BITS: Final = 53
_OWNER_ONLY: Final = 0o600
_MAX_LEDGER_SHOWN: Final = 200


class SealBroken(SeloError):
    """A seal that was altered, or that was made for another build or law edition."""

    code = "tampered"


class SealedSeed(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A seed and the build, its start and the law edition that a commitment binds it to."""

    seed: str
    vendor: str
    product: str
    version: str
    files: list[File]
    description_sha256: str
    spec_digest: str
    #: How the product is reached and which of its files the command starts; older seals say
    #: neither.
    reached: str = ""
    started: list[str] = []

    @property
    def commitment(self) -> str:
        """The digest that is published before the run."""
        bound = _DOMAIN + msgspec.json.encode(self, order="sorted")
        return hashlib.sha256(bound).hexdigest()

    @property
    def number(self) -> int:
        """The seed as an integer for case generators."""
        digest = hashlib.sha256(_DOMAIN + bytes.fromhex(self.seed)).digest()
        return int.from_bytes(digest) >> (8 * len(digest) - _SEED_BITS)


class Seal(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A seed with its commitment, kept by the inspector until the run is over."""

    sealed: SealedSeed
    commitment: str
    #: A timestamp token over the commitment (RFC 3161), as base64.
    token: str | None = None


def create_seal(
    description: Description, spec_digest: str, *, reached: str = "", started: Sequence[str] = ()
) -> Seal:
    """Draw a seed and bind it to a vendor's description, and to how the vendor is started."""
    sealed = SealedSeed(
        seed=secrets.token_hex(_SEED_BYTES),
        vendor=description.vendor.name,
        product=description.product.name,
        version=description.product.version,
        files=description.files,
        description_sha256=description_digest(description),
        spec_digest=spec_digest,
        reached=reached,
        started=list(started),
    )
    return Seal(sealed=sealed, commitment=sealed.commitment)


def description_digest(description: Description) -> str:
    """Return the digest of a vendor's description."""
    return hashlib.sha256(msgspec.json.encode(description, order="sorted")).hexdigest()


def write_seal(path: Path, seal: Seal) -> None:
    """Write a seal to a new file that only its owner can read."""
    try:
        text = msgspec.json.format(msgspec.json.encode(seal), indent=2)
        write_file(path, text + b"\n", mode=PRIVATE_MODE)
    except OSError as error:
        raise user_error("seal-unwritten", path=path, error=error.strerror) from error


def is_random_seed(text: str) -> bool:
    """Return whether a seed has the length of one that was drawn, and is not plainly made up.

    Fewer than 16 different values among 32 random bytes come up less than once in 10^14 draws.
    """
    return bool(_SEED.fullmatch(text)) and len(set(bytes.fromhex(text))) >= _SEED_BYTES // 2


def read_seal(path: Path) -> Seal:
    """Return the seal in a file; raise if its commitment does not fit."""
    try:
        seal = read_json(path, Seal, TEXT_LIMIT)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("seal", path=path, error=error) from error
    if not hmac.compare_digest(seal.commitment, seal.sealed.commitment):
        msg = f"{path} was altered: its commitment is not that of its seed and files"
        raise SealBroken(msg)
    if not is_random_seed(seal.sealed.seed):
        msg = f"{path}: its seed is not {_SEED_BYTES} random bytes"
        raise SealBroken(msg)
    return seal


def ledger_path(seal: Path) -> Path:
    """Return the ledger beside a seal, which exists once the seal was used."""
    return seal.with_name(f"{seal.name}.used")


def require_unused(seal: Path) -> None:
    """Raise if the ledger beside a seal says that it was used.

    A copy of the seal elsewhere has no ledger: nobody notices that it is used again.
    """
    path = ledger_path(seal)
    if path.exists():
        used = read_bounded(path).decode("utf-8", "replace")[:_MAX_LEDGER_SHOWN].strip()
        raise user_error("seal-used", path=seal, used=used)


def record_use(seal: Path, plan: str, at: str) -> None:
    """Write into the ledger beside a seal that a run has begun with it."""
    with contextlib.suppress(OSError):
        write_file(ledger_path(seal), f"{at} plan {plan}\n".encode())


def require_fitting_seal(sealed: SealedSeed, description: Description, spec_digest: str) -> None:
    """Raise if a seal was made for another build or edition of the law, or has no random seed."""
    if not is_random_seed(sealed.seed):
        msg = f"the seed of the seal is not {_SEED_BYTES} random bytes"
        raise SealBroken(msg)
    product = (sealed.vendor, sealed.product, sealed.version)
    if product != (description.vendor.name, description.product.name, description.product.version):
        msg = "the seal was made for another product"
        raise SealBroken(msg)
    if sealed.spec_digest != spec_digest:
        msg = "the seal was made for another edition of the law files"
        raise SealBroken(msg)
    if sealed.files != description.files:
        msg = "the seal was made for other files of the vendor"
        raise SealBroken(msg)
    if sealed.description_sha256 != description_digest(description):
        msg = "the vendor says something else of itself than when the seal was made"
        raise SealBroken(msg)


def require_sealed_start(sealed: SealedSeed, reached: str, started: Sequence[str]) -> None:
    """Raise if a seal was made for a product that is reached or started otherwise."""
    if (sealed.reached, sealed.started) != (reached, list(started)):
        msg = "the seal was made for a product that is started in another way"
        raise SealBroken(msg)
