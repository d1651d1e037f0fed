"""Opens the signing key that the command line names: a file, or a token."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.signing.keys import load_pkcs12, read_secret
from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.signing.signer_policy import SignerPolicy, parse_signers, read_policy
from selo.text import user_error

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from asn1crypto import x509

    from selo.signing.keys import SigningKey
    from selo.signing.keys.timestamps import TimestampClient

#: Environment variables that may hold the passphrase or the PIN.
PASSPHRASE_VARIABLE: Final = "SELO_PASSPHRASE"  # noqa: S105 - the name of a variable
_PIN_VARIABLE: Final = "SELO_PIN"


@contextmanager
def open_signing_key(arguments: argparse.Namespace) -> Iterator[SigningKey]:
    """Yield the key that signs; a token is closed afterwards."""
    others = read_certificates(arguments.chain)
    if arguments.p12:
        yield load_pkcs12(Path(arguments.p12), read_passphrase(arguments), others)
        return
    if not arguments.token or not arguments.key_label:
        raise user_error("token-names")
    from selo.signing.keys import TokenKeyLocation, open_token_key  # noqa: PLC0415 - only tokens need their library

    own = read_certificates([arguments.certificate]) if arguments.certificate else (None,)
    place = TokenKeyLocation(
        module=Path(arguments.pkcs11_module),
        token=arguments.token,
        key=arguments.key_label,
        certificate=own[0],
        others=others,
    )
    pin = read_secret(
        "pin", file=_path(arguments.pin_file), variable=_PIN_VARIABLE, language=arguments.lang
    )
    with open_token_key(place, pin) as key:
        yield key


def read_passphrase(arguments: argparse.Namespace) -> str:
    """Return the passphrase of the key: from a file, the environment, or the terminal."""
    file = _path(arguments.passphrase_file)
    return read_secret(
        "passphrase", file=file, variable=PASSPHRASE_VARIABLE, language=arguments.lang
    )


def _path(written: str | None) -> Path | None:
    return Path(written) if written else None


def read_certificates(files: list[str]) -> tuple[x509.Certificate, ...]:
    """Return the certificates in `files`, in order."""
    return tuple(certificate for file in files for certificate in load_certificates(Path(file)))


def resolve_policy(arguments: argparse.Namespace) -> SignerPolicy:
    """Return the roots, revocations and signers of the policy and of the single options."""
    named = SignerPolicy() if arguments.policy is None else read_policy(Path(arguments.policy))
    return SignerPolicy(
        roots=(*named.roots, *read_certificates(arguments.trust)),
        revocations=(*named.revocations, *map(load_revocations, map(Path, arguments.crl))),
        signers=(*named.signers, *parse_signers(getattr(arguments, "signer", []))),
        authorities=named.authorities,
        vendors=named.vendors,
    )


def create_stamper(arguments: argparse.Namespace) -> TimestampClient:
    """Return the client of the timestamp authority that the command line names."""
    from selo.signing.keys.timestamps import (  # noqa: PLC0415 - only stamps need it
        CLOCK_TOLERANCE,
        TimestampClient,
        ask_over_http,
    )

    tolerance = CLOCK_TOLERANCE
    if getattr(arguments, "clock_tolerance", None) is not None:
        tolerance = dt.timedelta(seconds=arguments.clock_tolerance)
    if not arguments.tsa.endswith(".p12"):
        return TimestampClient(ask_over_http(arguments.tsa), arguments.tsa, tolerance=tolerance)
    from selo.signing.keys import DemoTimeAuthority  # noqa: PLC0415 - only in demonstrations

    key = load_pkcs12(Path(arguments.tsa), read_passphrase(arguments))
    return TimestampClient(DemoTimeAuthority(key).answer, arguments.tsa, tolerance=tolerance)
