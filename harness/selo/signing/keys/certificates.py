"""Reading certificates and revocation lists from files, and their fields."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from asn1crypto import crl, pem, x509

from selo.signing.signing_errors import SigningRefused
from selo.storage import UNTRUSTED_INPUT_ERRORS, read_bounded

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

#: Revocation lists of a large authority have some megabytes.
_LARGEST_KEY_FILE: Final = 64 << 20


def read_key_file(path: Path) -> bytes:
    """Return the content of a file of keys, certificates or revocations."""
    try:
        return read_bounded(path, _LARGEST_KEY_FILE)
    except OSError as error:
        raise SigningRefused("read", path=path, problem=error.strerror or error) from error


def load_certificates(path: Path) -> list[x509.Certificate]:
    """Return the certificates in `path`, PEM (one or more) or DER."""
    raw = read_key_file(path)
    try:
        if not pem.detect(raw):
            return [_parse_certificate(raw)]
        return [_parse_certificate(der) for _, _, der in pem.unarmor(raw, multiple=True)]
    except UNTRUSTED_INPUT_ERRORS as error:
        raise SigningRefused("certificate-file", path=path) from error


def load_revocations(path: Path) -> crl.CertificateList:
    """Return the revocation list in `path`, PEM or DER."""
    raw = read_key_file(path)
    try:
        if pem.detect(raw):
            _, _, raw = pem.unarmor(raw)
        _ = crl.CertificateList.load(raw, strict=True).native
    except UNTRUSTED_INPUT_ERRORS as error:
        raise SigningRefused("crl-file", path=path) from error
    return crl.CertificateList.load(raw)


def _parse_certificate(raw: bytes) -> x509.Certificate:
    # asn1crypto parses lazily and encodes parsed objects slowly, so a throw-away copy is checked.
    _ = x509.Certificate.load(raw, strict=True).native
    return x509.Certificate.load(raw)


def certificate_name(certificate: x509.Certificate) -> str:
    """Return the common name of `certificate`, or its organisation or whole subject."""
    subject = certificate.subject.native
    for part in ("common_name", "organization_name"):
        value = subject.get(part)
        if value:
            return str(value if isinstance(value, str) else value[0])
    return str(certificate.subject.human_friendly)


def key_digest(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of the public key in `certificate`."""
    return hashlib.sha256(certificate.public_key.dump()).hexdigest()


def valid_from(certificate: x509.Certificate) -> dt.datetime:
    """Return the start of the validity period of `certificate`."""
    moment: dt.datetime = certificate.not_valid_before
    return moment


def valid_until(certificate: x509.Certificate) -> dt.datetime:
    """Return the end of the validity period of `certificate`."""
    moment: dt.datetime = certificate.not_valid_after
    return moment


def may_sign_documents(certificate: x509.Certificate) -> bool:
    """Return whether `certificate` allows non-repudiable signatures."""
    usage = certificate.key_usage_value
    return usage is not None and "non_repudiation" in usage.native and not certificate.ca
