"""Supervises one vendor process and all its descendants; runs as a process of its own.

The supervisor is the parent of the vendor's process and does not touch the pipes between it and
Selo. It is a child subreaper: every descendant of the vendor, even one that left its process group
and session, becomes its child when the descendant's parent exits. When Selo asks, or dies, the
supervisor can therefore find and kill them all.

It is started as ``python -I -S supervisor.py CONTROL CONFIG`` and uses only the standard library,
so that it starts fast. Over the control socket it sends one JSON line for each notice: the vendor
started, ended, or exceeded a limit. It receives ``T`` (terminate), ``K`` (kill) and ``?`` (the
vendor's output is closed: is it still alive?).
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

TYPE_CHECKING = False  # not from typing: a supervisor must start fast
if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBRARY = ctypes.CDLL(None, use_errno=True)
_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36
#: The kernel's call for the action of a signal, by machine, and the size of its set of signals.
_SET_SIGNAL_ACTION = {"x86_64": 13, "aarch64": 134}
_SIGNAL_SET_SIZE, _LIBRARY_SIGNALS = 8, (32, 33)
_NEW_TIME_NAMESPACE = 0x80
_POLL_SECONDS = 0.1
#: A vendor's children may end shortly after it; those alive later count as left behind.
_CHILDREN_GRACE_SECONDS = 1.0
_SHORT_POLL_SECONDS = 0.01
_KIBIBYTE = 1024
#: Fields of /proc/PID/status that count as memory of a process alone, and its threads.
_PRIVATE_MEMORY = (b"RssAnon", b"VmSwap", b"VmPTE")
_STATUS_FIELDS = {*_PRIVATE_MEMORY, b"Threads"}
#: What the kernel may keep in the buffer of an open socket or pipe (``net.core.wmem_max``).
_BUFFER_BYTES = 208 * _KIBIBYTE
#: What the kernel keeps of a file that has no content: its entry and its name.
_FILE_BYTES = 1024
#: How the kernel names shared memory that belongs to no file system with a size of its own.
_UNNAMED_MEMORY = (b"/dev/zero", b"/memfd:", b"/SYSV")
#: Indices of fields in /proc/PID/stat after the program's name.
_STATE, _PARENT, _FLAGS, _USER_TIME, _SYSTEM_TIME, _THREADS = 0, 1, 6, 11, 12, 17
_TICKS = os.sysconf("SC_CLK_TCK")
#: Flag of a process that is exiting (PF_EXITING).
_EXITING_FLAG = 0x4
#: A process that survives SIGKILL for this long cannot be killed.
_KILL_SECONDS = 10.0


def main() -> int:
    """Start the vendor, watch it, and leave none of its processes behind."""
    control = int(sys.argv[1])
    config = json.loads(sys.argv[2])
    if _prctl(_SET_CHILD_SUBREAPER, 1) != 0:
        _send_notice(control, {"failed": "the system does not let a process reap orphans"})
        return 1
    try:
        _supervise(control, config)
    except OSError:
        # Selo is dead: its end of the socket is closed or, with unread data, reset. Any read or
        # write can raise.
        import shutil  # noqa: PLC0415 - a supervisor must start fast

        _kill_all()
        shutil.rmtree(config["scratch"], ignore_errors=True)
    return 0


def _supervise(control: int, config: dict[str, object]) -> None:
    """Supervise the vendor from start to end; an OSError means that Selo is dead."""
    vendor = _start(control, config)
    if vendor is None:
        return
    # Only the vendor may hold the pipes, so that they close when it ends.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.set_inheritable(control, False)  # noqa: FBT003 - its only argument
    _watch(control, config, vendor)
    _send_notice(control, {"gone": True, "left": _kill_all()})


def _prctl(option: int, value: int) -> int:
    return int(_LIBRARY.prctl(option, value, 0, 0, 0))


def _mind_library_signals() -> None:
    """Restore the signals of the C library, which ``posix_spawn`` leaves ignored."""
    if call := _SET_SIGNAL_ACTION.get(os.uname().machine):
        for number in _LIBRARY_SIGNALS:  # the library refuses to change them
            _LIBRARY.syscall(call, number, bytes(32), None, _SIGNAL_SET_SIZE)


def _send_notice(control: int, notice: dict[str, object]) -> None:
    os.write(control, json.dumps(notice).encode() + b"\n")


def _start(control: int, config: dict[str, object]) -> int | None:
    """Start the vendor's command, or report why it cannot be started."""
    try:
        # The supervisor makes and removes the folder, since Selo may die at any moment.
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
        _hand_over(config["inputs"])  # type: ignore[arg-type]
        _shift_uptime(int(config["uptime"]))  # type: ignore[call-overload]
        # Without a sandbox a vendor can kill its supervisor; it must not outlive it.
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        for name, (soft, hard) in config["rlimits"].items():  # type: ignore[attr-defined]
            kind = getattr(resource, f"RLIMIT_{name}")
            hard_limit = resource.getrlimit(kind)[1]
            bounded = [
                value if hard_limit == resource.RLIM_INFINITY else min(value, hard_limit)
                for value in (soft, hard)
            ]
            resource.setrlimit(kind, (bounded[0], bounded[1]))
        # An interpreter ignores some of them, which a vendor could read in its own status.
        for handled in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
            signal.signal(handled, signal.SIG_DFL)
        _mind_library_signals()
        os.chdir(str(config["folder"]))
        command = config["command"]
        os.execvpe(command[0], command, config["environment"])  # type: ignore[index,arg-type]  # noqa: S606 - the vendor's command, without a shell
    except (OSError, ValueError) as error:
        os.write(writing, (getattr(error, "strerror", None) or str(error)).encode())
    os._exit(127)


