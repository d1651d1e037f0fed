"""Runs Selo against a vendor of fixtures/hostile and looks at what is left of it."""

import contextlib
import json
import os
import shlex
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest

from selo.vendors import sandbox

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "hostile"
SELO = str(Path(sys.executable).with_name("selo"))
#: No run of Selo may take longer, however busy the machine is; most take less than a second.
PATIENCE = 180
#: A path on which no bubblewrap is found; vendors are started by their full path.
NOWHERE = "/nonexistent"
needs_bubblewrap = pytest.mark.skipif(
    not sandbox.available_confinement().files, reason="bubblewrap does not work here"
)


@dataclass
class Ran:
    """What a run printed, kept and left behind."""

    status: int
    stdout: str
    stderr: str
    out: Path
    token: str
    seconds: float
    memory: int
    left: list[str]

    @property
    def record(self):
        return json.loads(self.stdout)

    @property
    def kept(self):
        return json.loads((self.out / "faults.json").read_text())["faults"]

    @property
    def told(self):
        return "\n".join(f"{one['told']} {one['path']}" for one in self.kept)

    def evidence(self, part, number=1):
        return (self.out / f"fault-{number}.{part}").read_bytes()

    def slot(self, check, name):
        """Return what a check says of something."""
        return next(one["slots"][name] for one in self.record["checks"] if one["check"] == check)


def command(vice, token, *more):
    """Return the command of a vendor; its token makes it known among all processes."""
    return shlex.join([sys.executable, "-S", f"{vice}.py", *more, token])


def arguments(vice, out, token, *more, words=()):
    vendor = command(vice, token, *words)
    return ["smoke", "--vendor", vendor, "--folder", str(FOLDER), "--out", str(out), *more]


def new_token():
    return f"token-{uuid.uuid4().hex}"


def environment(*, free=False, **more):
    """Return an environment, where wanted one without bubblewrap."""
    return {**os.environ, **({"PATH": NOWHERE} if free else {}), **more}


def living(token):
    """Return the command lines of the processes in which a token stands."""
    return [
        f"{pid}: {said!r:.200}" for pid, said in _command_lines().items() if token.encode() in said
    ]


def _command_lines():
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found[int(entry.name)] = _command_line(entry)
    return found


def _command_line(entry):
    """Return the command line of a process; where its first thread is dead, another has it."""
    for one in [entry, *(entry / "task").iterdir()]:
        if said := (one / "cmdline").read_bytes():
            return said
    return b""


def started(vice, token, count=1, seconds=PATIENCE):
    """Wait until so many processes run the very command of a vendor."""
    wanted = "\0".join([*shlex.split(command(vice, token)), ""]).encode()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if sum(said == wanted for said in _command_lines().values()) >= count:
            return
        time.sleep(0.01)
    raise TimeoutError


def gone(token, seconds=60):
    """Return what still lives after a while, which should be nothing."""
    until = time.monotonic() + seconds
    while (found := living(token)) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def cold(given, printed, environment):
    """Run the installed command and return its status; what it took is not known."""
    with printed[0].open("wb") as stdout, printed[1].open("wb") as stderr:
        done = subprocess.run(
            [SELO, *given],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            cwd=ROOT,
            check=False,
            timeout=PATIENCE,
        )
    return done.returncode, 0


def examine(run, folder, vice, *more, words=(), env=None):
    """Run Selo against a vendor with a vice and return all that can be seen of it."""
    token = new_token()
    out, printed = folder / "evidence", (folder / "stdout", folder / "stderr")
    began = time.monotonic()
    status, memory = run(
        arguments(vice, out, token, *more, words=words), printed, env or environment()
    )
    seconds = time.monotonic() - began
    stdout, stderr = (one.read_bytes().decode() for one in printed)
    return Ran(
        status=status,
        stdout=stdout,
        stderr=stderr,
        out=out,
        token=token,
        seconds=seconds,
        memory=memory,
        left=living(token),
    )
