"""Timestamps (RFC 3161): asked of an authority by HTTP, and believed only after looking."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import http.client
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from asn1crypto import cms, core, tsp
from pyhanko.sign.timestamps.api import TimeStamper
from pyhanko.sign.validation.generic_cms import (
    extract_certs_for_validation,
    validate_sig_integrity,
)

from selo.signing.cms_container import normalise
from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from asn1crypto import x509

    #: Takes a request and returns the answer, both as bytes.
    Ask = Callable[[bytes], bytes]

_SECONDS: Final = 15
_LONGEST: Final = 256 * 1024
_QUERY: Final = "application/timestamp-query"
_REPLY: Final = "application/timestamp-reply"
#: How far the authority's clock and ours may be apart.
TOLERANCE: Final = dt.timedelta(minutes=1)


class TimestampResponse(core.Sequence):  # type: ignore[misc]  # asn1crypto ships no types
    """TimeStampResp of RFC 3161, in which a refusal has no token; asn1crypto's own wants one."""

    _fields = [
        ("status", tsp.PKIStatusInfo),
        ("time_stamp_token", cms.ContentInfo, {"optional": True}),
    ]


class Stamper(TimeStamper):
    """Asks for timestamps, and refuses what does not answer the question."""

    def __init__(self, ask: Ask, where: str, *, tolerance: dt.timedelta = TOLERANCE) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # pyHanko's class is typed in part
        self.ask = ask
        self.where = where
        self.tolerance = tolerance

    async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> cms.ContentInfo:
        """Return a token for `message_digest`."""
        nonce, request = self.request_cms(  # type: ignore[no-untyped-call]  # the same
            message_digest, md_algorithm
        )
        # The authority may need a loop of its own.
        raw = await asyncio.to_thread(self.ask, request.dump())
        now = dt.datetime.now(dt.UTC)
        try:
            token = self._token(raw)
            content = token["content"]["encap_content_info"]["content"].parsed
            answers = (
                content["nonce"].native == nonce
                and content["message_imprint"].dump() == request["message_imprint"].dump()
            )
            signer = _signer(token)
            told: dt.datetime = content["gen_time"].native
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._refused("tsa-answer", problem="-") from error
        if not answers:
            raise self._refused("tsa-other")
        if signer is None:
            raise self._refused("tsa-signature")
        if abs(told - now) > self.tolerance:
            raise self._refused("clock", theirs=_moment(told), ours=_moment(now))
        if not signer.not_valid_before <= told <= signer.not_valid_after:
            raise self._refused("tsa-expired", until=_moment(signer.not_valid_after))
        return normalise(token)

    def _token(self, raw: bytes) -> cms.ContentInfo:
        answer = TimestampResponse.load(raw, strict=True)
        status = answer["status"]
        if status["status"].native != "granted":
            said = [*(status["status_string"].native or ()), *(status["fail_info"].native or ())]
            problem = "; ".join(said) or status["status"].native
            raise self._refused("tsa-refused", problem=problem)
        return answer["time_stamp_token"]

    def _refused(self, reason: str, **slots: object) -> SigningRefused:
        return SigningRefused(reason, url=self.where, **slots)


def _moment(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds")


def _signer(token: cms.ContentInfo) -> x509.Certificate | None:
    """Return who signed `token`, or nothing if the signature is not that of a time authority."""
    signed = token["content"]
    certificate = extract_certs_for_validation(signed).signer_cert
    info = signed["signer_infos"][0]
    content = bytes(signed["encap_content_info"]["content"])
    digest = hashlib.new(info["digest_algorithm"]["algorithm"].native, content).digest()
    intact, valid = validate_sig_integrity(info, certificate, "tst_info", digest)
    purposes = certificate.extended_key_usage_value
    if not (intact and valid) or purposes is None or purposes.native != ["time_stamping"]:
        return None
    return certificate


def over_http(url: str) -> Ask:
    """Return how to ask the authority at `url`; nothing else is ever asked of a network."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise SigningRefused("tsa-url", url=url) from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SigningRefused("tsa-url", url=url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection

    def ask(request: bytes) -> bytes:
        line = kind(parts.hostname or "", port, timeout=_SECONDS)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            line.request("POST", path, request, {"Content-Type": _QUERY, "Accept": _REPLY})
            with line.getresponse() as answer:
                body = answer.read(_LONGEST + 1)
        except (OSError, http.client.HTTPException) as error:
            problem = str(error) or type(error).__name__
            raise SigningRefused("tsa-unreachable", url=url, problem=problem) from error
        finally:
            line.close()
        if answer.status != http.HTTPStatus.OK:
            raise SigningRefused("tsa-answer", url=url, problem=f"HTTP {answer.status}")
        sort = answer.headers.get_content_type()
        if sort != _REPLY or len(body) > _LONGEST:
            raise SigningRefused("tsa-answer", url=url, problem=sort)
        return body

    return ask
