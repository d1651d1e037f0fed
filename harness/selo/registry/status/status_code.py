"""The state of one certificate as a short signed text that fits a QR code.

1. The statement is MessagePack: the registry and its head, the certificate and its state.
2. It is signed without a container by who may sign heads, whose certificate stands in the policy
   (``certificates``); the code names the key by the first bytes of its SHA-256.
3. The text is ``SELO1:`` and Base32 without padding: a QR code holds such letters in few modules.

It is good for as long as the head is; past that it says nothing.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import io
from typing import TYPE_CHECKING, Final

import msgspec

from selo.law.status import macau_today
from selo.registry.certificate_lookup import RegistryAnswer
from selo.registry.certificate_states import CertificateState, apply_expiry
from selo.registry.event_signature import BadSignature, SignatureChecker
from selo.registry.registry_events import RegisteredFile, RegisteredProduct, RegistryTampered
from selo.registry.registry_policy import HEAD
from selo.registry.status.status_list import require_head_signer
from selo.registry.tree_heads import TreeHead
from selo.signing.keys.certificates import key_digest
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.registry_policy import RegistryPolicy
    from selo.signing.keys import SigningKey

PREFIX: Final = "SELO1:"
#: No QR code holds more letters.
MAX_CODE: Final = 4296
_KEY_BYTES: Final = 8
#: Keeps a signature over a code from being one over anything else.
_PURPOSE: Final = b"selo status code 1\0"


class CodedStatus(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True
):
    """What a code says of one certificate."""

    registry: bytes
    size: int
    root: bytes
    at: int
    expires: int
    number: str
    state: CertificateState
    issued_at: int
    last_day: str
    document_digest: bytes
    successor: str

    @property
    def document(self) -> str:
        """The SHA-256 of the signed document."""
        return self.document_digest.hex()

    @property
    def since(self) -> dt.datetime:
        """When it was issued."""
        return _time(self.issued_at)

    @property
    def valid_until(self) -> dt.date | None:
        """Its last day."""
        return dt.date.fromisoformat(self.last_day) if self.last_day else None

    @property
    def product(self) -> RegisteredProduct | None:
        """Not told by a code."""
        return None

    @property
    def files(self) -> Sequence[RegisteredFile]:
        """Not told by a code."""
        return ()

    @property
    def head(self) -> TreeHead:
        """The head of the log from which the code was made."""
        return TreeHead(
            registry=self.registry.hex(), size=self.size, root=self.root.hex(),
            at=_time(self.at), expires=_time(self.expires),
        )  # fmt: skip

    def state_on(self, day: dt.date) -> CertificateState:
        """Return the state on `day`, which must not be before the code was made."""
        return apply_expiry(self.state, self.valid_until, day)


class StatusCode(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True
):
    """A statement with the key that signed it, and the signature."""

    statement: bytes
    key: bytes
    signature: bytes

    @property
    def text(self) -> str:
        """The code as it is printed."""
        raw = msgspec.msgpack.encode(self)
        return PREFIX + base64.b32encode(raw).decode("ascii").rstrip("=")

    def status(self) -> CodedStatus:
        """Return what the code says, whoever said it."""
        return msgspec.msgpack.decode(self.statement, type=CodedStatus)


def make_status_code(
    registry: CertificateRegistry, number: str, key: SigningKey, *, at: dt.datetime
) -> StatusCode:
    """Return the code of one certificate; the whole log is checked first."""
    log, signed = registry.check_whole()
    head, policy = signed.head, log.policy
    record = log.book.certificates.get(number)
    if record is None:
        raise user_error("registry-unknown", certificate=number)
    require_head_signer(registry, policy, key, at)
    digest = key_digest(key.certificate)
    if all(key_digest(one) != digest for one in policy.certificates):
        raise user_error("registry-code-key", where=str(registry.folder))
    status = CodedStatus(
        registry=bytes.fromhex(head.registry),
        size=head.size,
        root=bytes.fromhex(head.root),
        at=int(head.at.timestamp()),
        expires=int(head.expires.timestamp()),
        number=number,
        state=record.state,
        issued_at=int(record.since.timestamp()),
        last_day="" if record.valid_until is None else record.valid_until.isoformat(),
        document_digest=bytes.fromhex(record.document or ""),
        successor=record.successor,
    )
    statement = msgspec.msgpack.encode(status)
    code = StatusCode(
        statement=statement,
        key=bytes.fromhex(digest)[:_KEY_BYTES],
        signature=key.sign_raw(_PURPOSE + statement),
    )
    if len(code.text) > MAX_CODE:
        raise user_error("registry-code-size", certificate=number)
    return code


def parse_status_code(text: str) -> StatusCode:
    """Return the code in a text; only its one form is accepted."""
    body = text.strip().removeprefix(PREFIX)
    try:
        raw = base64.b32decode(body + "=" * (-len(body) % 8))
        code = msgspec.msgpack.decode(raw, type=StatusCode)
        status = code.status()
        _ = status.head, status.since, status.state_on(macau_today(status.head.at))
        canonical = msgspec.msgpack.encode(status) == code.statement
    except (binascii.Error, msgspec.MsgspecError, ValueError, OverflowError, OSError) as error:
        raise user_error("registry-code", kind=RegistryTampered, problem=error) from error
    if not canonical or code.text != text.strip():
        raise user_error("registry-code", kind=RegistryTampered, problem="not canonical")
    return code


def look_up_in_code(
    code: StatusCode, policy: RegistryPolicy | None, *, numbers: Iterable[str] = ()
) -> RegistryAnswer:
    """Return what a code says of certificates; of any but its own it says nothing."""
    status = code.status()
    answer = RegistryAnswer(head=status.head)
    if policy is not None and not _holds(code, policy, status.head.at):
        answer.problems.append("list-signature")
    answer.records = [status] if status.number in set(numbers) else []
    return answer


def _holds(code: StatusCode, policy: RegistryPolicy, at: dt.datetime) -> bool:
    """Return whether somebody signed a code who may sign heads."""
    head = code.status().head
    if not policy.allows_span(head.at, head.expires):
        return False
    checker = SignatureChecker(policy)
    for certificate in policy.certificates:
        if bytes.fromhex(key_digest(certificate))[:_KEY_BYTES] != code.key:
            continue
        try:
            signer = checker.raw_signer_of(
                _PURPOSE + code.statement, code.signature, certificate, at
            )
        except BadSignature:
            continue
        if policy.allows(signer, HEAD):
            return True
    return False


def draw_status_code(code: StatusCode, kind: str) -> bytes:
    """Return a code as a picture: ``svg`` or ``png``."""
    import segno  # noqa: PLC0415 - only pictures need it

    picture = io.BytesIO()
    drawn = segno.make_qr(code.text, error="m" if len(code.text) < MAX_CODE // 2 else "l")
    drawn.save(picture, kind=kind, scale=4, border=4, dark="#000", light="#fff")
    return picture.getvalue()


def _time(seconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)
