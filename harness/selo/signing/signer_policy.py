"""Who may sign a document in which capacity: a small file, or single signers on the command line.

A trusted root proves only who signed. Whether that person may certify is for whoever relies on the
document to say: by the digest of a certificate, by the digest of a public key, or by the name that
a trusted root certifies.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.signing.keys.certificates import (
    certificate_name,
    key_digest,
    load_certificates,
    load_revocations,
)
from selo.signing.signing_enums import Capacity, SignerIdentity
from selo.signing.signing_errors import SigningRefused
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from asn1crypto import crl, x509

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def identify_signer(certificate: x509.Certificate) -> SignerIdentity:
    """Return the identity that a certificate gives."""
    digest = hashlib.sha256(certificate.dump()).hexdigest()
    return SignerIdentity(digest, key_digest(certificate), certificate_name(certificate))


class AllowedSigner(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One who may sign, known by exactly one of these."""

    #: The SHA-256 of the certificate, or of the public key in it (SubjectPublicKeyInfo).
    certificate: str | None = None
    key: str | None = None
    #: The common name in the certificate, as a trusted root certifies it.
    name: str | None = None

    @property
    def is_clear(self) -> bool:
        """Whether it names exactly one thing, in the form that it has."""
        digests = [digest for digest in (self.certificate, self.key) if digest is not None]
        named = len(digests) + (self.name is not None)
        return named == 1 and all(map(_SHA256.fullmatch, digests)) and self.name != ""

    def is_met_by(self, identity: SignerIdentity) -> bool:
        """Return whether somebody is this signer."""
        return self.is_clear and (
            self.certificate == identity.certificate
            or self.key == identity.key
            or self.name == identity.name
        )


class PolicyFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a policy; the paths in it are relative to it."""

    roots: list[str]
    revocations: list[str] = []
    laboratory: list[AllowedSigner] = []
    bureau: list[AllowedSigner] = []
    #: Who may sign an edition of the law, a permission or a ruling.
    authority: list[AllowedSigner] = []
    #: Who may sign submissions.
    vendor: list[AllowedSigner] = []


@dataclass(frozen=True, kw_only=True, slots=True)
class SignerPolicy:
    """The roots to trust, and who may sign in each capacity."""

    roots: tuple[x509.Certificate, ...] = ()
    revocations: tuple[crl.CertificateList, ...] = ()
    signers: tuple[tuple[Capacity, AllowedSigner], ...] = ()
    authorities: tuple[AllowedSigner, ...] = ()
    vendors: tuple[AllowedSigner, ...] = ()

    def allows(self, identity: SignerIdentity, capacity: Capacity) -> bool:
        """Return whether somebody may sign in `capacity`."""
        return any(
            signer.is_met_by(identity) for allowed, signer in self.signers if allowed is capacity
        )

    def allows_authority(self, identity: SignerIdentity) -> bool:
        """Return whether somebody may sign an edition of the law, a permission or a ruling."""
        return any(signer.is_met_by(identity) for signer in self.authorities)

    def allows_vendor(self, identity: SignerIdentity) -> bool:
        """Return whether somebody may sign a submission."""
        return any(signer.is_met_by(identity) for signer in self.vendors)


def read_policy(path: Path) -> SignerPolicy:
    """Return the policy in the file `path`."""
    file = read_yaml(path).convert(PolicyFile)
    signers = [
        *((Capacity.LABORATORY, signer) for signer in file.laboratory),
        *((Capacity.BUREAU, signer) for signer in file.bureau),
    ]
    named = [*(signer for _, signer in signers), *file.authority, *file.vendor]
    if not file.roots or not all(signer.is_clear for signer in named):
        raise SigningRefused("policy", path=path)
    folder = path.parent
    return SignerPolicy(
        roots=tuple(
            certificate for name in file.roots for certificate in load_certificates(folder / name)
        ),
        revocations=tuple(load_revocations(folder / name) for name in file.revocations),
        signers=tuple(signers),
        authorities=tuple(file.authority),
        vendors=tuple(file.vendor),
    )


def parse_signers(given: Iterable[str]) -> tuple[tuple[Capacity, AllowedSigner], ...]:
    """Return the signers typed as ``ROLE=certificate:HEX``, ``ROLE=key:HEX`` or ``ROLE=NAME``."""
    return tuple(_parse_signer(text) for text in given)


def _parse_signer(text: str) -> tuple[Capacity, AllowedSigner]:
    role, _, who = text.partition("=")
    kind, colon, value = who.partition(":")
    if not colon or kind not in {"certificate", "key"}:
        kind, value = "name", who
    signer = AllowedSigner(**{kind: value if kind == "name" else value.lower()})
    if role not in set(Capacity) or not signer.is_clear:
        raise SigningRefused("signer", given=text)
    return Capacity(role), signer
