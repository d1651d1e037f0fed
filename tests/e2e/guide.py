"""Follows a guide as a stranger would: every command, and every line that it says is printed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
EXIT = re.compile(r"\s+# exit (\d)$")


def commands(text):
    """Yield each command of a guide with the lines that follow it."""
    for block in BLOCK.findall(text):
        command, shown = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, shown
                command, shown = line[2:], []
            else:
                shown.append(line)
        if command is not None:
            yield command, shown


def printed(output, line):
    """Return whether a line of the guide, in which … stands for anything, was printed."""
    pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("…"))
    return any(re.fullmatch(pattern, " ".join(one.split())) for one in output.splitlines())


def follow(text, folder, **surroundings):
    """Run all commands of a guide in `folder`; return how many there were."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, **surroundings}
    count = 0
    for command, shown in commands(text):
        count += 1
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            (known[name],) = shlex.split(value.replace("$PWD", str(folder)))
            continue
        if command.startswith("cd "):
            folder /= command.removeprefix("cd ")
            continue
        wanted = EXIT.search(command)
        done = subprocess.run(
            ["bash", "-c", EXIT.sub("", command)], cwd=folder, env=known, check=False,
            capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        assert done.returncode == (int(wanted[1]) if wanted else 0), (command, done.stderr[-3000:])
        for line in shown:
            assert printed(done.stdout, line), (command, line, done.stdout[-3000:])
    return count
