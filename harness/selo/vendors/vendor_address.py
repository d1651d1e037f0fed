"""Opens a session with the vendor named by ``--vendor``."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from selo.text import say, user_error
from selo.vendors.child_process import ChildTransport
from selo.vendors.http_transport import HttpTransport
from selo.vendors.in_process import InProcessTransport, is_object_address
from selo.vendors.resource_limits import DEFAULT_LIMITS, Limits
from selo.vendors.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from selo.vendors.transport import Transport

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")


def connect(address: str, limits: Limits = DEFAULT_LIMITS, folder: Path | None = None) -> Session:
    """Return a session with the vendor at `address`.

    The address is a URL such as ``http://127.0.0.1:8000/``, an object such as ``module:object`` or
    ``file.py:object``, or a command such as ``node adapter.mjs``. Objects and commands are looked
    up in `folder`.
    """
    return Session(_make_transport(address, limits, folder), limits)


def _make_transport(address: str, limits: Limits, folder: Path | None) -> Transport:
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme["scheme"].lower() in {"http", "https"}:
        return HttpTransport(address, limits)
    if scheme is not None:
        raise user_error("vendor-scheme", scheme=scheme["scheme"])
    if is_object_address(address):
        return InProcessTransport(address, folder)
    try:
        command = shlex.split(address)
    except ValueError as error:
        raise user_error("vendor-command", error=error) from error
    if not command:
        raise user_error("vendor-none")
    return ChildTransport(command, limits, folder)


def describe_confinement(session: Session, language: str) -> str:
    """Return a sentence that describes the vendor's isolation."""
    transport = session.transport
    if transport.confinement is not None:
        return transport.confinement.describe(language)
    return say(
        "confinement.inside" if isinstance(transport, InProcessTransport) else "confinement.server",
        language,
    )