def _hand_over(inputs: dict[str, str]) -> None:
    """Open a pipe with data for the sandbox program at each numbered file descriptor."""
    for number, content in inputs.items():
        reading, writing = os.pipe()
        os.write(writing, bytes.fromhex(content))
        os.close(writing)
        os.dup2(reading, int(number), inheritable=True)
        os.close(reading)


def _shift_uptime(seconds: int) -> None:
    """Let the machine seem to have been up longer, where this process may arrange that."""
    if not seconds or _LIBRARY.unshare(_NEW_TIME_NAMESPACE) != 0:
        return
    with contextlib.suppress(OSError), open("/proc/self/timens_offsets", "wb") as file:  # noqa: PTH123 - a keeper starts without pathlib
        file.write(b"boottime %d 0\nmonotonic %d 0\n" % (seconds, seconds))


def _watch(control: int, config: dict[str, object], vendor: int) -> None:
    """Watch the vendor until Selo orders its end or dies, or a limit is exceeded."""
    children_deadline: float | None = None
    children_reported = alive_asked = False
    #: The exit of the vendor wakes the loop, where the system supports pidfds.
    exit_events = _open_pidfd(vendor)
    while True:
        awaits_children = children_deadline is not None and not children_reported
        waking = [control] if children_deadline is not None else [control, *exit_events]
        wait = _SHORT_POLL_SECONDS if awaits_children or alive_asked else _POLL_SECONDS
        if control in select.select(waking, [], [], wait)[0]:
            order = os.read(control, 1)
            if order in {b"", b"K"}:
                return
            if order == b"T":
                with contextlib.suppress(OSError):
                    os.killpg(vendor, signal.SIGTERM)
            alive_asked = alive_asked or order == b"?"
        if _report_end(control, vendor):
            children_deadline = time.monotonic() + _CHILDREN_GRACE_SECONDS
        if alive_asked and (children_deadline is not None or not _is_exiting(vendor)):
            if children_deadline is None:
                _send_notice(control, {"lives": True})
            alive_asked = False
        # Scanning every process of the machine is slow; it is done only after the vendor's end.
        family = (children_deadline is None and _named_descendants()) or _list_descendants()
        if (
            children_deadline is not None
            and not children_reported
            and (not family or time.monotonic() > children_deadline)
        ):
            _send_notice(control, {"children": len(family)})
            children_reported = True
        if _report_limit(control, config, family):
            return


def _named_descendants() -> list[int]:
    """Return the descendants of this process by following /proc/PID/task/TID/children.

    A process that is just exiting can hide another: good enough to watch, not to kill.
    """
    descendants: list[int] = []
    level = _children_of(os.getpid())
    while level:
        descendants += level
        level = [child for parent in level for child in _children_of(parent)]
    return descendants


