"""From what a person writes after ``--vendor`` to a session with that vendor."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from selo.text import wrong
from selo.text.message_catalogue import say
from selo.vendors.child_process import Child
from selo.vendors.http_transport import Web
from selo.vendors.in_process import Inside, is_object
from selo.vendors.resource_limits import DEFAULT, Limits
from selo.vendors.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from selo.vendors.transport import Transport

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")


def connect(address: str, limits: Limits = DEFAULT, folder: Path | None = None) -> Session:
    """Return a session with the vendor at `address`.

    That is an address such as ``http://127.0.0.1:8000/``, an object such as ``module:object`` or
    ``file.py:object``, or else a command, such as ``node adapter.mjs``; what is not an address is
    looked for in `folder`.
    """
    return Session(_transport(address, limits, folder), limits)


def _transport(address: str, limits: Limits, folder: Path | None) -> Transport:
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme["scheme"].lower() in {"http", "https"}:
        return Web(address, limits)
    if scheme is not None:
        raise wrong("vendor-scheme", scheme=scheme["scheme"])
    if is_object(address):
        return Inside(address, folder)
    try:
        command = shlex.split(address)
    except ValueError as error:
        raise wrong("vendor-command", error=error) from error
    if not command:
        raise wrong("vendor-none")
    return Child(command, limits, folder)


def care(session: Session, language: str) -> str:
    """Return one sentence about what holds the vendor back."""
    transport = session.transport
    if transport.confinement is not None:
        return transport.confinement.told(language)
    return say(
        "confinement.inside" if isinstance(transport, Inside) else "confinement.server", language
    )
