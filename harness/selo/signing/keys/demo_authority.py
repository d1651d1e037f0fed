"""A demonstration authority: a root, an issuing authority, and what they vouch for.

Its keys are RSA of 3072 bits: every reader of PDF checks such signatures, tokens of accredited
providers use the same kind, and ETSI TS 119 312 still recommends the size.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from selo.signing.keys import demo_mark
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

_BITS: Final = 3072
_EXPONENT: Final = 65537
#: A clock that is a little behind must not find the keys in its future.
_BEFORE: Final = dt.timedelta(hours=1)
_YEAR: Final = dt.timedelta(days=365)
#: RFC 9336: keys that sign documents for people to read.
_DOCUMENTS: Final = x509.ObjectIdentifier("1.3.6.1.5.5.7.3.36")


class Use(enum.Enum):
    """What a certificate is for."""

    AUTHORITY = enum.auto()
    DOCUMENTS = enum.auto()
    TIME = enum.auto()
    #: Nothing that Selo has a use for; a key of a web server, say.
    OTHER = enum.auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateRequest:
    """What a certificate is to say."""

    subject: x509.Name
    use: Use
    now: dt.datetime
    years: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """A key with its certificate."""

    key: Key
    certificate: x509.Certificate
    #: From the issuer up to the root.
    chain: tuple[x509.Certificate, ...] = ()

    def pkcs12(self, passphrase: str) -> bytes:
        """Return key, certificate and chain in one file, under `passphrase`."""
        return pkcs12.serialize_key_and_certificates(
            name=None,
            key=self.key,
            cert=self.certificate,
            cas=self.chain or None,
            encryption_algorithm=serialization.BestAvailableEncryption(passphrase.encode()),
        )

    def issue(self, asked: CertificateRequest, key: Key | None = None) -> Holder:
        """Vouch for `key`, or for a new one."""
        key = key or new_key()
        return Holder(
            key=key,
            certificate=_certificate(asked, key, self),
            chain=(self.certificate, *self.chain),
        )

    def revocations(
        self, *, now: dt.datetime, years: int = 10, revoked: Iterable[x509.Certificate] = ()
    ) -> x509.CertificateRevocationList:
        """Return the list of what this authority no longer vouches for."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(now - _BEFORE)
            .next_update(now + years * _YEAR)
            .add_extension(x509.CRLNumber(1), critical=False)
            .add_extension(_authority_id(self), critical=False)
        )
        for certificate in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number)
            builder = builder.add_revoked_certificate(entry.revocation_date(now).build())
        return builder.sign(self.key, hashes.SHA256())


@dataclass(frozen=True, kw_only=True, slots=True)
class Authority:
    """The whole demonstration authority."""

    root: Holder
    issuing: Holder
    laboratory: Holder
    bureau: Holder
    time: Holder
    made_at: dt.datetime

    def files(self, passphrase: str) -> dict[str, bytes]:
        """Return what is published, by name."""
        return {
            "root.pem": _pem(self.root.certificate),
            "issuing.pem": _pem(self.issuing.certificate),
            "root.crl": _der(self.root.revocations(now=self.made_at)),
            "issuing.crl": _der(self.issuing.revocations(now=self.made_at)),
            "laboratory.p12": self.laboratory.pkcs12(passphrase),
            "bureau.p12": self.bureau.pkcs12(passphrase),
            "tsa.p12": self.time.pkcs12(passphrase),
        }


def make_demo_authority(now: dt.datetime | None = None) -> Authority:
    """Return a new demonstration authority; the keys of its own authorities are not kept."""
    now = (now or dt.datetime.now(dt.UTC)).replace(microsecond=0)
    key = new_key()
    root = Holder(key=key, certificate=_certificate(_request_for("root", now), key, None))
    issuing = root.issue(_request_for("issuing", now))
    return Authority(
        root=root,
        issuing=issuing,
        laboratory=issuing.issue(_request_for("laboratory", now, Use.DOCUMENTS, years=3)),
        bureau=issuing.issue(_request_for("bureau", now, Use.DOCUMENTS, years=3)),
        time=issuing.issue(_request_for("time", now, Use.TIME, years=10)),
        made_at=now,
    )


def _request_for(
    role: str, now: dt.datetime, use: Use = Use.AUTHORITY, *, years: int = 20
) -> CertificateRequest:
    return CertificateRequest(subject=subject(role), use=use, now=now, years=years)


def new_key() -> Key:
    """Return a new key of the kind that the demonstration authority uses."""
    return rsa.generate_private_key(public_exponent=_EXPONENT, key_size=_BITS)


def subject(role: str) -> x509.Name:
    """Return a name that says in three languages that it is for demonstration."""
    # A common name may have 64 octets, so what the role is called stands beside it.
    mark = " / ".join(say("keys.mark", language) for language in ("pt", "zh"))
    called = " / ".join(say(f"keys.name.{role}", language) for language in ("pt", "zh"))
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "MO"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, f"{say('keys.mark', 'en')} / {mark}"),
            x509.NameAttribute(NameOID.TITLE, called),
            x509.NameAttribute(NameOID.COMMON_NAME, f"{say(f'keys.name.{role}', 'en')} / {mark}"),
        ]
    )


def _certificate(asked: CertificateRequest, key: Key, issuer: Holder | None) -> x509.Certificate:
    use = asked.use
    public = key.public_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(asked.subject)
        .issuer_name(issuer.certificate.subject if issuer else asked.subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(asked.now - _BEFORE)
        .not_valid_after(asked.now + asked.years * _YEAR)
        .add_extension(
            x509.BasicConstraints(ca=use is Use.AUTHORITY, path_length=None), critical=True
        )
        .add_extension(_usage(use), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(_policy(), critical=False)
    )
    if issuer is not None:
        builder = builder.add_extension(_authority_id(issuer), critical=False)
    if use is Use.TIME:
        # RFC 3161 wants it critical and alone.
        purposes = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(purposes, critical=True)
    elif use is Use.DOCUMENTS:
        # NSS, with which poppler checks signatures, knows only the older purpose.
        purposes = x509.ExtendedKeyUsage([_DOCUMENTS, ExtendedKeyUsageOID.EMAIL_PROTECTION])
        builder = builder.add_extension(purposes, critical=False)
    return builder.sign(issuer.key if issuer else key, hashes.SHA256())


def _usage(use: Use) -> x509.KeyUsage:
    signs = use in {Use.DOCUMENTS, Use.TIME}
    return x509.KeyUsage(
        digital_signature=signs,
        content_commitment=signs,
        key_encipherment=use is Use.OTHER,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=use is Use.AUTHORITY,
        crl_sign=use is Use.AUTHORITY,
        encipher_only=False,
        decipher_only=False,
    )


def _policy() -> x509.CertificatePolicies:
    marked = x509.PolicyInformation(x509.ObjectIdentifier(demo_mark.POLICY), None)
    return x509.CertificatePolicies([marked])


def _authority_id(issuer: Holder) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _der(revocations: x509.CertificateRevocationList) -> bytes:
    return revocations.public_bytes(serialization.Encoding.DER)
