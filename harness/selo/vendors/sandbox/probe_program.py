"""Looks for ways out of a sandbox from inside of it, where a vendor would run.

It uses no module of Selo. It reads one line, which names what it must not find, and answers with
one line: each guarantee by its name, and whether it holds. After a second line it takes more
memory, processes or threads than it may have, and waits for its end.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import mmap
import os
import platform
import socket
import stat
import sys
import threading
import time
from pathlib import Path

TYPE_CHECKING = False  # not from typing: a probe must start fast
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Wanted = dict[str, object]

_NEW_USER = 0x10000000
_CHILD_SIGNAL = 17
_REFUSALS = {errno.EPERM, errno.ENOSYS}
#: System calls by machine.
_CALLS = {
    "x86_64": {"mount": 165, "ptrace": 101, "keyctl": 250, "io_uring_setup": 425, "clone": 56,
               "unshare": 272, "bpf": 321},
    "aarch64": {"mount": 40, "ptrace": 117, "keyctl": 219, "io_uring_setup": 425, "clone": 220,
                "unshare": 97, "bpf": 280},
}  # fmt: skip
_TEMPORARY = ("/tmp", "/var/tmp", "/run", "/dev/shm", "/root")  # noqa: S108 - to look into them
_KERNEL_SETTING = "/proc/sys/vm/swappiness"
_MOST_ENTRIES = 20_000
_CONNECT_SECONDS = 0.5
_WAIT_SECONDS = 30
_VIRTUAL_MACHINE_FAMILY = 40


def main() -> int:
    """Answer one line with what was found."""
    wanted = json.loads(sys.stdin.readline())
    answer = {name: _holds(probe, wanted) for name, probe in PROBES.items()}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    if sys.stdin.readline():
        EXCESSES[wanted["excess"]](int(wanted["amount"]))
        time.sleep(_WAIT_SECONDS)
    return 0


def _holds(probe: Callable[[Wanted], bool], wanted: Wanted) -> bool:
    try:
        return probe(wanted)
    except Exception:  # noqa: BLE001 - what could not be looked at does not hold
        return False


def _names(wanted: Wanted, key: str) -> list[str]:
    return list(wanted[key])  # type: ignore[call-overload, no-any-return]


def _has_no_network(wanted: Wanted) -> bool:
    interfaces = {name for _, name in socket.if_nameindex()}
    with socket.socket() as caller:
        caller.settimeout(_CONNECT_SECONDS)
        reached = caller.connect_ex(("127.0.0.1", int(wanted["port"]))) == 0  # type: ignore[call-overload]
    return interfaces <= {"lo"} and not reached


def _cannot_write(wanted: Wanted) -> bool:
    for folder in ("/", "/usr", "/etc", "/dev", "/run", *_names(wanted, "visible")):
        try:
            with Path(folder, "written").open("x"):
                return False
        except OSError:
            pass
    try:
        with Path(_KERNEL_SETTING).open("r+"):
            return False
    except OSError:
        return True


def _reaches_no_socket(wanted: Wanted) -> bool:
    with contextlib.suppress(OSError):
        # Each of a pair of datagram sockets can send to any name.
        for one in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM):
            one.close()
        return False
    for address in (str(wanted["socket"]), "\0" + str(wanted["abstract"])):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(_CONNECT_SECONDS)
            if caller.connect_ex(address) == 0:
                return False
    try:
        # The network namespace does not hold sockets between virtual machines.
        socket.socket(_VIRTUAL_MACHINE_FAMILY, socket.SOCK_STREAM).close()
    except OSError:
        return True
    return False


def _meets_no_pipe(wanted: Wanted) -> bool:
    if os.path.lexists(str(wanted["pipe"])):
        return False
    return all(
        stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)
        for folder in _names(wanted, "visible")
        for mode in _modes_below(folder)
    )


def _modes_below(folder: str) -> Iterator[int]:
    """Yield the modes of the files below a folder; fail if there are too many to look at."""
    seen = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            seen += 1
            if seen > _MOST_ENTRIES:
                raise OverflowError
            with contextlib.suppress(FileNotFoundError):
                yield Path(place, name).lstat().st_mode


def _finds_nothing(key: str) -> Callable[[Wanted], bool]:
    def probe(wanted: Wanted) -> bool:
        return not any(_has_content(Path(name)) for name in _names(wanted, key))

    return probe


def _has_content(path: Path) -> bool:
    try:
        if path.is_dir():
            return any(_has_content(inner) for inner in path.iterdir())
        with path.open("rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def _sees_no_process(wanted: Wanted) -> bool:
    ours = Path("/proc/self/ns/pid").readlink()
    seen = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    if any((path / "ns/pid").readlink() != ours for path in seen):
        return False
    return not os.path.lexists("/proc/1/root" + str(wanted["pipe"]))


def _has_namespaces(wanted: Wanted) -> bool:
    outside: dict[str, str] = wanted["namespaces"]  # type: ignore[assignment]
    return all(
        str(Path("/proc/self/ns", name).readlink()) != link for name, link in outside.items()
    )


def _call(name: str, *arguments: int) -> int:
    """Make a system call; return the number of its error, or 0."""
    library = ctypes.CDLL(None, use_errno=True)
    number = _CALLS[platform.machine()][name]
    result = library.syscall(number, *(ctypes.c_long(value) for value in arguments))
    if name == "clone" and result == 0:
        os._exit(0)
    return ctypes.get_errno() if result == -1 else 0


def _refuses(name: str, *arguments: int) -> Callable[[Wanted], bool]:
    return lambda _: _call(name, *arguments) in _REFUSALS


def _cannot_nest(_: Wanted) -> bool:
    return bool(
        _call("unshare", _NEW_USER) and _call("clone", _NEW_USER | _CHILD_SIGNAL, 0, 0, 0, 0)
    )


def _has_no_privileges(_: Wanted) -> bool:
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    rights = [int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
    return not any(rights) and fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2"


def _holds_no_descriptor(_: Wanted) -> bool:
    # The one that lists them is closed by the time it is checked.
    found = [path for path in Path("/proc/self/fd").iterdir() if path.exists()]
    return {int(path.name) for path in found} <= {0, 1, 2}


def _is_told_nothing(wanted: Wanted) -> bool:
    known = _names(wanted, "variables")
    return not any(name.upper().startswith("SELO") or name in known for name in os.environ)


def _has_empty_folders(wanted: Wanted) -> bool:
    """Tell whether folders for temporary files lead to nothing but what is visible."""
    visible = _names(wanted, "bound")
    for start in (*_TEMPORARY, *_names(wanted, "homes")):
        for place, below, files in os.walk(start):
            if any(place == name or place.startswith(name + os.sep) for name in visible):
                # What is bound there was named; an interpreter has thousands of folders.
                below.clear()
                continue
            leads = any(name.startswith(place.rstrip(os.sep) + os.sep) for name in visible)
            if files or (place != start and not leads):
                return False
    return True


def _take_memory(amount: int) -> None:
    """Fill shared memory, and let go of its pages, which stay in memory."""
    shared = mmap.mmap(-1, amount, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    for at in range(0, amount, mmap.PAGESIZE):
        shared[at] = 1
    shared.madvise(mmap.MADV_DONTNEED)
    time.sleep(_WAIT_SECONDS)


def _take_processes(amount: int) -> None:
    for _ in range(amount):
        if os.fork() == 0:
            time.sleep(_WAIT_SECONDS)
            os._exit(0)


def _take_threads(amount: int) -> None:
    for _ in range(amount):
        threading.Thread(target=time.sleep, args=(_WAIT_SECONDS,), daemon=True).start()


PROBES: dict[str, Callable[[Wanted], bool]] = {
    "network": _has_no_network,
    "files": _cannot_write,
    "sockets": _reaches_no_socket,
    "pipes": _meets_no_pipe,
    "selo": _finds_nothing("selo"),
    "evidence": _finds_nothing("evidence"),
    "seed": _finds_nothing("seed"),
    "temporary": _has_empty_folders,
    "others": _sees_no_process,
    "namespaces": _has_namespaces,
    "nesting": _cannot_nest,
    "privileges": _has_no_privileges,
    "mount": _refuses("mount", 0, 0, 0, 0, 0),
    "ptrace": _refuses("ptrace", 0, 0, 0, 0),
    "keyring": _refuses("keyctl", 0, -3, 0, 0, 0),
    "io-uring": _refuses("io_uring_setup", 0, 0),
    "descriptors": _holds_no_descriptor,
    "environment": _is_told_nothing,
}
EXCESSES: dict[str, Callable[[int], None]] = {
    "memory": _take_memory,
    "processes": _take_processes,
    "threads": _take_threads,
}
#: Everything that a room promises, by name, in the order in which it is told.
GUARANTEES = (*PROBES, *EXCESSES)

if __name__ == "__main__":
    sys.exit(main())
