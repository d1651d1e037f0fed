"""Signing keys, and reading them from PKCS#12 files."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asn1crypto import pkcs12 as asn1pkcs12
from asn1crypto import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.serialization import pkcs12
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers import Signer
from pyhanko_certvalidator.util import get_pyca_cryptography_hash

from selo.signing.keys.certificates import read_key_file
from selo.signing.signing_errors import SigningRefused
from selo.storage import UNTRUSTED_INPUT_ERRORS
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cryptography.hazmat.primitives.serialization.pkcs12 import (
        PKCS12Certificate,
        PKCS12KeyAndCertificates,
    )

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True, kw_only=True, slots=True)
class SigningKey:
    """A signer with its certificate."""

    signer: Signer
    certificate: x509.Certificate
    #: Intermediate certificates of the chain.
    others: tuple[x509.Certificate, ...]
    #: File or token, for messages.
    source: str

    def sign_raw(self, content: bytes) -> bytes:
        """Return a signature over the SHA-256 of `content`, without any container."""
        try:
            return asyncio.run(self.signer.async_sign_raw(content, "sha256"))
        except SigningError as error:
            raise user_error("permission-not-signed", where=self.source, because=error) from error


def load_pkcs12(path: Path, passphrase: str, others: Sequence[x509.Certificate] = ()) -> SigningKey:
    """Return the key in the PKCS#12 file `path`."""
    contents = _open_file(path, passphrase)
    if contents.key is None or contents.cert is None:
        raise SigningRefused("pkcs12-empty", path=path)
    certificate = _to_asn1(contents.cert)
    chain = [*map(_to_asn1, contents.additional_certs), *others]
    if not isinstance(contents.key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise SigningRefused("key-kind", path=path)
    signer = _InMemorySigner(contents.key, signing_cert=certificate)
    signer.cert_registry.register_multiple(chain)
    return SigningKey(signer=signer, certificate=certificate, others=tuple(chain), source=str(path))


class _InMemorySigner(Signer):
    """Signs with a key in memory; pyHanko's own signer checks its primes before each signature."""

    def __init__(self, key: PrivateKey, *, signing_cert: x509.Certificate) -> None:
        self._key = key
        super().__init__(signing_cert=signing_cert)

    async def async_sign_raw(
        self,
        data: bytes,
        digest_algorithm: str,
        dry_run: bool = False,  # noqa: FBT001, FBT002 - as pyHanko declares it
    ) -> bytes:
        """Return the signature on `data`; pyHanko calls this."""
        digest = get_pyca_cryptography_hash(digest_algorithm)
        if isinstance(self._key, rsa.RSAPrivateKey):
            return (
                bytes(self._key.key_size // 8)
                if dry_run
                else self._key.sign(data, PKCS1v15(), digest)
            )
        return self._key.sign(data, ec.ECDSA(digest))


def _open_file(path: Path, passphrase: str) -> PKCS12KeyAndCertificates:
    raw = read_key_file(path)
    try:
        version = asn1pkcs12.Pfx.load(raw, strict=True)["version"].native
    except UNTRUSTED_INPUT_ERRORS as error:
        raise SigningRefused("pkcs12-file", path=path) from error
    if version != "v3":
        raise SigningRefused("pkcs12-file", path=path)
    try:
        return pkcs12.load_pkcs12(raw, passphrase.encode())
    except ValueError as error:
        raise SigningRefused("passphrase", path=path) from error


def _to_asn1(entry: PKCS12Certificate) -> x509.Certificate:
    return x509.Certificate.load(entry.certificate.public_bytes(serialization.Encoding.DER))
