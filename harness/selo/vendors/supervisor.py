"""Keeps one vendor process and everything that comes of it; runs as a process of its own.

The keeper stands between Selo and the vendor's process without touching their pipes.
Every descendant of the vendor, even one that left its group and its session, falls to the keeper
when its parent ends, because the keeper is a reaper of orphans. So when Selo asks, or dies, the
keeper can find them all and end them all.

It is started as ``python -I -S keeper.py CONTROL CONFIG`` and needs nothing but the standard
library: it must start in a moment. Over the control socket it tells, one JSON line each, how the
vendor started, ended, or passed a limit; it is told ``T`` (end it), ``K`` (kill it) and ``?`` (its
output is closed: does it live on?).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time

TYPE_CHECKING = False  # not from typing: a keeper must start in a moment
if TYPE_CHECKING:
    from collections.abc import Iterator

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.1
#: A vendor's own children may end a moment after it; those that are there later were left behind.
_CHILDREN_GRACE_SECONDS = 1.0
_SHORT_POLL_SECONDS = 0.01
_PAGE_BYTES = os.sysconf("SC_PAGESIZE")
#: Where things stand in the stat of a process, after its name.
_STATE, _PARENT, _FLAGS, _THREADS = 0, 1, 6, 17
#: The flag of a process that is on its way out.
_EXITING_FLAG = 0x4
#: A process that is killed again and again for so long cannot be killed.
_KILL_SECONDS = 10.0


def main() -> int:
    """Start the vendor, watch it, and leave nothing of it behind."""
    control = int(sys.argv[1])
    config = json.loads(sys.argv[2])
    # Not from importing resource: a keeper that reaps cannot do so by half.
    if _prctl(_SET_CHILD_SUBREAPER, 1) != 0:
        _send_notice(control, {"failed": "the system does not let a process reap orphans"})
        return 1
    try:
        _supervise(control, config)
    except OSError:
        # Selo is dead. Its end of the socket is closed or, if it left a word unread, reset; that
        # can show at any word we say or hear.
        import shutil  # noqa: PLC0415 - a keeper must start in a moment

        _kill_all()
        shutil.rmtree(config["scratch"], ignore_errors=True)
    return 0


def _supervise(control: int, config: dict[str, object]) -> None:
    """Keep the vendor from its start to its end; an OSError means that Selo is dead."""
    vendor = _start(control, config)
    if vendor is None:
        return
    # The pipes are the vendor's alone: its end must be the end of them.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.set_inheritable(control, False)  # noqa: FBT003 - its only argument
    _watch(control, config, vendor)
    _send_notice(control, {"gone": True, "left": _kill_all()})


def _prctl(option: int, value: int) -> int:
    return int(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0))


def _send_notice(control: int, what: dict[str, object]) -> None:
    os.write(control, json.dumps(what).encode() + b"\n")


def _start(control: int, config: dict[str, object]) -> int | None:
    """Start the vendor's command, or tell why it cannot be started."""
    try:
        # Whoever clears it away makes it: Selo may die at any moment.
        os.mkdir(str(config["scratch"]), 0o700)  # noqa: PTH102 - a keeper starts without pathlib
    except OSError as error:
        _send_notice(control, {"failed": f"{config['scratch']}: {error.strerror}"})
        return None
    reading, writing = os.pipe()
    vendor = os.fork()
    if vendor == 0:
        _exec_vendor(config, writing, control)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        failure = pipe.read()
    if failure:
        os.waitpid(vendor, 0)
        _send_notice(control, {"failed": failure.decode(errors="replace")})
        return None
    _send_notice(control, {"started": vendor})
    return vendor


def _exec_vendor(config: dict[str, object], writing: int, control: int) -> None:
    """Turn this forked process into the vendor; never returns."""
    try:
        os.setpgid(0, 0)
        os.close(control)
        # Without a sandbox a vendor can kill its keeper; it is not to live longer.
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        for name, (soft, hard) in config["rlimits"].items():  # type: ignore[attr-defined]
            kind = getattr(resource, f"RLIMIT_{name}")
            most = resource.getrlimit(kind)[1]
            bounded = [
                value if most == resource.RLIM_INFINITY else min(value, most)
                for value in (soft, hard)
            ]
            resource.setrlimit(kind, (bounded[0], bounded[1]))
        for one in (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM):
            signal.signal(one, signal.SIG_DFL)
        os.chdir(str(config["folder"]))
        command = config["command"]
        os.execvpe(command[0], command, config["environment"])  # type: ignore[index,arg-type]  # noqa: S606 - the vendor's command, without a shell
    except (OSError, ValueError) as error:
        os.write(writing, (getattr(error, "strerror", None) or str(error)).encode())
    os._exit(127)


