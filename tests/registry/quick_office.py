"""Keys on elliptic curves, and signatures made from a template: for logs of many lines."""

import datetime as dt
import hashlib

from asn1crypto import cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID
from tests.registry.conftest import POLICY, SECRET

from selo.registry.event_signature import sign_content
from selo.registry.registry_events import EventKind
from selo.signing.keys.certificates import key_digest
from selo.signing.keys.pkcs12_keys import load_pkcs12

BEGIN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
END = dt.datetime(2090, 1, 1, tzinfo=dt.UTC)


class QuickOffice:
    """Laboratory and bureau with keys that sign in a fraction of a millisecond."""

    def __init__(self, folder, *, days=30):
        root_key = ec.generate_private_key(ec.SECP256R1())
        root = _certificate("Root", root_key, None, root_key)
        (folder / "root.pem").write_bytes(root.public_bytes(serialization.Encoding.PEM))
        self.folder = folder
        self.signers = {}
        for role in ("laboratory", "bureau"):
            key = ec.generate_private_key(ec.SECP256R1())
            certificate = _certificate(f"Officer of the {role}", key, root, root_key)
            path = folder / f"{role}.p12"
            secret = serialization.BestAvailableEncryption(SECRET.encode())
            path.write_bytes(
                pkcs12.serialize_key_and_certificates(b"key", key, certificate, [root], secret)
            )
            pem = certificate.public_bytes(serialization.Encoding.PEM)
            (folder / f"{role}.pem").write_bytes(pem)
            setattr(self, role, load_pkcs12(path, SECRET))
            self.signers[role] = TemplateSigner(getattr(self, role), key)
        digests = {role: key_digest(getattr(self, role).certificate) for role in self.signers}
        text = POLICY.format(**digests).replace("[root.crl, issuing.crl]", "[]")
        text += "certificates: [bureau.pem]\n"
        self.policy = folder / "policy.yaml"
        self.policy.write_text(text.replace("days: 30", f"days: {days}"), encoding="utf-8")

    def signs(self, kind):
        bureau = {EventKind.SUSPEND, EventKind.SUPERSEDE, EventKind.OPEN}
        return self.bureau if kind in bureau else self.laboratory


class TemplateSigner:
    """Signs by writing digest, time and signature into a signature that pyHanko made."""

    def __init__(self, key, private):
        self._private = private
        self.name = key
        self._at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        self._whole = sign_content(b"", key, self._at)
        info = cms.ContentInfo.load(self._whole)["content"]["signer_infos"][0]
        self._attributes = info["signed_attrs"].dump()
        self._signature = info["signature"].native

    def sign(self, content, at):
        attributes = self._attributes.replace(
            hashlib.sha256(b"").digest(), hashlib.sha256(content).digest()
        ).replace(f"{self._at:%y%m%d%H%M%SZ}".encode(), f"{at:%y%m%d%H%M%SZ}".encode())
        while True:
            signature = self._private.sign(b"\x31" + attributes[1:], ec.ECDSA(hashes.SHA256()))
            if len(signature) == len(self._signature):
                break
        whole = self._whole.replace(self._attributes, attributes)
        return whole.replace(self._signature, signature)


def _certificate(name, key, issuer, issuer_key):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(BEGIN)
        .not_valid_after(END)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(_usage(authority=issuer is None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return built.sign(issuer_key, hashes.SHA256())


def _usage(*, authority):
    return x509.KeyUsage(
        digital_signature=not authority, content_commitment=not authority, key_cert_sign=authority,
        crl_sign=authority, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
