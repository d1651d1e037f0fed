"""A demonstration time authority, for machines without network access to a real one."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
from typing import TYPE_CHECKING, Final

from asn1crypto import cms, tsp
from asn1crypto import x509 as asn1

from selo.signing.keys import demo_mark
from selo.signing.keys.timestamps import TimestampResponse
from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from selo.signing.keys.pkcs12_keys import SigningKey

_SERIAL_BITS: Final = 120
_DIGESTS: Final = frozenset({"sha256", "sha384", "sha512"})


class DemoTimeAuthority:
    """Answers timestamp requests with the local clock and a demonstration key."""

    def __init__(self, key: SigningKey) -> None:
        if not demo_mark.is_demonstration(key.certificate):
            raise SigningRefused("tsa-real", path=key.source)
        self.key = key

    def now(self) -> dt.datetime:
        """Return the time of its clock."""
        return dt.datetime.now(dt.UTC)

    def answer(self, raw: bytes) -> bytes:
        """Return the encoded response to the encoded request `raw`."""
        try:
            request = tsp.TimeStampReq.load(raw, strict=True)
            imprint = request["message_imprint"]
            digest = imprint["hash_algorithm"]["algorithm"].native
            nonce = request["nonce"].native
        except (ValueError, TypeError):
            return _refusal("bad_data_format")
        if digest not in _DIGESTS:
            return _refusal("bad_alg")
        content = {
            "version": "v1",
            "policy": demo_mark.DEMONSTRATION_POLICY,
            "message_imprint": imprint,
            "serial_number": secrets.randbits(_SERIAL_BITS) + 1,
            "gen_time": self.now().replace(microsecond=0),
            "tsa": asn1.GeneralName("directory_name", self.key.certificate.subject),
        }
        if nonce is not None:
            content["nonce"] = nonce
        token = self._sign(tsp.TSTInfo(content).dump(), digest)
        granted = tsp.PKIStatusInfo({"status": "granted"})
        answer: bytes = TimestampResponse({"status": granted, "time_stamp_token": token}).dump()
        return answer

    def _sign(self, content: bytes, digest: str) -> cms.ContentInfo:
        wrapped = cms.EncapsulatedContentInfo(
            {"content_type": "tst_info", "content": cms.ParsableOctetString(content)}
        )
        return asyncio.run(self.key.signer.async_sign_general_data(wrapped, digest, detached=False))


def _refusal(reason: str) -> bytes:
    status = tsp.PKIStatusInfo({"status": "rejection", "fail_info": {reason}})
    answer: bytes = TimestampResponse({"status": status}).dump()
    return answer
