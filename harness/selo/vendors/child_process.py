"""Transport to a vendor's child process: one message per line over standard input and output."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.vendors import sandbox, supervisor
from selo.vendors.faults import (
    MAX_KEPT_BYTES,
    AdapterFault,
    FaultKind,
    VendorBroken,
    make_fault,
    vendor_broken,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selo.vendors.resource_limits import Limits
    from selo.vendors.sandbox.plausible_world import World

_CHUNK_BYTES: Final = 1 << 20
#: Time for the supervisor to carry out an order, beyond the vendor's own time.
_SUPERVISOR_SECONDS: Final = 30.0
_NAME_BYTES: Final = 8


class ChildTransport:
    """A vendor's process, its supervisor, and the lines exchanged with it."""

    window = 8

    def __init__(  # noqa: PLR0913 - a command, its room and its world
        self,
        command: Sequence[str],
        limits: Limits,
        folder: Path | None = None,
        *,
        room: sandbox.Room | None = None,
        world: World | None = None,
        stand_in: Sequence[str] | None = None,
    ) -> None:
        self.name = subprocess.list2cmdline(command)
        self.confinement: sandbox.Confinement | None = sandbox.available_confinement()
        self._room, self._world = room or sandbox.Room(), world
        self._stand_in = stand_in  # runs in place of the vendor's command, in its room
        #: What the vendor sees of the host's files; none without a sandbox.
        self.visible_files: sandbox.VisibleFiles | None = None
        self._limits = limits
        self._lines: deque[bytes] = deque()
        self._partial: list[bytes] = []
        self._partial_size = 0
        self._outgoing: deque[memoryview] = deque()
        self._output_bytes = 0
        self._answered = False
        self._stderr_tail = bytearray()
        self._stderr_bytes = 0
        self._notices = bytearray()
        self._ended: dict[str, Any] | None = None
        self._is_alive = False
        self._left_behind: int | None = None
        self._supervisor_gone = False
        # The supervisor creates it, so that none is left if Selo dies before the supervisor starts.
        name = f"selo-vendor-{secrets.token_hex(_NAME_BYTES)}"
        self._scratch = str(Path(tempfile.gettempdir(), name))
        self._start(list(command), folder or Path.cwd())

    def _start(self, command: list[str], folder: Path) -> None:
        limits, scratch = self._limits, Path(self._scratch)
        program = shutil.which(command[0], path=os.environ.get("PATH"))
        if program is None and not Path(folder, command[0]).exists():
            raise vendor_broken(
                FaultKind.CANNOT_START, command=self.name, because=f"no program {command[0]}"
            )
        start = sandbox.prepare_start(
            command,
            folder=folder,
            room=self._room,
            scratch=scratch,
            size=limits.scratch,
            world=self._world,
            stand_in=self._stand_in,
        )
        self.visible_files = start.files
        config = {
            "command": start.command,
            "environment": start.environment,
            "inputs": {number: content.hex() for number, content in start.inputs.items()},
            "in_memory": start.in_memory,
            "uptime": start.uptime,
            "folder": str(folder),
            "scratch": self._scratch,
            "memory": limits.memory,
            "processes": limits.processes,
            "threads": limits.threads,
            "cpu": limits.cpu,
            "rlimits": limits.system_limits(has_room=start.files is not None),
        }
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(  # noqa: S603 - running a vendor's command is what we do
            [sys.executable, "-I", "-S", supervisor.__file__, str(theirs.fileno()),
             msgspec.json.encode(config).decode()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()], start_new_session=True, bufsize=0,
        )  # fmt: skip
        theirs.close()
        self._control = ours
        self._control.settimeout(0)
        self._in, self._out, self._err = (
            stream.fileno()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
            if stream is not None
        )
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
            with contextlib.suppress(OSError):  # a limit of the system, not of ours
                # The default of 64 KiB blocks at every batch.
                fcntl.fcntl(stream, fcntl.F_SETPIPE_SZ, start.pipe_bytes)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._poll.register(self._control, select.POLLIN)

    # Lines.

    def send(self, line: bytes) -> None:
        """Send a line without waiting for the vendor."""
        if not self._outgoing:
            self._poll.register(self._in, select.POLLOUT)
        self._outgoing.append(memoryview(line + b"\n"))
        self._write()

    def receive(self, seconds: float) -> bytes:
        """Return the next line received."""
        if not self._lines:
            self._wait_for_line(time.monotonic() + seconds, seconds)
        self._answered = True
        return self._lines.popleft()

    def _wait_for_line(self, deadline: float, seconds: float) -> None:
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._break_off(self._late_fault(seconds))
            self._pump(left)

    def _late_fault(self, seconds: float) -> AdapterFault:
        partial = b"".join(self._partial)[:MAX_KEPT_BYTES]
        return msgspec.structs.replace(
            make_fault(FaultKind.LATE, seconds=f"{seconds:g}", raw=partial),
            raw_length=self._partial_size,
        )

    def _pump(self, seconds: float) -> None:
        """Handle ready streams, waiting at most `seconds` for one."""
        for stream, happened in self._poll.poll(seconds * 1000):
            if stream == self._out:
                self._read()
            elif stream == self._in:
                self._write(failed=bool(happened & (select.POLLERR | select.POLLHUP)))
            elif stream == self._err:
                self._read_errors()
            else:
                self._read_control()

    def _write(self, *, failed: bool = False) -> None:
        try:
            while self._outgoing and not failed:
                line = self._outgoing[0]
                written = os.write(self._in, line)
                if written < len(line):
                    self._outgoing[0] = line[written:]
                    return
                self._outgoing.popleft()
        except BlockingIOError:
            return
        except BrokenPipeError:
            failed = True
        if failed:
            # Reading its output shows whether it died or only closed its input.
            self._outgoing.clear()
        self._poll.unregister(self._in)

    def _read(self) -> None:
        try:
            chunk = os.read(self._out, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self._raise_death()
        self._output_bytes += len(chunk)
        if self._output_bytes > self._limits.output:
            raise self._break_off(
                make_fault(FaultKind.TOO_MUCH_OUTPUT, size=self._limits.output, raw=chunk)
            )
        first, newline, rest = chunk.partition(b"\n")
        self._partial.append(first)
        self._partial_size += len(first)
        if self._partial_size > self._limits.line:
            raw = b"".join(self._partial)
            raise self._break_off(
                make_fault(FaultKind.LINE_TOO_LONG, size=self._limits.line, raw=raw)
            )
        if newline:
            whole = b"".join(self._partial) if len(self._partial) > 1 else first
            *lines, last = rest.split(b"\n")
            self._lines.append(whole)
            self._lines.extend(lines)
            self._partial = [last]
            self._partial_size = len(last)

    def _read_errors(self) -> None:
        try:
            chunk = os.read(self._err, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            # After the vendor's death the stream may be read, and unregistered, again.
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._err)
            return
        self._stderr_bytes += len(chunk)
        self._stderr_tail += chunk
        del self._stderr_tail[:-MAX_KEPT_BYTES]
        if self._stderr_bytes > self._limits.stderr:
            raise self._break_off(make_fault(FaultKind.TOO_MUCH_STDERR, size=self._limits.stderr))

    # The end.

    def _read_control(self) -> None:
        try:
            chunk = self._control.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self._supervisor_gone = True
            self._poll.unregister(self._control)
            return
        self._notices += chunk
        while b"\n" in self._notices:
            line, _, rest = self._notices.partition(b"\n")
            self._notices = bytearray(rest)
            self._handle_notice(msgspec.json.decode(line))

    def _handle_notice(self, notice: dict[str, Any]) -> None:
        if "failed" in notice:
            raise self._break_off(
                make_fault(FaultKind.CANNOT_START, command=self.name, because=notice["failed"])
            )
        if "ended" in notice:
            self._ended = notice
        if "lives" in notice:
            self._is_alive = True
        if "children" in notice:
            self._left_behind = int(notice["children"])
        if "limit" in notice:
            kind = {
                "memory": FaultKind.TOO_MUCH_MEMORY,
                "processes": FaultKind.TOO_MANY_PROCESSES,
                "threads": FaultKind.TOO_MANY_THREADS,
                "cpu": FaultKind.TOO_MUCH_CPU,
            }
            seen, most = notice["seen"], getattr(self._limits, notice["limit"])
            raise self._break_off(make_fault(kind[notice["limit"]], seen=seen, size=most))

    def _raise_death(self) -> None:
        """Raise the fault of a vendor that has closed its output."""
        self._poll.unregister(self._out)
        with contextlib.suppress(OSError):
            self._control.send(b"?")
        until = time.monotonic() + _SUPERVISOR_SECONDS
        while (
            not (self._ended or self._is_alive or self._supervisor_gone)
            and time.monotonic() < until
        ):
            self._pump(until - time.monotonic())
        # Its last words on the error stream are the best hint.
        with contextlib.suppress(OSError):
            self._read_errors()
        status = None if self._ended is None else int(self._ended["ended"])
        partial = b"".join(self._partial)
        if status is None and not self._supervisor_gone:
            raise self._break_off(make_fault(FaultKind.CLOSED_OUTPUT, raw=partial))
        if not self._answered and self.visible_files is not None:
            unseen = self.visible_files.find_unseen(self._stderr_tail.decode(errors="replace"))
            slots = {"file": unseen or "", "status": _status_text(status)}
            if unseen:
                raise self._break_off(make_fault(FaultKind.NOT_VISIBLE, raw=partial, **slots))
        kind = FaultKind.DIED if self._answered else FaultKind.DIED_AT_START
        raise self._break_off(make_fault(kind, status=_status_text(status), raw=partial))

    def _break_off(self, fault: AdapterFault) -> VendorBroken:
        """Kill the vendor and return a fault with its error stream, to be raised."""
        self.kill()
        return VendorBroken(msgspec.structs.replace(fault, stderr=self.stderr()))

    def stderr(self) -> bytes:
        """Return the tail of the vendor's error stream."""
        return bytes(self._stderr_tail)

    def end(self) -> list[AdapterFault]:
        """Close the vendor's input and wait for its exit; then terminate it, then kill it."""
        self._close_input()
        try:
            faults = self._wait_for_exit()
        except VendorBroken as error:
            return [error.fault]
        stderr = self.stderr()
        self.kill()
        return [msgspec.structs.replace(fault, stderr=stderr) for fault in faults]

    def _wait_for_exit(self) -> list[AdapterFault]:
        """Wait for the vendor's exit; return the faults of a disorderly exit."""
        faults: list[AdapterFault] = []
        self._wait_until(lambda: self._ended is not None, self._limits.grace)
        if self._ended is None:
            faults.append(make_fault(FaultKind.NOT_ENDED, seconds=f"{self._limits.grace:g}"))
            with contextlib.suppress(OSError):
                self._control.send(b"T")
            self._wait_until(lambda: self._ended is not None, self._limits.grace)
            return faults
        if self._ended["ended"] != 0:
            faults.append(
                make_fault(FaultKind.EXIT_STATUS, status=_status_text(int(self._ended["ended"])))
            )
        self._wait_until(lambda: self._left_behind is not None, _SUPERVISOR_SECONDS)
        if self._left_behind:
            faults.append(make_fault(FaultKind.LEFT_BEHIND, count=self._left_behind))
        return faults

    def _close_input(self) -> None:
        if self._outgoing:
            self._outgoing.clear()
            self._poll.unregister(self._in)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _wait_until(self, is_reported: Callable[[], bool], seconds: float) -> None:
        """Wait up to `seconds` for a notice of the supervisor, discarding the vendor's output."""
        until = time.monotonic() + seconds
        while (
            not is_reported()
            and not self._supervisor_gone
            and (left := until - time.monotonic()) > 0
        ):
            for stream, _ in self._poll.poll(left * 1000):
                if stream == self._control.fileno():
                    self._read_control()
                elif stream == self._err:
                    self._read_errors()
                elif not os.read(stream, _CHUNK_BYTES):
                    self._poll.unregister(stream)

    def kill(self) -> None:
        """Kill the vendor with all its descendants."""
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                self._control.send(b"K")
            try:
                self._process.wait(_SUPERVISOR_SECONDS)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            self._control.close()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _status_text(code: int | None) -> str:
    if code is None:
        return "?"
    if code >= 0:
        return str(code)
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
