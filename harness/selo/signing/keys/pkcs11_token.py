"""Keys on a PKCS#11 token, which signs without revealing the key."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pkcs11
from asn1crypto import x509
from pyhanko.sign.pkcs11 import PKCS11Signer

from selo.signing.keys.pkcs12_keys import SigningKey
from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenKeyLocation:
    """Location of a key: module, token, label."""

    module: Path
    token: str
    key: str
    #: Its certificate, if the token does not hold it under the label of the key.
    certificate: x509.Certificate | None = None
    others: tuple[x509.Certificate, ...] = ()

    def message_slots(self) -> dict[str, object]:
        """Return the slots of messages about this key."""
        return {"module": self.module, "token": self.token, "key": self.key}


@contextmanager
def open_token_key(location: TokenKeyLocation, pin: str) -> Iterator[SigningKey]:
    """Yield the key at `location`, and close the session with the token afterwards."""
    with _open_session(location, pin) as session:
        _find_single_object(session, pkcs11.ObjectClass.PRIVATE_KEY, location, "token-key")
        certificate = location.certificate or _read_certificate(session, location)
        yield SigningKey(
            signer=PKCS11Signer(
                session,
                signing_cert=certificate,
                ca_chain=location.others,
                key_label=location.key,
                # Tokens hash for RSA by themselves; for elliptic curves many of them, SoftHSM too,
                # only sign what is already a digest.
                use_raw_mechanism=certificate.public_key.algorithm == "ec",
            ),
            certificate=certificate,
            others=location.others,
            source=f"{location.token}/{location.key}",
        )


@contextmanager
def _open_session(location: TokenKeyLocation, pin: str) -> Iterator[pkcs11.Session]:
    try:
        session = _find_token(location).open(user_pin=pin)
    except (pkcs11.PinIncorrect, pkcs11.PinInvalid, pkcs11.PinLenRange) as error:
        raise SigningRefused("pin", **location.message_slots()) from error
    except pkcs11.PinLocked as error:
        raise SigningRefused("pin-locked", **location.message_slots()) from error
    except pkcs11.PKCS11Error as error:
        raise _token_refusal(location, error) from error
    with session:
        try:
            yield session
        except pkcs11.PKCS11Error as error:
            # For example, the token was removed while signing.
            raise _token_refusal(location, error) from error


def _token_refusal(location: TokenKeyLocation, error: Exception) -> SigningRefused:
    return SigningRefused("token", **location.message_slots(), problem=_error_text(error))


def _find_token(location: TokenKeyLocation) -> pkcs11.Token:
    try:
        module = pkcs11.lib(str(location.module))
    except (pkcs11.PKCS11Error, RuntimeError) as error:
        raise SigningRefused(
            "token-module", module=location.module, problem=_error_text(error)
        ) from error
    tokens = {token.label: token for token in module.get_tokens()}
    if location.token not in tokens:
        raise SigningRefused("token-missing", **location.message_slots())
    return tokens[location.token]


def _read_certificate(session: pkcs11.Session, location: TokenKeyLocation) -> x509.Certificate:
    certificate = _find_single_object(
        session, pkcs11.ObjectClass.CERTIFICATE, location, "token-certificate"
    )
    return x509.Certificate.load(certificate[pkcs11.Attribute.VALUE])


def _find_single_object(
    session: pkcs11.Session, kind: pkcs11.ObjectClass, location: TokenKeyLocation, reason: str
) -> pkcs11.Object:
    attributes = {pkcs11.Attribute.CLASS: kind, pkcs11.Attribute.LABEL: location.key}
    objects = list(session.get_objects(attributes))
    if len(objects) != 1:
        raise SigningRefused(reason, **location.message_slots(), count=len(objects))
    return objects[0]


def _error_text(error: Exception) -> str:
    """Return the text of `error`, or its class name: most token errors have no text."""
    return str(error) or type(error).__name__
