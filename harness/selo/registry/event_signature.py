"""Detached signatures (CMS, RFC 5652) over events and heads: made by pyHanko, checked in bulk.

A log has many lines and few signers, so the chain of each certificate is validated once for each
day on which it signed, and only the signature itself for every line:

1. The container holds one signer and its certificate.
2. The signed attributes name the type "data" and the SHA-256 of the content.
3. The signature over the attributes verifies with the key of the certificate.
4. The certificate may sign documents, and chains to a root of the policy at the time of signing.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from asn1crypto import cms
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from selo.gate.permission_signature import sign_permission
from selo.signing.keys.certificates import may_sign_documents
from selo.signing.signer_policy import identify_signer
from selo.signing.verify import certificate_chain

if TYPE_CHECKING:
    import datetime as dt

    from asn1crypto import x509 as asn1_x509

    from selo.registry.registry_policy import RegistryPolicy
    from selo.signing import SignerIdentity
    from selo.signing.keys import SigningKey

    _PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey
    #: The certificate as bytes and parsed, all certificates, the hash, and whether it is RSA-PSS.
    _Frame = tuple[
        bytes, asn1_x509.Certificate, list[asn1_x509.Certificate], hashes.HashAlgorithm, bool
    ]

_HASHES: Final = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
_SET_OF: Final = b"\x31"
_CONTEXT_0: Final = 0xA0
_LONG: Final = 0x80


#: Attributes of a signature (RFC 5652, 11) as they are encoded: the type "data", and the digest.
_IS_DATA: Final = bytes.fromhex("301806092a864886f70d010903310b06092a864886f70d010701")
_DIGEST_OF: Final = bytes.fromhex("302f06092a864886f70d01090431220420")
_TIME_OF: Final = bytes.fromhex("301c06092a864886f70d010905310f170d")
_DIGEST_BYTES: Final = 32
_TIME_BYTES: Final = 13
#: A container, signed data and the information of its signer have this many parts.
_PARTS: Final = (2, 5, 6)


class BadSignature(ValueError):
    """A signature that does not hold; the message says why."""


def sign_content(content: bytes, key: SigningKey, at: dt.datetime) -> bytes:
    """Return a detached signature over `content`."""
    return sign_permission(content, key, at)


class SignatureChecker:
    """Checks signatures under one policy, and remembers the chains it has validated."""

    def __init__(self, policy: RegistryPolicy) -> None:
        self.policy = policy
        self._identities: dict[bytes, SignerIdentity] = {}
        self._keys: dict[bytes, _PublicKey] = {}
        self._chains: dict[tuple[bytes, dt.date], str | None] = {}
        #: Certificates of a container by its bytes, each with its own: parsing takes longest.
        #: What containers of one form share, by everything in them but what differs by content.
        self._frames: dict[bytes, _Frame] = {}
        self._parsed: dict[bytes, list[tuple[bytes, asn1_x509.Certificate]]] = {}

    def signer_of(self, content: bytes, signature: bytes, at: dt.datetime) -> SignerIdentity:
        """Return who signed `content` at a time, or refuse the signature."""
        try:
            return self._check(content, signature, at)
        except BadSignature:
            raise
        except (
            ValueError, TypeError, KeyError, IndexError, InvalidSignature, UnsupportedAlgorithm,
        ) as error:  # fmt: skip
            raise BadSignature(str(error) or type(error).__name__) from error

    def raw_signer_of(
        self, content: bytes, signature: bytes, certificate: asn1_x509.Certificate, at: dt.datetime
    ) -> SignerIdentity:
        """Return who signed `content` without a container, or refuse the signature.

        The certificate comes from the policy; it is validated like one in a container.
        """
        raw = certificate.dump()
        try:
            self._verify(self._key_of(raw), signature, content, hashes.SHA256(), pss=False)
        except InvalidSignature as error:
            raise BadSignature("the signature does not hold") from error
        return self._identify(raw, certificate, list(self.policy.certificates), at)

    def _check(self, content: bytes, signature: bytes, at: dt.datetime) -> SignerIdentity:
        parts = _split_container(signature)
        known = None if parts is None else self._frames.get(parts[0])
        if parts is None or known is None:
            found = self._check_container(content, signature)
            if parts is not None:
                self._frames[parts[0]] = found
            return self._identify(*found[:3], at)
        # Everything but digest, time and signature is as in a container that was read whole.
        _, attributes, signature_value = parts
        if _find_digest(attributes) != hashlib.sha256(content).digest():  # 2
            raise BadSignature("another content was signed")
        raw, certificate, others, digest, pss = known
        self._verify(self._key_of(raw), signature_value, attributes, digest, pss=pss)  # 3
        return self._identify(raw, certificate, others, at)

    def _check_container(self, content: bytes, signature: bytes) -> _Frame:
        """Read a whole container and check it; return what containers of its form share."""
        container = cms.ContentInfo.load(signature, strict=True)
        if container["content_type"].native != "signed_data":
            raise BadSignature("not signed data")
        signed = container["content"]
        if len(signed["signer_infos"]) != 1:  # 1
            raise BadSignature("not one signer")
        info = signed["signer_infos"][0]
        serial = info["sid"].chosen["serial_number"].native
        certificates = self._certificates_of(signed)
        own = [one for one in certificates if one[1].serial_number == serial]
        if not own:
            raise BadSignature("the certificate of the signer is missing")
        raw, certificate = own[0]
        attributes = {one["type"].native: one["values"] for one in info["signed_attrs"]}  # 2
        if attributes["content_type"][0].native != "data":
            raise BadSignature("not a signature of data")
        if attributes["message_digest"][0].native != hashlib.sha256(content).digest():
            raise BadSignature("another content was signed")
        # The signed form has the tag of a set, not the implicit one (RFC 5652, 5.4).
        attributes_signed = _SET_OF + info["signed_attrs"].dump()[1:]
        pss = info["signature_algorithm"].signature_algo == "rsassa_pss"
        digest = _HASHES[info["digest_algorithm"]["algorithm"].native]
        signature_value = info["signature"].native
        self._verify(self._key_of(raw), signature_value, attributes_signed, digest, pss=pss)  # 3
        return raw, certificate, [one for _, one in certificates], digest, pss

    def _identify(
        self,
        raw: bytes,
        certificate: asn1_x509.Certificate,
        others: list[asn1_x509.Certificate],
        at: dt.datetime,
    ) -> SignerIdentity:
        if raw not in self._identities:
            if not may_sign_documents(certificate):  # 4
                raise BadSignature("the certificate may not sign documents")
            self._identities[raw] = identify_signer(certificate)
        problem = self._chain_problem(raw, certificate, others, at)
        if problem is not None:
            raise BadSignature(problem)
        return self._identities[raw]

    def _certificates_of(self, signed: cms.SignedData) -> list[tuple[bytes, asn1_x509.Certificate]]:
        content = signed["certificates"].contents
        if content not in self._parsed:
            found = [one.chosen for one in signed["certificates"]]
            self._parsed[content] = [(one.dump(), one) for one in found]
        return self._parsed[content]

    def _key_of(self, raw: bytes) -> _PublicKey:
        if raw not in self._keys:
            key = x509.load_der_x509_certificate(raw).public_key()
            if not isinstance(key, rsa.RSAPublicKey | ec.EllipticCurvePublicKey):
                raise BadSignature("a kind of key that is not used here")
            self._keys[raw] = key
        return self._keys[raw]

    @staticmethod
    def _verify(
        key: _PublicKey, signature: bytes, content: bytes, digest: hashes.HashAlgorithm, *,
        pss: bool,
    ) -> None:  # fmt: skip
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, content, ec.ECDSA(digest))
        elif pss:
            mask = padding.PSS(mgf=padding.MGF1(digest), salt_length=padding.PSS.AUTO)
            key.verify(signature, content, mask, digest)
        else:
            key.verify(signature, content, padding.PKCS1v15(), digest)

    def _chain_problem(
        self,
        raw: bytes,
        certificate: object,
        others: list[object],
        at: dt.datetime,
    ) -> str | None:
        """Return why a certificate does not chain to a trusted root at a time."""
        place = (raw, at.date())
        if place not in self._chains:
            context = certificate_chain.validation_context(
                self.policy.roots, revocations=self.policy.revocations, at=at
            )
            self._chains[place] = certificate_chain.chain_problem(
                certificate, context, others=[one for one in others if one is not certificate]
            )
        return self._chains[place]


def _split_container(signature: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Return the frame of a container, its attributes as they are signed, and the signature.

    The frame is every tag and content but the digest, the time and the signature. Nothing for a
    container of another form: it is read whole each time.
    """
    try:
        (outer,) = _read_parts(signature, 1)
        kind, wrapped = _read_parts(outer[1], _PARTS[0])
        (content,) = _read_parts(wrapped[1], 1)
        signed = _read_parts(content[1], _PARTS[1])
        (signer,) = _read_parts(signed[4][1], 1)
        info = _read_parts(signer[1], _PARTS[2])
    except (ValueError, IndexError):
        return None
    tag, attributes = info[3]
    if tag != _CONTEXT_0 or _IS_DATA not in attributes:
        return None
    fixed = attributes
    for head, size in ((_DIGEST_OF, _DIGEST_BYTES), (_TIME_OF, _TIME_BYTES)):
        if fixed.count(head) != 1:
            return None
        at = fixed.index(head) + len(head)
        fixed = fixed[:at] + fixed[at + size :]
    around = [(one[0], b"") for one in (outer, wrapped, content, signed[4], signer, info[5])]
    rest = [*around, kind, *signed[:4], *info[:3], (tag, fixed), info[4]]
    lengths = b"".join(len(one).to_bytes(4) + bytes([kind]) + one for kind, one in rest)
    whole = _SET_OF + _encode_length(len(attributes)) + attributes
    return hashlib.sha256(lengths).digest(), whole, info[5][1]


def _find_digest(attributes: bytes) -> bytes:
    at = attributes.index(_DIGEST_OF) + len(_DIGEST_OF)
    return attributes[at : at + _DIGEST_BYTES]


def _read_parts(content: bytes, count: int) -> list[tuple[int, bytes]]:
    """Return the tags and contents of this many values in DER, or raise if it is something else."""
    parts = []
    at = 0
    while at < len(content):
        tag, size = content[at], content[at + 1]
        begin = at + 2
        if size >= _LONG:
            more = size - _LONG
            size = int.from_bytes(content[begin : begin + more])
            begin += more
            if content[at + 1 : begin] != _encode_length(size):
                raise ValueError(tag)
        parts.append((tag, content[begin : begin + size]))
        at = begin + size
    if at != len(content) or len(parts) != count:
        raise ValueError(count)
    return parts


def _encode_length(size: int) -> bytes:
    """Return a length in DER: the shortest form."""
    if size < _LONG:
        return bytes([size])
    digits = size.to_bytes((size.bit_length() + 7) // 8)
    return bytes([_LONG + len(digits)]) + digits
