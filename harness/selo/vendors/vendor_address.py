"""Opens a session with the vendor named by ``--vendor``."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from selo.text import say, user_error
from selo.vendors.child_process import ChildTransport
from selo.vendors.http_transport import HttpTransport
from selo.vendors.in_process import InProcessTransport, is_object_address
from selo.vendors.isolation import measure_isolation
from selo.vendors.resource_limits import DEFAULT_LIMITS, Limits
from selo.vendors.sandbox import (
    GUARANTEES,
    available_confinement,
    find_visible_files,
    list_missing_guarantees,
)
from selo.vendors.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from selo.vendors.sandbox import Room, VisibleFiles
    from selo.vendors.sandbox.plausible_world import World
    from selo.vendors.transport import Transport

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")


def connect(
    address: str,
    limits: Limits = DEFAULT_LIMITS,
    folder: Path | None = None,
    *,
    room: Room | None = None,
    world: World | None = None,
) -> Session:
    """Return a session with the vendor at `address`.

    The address is a URL such as ``http://127.0.0.1:8000/``, an object such as ``module:object`` or
    ``file.py:object``, or a command such as ``node adapter.mjs``. Objects and commands are looked
    up in `folder`; a command sees what `room` allows, and runs in `world`.
    """
    transport = _make_transport(address, limits, folder, room, world)
    if world is None:
        return Session(transport, limits)
    return Session(transport, limits, world.spelling, pauses=world.pauses)


def _make_transport(
    address: str, limits: Limits, folder: Path | None, room: Room | None, world: World | None
) -> Transport:
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
    return ChildTransport(command, limits, folder, room=room, world=world)


def describe_confinement(session: Session, language: str) -> str:
    """Return a sentence that describes the vendor's isolation."""
    transport = session.transport
    if transport.confinement is not None:
        return transport.confinement.describe(language)
    return say(
        "confinement.inside" if isinstance(transport, InProcessTransport) else "confinement.server",
        language,
    )


def describe_isolation(session: Session, measured: Mapping[str, bool], language: str) -> str:
    """Return sentences that say what was measured of the vendor's isolation."""
    missing = list_missing_guarantees(measured)
    if not missing:
        return say("isolation.whole", language, count=len(GUARANTEES))
    stated = describe_confinement(session, language)
    if len(missing) == len(GUARANTEES):
        return stated
    names = "; ".join(say(f"isolation.{name}", language) for name in missing)
    return say("isolation.partial", language, missing=names)


def list_visible_files(address: str, folder: Path, room: Room) -> VisibleFiles | None:
    """Return what the vendor at `address` sees of the host; none if it has no sandbox."""
    if not _is_command(address) or not available_confinement().files:
        return None
    return find_visible_files(shlex.split(address), folder, room)


def _is_command(address: str) -> bool:
    return _SCHEME.match(address) is None and not is_object_address(address)


def measure_address(
    address: str,
    folder: Path,
    room: Room,
    *,
    evidence: Sequence[str] = (),
    seed: Sequence[str] = (),
) -> dict[str, bool]:
    """Return which guarantees hold for the vendor at `address`; only a command has a room."""
    if not _is_command(address):
        return dict.fromkeys(GUARANTEES, False)
    return measure_isolation(shlex.split(address), folder, room, evidence=evidence, seed=seed)
