"""Timestamps (RFC 3161) that stand by themselves: over a digest, not inside of a signature."""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from asn1crypto import cms
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
from pyhanko.sign.validation.status import TimestampSignatureStatus

from selo.signing.keys.certificates import certificate_name
from selo.signing.verify.certificate_chain import first_revoked, validation_context

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from asn1crypto import crl, x509
    from pyhanko.sign.timestamps.api import TimeStamper

_DIGEST: Final = "sha256"
#: A token has a few kilobytes; a longer text is not decoded.
_MAX_TEXT: Final = 64 * 1024
#: What a token that was made to break a reader may raise.
_BROKEN: Final = (
    SignatureValidationError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StampedTime:
    """When a digest was stamped, by whom, and what is wrong with it."""

    at: dt.datetime | None = None
    authority: str = ""
    #: Whether the token is a valid one over this digest, whoever made it.
    is_intact: bool = False
    #: Whether its authority is certified by a trusted root.
    is_trusted: bool = False


def stamp_digest(digest: str, stamper: TimeStamper) -> str:
    """Return a timestamp token over a SHA-256, as base64."""
    token = asyncio.run(stamper.async_timestamp(bytes.fromhex(digest), _DIGEST))
    return base64.b64encode(token.dump()).decode("ascii")


def inspect_stamp(
    token: str,
    digest: str,
    roots: Sequence[x509.Certificate],
    revocations: Sequence[crl.CertificateList] = (),
    *,
    at: dt.datetime | None = None,
) -> StampedTime:
    """Return the time that a token proves for a SHA-256.

    The chain of its authority is validated at the time `at`, which somebody else proves, or now.
    """
    context = validation_context(roots, revocations=revocations, at=at)
    try:
        signed = _parse_token(token)
        status = TimestampSignatureStatus(
            **asyncio.run(
                validate_tst_signed_data(
                    signed,
                    context,
                    lambda algorithm: bytes.fromhex(digest) if algorithm == _DIGEST else b"",
                )
            )
        )
    except _BROKEN:
        return StampedTime()
    path = status.validation_path
    is_trusted = (
        bool(status.trusted)
        and path is not None
        and first_revoked(path, revocations, context.moment) is None
    )
    return StampedTime(
        at=status.timestamp,
        authority=certificate_name(status.signing_cert),
        is_intact=bool(status.intact and status.valid),
        is_trusted=is_trusted,
    )


def _parse_token(token: str) -> cms.SignedData:
    if len(token) > _MAX_TEXT:
        msg = "a token is not that long"
        raise ValueError(msg)
    try:
        raw = base64.b64decode(token, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    container = cms.ContentInfo.load(raw, strict=True)
    if container["content_type"].native != "signed_data":
        msg = "a token is signed data"
        raise ValueError(msg)
    return container["content"]
