"""Keys on a PKCS#11 token, which signs by itself and never lets its key out."""

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
class TokenPlace:
    """Where a key is: module, token, label."""

    module: Path
    token: str
    key: str
    #: Its certificate, if the token does not hold it under the label of the key.
    certificate: x509.Certificate | None = None
    others: tuple[x509.Certificate, ...] = ()

    def slots(self) -> dict[str, object]:
        """Return what messages need."""
        return {"module": self.module, "token": self.token, "key": self.key}


@contextmanager
def open_token_key(place: TokenPlace, pin: str) -> Iterator[SigningKey]:
    """Yield the key at `place`, and close the session with the token afterwards."""
    with _session(place, pin) as session:
        _only_one(session, pkcs11.ObjectClass.PRIVATE_KEY, place, "token-key")
        certificate = place.certificate or _certificate(session, place)
        yield SigningKey(
            signer=PKCS11Signer(
                session,
                signing_cert=certificate,
                ca_chain=place.others,
                key_label=place.key,
                # Tokens hash for RSA by themselves; for elliptic curves many of them, SoftHSM too,
                # only sign what is already a digest.
                use_raw_mechanism=certificate.public_key.algorithm == "ec",
            ),
            certificate=certificate,
            others=place.others,
            source=f"{place.token}/{place.key}",
        )


@contextmanager
def _session(place: TokenPlace, pin: str) -> Iterator[pkcs11.Session]:
    try:
        session = _token(place).open(user_pin=pin)
    except (pkcs11.PinIncorrect, pkcs11.PinInvalid, pkcs11.PinLenRange) as error:
        raise SigningRefused("pin", **place.slots()) from error
    except pkcs11.PinLocked as error:
        raise SigningRefused("pin-locked", **place.slots()) from error
    except pkcs11.PKCS11Error as error:
        raise SigningRefused("token", **place.slots(), problem=_words(error)) from error
    with session:
        try:
            yield session
        except pkcs11.PKCS11Error as error:
            # Somebody took it out while it was signing, say.
            raise SigningRefused("token", **place.slots(), problem=_words(error)) from error


def _token(place: TokenPlace) -> pkcs11.Token:
    try:
        module = pkcs11.lib(str(place.module))
    except (pkcs11.PKCS11Error, RuntimeError) as error:
        raise SigningRefused("token-module", module=place.module, problem=_words(error)) from error
    tokens = {token.label: token for token in module.get_tokens()}
    if place.token not in tokens:
        raise SigningRefused("token-missing", **place.slots())
    return tokens[place.token]


def _certificate(session: pkcs11.Session, place: TokenPlace) -> x509.Certificate:
    found = _only_one(session, pkcs11.ObjectClass.CERTIFICATE, place, "token-certificate")
    return x509.Certificate.load(found[pkcs11.Attribute.VALUE])


def _only_one(
    session: pkcs11.Session, kind: pkcs11.ObjectClass, place: TokenPlace, reason: str
) -> pkcs11.Object:
    wanted = {pkcs11.Attribute.CLASS: kind, pkcs11.Attribute.LABEL: place.key}
    found = list(session.get_objects(wanted))
    if len(found) != 1:
        raise SigningRefused(reason, **place.slots(), count=len(found))
    return found[0]


def _words(error: Exception) -> str:
    """Return what `error` says; most errors of tokens say nothing but their name."""
    return str(error) or type(error).__name__
