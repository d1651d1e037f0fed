"""Messages between vendor and examiner on a finding or an open point, beside the evidence.

Each line of ``thread.jsonl`` is a message in canonical JSON and a signature over it. A message
names the root of the evidence, its own number and the hash of the line before, so that none can be
changed, moved, left out in the middle or taken from another run. A document carries the file with
its digest, so that nothing can be added or removed at the end either.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.errors import SeloError
from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.run_files import THREAD_FILE
from selo.gate.permission_signature import sign_permission, verify_signature
from selo.signing.keys.certificates import certificate_name
from selo.storage import read_bounded, write_file
from selo.storage.bounded_read import TEXT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.gate.permission_signature import Trust
    from selo.signing.keys import SigningKey

_FIRST: Final = "0" * 64
_Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class ThreadBroken(SeloError):
    """A thread that was altered, or a message that nobody trusted has signed."""

    code = "tampered"


class ThreadMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One message."""

    number: Annotated[int, Meta(ge=1)]
    previous: _Sha256
    #: The root of the evidence beside which it is kept.
    evidence: _Sha256
    #: A finding by its id, or an open point.
    about: Annotated[str, Meta(min_length=1, max_length=200)]
    by: Annotated[str, Meta(min_length=1, max_length=200)]
    at: dt.datetime
    text: Annotated[str, Meta(min_length=1, max_length=20_000)]


class _SignedMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    message: ThreadMessage
    signature: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageThread:
    """The messages of a run, as its file has them."""

    lines: tuple[bytes, ...]
    messages: tuple[ThreadMessage, ...]
    signatures: tuple[bytes, ...]

    @classmethod
    def parse(cls, content: bytes, evidence: str) -> MessageThread:
        """Return the thread in `content`, or raise if it is not one of this evidence."""
        lines = tuple(content.splitlines())
        if content != b"".join(line + b"\n" for line in lines):
            raise ThreadBroken(f"{THREAD_FILE}: the last line is not whole")
        messages, signatures = [], []
        previous = _FIRST
        for number, line in enumerate(lines, 1):
            message, signature = _parse_line(line, number)
            if (message.number, message.previous) != (number, previous):
                raise ThreadBroken(f"{THREAD_FILE}:{number}: does not follow the line before")
            if message.evidence != evidence:
                raise ThreadBroken(f"{THREAD_FILE}:{number}: belongs to other evidence")
            previous = hashlib.sha256(line).hexdigest()
            messages.append(message)
            signatures.append(signature)
        return cls(lines=lines, messages=tuple(messages), signatures=tuple(signatures))

    @classmethod
    def read(cls, folder: Path, evidence: str) -> MessageThread:
        """Return the thread beside the evidence of a run; empty if there is none."""
        try:
            content = read_bounded(folder / THREAD_FILE, TEXT_LIMIT)
        except FileNotFoundError:
            content = b""
        return cls.parse(content, evidence)

    def append(  # noqa: PLR0913 - what a message has
        self,
        folder: Path,
        *,
        evidence: str,
        about: str,
        text: str,
        key: SigningKey,
        at: dt.datetime,
    ) -> ThreadMessage:
        """Sign a message and write it at the end of the thread of a run."""
        message = ThreadMessage(
            number=len(self.lines) + 1,
            previous=hashlib.sha256(self.lines[-1]).hexdigest() if self.lines else _FIRST,
            evidence=evidence,
            about=about,
            by=certificate_name(key.certificate),
            at=at.replace(microsecond=0),
            text=text,
        )
        signature = sign_permission(encode_canonical(message), key, message.at)
        encoded = base64.b64encode(signature).decode("ascii")
        line = encode_canonical(_SignedMessage(message=message, signature=encoded))
        content = b"".join(one + b"\n" for one in (*self.lines, line))
        write_file(folder / THREAD_FILE, content, replace=True)
        return message

    def signers(self, trust: Trust) -> Iterator[str]:
        """Yield who signed each message; raise for one that nobody trusted signed as its author."""
        for message, signature in zip(self.messages, self.signatures, strict=True):
            where = Path(f"{THREAD_FILE}:{message.number}")
            signer = verify_signature(encode_canonical(message), signature, where, trust)
            if signer.name != message.by:
                raise ThreadBroken(f"{where}: {signer.name} signed for {message.by}")
            yield signer.name


def _parse_line(line: bytes, number: int) -> tuple[ThreadMessage, bytes]:
    try:
        signed = msgspec.convert(decode_canonical(line), _SignedMessage)
        signature = base64.b64decode(signed.signature, validate=True)
    except (NotCanonical, msgspec.ValidationError, binascii.Error) as error:
        raise ThreadBroken(f"{THREAD_FILE}:{number}: {error}") from error
    respelt = base64.b64encode(signature).decode("ascii") != signed.signature
    if respelt or encode_canonical(signed) != line:
        raise ThreadBroken(f"{THREAD_FILE}:{number}: not in canonical form")
    return signed.message, signature
