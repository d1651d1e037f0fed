"""Whether a vendor's process can be isolated on this machine, and what it is given if not."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from selo.text import say
from selo.vendors import sandbox
from selo.vendors.sandbox.bubblewrap import wrap_command
from selo.vendors.sandbox.plausible_world import LARGEST_PIPE, World, draw_world
from selo.vendors.sandbox.probe_program import GUARANTEES
from selo.vendors.sandbox.visible_files import Room, VisibleFiles, find_visible_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: Environment variables passed to a vendor without a sandbox; others may hold passphrases.
_PASSED_VARIABLES: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT", "NODE_PATH",
)  # fmt: skip
_TRIAL_SECONDS: Final = 10


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
    trial = [
        program, "--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1",
        "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "/bin/true",
    ]  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - the sandbox itself, with our own arguments
            trial, capture_output=True, timeout=_TRIAL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Confinement(network=False, files=False, because=str(error))
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip()
        return Confinement(network=False, files=False, because=reason)
    return FULL_CONFINEMENT


def list_missing_guarantees(measured: Mapping[str, bool]) -> list[str]:
    """Return what was not measured to hold."""
    return [name for name in GUARANTEES if not measured.get(name, False)]


class PreparedStart(msgspec.Struct, frozen=True, kw_only=True):
    """How a vendor's process is started: in a sandbox, where there is one."""

    command: Sequence[str]
    environment: dict[str, str]
    #: Data that the sandbox program reads, by number of the file descriptor.
    inputs: dict[int, bytes] = {}
    #: Folders of the sandbox that are kept in memory.
    in_memory: list[str] = []
    #: What the vendor sees of the host's files; none without a sandbox.
    files: VisibleFiles | None = None
    #: Seconds by which the machine seems to have been up longer.
    uptime: int = 0
    pipe_bytes: int = LARGEST_PIPE


def prepare_start(  # noqa: PLR0913 - all that a start consists of
    command: Sequence[str],
    *,
    folder: Path,
    room: Room,
    scratch: Path,
    size: int,
    world: World | None = None,
    stand_in: Sequence[str] | None = None,
) -> PreparedStart:
    """Return how `command` is started, or `stand_in` in the room of `command`."""
    program = shutil.which("bwrap")
    if program is None or not sandbox.available_confinement().files:
        return PreparedStart(command=command, environment=_unconfined_environment(scratch))
    files = find_visible_files(command, folder, room)
    found = world or draw_world()
    wrapped = wrap_command(
        program, stand_in or command, folder=folder, files=files, world=found, size=size
    )
    return PreparedStart(
        command=wrapped.words,
        environment=found.environment(files.program_folders),
        inputs=wrapped.inputs,
        in_memory=wrapped.in_memory,
        files=files,
        uptime=found.uptime,
        pipe_bytes=found.pipe_bytes,
    )


def _unconfined_environment(scratch: Path) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    return {**passed, "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
