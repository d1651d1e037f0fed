"""The CMS container of a signature, checked byte for byte.

Inside a PDF the container lies in a gap of the signed range. Its unsigned parts (padding, order,
copies of certificates, algorithm identifiers) are therefore re-encoded from the verified parts,
and the result must equal the container.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from asn1crypto import algos, cms, core, parser
from cryptography.exceptions import InvalidSignature
from cryptography.x509 import load_der_x509_certificate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from asn1crypto import x509

#: Upper or lower case, but not mixed: a letter in the other case is a manipulated byte.
_HEX_STRING: Final = re.compile(rb"<(?:(?:[0-9A-F]{2})*|(?:[0-9a-f]{2})*)>")
_RSA: Final = "rsassa_pkcs1v15"
#: Identifier octets of DER (X.690, 8.1.2).
_UNIVERSAL, _CONTEXT = 0, 2
_PRIMITIVE, _CONSTRUCTED = 0, 1
_OCTETS, _SEQUENCE, _SET = 4, 16, 17
_TIMESTAMP_ATTRIBUTE: Final = "signature_time_stamp_token"


def extract_container(gap: bytes) -> bytes | None:
    """Return the container in the hex string `gap`, or nothing if the gap holds anything else."""
    if _HEX_STRING.fullmatch(gap) is None:
        return None
    content = bytes.fromhex(gap[1:-1].decode())
    try:
        length = parser.peek(content)
    except ValueError:
        return None
    return content[:length] if not any(content[length:]) else None


def canonical_token(token: cms.ContentInfo) -> cms.ContentInfo:
    """Return `token` re-encoded from the parts that can be verified."""
    signed = token["content"]
    certificates = [choice.chosen for choice in signed["certificates"]]
    signer = _signer_certificate(signed, certificates)
    return cms.ContentInfo.load(
        _encode_signed_data(signed, _issuer_chain(signer, certificates), signer, None)
    )


def is_canonical_container(
    container: bytes, verified: Iterable[x509.Certificate], timestamp: bytes | None
) -> bool:
    """Return whether `container` equals the encoding of its verified parts.

    `verified` is the validated chain from a root, `timestamp` the separately verified token on the
    signature.
    """
    signed = cms.ContentInfo.load(container)["content"]
    certificates = [choice.chosen for choice in signed["certificates"]]
    if len(signed["signer_infos"]) != 1 or not all(map(_is_consistent, certificates)):
        return False
    accepted = _accepted_certificates(list(verified), certificates)
    if any(certificate.dump() not in accepted for certificate in certificates):
        return False
    return (
        _encode_signed_data(
            signed, certificates, _signer_certificate(signed, certificates), timestamp
        )
        == container
    )


def timestamp_of(container: cms.ContentInfo) -> cms.ContentInfo | None:
    """Return the timestamp token on the signature in `container`."""
    for attribute in container["content"]["signer_infos"][0]["unsigned_attrs"]:
        if attribute["type"].native == _TIMESTAMP_ATTRIBUTE and len(attribute["values"]):
            return attribute["values"][0]
    return None


def _signer_certificate(
    signed: cms.SignedData, certificates: list[x509.Certificate]
) -> x509.Certificate:
    signer_id = signed["signer_infos"][0]["sid"].chosen
    if isinstance(signer_id, cms.IssuerAndSerialNumber):
        for certificate in certificates:
            same_serial = certificate.serial_number == signer_id["serial_number"].native
            if same_serial and certificate.issuer == signer_id["issuer"]:
                return certificate
    msg = "the container does not hold the certificate of its signer"
    raise ValueError(msg)


def _issuer_chain(
    signer: x509.Certificate, certificates: list[x509.Certificate]
) -> list[x509.Certificate]:
    """Return `signer` followed by its issuers, as far as they are in the container."""
    chain = [signer]
    while chain[-1].issuer != chain[-1].subject:
        issuers = [
            certificate
            for certificate in certificates
            if certificate.subject == chain[-1].issuer and certificate not in chain
        ]
        if not issuers:
            break
        chain.append(issuers[0])
    return chain


def _accepted_certificates(
    verified: list[x509.Certificate], certificates: list[x509.Certificate]
) -> set[bytes]:
    """Return the verified certificates and the issuers above the trusted root, DER-encoded."""
    accepted = {certificate.dump() for certificate in verified}
    chain = _issuer_chain(
        verified[0],
        [certificate for certificate in certificates if certificate.dump() not in accepted],
    )
    # The last must be self-signed; otherwise nothing covers its own bytes.
    links = [*itertools.pairwise(chain), (chain[-1], chain[-1])]
    if all(_is_issued_by(higher, lower) for lower, higher in links):
        accepted |= {certificate.dump() for certificate in chain}
    return accepted


def _is_issued_by(issuer: x509.Certificate, certificate: x509.Certificate) -> bool:
    if issuer.subject != certificate.issuer:
        return False
    try:
        load_der_x509_certificate(certificate.dump()).verify_directly_issued_by(
            load_der_x509_certificate(issuer.dump())
        )
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _is_consistent(certificate: x509.Certificate) -> bool:
    """Return whether both algorithm fields agree and the signature has no unused bits."""
    inner = certificate["tbs_certificate"]["signature"].dump()
    whole_octets = certificate["signature_value"].contents[:1] == b"\x00"
    return whole_octets and bool(certificate["signature_algorithm"].dump() == inner)


def _encode_signed_data(
    signed: cms.SignedData,
    certificates: list[x509.Certificate],
    signer: x509.Certificate,
    token: bytes | None,
) -> bytes:
    """Return a SignedData (RFC 5652) with one signer in DER; its parts are copied unchanged."""
    info = signed["signer_infos"][0]
    digest, signature = _algorithms_of(info)
    inner = signed["encap_content_info"]
    detached = inner["content_type"].native == "data"
    content = b"" if detached else _encode_tagged(0, _encode_octets(bytes(inner["content"])))
    signer_info = [
        _encode_integer(1),
        _encode_sequence(signer.issuer.dump(), _encode_integer(signer.serial_number)),
        digest,
        info["signed_attrs"].dump(),
        signature,
        _encode_octets(info["signature"].native),
    ]
    if token is not None:
        attribute = _encode_sequence(
            cms.CMSAttributeType(_TIMESTAMP_ATTRIBUTE).dump(), _encode_set(token)
        )
        signer_info.append(_encode_tagged(1, attribute))
    data = _encode_sequence(
        # Version 1 for a detached signature, 3 for other content types (RFC 5652, 5.1).
        _encode_integer(1 if detached else 3),
        _encode_set(digest),
        _encode_sequence(inner["content_type"].dump(), content),
        _encode_tagged(0, b"".join(sorted(certificate.dump() for certificate in certificates))),
        _encode_set(_encode_sequence(*signer_info)),
    )
    return _encode_sequence(cms.ContentType("signed_data").dump(), _encode_tagged(0, data))


def _encode_sequence(*parts: bytes) -> bytes:
    return _emit(_UNIVERSAL, _CONSTRUCTED, _SEQUENCE, b"".join(parts))


def _encode_set(content: bytes) -> bytes:
    return _emit(_UNIVERSAL, _CONSTRUCTED, _SET, content)


def _encode_tagged(number: int, content: bytes) -> bytes:
    return _emit(_CONTEXT, _CONSTRUCTED, number, content)


def _encode_octets(content: bytes) -> bytes:
    return _emit(_UNIVERSAL, _PRIMITIVE, _OCTETS, content)


def _encode_integer(number: int) -> bytes:
    encoded: bytes = core.Integer(number).dump()
    return encoded


def _emit(kind: int, method: int, tag: int, content: bytes) -> bytes:
    encoded: bytes = parser.emit(kind, method, tag, content)
    return encoded


def _algorithms_of(info: cms.SignerInfo) -> tuple[bytes, bytes]:
    """Return the algorithms of the signed attributes, or else their usual identifiers."""
    for attribute in info["signed_attrs"]:
        if attribute["type"].native == "cms_algorithm_protection":
            protection = attribute["values"][0]
            return protection["digest_algorithm"].dump(), protection[
                "signature_algorithm"
            ].untag().dump()
    digest = info["digest_algorithm"]["algorithm"].native
    signature = info["signature_algorithm"]
    if signature["algorithm"].native == _RSA:
        signature = algos.SignedDigestAlgorithm({"algorithm": f"{digest}_rsa"})
    return algos.DigestAlgorithm({"algorithm": digest}).dump(), signature.dump()
