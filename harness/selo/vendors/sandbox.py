"""Keeps a vendor's process away from the network and from every file but its own to read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from selo.text.message_catalogue import say

#: What a vendor's process may know of our surroundings; passphrases and tokens live in the rest.
_PASSED_VARIABLES: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT", "NODE_PATH",
)  # fmt: skip
_PROBE_SECONDS: Final = 10
#: Where the sockets of other programs lie: no network keeps a process from those.
_SOCKET_FOLDER: Final = "/run"
#: Where programs share memory; as a file system it needs a limit like any other.
_SHARED_MEMORY_FOLDER: Final = "/dev/shm"  # noqa: S108 - one of its own, within the sandbox


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """What holds a vendor's process back, and why not more."""

    network: bool
    files: bool
    #: Why there is no more, as the system says it; empty where all holds.
    because: str = ""
    missing: bool = False

    def describe(self, language: str) -> str:
        """Return one sentence about it."""
        if self.network and self.files:
            return say("confinement.full", language)
        key = "confinement.missing" if self.missing else "confinement.unusable"
        return say(key, language, because=self.because)


FULL_CONFINEMENT: Final = Confinement(network=True, files=True)


@cache
def available_confinement() -> Confinement:
    """Return what can be held back on this machine: everything with bubblewrap, or nothing."""
    program = shutil.which("bwrap")
    if program is None:
        return Confinement(network=False, files=False, missing=True)
    scratch = Path(tempfile.gettempdir())
    probe = [*_sandbox_arguments(program, Path("/"), scratch, 1 << 20), "/bin/true"]
    try:
        done = subprocess.run(  # noqa: S603 - the sandbox itself, with our own arguments
            probe, capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Confinement(network=False, files=False, because=str(error))
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        return Confinement(network=False, files=False, because=said)
    return FULL_CONFINEMENT


def confine_command(command: list[str], *, folder: Path, scratch: Path, size: int) -> list[str]:
    """Return `command` as one that runs without network and without a file to write but scratch."""
    program = shutil.which("bwrap")
    if program is None or not available_confinement().files:
        return command
    return [*_sandbox_arguments(program, folder, scratch, size), *command]


def _sandbox_arguments(program: str, folder: Path, scratch: Path, size: int) -> list[str]:
    inside = ["--size", str(size), "--tmpfs", str(scratch)]
    shared = ["--size", str(size), "--tmpfs", _SHARED_MEMORY_FOLDER, "--remount-ro", "/dev"]
    hidden = [_SOCKET_FOLDER] if Path(_SOCKET_FOLDER).is_dir() else []
    masks = [part for path in hidden for part in ("--tmpfs", path)]
    # What was hidden is shown again where the vendor itself lives in it.
    again = ["--ro-bind", str(folder), str(folder)] if folder.is_relative_to(_SOCKET_FOLDER) else []
    closed = [part for path in hidden for part in ("--remount-ro", path)]
    return [
        program, "--ro-bind", "/", "/", "--dev", "/dev", *shared, "--proc", "/proc",
        *masks, *again, *inside, *closed,
        "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--chdir", str(folder), "--",
    ]  # fmt: skip


def vendor_environment(scratch: Path) -> dict[str, str]:
    """Return the environment of a vendor's process."""
    known = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    return {**known, "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