def _children_of(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - a keeper starts without pathlib
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123 - the same
                children += map(int, file.read().split())
    except OSError:
        # The process is gone, or the kernel does not list children.
        pass
    return children


def _report_limit(control: int, config: dict[str, object], family: list[int]) -> bool:
    """Report a limit that the vendor and its descendants exceed together."""
    private, threads, cpu = 0, 0, 0.0
    shared: dict[bytes, int] = {}
    for pid in family:
        cpu = max(cpu, _processor_seconds(pid))
        private += _count_open_files(pid) * _BUFFER_BYTES
        status = _read_status(pid)
        private += sum(status.get(name, 0) for name in _PRIVATE_MEMORY) * _KIBIBYTE
        threads += status.get(b"Threads", 0)
        _add_shared_memory(pid, shared)
    stored = _stored_memory(family, config["in_memory"])  # type: ignore[arg-type]
    seen = {
        "memory": private + sum(shared.values()) + stored,
        "processes": len(family),
        "threads": threads,
        "cpu": cpu,
    }
    for limit, used in seen.items():
        if used > config[limit]:  # type: ignore[operator]
            _send_notice(control, {"limit": limit, "seen": used})
            return True
    return False


def _processor_seconds(pid: int) -> float:
    """Return the processor time of a process; none if it is gone."""
    stat = _read_stat(pid)
    return 0.0 if stat is None else (int(stat[_USER_TIME]) + int(stat[_SYSTEM_TIME])) / _TICKS


def _count_open_files(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - a keeper starts without pathlib
    except OSError:
        return 0


def _read_status(pid: int) -> dict[bytes, int]:
    """Return the numbers of /proc/PID/status; none of a process that is gone."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123 - a keeper starts without pathlib
            lines = file.read().splitlines()
    except OSError:
        return {}
    numbers: dict[bytes, int] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        if name in _STATUS_FIELDS:
            numbers[name] = int(value.split()[0])
    return numbers


def _add_shared_memory(pid: int, shared: dict[bytes, int]) -> None:
    """Add the extent of every shared mapping without a file, each object once.

    Their extent counts, not what is resident: pages that a process has let go of stay in memory.
    """
    try:
        with open(f"/proc/{pid}/maps", "rb") as file:  # noqa: PTH123 - the same
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        where, rights, offset, device, inode, *name = line.split(None, 5)
        if rights.endswith(b"s") and name and name[0].startswith(_UNNAMED_MEMORY):
            first, last = (int(part, 16) for part in where.split(b"-"))
            extent = int(offset, 16) + last - first
            shared[device + inode] = max(shared.get(device + inode, 0), extent)


def _stored_memory(family: list[int], folders: list[str]) -> int:
    """Return what the files in folders that are kept in memory take up."""
    for pid in reversed(family):
        try:
            found = [os.statvfs(f"/proc/{pid}/root{name}") for name in folders]
        except OSError:
            continue  # it is gone, or not yet inside of its sandbox
        # Files without content take up memory as well.
        return sum(
            (one.f_blocks - one.f_bfree) * one.f_frsize + (one.f_files - one.f_ffree) * _FILE_BYTES
            for one in found
        )
    return 0


def _open_pidfd(vendor: int) -> list[int]:
    try:
        return [os.pidfd_open(vendor)]
    except OSError:
        return []


def _is_exiting(vendor: int) -> bool:
    """Return whether a process is exiting or dead."""
    stat = _read_stat(vendor)
    return stat is None or _is_dead(stat) or bool(int(stat[_FLAGS]) & _EXITING_FLAG)


def _read_stat(pid: int | str) -> list[bytes] | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a keeper starts without pathlib
            # A program's name may contain blanks and brackets, so split after the last bracket.
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _is_dead(stat: list[bytes]) -> bool:
    """Return whether all threads of a process are dead: the first may die before the others."""
    return stat[_STATE] in {b"Z", b"X"} and int(stat[_THREADS]) <= 1


def _report_end(control: int, vendor: int) -> bool:
    """Reap zombies, and report the vendor's exit if it is among them."""
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
    """Kill every descendant, including new ones, and return the number of survivors."""
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
    """Return the living descendants of this process by scanning /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - a keeper starts without pathlib
        stat = _read_stat(name) if name.isdigit() else None
        if stat is not None and not _is_dead(stat):
            children.setdefault(int(stat[_PARENT]), []).append(int(name))
    descendants: list[int] = []
    level = children.get(os.getpid(), [])
    while level:
        descendants += level
        level = [pid for parent in level for pid in children.get(parent, [])]
    return descendants


if __name__ == "__main__":
    sys.exit(main())
