"""Measures the isolation of a vendor: a probe runs in its room, in its place, and looks for exits.

What it measures is written into the evidence and printed from there; a certificate needs all of it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.vendors import sandbox
from selo.vendors.child_process import ChildTransport
from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox import GUARANTEES, Room, available_confinement, list_rooms_of_selo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMESPACES: Final = ("user", "pid", "ipc", "uts", "net", "cgroup", "mnt")
_PROBE_SECONDS: Final = 20.0
_MEBIBYTE: Final = 1 << 20
#: What each probe takes too much of: its limits, how much it takes, and the fault that ends it.
_EXCESSES: Final = {
    "memory": (Limits(memory=48 * _MEBIBYTE), 64 * _MEBIBYTE, FaultKind.TOO_MUCH_MEMORY),
    "processes": (Limits(processes=8), 16, FaultKind.TOO_MANY_PROCESSES),
    "threads": (Limits(threads=16), 24, FaultKind.TOO_MANY_THREADS),
}


def measure_isolation(
    command: Sequence[str],
    folder: Path,
    room: Room,
    *,
    evidence: Sequence[str] = (),
    seed: Sequence[str] = (),
) -> dict[str, bool]:
    """Return which guarantees hold in the room in which `command` would run."""
    if not available_confinement().files:
        return dict.fromkeys(GUARANTEES, False)
    with _bait() as bait:
        wanted = {
            **bait,
            "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in _NAMESPACES},  # noqa: PTH115 - not a path
            "selo": [str(path) for path in list_rooms_of_selo()],
            "evidence": list(evidence),
            "seed": list(seed),
            "variables": [name for name in os.environ if name.startswith(("PYTEST", "AWS"))],
            "homes": [str(Path.home())],
        }
        probes = {
            name: _start_probe(command, folder, room, wanted=wanted, excess=name)
            for name in _EXCESSES
        }
        answers = [_read_answer(probe) for probe in probes.values()]
        ends = {name: _is_ended_by_limit(probe, name) for name, probe in probes.items()}
    return {
        **{name: all(answer.get(name, False) for answer in answers) for name in GUARANTEES},
        **ends,
    }


def _start_probe(
    command: Sequence[str], folder: Path, room: Room, *, wanted: dict[str, Any], excess: str
) -> ChildTransport | None:
    limits, amount, _ = _EXCESSES[excess]
    # The probe needs an interpreter, which the vendor may not have.
    shown = msgspec.structs.replace(room, visible=(*room.visible, sys.base_prefix))
    program = Path(sys.executable).resolve()
    source = Path(sandbox.__file__).with_name("probe_program.py").read_text(encoding="utf-8")
    try:
        probe = ChildTransport(
            command, limits, folder, room=shown, stand_in=[str(program), "-I", "-S", "-c", source]
        )
    except VendorBroken:
        return None
    files = probe.visible_files
    seen = (
        {}
        if files is None
        else {
            "visible": [str(path) for path in files.product],
            "bound": [str(path) for path in files.bound],
        }
    )
    line = {**wanted, **seen, "excess": excess, "amount": amount}
    probe.send(msgspec.json.encode(line))
    return probe


def _read_answer(probe: ChildTransport | None) -> dict[str, bool]:
    """Return what a probe found, and let it take too much."""
    if probe is None:
        return {}
    try:
        answer = msgspec.json.decode(probe.receive(_PROBE_SECONDS), type=dict[str, bool])
        probe.send(b"")
    except (VendorBroken, msgspec.MsgspecError):
        return {}
    return answer


def _is_ended_by_limit(probe: ChildTransport | None, excess: str) -> bool:
    if probe is None:
        return False
    try:
        probe.receive(_PROBE_SECONDS)
    except VendorBroken as error:
        return error.fault.kind is _EXCESSES[excess][2]
    finally:
        probe.kill()
    return False


@contextlib.contextmanager
def _bait() -> Iterator[dict[str, Any]]:
    """Lay out a listening port, sockets and a pipe on the host, none of which may be reached."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        named = stack.enter_context(socket.socket(socket.AF_UNIX))
        named.bind(str(folder / "socket"))
        named.listen()
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{folder.name}")
        abstract.listen()
        os.mkfifo(folder / "pipe")
        yield {
            "port": port.getsockname()[1],
            "socket": str(folder / "socket"),
            "abstract": folder.name,
            "pipe": str(folder / "pipe"),
        }
