"""The signature beside a permission: a detached CMS (RFC 5652), which OpenSSL can verify too."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from asn1crypto import cms, pem
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.generic_cms import (
    async_validate_detached_cms,
    extract_certs_for_validation,
)
from pyhanko.sign.validation.settings import KeyUsageConstraints

from selo.errors import UsageError
from selo.signing.keys import is_demonstration
from selo.signing.keys.certificates import certificate_name as named
from selo.signing.keys.certificates import key_digest, may_sign_documents
from selo.signing.verify import certificate_chain
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asn1crypto import crl, x509
    from pyhanko.sign.validation.status import StandardCMSSignatureStatus

    from selo.signing.keys import SigningKey

#: The suffix of the signature, which lies beside the file.
SIGNATURE: Final = ".p7s"
_DIGEST: Final = "sha256"
_SIGNED: Final = "signed_data"
#: A certificate for these purposes alone may not sign a permission.
_OTHER_PURPOSES: Final = frozenset(
    {"time_stamping", "ocsp_signing", "server_auth", "client_auth", "code_signing"}
)
_USAGE: Final = KeyUsageConstraints(
    key_usage={"digital_signature", "non_repudiation"}, match_all_key_usages=False
)


class PermissionRefused(UsageError):
    """A permission that was altered after it was signed, or that nobody trusted has signed."""

    code = "tampered"


@dataclass(frozen=True, kw_only=True, slots=True)
class PermissionSigner:
    """The signer of a permission."""

    name: str
    certificate_sha256: str
    key_sha256: str
    demonstration: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Trust:
    """Trust anchors and revocation lists."""

    roots: Sequence[x509.Certificate] = ()
    revocations: Sequence[crl.CertificateList] = ()


def sign_permission(content: bytes, key: SigningKey, at: dt.datetime | None = None) -> bytes:
    """Return a detached signature over `content`."""
    attributes = PdfCMSSignedAttributes(signing_time=at or dt.datetime.now(dt.UTC))
    try:
        signature = asyncio.run(
            key.signer.async_sign_general_data(
                content, _DIGEST, detached=True, signed_attr_settings=attributes
            )
        )
    except SigningError as error:
        raise user_error("permission-not-signed", where=key.source, because=error) from error
    der: bytes = signature.dump()
    return der


def verify_signature(
    content: bytes,
    signature: bytes | None,
    path: Path,
    trust: Trust,
    *,
    at: dt.datetime | None = None,
) -> PermissionSigner:
    """Return the signer of `content`, or refuse it as unsigned, altered or untrusted.

    The chain is validated at the time `at`, which somebody trusted has proven, or now.
    """
    if signature is None:
        raise user_error("permission-unsigned", kind=PermissionRefused, where=str(path))
    signed = _read_signed_data(signature, path)
    if not trust.roots:
        raise user_error("permission-nobody", kind=PermissionRefused, where=str(path))
    context = certificate_chain.validation_context(
        trust.roots, revocations=trust.revocations, at=at
    )
    try:
        status = asyncio.run(
            async_validate_detached_cms(
                content, signed, signer_validation_context=context, key_usage_settings=_USAGE
            )
        )
    except (SignatureValidationError, ValueError, KeyError, TypeError) as error:
        raise user_error(
            "permission-signature", kind=PermissionRefused, where=str(path), because=error
        ) from error
    certificate = status.signing_cert
    others = [entry.chosen for entry in signed["certificates"] if entry.name == "certificate"]
    is_chained = certificate_chain.chain_problem(certificate, context, others=others) is None
    _check_status(status, path, trusted=is_chained and _may_sign(certificate))
    return PermissionSigner(
        name=named(certificate),
        certificate_sha256=hashlib.sha256(certificate.dump()).hexdigest(),
        key_sha256=key_digest(certificate),
        demonstration=is_demonstration(certificate),
    )


def name_signer(signature: bytes, path: Path) -> str:
    """Return the name in the certificate of a signature, which proves nothing by itself."""
    signed = _read_signed_data(signature, path)
    try:
        return named(extract_certs_for_validation(signed).signer_cert)
    except (SignatureValidationError, ValueError, KeyError, TypeError) as error:
        raise user_error(
            "permission-signature", kind=PermissionRefused, where=str(path), because=error
        ) from error


def _read_signed_data(signature: bytes, path: Path) -> cms.SignedData:
    try:
        raw = pem.unarmor(signature)[2] if pem.detect(signature) else signature
        outer = cms.ContentInfo.load(raw, strict=True)
        kind = outer["content_type"].native
        # asn1crypto parses lazily, so parsing errors appear here.
        signers = outer["content"]["signer_infos"].native if kind == _SIGNED else []
    except (ValueError, TypeError, KeyError) as error:
        raise user_error(
            "permission-signature", kind=PermissionRefused, where=str(path), because=error
        ) from error
    if len(signers) != 1:
        raise user_error(
            "permission-signature", kind=PermissionRefused, where=str(path), because=kind
        )
    return outer["content"]


def _may_sign(certificate: x509.Certificate) -> bool:
    """Return whether a certificate may sign documents, and is not restricted to other purposes."""
    purposes = certificate.extended_key_usage_value
    narrow = purposes is not None and set(purposes.native) <= _OTHER_PURPOSES
    return may_sign_documents(certificate) and not narrow


def _check_status(status: StandardCMSSignatureStatus, path: Path, *, trusted: bool) -> None:
    if not status.intact or not status.valid:
        raise user_error("permission-altered", kind=PermissionRefused, where=str(path))
    if not status.trusted or not trusted:
        name = named(status.signing_cert)
        raise user_error("permission-untrusted", kind=PermissionRefused, where=str(path), name=name)


def signature_path(path: Path) -> Path:
    """Return the path of the signature of a permission."""
    return Path(f"{path}{SIGNATURE}")
