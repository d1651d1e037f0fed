"""Certificates and revocation lists as files hold them, and what a certificate says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asn1crypto import crl, pem, x509

from selo.signing.atomic_write import read_whole
from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path


def load_certificates(path: Path) -> list[x509.Certificate]:
    """Return the certificates in `path`, PEM (one or more) or DER."""
    raw = read_whole(path)
    try:
        if not pem.detect(raw):
            return [_whole(raw)]
        return [_whole(one) for _, _, one in pem.unarmor(raw, multiple=True)]
    except (ValueError, TypeError) as error:
        raise SigningRefused("certificate-file", path=path) from error


def load_revocations(path: Path) -> crl.CertificateList:
    """Return the revocation list in `path`, PEM or DER."""
    raw = read_whole(path)
    try:
        if pem.detect(raw):
            _, _, raw = pem.unarmor(raw)
        _ = crl.CertificateList.load(raw, strict=True).native
    except (ValueError, TypeError) as error:
        raise SigningRefused("crl-file", path=path) from error
    return crl.CertificateList.load(raw)


def _whole(raw: bytes) -> x509.Certificate:
    # asn1crypto reads when it is asked, not before; and what it has read, it is slow to write.
    _ = x509.Certificate.load(raw, strict=True).native
    return x509.Certificate.load(raw)


def name(certificate: x509.Certificate) -> str:
    """Return whom `certificate` names: the common name, or whatever stands in its place."""
    subject = certificate.subject.native
    for part in ("common_name", "organization_name"):
        found = subject.get(part)
        if found:
            return str(found if isinstance(found, str) else found[0])
    return str(certificate.subject.human_friendly)


def valid_from(certificate: x509.Certificate) -> dt.datetime:
    """Return the first moment at which `certificate` holds."""
    moment: dt.datetime = certificate.not_valid_before
    return moment


def valid_until(certificate: x509.Certificate) -> dt.datetime:
    """Return the last moment at which `certificate` holds."""
    moment: dt.datetime = certificate.not_valid_after
    return moment


def signs_documents(certificate: x509.Certificate) -> bool:
    """Return whether `certificate` is for signatures that bind their signer."""
    usage = certificate.key_usage_value
    return usage is not None and "non_repudiation" in usage.native and not certificate.ca
