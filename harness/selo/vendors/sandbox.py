"""Sandbox of a vendor's process: no network, and no writable files but a scratch folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from selo.text import say

#: Environment variables passed to a vendor; others may hold passphrases and tokens.
_PASSED_VARIABLES: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT", "NODE_PATH",
)  # fmt: skip
_PROBE_SECONDS: Final = 10
#: Holds sockets of other programs, which network isolation does not block.
_SOCKET_FOLDER: Final = "/run"
#: Shared memory is a file system and needs a size limit.
_SHARED_MEMORY_FOLDER: Final = "/dev/shm"  # noqa: S108 - one of its own, within the sandbox


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """The isolation of a vendor's process, and the reason if it is incomplete."""

    network: bool
    files: bool
    #: The system's reason for incomplete isolation; empty if it is complete.
    because: str = ""
    missing: bool = False

    def describe(self, language: str) -> str:
        """Return a sentence that describes the isolation."""
        if self.network and self.files:
            return say("confinement.full", language)
        key = "confinement.missing" if self.missing else "confinement.unusable"
        return say(key, language, because=self.because)


FULL_CONFINEMENT: Final = Confinement(network=True, files=True)


@cache
def available_confinement() -> Confinement:
    """Return the isolation available on this machine: full with bubblewrap, or none."""
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
        reason = done.stderr.decode(errors="replace").strip()
        return Confinement(network=False, files=False, because=reason)
    return FULL_CONFINEMENT


def confine_command(command: list[str], *, folder: Path, scratch: Path, size: int) -> list[str]:
    """Return `command` wrapped to run without network and with only `scratch` writable."""
    program = shutil.which("bwrap")
    if program is None or not available_confinement().files:
        return command
    return [*_sandbox_arguments(program, folder, scratch, size), *command]


def _sandbox_arguments(program: str, folder: Path, scratch: Path, size: int) -> list[str]:
    inside = ["--size", str(size), "--tmpfs", str(scratch)]
    shared = ["--size", str(size), "--tmpfs", _SHARED_MEMORY_FOLDER, "--remount-ro", "/dev"]
    hidden = [_SOCKET_FOLDER] if Path(_SOCKET_FOLDER).is_dir() else []
    masks = [part for path in hidden for part in ("--tmpfs", path)]
    # The vendor's own folder stays visible inside a hidden one.
    again = ["--ro-bind", str(folder), str(folder)] if folder.is_relative_to(_SOCKET_FOLDER) else []
    closed = [part for path in hidden for part in ("--remount-ro", path)]
    return [
        program, "--ro-bind", "/", "/", "--dev", "/dev", *shared, "--proc", "/proc",
        *masks, *again, *inside, *closed,
        "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--chdir", str(folder), "--",
    ]  # fmt: skip


def vendor_environment(scratch: Path) -> dict[str, str]:
    """Return the environment of a vendor's process."""
    passed = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    return {**passed, "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
