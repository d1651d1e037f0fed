"""Timestamp client (RFC 3161): requests over HTTP, and verification of the response."""

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

from selo.signing.cms_container import canonical_token
from selo.signing.signing_errors import SigningRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from asn1crypto import x509

    #: Sends an encoded request and returns the encoded response.
    SendRequest = Callable[[bytes], bytes]

_TIMEOUT_SECONDS: Final = 15
_MAX_REPLY_BYTES: Final = 256 * 1024
_QUERY_TYPE: Final = "application/timestamp-query"
_REPLY_TYPE: Final = "application/timestamp-reply"
#: Largest difference between the authority's clock and ours.
CLOCK_TOLERANCE: Final = dt.timedelta(minutes=1)


class TimestampResponse(core.Sequence):  # type: ignore[misc]  # asn1crypto ships no types
    """TimeStampResp of RFC 3161 with an optional token; asn1crypto requires one in refusals too."""

    _fields = [
        ("status", tsp.PKIStatusInfo),
        ("time_stamp_token", cms.ContentInfo, {"optional": True}),
    ]


class TimestampClient(TimeStamper):
    """Requests timestamps and refuses responses that do not match the request."""

    def __init__(
        self, ask: SendRequest, where: str, *, tolerance: dt.timedelta = CLOCK_TOLERANCE
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # pyHanko's class is typed in part
        self.ask = ask
        self.where = where
        self.tolerance = tolerance

    async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> cms.ContentInfo:
        """Return a token for `message_digest`."""
        nonce, request = self.request_cms(  # type: ignore[no-untyped-call]  # the same
            message_digest, md_algorithm
        )
        # The authority may run an event loop of its own.
        raw = await asyncio.to_thread(self.ask, request.dump())
        now = dt.datetime.now(dt.UTC)
        try:
            token = self._parse_token(raw)
            content = token["content"]["encap_content_info"]["content"].parsed
            matches = (
                content["nonce"].native == nonce
                and content["message_imprint"].dump() == request["message_imprint"].dump()
            )
            signer = _timestamp_signer(token)
            stamped_time: dt.datetime = content["gen_time"].native
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._refusal("tsa-answer", problem="-") from error
        if not matches:
            raise self._refusal("tsa-other")
        if signer is None:
            raise self._refusal("tsa-signature")
        if abs(stamped_time - now) > self.tolerance:
            raise self._refusal("clock", theirs=format_utc(stamped_time), ours=format_utc(now))
        if not signer.not_valid_before <= stamped_time <= signer.not_valid_after:
            raise self._refusal("tsa-expired", until=format_utc(signer.not_valid_after))
        return canonical_token(token)

    def _parse_token(self, raw: bytes) -> cms.ContentInfo:
        answer = TimestampResponse.load(raw, strict=True)
        status = answer["status"]
        if status["status"].native != "granted":
            reasons = [*(status["status_string"].native or ()), *(status["fail_info"].native or ())]
            problem = "; ".join(reasons) or status["status"].native
            raise self._refusal("tsa-refused", problem=problem)
        return answer["time_stamp_token"]

    def _refusal(self, reason: str, **slots: object) -> SigningRefused:
        return SigningRefused(reason, url=self.where, **slots)


def format_utc(moment: dt.datetime) -> str:
    """Return `moment` in UTC, to the second."""
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds")


def _timestamp_signer(token: cms.ContentInfo) -> x509.Certificate | None:
    """Return the signer of `token`, or nothing if it is not validly signed by a time authority."""
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


def ask_over_http(url: str) -> SendRequest:
    """Return a function that sends requests to `url`; Selo's only network access when signing."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise SigningRefused("tsa-url", url=url) from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SigningRefused("tsa-url", url=url)
    connection_class = (
        http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    )

    def ask(request: bytes) -> bytes:
        connection = connection_class(parts.hostname or "", port, timeout=_TIMEOUT_SECONDS)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request(
                "POST", path, request, {"Content-Type": _QUERY_TYPE, "Accept": _REPLY_TYPE}
            )
            with connection.getresponse() as answer:
                body = answer.read(_MAX_REPLY_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            problem = str(error) or type(error).__name__
            raise SigningRefused("tsa-unreachable", url=url, problem=problem) from error
        finally:
            connection.close()
        if answer.status != http.HTTPStatus.OK:
            raise SigningRefused("tsa-answer", url=url, problem=f"HTTP {answer.status}")
        content_type = answer.headers.get_content_type()
        if content_type != _REPLY_TYPE or len(body) > _MAX_REPLY_BYTES:
            raise SigningRefused("tsa-answer", url=url, problem=content_type)
        return body

    return ask
