"""The sandbox of a vendor's process: a root that holds what a program needs to run and no more.

1. New user, process, message, host name, network and control group namespaces; none inside of it.
2. A root of its own: what `visible_files` names, read-only; empty folders for temporary files, each
   of limited size; accounts and host name of a plausible world.
3. The process file system is read-only: as root of the host, in whose name it may run, a process
   without any capability could otherwise set kernel parameters.
4. The first process is a shell that starts the vendor, so that the vendor neither meets the sandbox
   program among its processes nor has the special treatment of signals of a first process. Its
   command line is one that a server could have: nothing of Selo is read there.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final

import msgspec

from selo.vendors.sandbox.seccomp_filter import compile_filter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from selo.vendors.sandbox.plausible_world import World
    from selo.vendors.sandbox.visible_files import VisibleFiles

_TEMPORARY_FOLDERS: Final = ("/tmp", "/var/tmp")  # noqa: S108 - those of the sandbox
_SHARED_MEMORY_FOLDER: Final = "/dev/shm"  # noqa: S108 - the same
#: What the process file system tells of the whole machine in any namespace: names of programs
#: that wait, keys, locked files.
_FILES_OF_OTHERS: Final = tuple(
    f"/proc/{name}"
    for name in (
        "timer_list",
        "keys",
        "key-users",
        "sched_debug",
        "latency_stats",
        "locks",
        "kcore",
    )
)
#: The first file descriptor with which the supervisor hands data to the sandbox program.
_FIRST_DESCRIPTOR: Final = 20
#: Runs some processes to their end, and gives way to the shell that starts the vendor.
_START_SCRIPT: Final = 'n=$1; while [ "$n" -gt 0 ]; do (:); n=$((n-1)); done; exec /bin/sh -c "$2"'
#: Group and others may read and enter a folder for everybody's temporary files, and write into it.
_SHARED_MODE: Final = "1777"
#: Only its owner may write to a file of accounts.
_FILE_MODE: Final = "0644"
_LINKS: Final = {"/etc/os-release": "../usr/lib/os-release"}
#: What every server has besides, with nothing in it.
_EMPTY_FOLDERS: Final = (
    "/boot", "/media", "/mnt", "/opt", "/srv", "/sys", "/var/cache", "/var/lib", "/var/log",
)  # fmt: skip


class SandboxedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command wrapped into a sandbox, with the data that it reads from file descriptors."""

    words: list[str]
    #: Data by number of the file descriptor.
    inputs: dict[int, bytes]
    #: Folders of the sandbox that are kept in memory.
    in_memory: list[str]


def wrap_command(  # noqa: PLR0913 - all that a sandbox consists of
    program: str,
    command: Sequence[str],
    *,
    folder: Path,
    files: VisibleFiles,
    world: World,
    size: int,
) -> SandboxedCommand:
    """Return a command that runs in a sandbox and sees nothing but `files`."""
    inputs: dict[int, bytes] = {}

    def hand_over(content: bytes) -> str:
        number = _FIRST_DESCRIPTOR + len(inputs)
        inputs[number] = content
        return str(number)

    in_memory = [*_TEMPORARY_FOLDERS, _SHARED_MEMORY_FOLDER, world.home]
    limit = ["--size", str(size)]
    words = [
        program, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
        "--as-pid-1", "--cap-drop", "ALL", "--uid", str(world.uid), "--gid", str(world.uid),
        "--hostname", world.host,
        "--dev", "/dev", *limit, "--perms", _SHARED_MODE, "--tmpfs", _SHARED_MEMORY_FOLDER,
        "--remount-ro", "/dev", "--proc", "/proc", "--dir", "/run", "--dir", "/root",
    ]  # fmt: skip
    for name in _TEMPORARY_FOLDERS:
        words += [*limit, "--perms", _SHARED_MODE, "--tmpfs", name]
    words += [*limit, "--tmpfs", world.home]
    for link, target in {**files.links, **_LINKS}.items():
        words += ["--symlink", target, link]
    for name, content in world.account_files().items():
        words += ["--perms", _FILE_MODE, "--file", hand_over(content.encode()), name]
    for name in _EMPTY_FOLDERS:
        words += ["--dir", name]
    for path in files.bound:
        words += ["--ro-bind", files.copies.get(str(path), str(path)), str(path)]
    words += _cover(files, hand_over)
    words += [part for path in files.uncovered for part in ("--ro-bind", str(path), str(path))]
    words += ["--dir", str(folder)] if not folder.exists() or not files.contains(folder) else []
    for name in filter(os.path.exists, _FILES_OF_OTHERS):
        words += ["--ro-bind-data", hand_over(b""), name]
    words += ["--remount-ro", "/proc", "--remount-ro", "/"]
    rules = compile_filter()
    if rules is not None:
        words += ["--seccomp", hand_over(rules)]
    start = ["/bin/sh", "-c", _START_SCRIPT, "sh", str(world.earlier_processes)]
    words += ["--chdir", str(folder), "--", *start, world.launch(shlex.join(command))]
    return SandboxedCommand(words=words, inputs=inputs, in_memory=in_memory)


def _cover(files: VisibleFiles, hand_over: Callable[[bytes], str]) -> Iterator[str]:
    """Yield arguments that cover folders and files with empty ones."""
    for path in files.covered:
        if path.is_dir():
            yield from ("--size", str(os.sysconf("SC_PAGESIZE")), "--tmpfs", str(path))
            if not any(inner.is_relative_to(path) for inner in files.uncovered):
                yield from ("--remount-ro", str(path))
        else:
            yield from ("--ro-bind-data", hand_over(b""), str(path))