def _watch(control: int, config: dict[str, object], vendor: int) -> None:
    """Watch the vendor until Selo says or dies, or a limit is passed."""
    settled: float | None = None
    told = asked = False
    #: The end of the vendor wakes us, where the system can do that.
    end = _open_pidfd(vendor)
    while True:
        settling = settled is not None and not told
        waking = [control] if settled is not None else [control, *end]
        wait = _SHORT_POLL_SECONDS if settling or asked else _POLL_SECONDS
        if control in select.select(waking, [], [], wait)[0]:
            word = os.read(control, 1)
            if word in {b"", b"K"}:
                return
            if word == b"T":
                with contextlib.suppress(OSError):
                    os.killpg(vendor, signal.SIGTERM)
            asked = asked or word == b"?"
        if _report_end(control, vendor):
            settled = time.monotonic() + _CHILDREN_GRACE_SECONDS
        if asked and (settled is not None or not _is_exiting(vendor)):
            if settled is None:
                _send_notice(control, {"lives": True})
            asked = False
        # To look at every process of the machine takes long; where something hangs on it, we do.
        family = (settled is None and _named_descendants()) or _list_descendants()
        if settled is not None and not told and (not family or time.monotonic() > settled):
            _send_notice(control, {"children": len(family)})
            told = True
        if _report_limit(control, config, family):
            return


def _named_descendants() -> list[int]:
    """Return the processes that come of this one, as they name their children.

    One that ends just now can hide another for a moment: good enough to watch, not to kill.
    """
    found: list[int] = []
    level = _children_of(os.getpid())
    while level:
        found += level
        level = [child for parent in level for child in _children_of(parent)]
    return found


def _children_of(pid: int) -> list[int]:
    named: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - a keeper starts without pathlib
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123 - the same
                named += map(int, file.read().split())
    except OSError:
        # It is gone, or the system names no children.
        pass
    return named


def _report_limit(control: int, config: dict[str, object], family: list[int]) -> bool:
    """Tell of a limit that the vendor and all that came of it have passed together."""
    seen = {"memory": sum(map(_private_memory, family)), "processes": len(family)}
    for limit, used in seen.items():
        if used > config[limit]:  # type: ignore[operator]
            _send_notice(control, {"limit": limit, "seen": used})
            return True
    return False


def _open_pidfd(vendor: int) -> list[int]:
    try:
        return [os.pidfd_open(vendor)]
    except OSError:
        return []


def _is_exiting(vendor: int) -> bool:
    """Return whether a process has closed its files because it ends, though it has not yet."""
    stat = _read_stat(vendor)
    return stat is None or _is_dead(stat) or bool(int(stat[_FLAGS]) & _EXITING_FLAG)


def _read_stat(pid: int | str) -> list[bytes] | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a keeper starts without pathlib
            # The name of a program may hold blanks and brackets, so we look after the last one.
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _is_dead(stat: list[bytes]) -> bool:
    """Return whether all of a process is dead: its first thread may die before the others."""
    return stat[_STATE] in {b"Z", b"X"} and int(stat[_THREADS]) <= 1


def _report_end(control: int, vendor: int) -> bool:
    """Bury the dead, and tell of the vendor's end if it is among them."""
    for pid, status, usage in _reap():
        if pid == vendor:
            cpu = usage.ru_utime + usage.ru_stime
            _send_notice(control, {"ended": os.waitstatus_to_exitcode(status), "cpu": cpu})
            return True
    return False


def _reap() -> Iterator[tuple[int, int, resource.struct_rusage]]:
    with contextlib.suppress(ChildProcessError):
        while (dead := os.wait4(-1, os.WNOHANG))[0]:
            yield dead


def _kill_all() -> int:
    """Kill every descendant, also those born meanwhile, and return how many did not die."""
    until = time.monotonic() + _KILL_SECONDS
    family = _list_descendants()
    while family and time.monotonic() < until:
        for pid in family:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for _ in _reap():
            pass
        family = _list_descendants()
        if family:
            time.sleep(0.005)
    return len(family)


def _list_descendants() -> list[int]:
    """Return the living processes that come of this one."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - a keeper starts without pathlib
        stat = _read_stat(name) if name.isdigit() else None
        if stat is not None and not _is_dead(stat):
            children.setdefault(int(stat[_PARENT]), []).append(int(name))
    found: list[int] = []
    level = children.get(os.getpid(), [])
    while level:
        found += level
        level = [pid for parent in level for pid in children.get(parent, [])]
    return found


def _private_memory(pid: int) -> int:
    """Return the memory that a process holds for itself alone, or nothing if it is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123 - a keeper starts without pathlib
            _, resident, shared = map(int, file.read().split()[:3])
    except (OSError, ValueError):
        return 0
    return max(0, resident - shared) * _PAGE_BYTES


if __name__ == "__main__":
    sys.exit(main())
