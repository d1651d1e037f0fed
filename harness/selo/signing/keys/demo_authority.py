"""A demonstration authority: root, issuing authority, and the certificates they issue.

Its keys are RSA with 3072 bits: every PDF reader verifies such signatures, accredited providers
issue tokens of this kind, and ETSI TS 119 312 still recommends the size.
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
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterable

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

_KEY_BITS: Final = 3072
_PUBLIC_EXPONENT: Final = 65537
#: The file that says who may sign as laboratory and as bureau.
POLICY_FILE: Final = "signers.yaml"
#: Validity starts earlier, so that a slow clock does not see certificates of the future.
_CLOCK_SKEW: Final = dt.timedelta(hours=1)
_YEAR: Final = dt.timedelta(days=365)
#: Extended key usage for document signing (RFC 9336).
_DOCUMENT_SIGNING: Final = x509.ObjectIdentifier("1.3.6.1.5.5.7.3.36")


class CertificateUse(enum.Enum):
    """The purpose of a certificate."""

    AUTHORITY = enum.auto()
    DOCUMENTS = enum.auto()
    TIME = enum.auto()
    #: A purpose that Selo does not use, such as a web server.
    OTHER = enum.auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateRequest:
    """The content of a certificate to be issued."""

    subject: x509.Name
    use: CertificateUse
    now: dt.datetime
    years: int


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHolder:
    """A key with its certificate."""

    key: PrivateKey
    certificate: x509.Certificate
    #: From the issuer up to the root.
    chain: tuple[x509.Certificate, ...] = ()

    def pkcs12(self, passphrase: str) -> bytes:
        """Return key, certificate and chain as a PKCS#12 file under `passphrase`."""
        return pkcs12.serialize_key_and_certificates(
            name=None,
            key=self.key,
            cert=self.certificate,
            cas=self.chain or None,
            encryption_algorithm=serialization.BestAvailableEncryption(passphrase.encode()),
        )

    def issue(self, request: CertificateRequest, key: PrivateKey | None = None) -> KeyHolder:
        """Issue a certificate for `key`, or for a new key."""
        key = key or new_key()
        return KeyHolder(
            key=key,
            certificate=_build_certificate(request, key, self),
            chain=(self.certificate, *self.chain),
        )

    def make_revocation_list(
        self, *, now: dt.datetime, years: int = 10, revoked: Iterable[x509.Certificate] = ()
    ) -> x509.CertificateRevocationList:
        """Return a revocation list of this authority with the `revoked` certificates."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(now - _CLOCK_SKEW)
            .next_update(now + years * _YEAR)
            .add_extension(x509.CRLNumber(1), critical=False)
            .add_extension(_authority_key_id(self), critical=False)
        )
        for certificate in revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number)
            builder = builder.add_revoked_certificate(entry.revocation_date(now).build())
        return builder.sign(self.key, hashes.SHA256())


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoAuthority:
    """All keys of the demonstration authority."""

    root: KeyHolder
    issuing: KeyHolder
    laboratory: KeyHolder
    bureau: KeyHolder
    #: Signs editions of the law.
    authority: KeyHolder
    time: KeyHolder
    made_at: dt.datetime

    def files(self, passphrase: str) -> dict[str, bytes]:
        """Return the published files by name."""
        return {
            "root.pem": _pem(self.root.certificate),
            "issuing.pem": _pem(self.issuing.certificate),
            "root.crl": _der(self.root.make_revocation_list(now=self.made_at)),
            "issuing.crl": _der(self.issuing.make_revocation_list(now=self.made_at)),
            "laboratory.p12": self.laboratory.pkcs12(passphrase),
            "bureau.p12": self.bureau.pkcs12(passphrase),
            "authority.p12": self.authority.pkcs12(passphrase),
            "tsa.p12": self.time.pkcs12(passphrase),
            POLICY_FILE: self._policy(),
        }

    def _policy(self) -> bytes:
        """Return the policy by which documents of this authority are verified."""
        lines = ["roots: [root.pem]", "revocations: [root.crl, issuing.crl]"]
        for role in ("laboratory", "bureau", "authority"):
            certificate: x509.Certificate = getattr(self, role).certificate
            digest = certificate.fingerprint(hashes.SHA256()).hex()
            lines += [f"{role}:", f"  - certificate: {digest}"]
        return "\n".join([*lines, ""]).encode()


def make_demo_authority(now: dt.datetime | None = None) -> DemoAuthority:
    """Return a new demonstration authority; its files omit the keys of root and issuer."""
    now = (now or dt.datetime.now(dt.UTC)).replace(microsecond=0)
    key = new_key()
    root = KeyHolder(key=key, certificate=_build_certificate(_request_for("root", now), key, None))
    issuing = root.issue(_request_for("issuing", now))
    return DemoAuthority(
        root=root,
        issuing=issuing,
        laboratory=issuing.issue(
            _request_for("laboratory", now, CertificateUse.DOCUMENTS, years=3)
        ),
        bureau=issuing.issue(_request_for("bureau", now, CertificateUse.DOCUMENTS, years=3)),
        authority=issuing.issue(_request_for("authority", now, CertificateUse.DOCUMENTS, years=10)),
        time=issuing.issue(_request_for("time", now, CertificateUse.TIME, years=10)),
        made_at=now,
    )


def _request_for(
    role: str, now: dt.datetime, use: CertificateUse = CertificateUse.AUTHORITY, *, years: int = 20
) -> CertificateRequest:
    return CertificateRequest(subject=subject_name(role), use=use, now=now, years=years)


def new_key() -> PrivateKey:
    """Return a new RSA key."""
    return rsa.generate_private_key(public_exponent=_PUBLIC_EXPONENT, key_size=_KEY_BITS)


def subject_name(role: str) -> x509.Name:
    """Return a subject name that says in three languages that it is for demonstration."""
    # A common name has at most 64 characters, so the translated role stands in the title.
    mark = " / ".join(say("keys.mark", language) for language in ("pt", "zh"))
    title = " / ".join(say(f"keys.name.{role}", language) for language in ("pt", "zh"))
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "MO"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, f"{say('keys.mark', 'en')} / {mark}"),
            x509.NameAttribute(NameOID.TITLE, title),
            x509.NameAttribute(NameOID.COMMON_NAME, f"{say(f'keys.name.{role}', 'en')} / {mark}"),
        ]
    )


def _build_certificate(
    request: CertificateRequest, key: PrivateKey, issuer: KeyHolder | None
) -> x509.Certificate:
    use = request.use
    public_key = key.public_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(request.subject)
        .issuer_name(issuer.certificate.subject if issuer else request.subject)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(request.now - _CLOCK_SKEW)
        .not_valid_after(request.now + request.years * _YEAR)
        .add_extension(
            x509.BasicConstraints(ca=use is CertificateUse.AUTHORITY, path_length=None),
            critical=True,
        )
        .add_extension(_key_usage(use), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(_demonstration_policy(), critical=False)
    )
    if issuer is not None:
        builder = builder.add_extension(_authority_key_id(issuer), critical=False)
    if use is CertificateUse.TIME:
        # RFC 3161 requires it to be critical and the only purpose.
        purposes = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(purposes, critical=True)
    elif use is CertificateUse.DOCUMENTS:
        # NSS, which poppler uses to validate signatures, knows only the older purpose.
        purposes = x509.ExtendedKeyUsage([_DOCUMENT_SIGNING, ExtendedKeyUsageOID.EMAIL_PROTECTION])
        builder = builder.add_extension(purposes, critical=False)
    return builder.sign(issuer.key if issuer else key, hashes.SHA256())


def _key_usage(use: CertificateUse) -> x509.KeyUsage:
    signs = use in {CertificateUse.DOCUMENTS, CertificateUse.TIME}
    return x509.KeyUsage(
        digital_signature=signs,
        content_commitment=signs,
        key_encipherment=use is CertificateUse.OTHER,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=use is CertificateUse.AUTHORITY,
        crl_sign=use is CertificateUse.AUTHORITY,
        encipher_only=False,
        decipher_only=False,
    )


def _demonstration_policy() -> x509.CertificatePolicies:
    policy = x509.PolicyInformation(x509.ObjectIdentifier(demo_mark.DEMONSTRATION_POLICY), None)
    return x509.CertificatePolicies([policy])


def _authority_key_id(issuer: KeyHolder) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _der(revocations: x509.CertificateRevocationList) -> bytes:
    return revocations.public_bytes(serialization.Encoding.DER)
