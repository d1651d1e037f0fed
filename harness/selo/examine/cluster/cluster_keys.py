"""The key by which the parts of a cluster know each other, and what they may be reached by.

Whoever can speak to a scheduler can run programs on every worker. So all parts prove with TLS, in
both directions, that they hold the same key; only on one machine may they do without.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from selo.storage.atomic_write import PRIVATE_MODE, write_file
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

    from distributed import Security

CERTIFICATE_FILE: Final = "cluster.pem"
KEY_FILE: Final = "cluster.key"
_NAME: Final = "selo-cluster"
_DAYS: Final = 365
TLS: Final = "tls"
_PLAIN: Final = "tcp"
_LOOPBACK_NAME: Final = "localhost"


def require_keys(folder: Path, *, create: bool = False) -> Security:
    """Return how parts of a cluster prove that they hold the key in `folder`."""
    from distributed import Security  # noqa: PLC0415 - only where there is a cluster

    certificate, key = folder / CERTIFICATE_FILE, folder / KEY_FILE
    if create and not (certificate.exists() or key.exists()):
        _create_keys(certificate, key)
    for path in (certificate, key):
        if not path.is_file():
            raise user_error("cluster-keys", path=path)
    # One self-signed certificate is authority and proof at once: only who has the key is trusted.
    files: dict[str, Any] = {"tls_ca_file": str(certificate), "require_encryption": True}
    for part in ("client", "scheduler", "worker"):
        files |= {f"tls_{part}_cert": str(certificate), f"tls_{part}_key": str(key)}
    return Security(**files)


def _create_keys(certificate: Path, key: Path) -> None:
    from cryptography import x509  # noqa: PLC0415 - only where a key is made
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    plain = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    certificate.parent.mkdir(parents=True, exist_ok=True)
    write_file(key, plain, mode=PRIVATE_MODE)
    write_file(certificate, signed.public_bytes(serialization.Encoding.PEM))


def check_address(address: str, *, has_keys: bool) -> None:
    """Refuse an address of a scheduler that is none, or at which others could listen."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise user_error("cluster-address", given=address) from error
    if parts.scheme not in {TLS, _PLAIN} or not parts.hostname or port is None:
        raise user_error("cluster-address", given=address)
    if parts.scheme == TLS and not has_keys:
        raise user_error("cluster-without-keys", given=address)
    if parts.scheme == _PLAIN and not is_loopback(parts.hostname):
        raise user_error("cluster-plain", given=address)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine alone."""
    if host == _LOOPBACK_NAME:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
