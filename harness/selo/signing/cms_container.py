"""The container of a signature (CMS), of which the signature itself does not cover every byte.

Inside a PDF the container lies in a hole of the signed range. What nobody signs in it (padding,
the order of things, copies of certificates, names of algorithms) is therefore put together once
more from the parts that are verified, and must give the same bytes.
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

#: Either case, but one of them: a letter in the other case is a byte that somebody changed.
_HOLE: Final = re.compile(rb"<(?:(?:[0-9A-F]{2})*|(?:[0-9a-f]{2})*)>")
_RSA: Final = "rsassa_pkcs1v15"
#: How DER marks what follows (X.690, 8.1.2).
_UNIVERSAL, _CONTEXT = 0, 2
_PRIMITIVE, _CONSTRUCTED = 0, 1
_OCTETS, _SEQUENCE, _SET = 4, 16, 17
_STAMP: Final = "signature_time_stamp_token"


def dug_out(hole: bytes) -> bytes | None:
    """Return the container in `hole`, unless there is anything else in it."""
    if _HOLE.fullmatch(hole) is None:
        return None
    content = bytes.fromhex(hole[1:-1].decode())
    try:
        length = parser.peek(content)
    except ValueError:
        return None
    return content[:length] if not any(content[length:]) else None


def normalise(token: cms.ContentInfo) -> cms.ContentInfo:
    """Return `token` with nothing in it but what can be verified."""
    signed = token["content"]
    held = [choice.chosen for choice in signed["certificates"]]
    signer = _signer(signed, held)
    return cms.ContentInfo.load(_assembled(signed, _upwards(signer, held), signer, None))


def as_assembled(
    container: bytes, verified: Iterable[x509.Certificate], timestamp: bytes | None
) -> bool:
    """Return whether `container` is what its verified parts give when put together.

    `verified` are the certificates that were verified on the way from a root, `timestamp` the
    token on the signature, verified by itself.
    """
    signed = cms.ContentInfo.load(container)["content"]
    held = [choice.chosen for choice in signed["certificates"]]
    if len(signed["signer_infos"]) != 1 or not all(map(_consistent, held)):
        return False
    known = _with_those_above(list(verified), held)
    if any(certificate.dump() not in known for certificate in held):
        return False
    return _assembled(signed, held, _signer(signed, held), timestamp) == container


def timestamp_of(container: cms.ContentInfo) -> cms.ContentInfo | None:
    """Return the timestamp on the signature in `container`."""
    for attribute in container["content"]["signer_infos"][0]["unsigned_attrs"]:
        if attribute["type"].native == _STAMP and len(attribute["values"]):
            return attribute["values"][0]
    return None


def _signer(signed: cms.SignedData, held: list[x509.Certificate]) -> x509.Certificate:
    named = signed["signer_infos"][0]["sid"].chosen
    if isinstance(named, cms.IssuerAndSerialNumber):
        for certificate in held:
            same = certificate.serial_number == named["serial_number"].native
            if same and certificate.issuer == named["issuer"]:
                return certificate
    msg = "the container does not hold the certificate of its signer"
    raise ValueError(msg)


def _upwards(signer: x509.Certificate, held: list[x509.Certificate]) -> list[x509.Certificate]:
    """Return `signer` and who vouches for it, as far as they are held."""
    found = [signer]
    while found[-1].issuer != found[-1].subject:
        above = [one for one in held if one.subject == found[-1].issuer and one not in found]
        if not above:
            break
        found.append(above[0])
    return found


def _with_those_above(verified: list[x509.Certificate], held: list[x509.Certificate]) -> set[bytes]:
    """Return what was verified, and who vouches for it above the root that is trusted."""
    known = {certificate.dump() for certificate in verified}
    above = _upwards(verified[0], [one for one in held if one.dump() not in known])
    # The last must vouch for itself, or there would be a part of it that nobody signed.
    links = [*itertools.pairwise(above), (above[-1], above[-1])]
    if all(_vouches(higher, lower) for lower, higher in links):
        known |= {certificate.dump() for certificate in above}
    return known


def _vouches(above: x509.Certificate, one: x509.Certificate) -> bool:
    if above.subject != one.issuer:
        return False
    try:
        load_der_x509_certificate(one.dump()).verify_directly_issued_by(
            load_der_x509_certificate(above.dump())
        )
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _consistent(certificate: x509.Certificate) -> bool:
    """Return whether what a certificate says twice, it says alike."""
    inner = certificate["tbs_certificate"]["signature"].dump()
    whole_octets = certificate["signature_value"].contents[:1] == b"\x00"
    return whole_octets and bool(certificate["signature_algorithm"].dump() == inner)


def _assembled(
    signed: cms.SignedData,
    certificates: list[x509.Certificate],
    signer: x509.Certificate,
    token: bytes | None,
) -> bytes:
    """Return SignedData of RFC 5652 with one signer, in DER, from parts that stay as they are."""
    info = signed["signer_infos"][0]
    digest, signature = _algorithms(info)
    inner = signed["encap_content_info"]
    detached = inner["content_type"].native == "data"
    content = b"" if detached else _tagged(0, _octets(bytes(inner["content"])))
    about = [
        _whole(1),
        _sequence(signer.issuer.dump(), _whole(signer.serial_number)),
        digest,
        info["signed_attrs"].dump(),
        signature,
        _octets(info["signature"].native),
    ]
    if token is not None:
        stamp = _sequence(cms.CMSAttributeType(_STAMP).dump(), _set(token))
        about.append(_tagged(1, stamp))
    data = _sequence(
        # Version 1 for a detached signature, 3 for content of another kind.
        _whole(1 if detached else 3),
        _set(digest),
        _sequence(inner["content_type"].dump(), content),
        _tagged(0, b"".join(sorted(certificate.dump() for certificate in certificates))),
        _set(_sequence(*about)),
    )
    return _sequence(cms.ContentType("signed_data").dump(), _tagged(0, data))


def _sequence(*parts: bytes) -> bytes:
    return _emitted(_UNIVERSAL, _CONSTRUCTED, _SEQUENCE, b"".join(parts))


def _set(one: bytes) -> bytes:
    return _emitted(_UNIVERSAL, _CONSTRUCTED, _SET, one)


def _tagged(number: int, content: bytes) -> bytes:
    return _emitted(_CONTEXT, _CONSTRUCTED, number, content)


def _octets(content: bytes) -> bytes:
    return _emitted(_UNIVERSAL, _PRIMITIVE, _OCTETS, content)


def _whole(number: int) -> bytes:
    encoded: bytes = core.Integer(number).dump()
    return encoded


def _emitted(kind: int, method: int, tag: int, content: bytes) -> bytes:
    encoded: bytes = parser.emit(kind, method, tag, content)
    return encoded


def _algorithms(info: cms.SignerInfo) -> tuple[bytes, bytes]:
    """Return the algorithms as the signed attributes name them, or else by their usual names."""
    for attribute in info["signed_attrs"]:
        if attribute["type"].native == "cms_algorithm_protection":
            named = attribute["values"][0]
            return named["digest_algorithm"].dump(), named["signature_algorithm"].untag().dump()
    digest = info["digest_algorithm"]["algorithm"].native
    signature = info["signature_algorithm"]
    if signature["algorithm"].native == _RSA:
        signature = algos.SignedDigestAlgorithm({"algorithm": f"{digest}_rsa"})
    return algos.DigestAlgorithm({"algorithm": digest}).dump(), signature.dump()
