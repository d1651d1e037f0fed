"""Prints the help of every command in one process: ``python help_pages.py LANGUAGE FOLDER``.

Run by the interpreter of the tree under comparison. It knows nothing of the program but
``python -m selo``: the commands are read from the help itself, and each one runs in a fork.
"""

import contextlib
import importlib
import os
import re
import runpy
import sys
from pathlib import Path

#: A line of a list of commands: name, at least two spaces, explanation.
_ROW = re.compile(r"^  ([a-z][a-z-]*)  +\S")
_OPTIONS = {"en": "Options", "pt": "Opções", "zh": "選項"}


def run_forked(words: list[str], target: Path) -> str:
    """Run ``selo`` with `words` in a fork of this process and return what it printed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child == 0:
        stream = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(stream, 1)
        os.dup2(stream, 2)
        sys.argv = ["selo", *words]
        code = 0
        try:
            runpy.run_module("selo", run_name="__main__", alter_sys=True)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        sys.stdout.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    text = target.read_text(encoding="utf-8")
    if status:
        message = f"selo {' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}: {text}"
        raise SystemExit(message)
    return text


def warm_up() -> None:
    """Print a help page to nowhere, so that its words are read once, before the forks."""
    printed, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.argv = ["selo", "--help"]
    with contextlib.suppress(SystemExit):
        runpy.run_module("selo", run_name="__main__", alter_sys=True)
    sys.stdout.flush()
    os.dup2(printed, 1)


def list_commands(text: str) -> list[str]:
    """Return the commands that a help page lists, if it is one of commands."""
    lines = text.splitlines()
    if not lines[0].rstrip().endswith("…"):
        return []
    body = lines[: next(i for i, line in enumerate(lines) if line in _OPTIONS.values())]
    return [match[1] for line in body if (match := _ROW.match(line))]


def write_pages(folder: Path, words: list[str] | None = None) -> None:
    """Write the help of a command and of all below it."""
    words = words or []
    name = "-".join(words) or "selo"
    text = run_forked([*words, "--help"], folder / f"{name}.txt")
    for command in list_commands(text):
        write_pages(folder, [*words, command])


if __name__ == "__main__":
    _, os.environ["SELO_LANG"], folder = sys.argv
    # Its modules are imported once, before the forks; there it runs again as the main module.
    importlib.import_module("selo.__main__")
    del sys.modules["selo.__main__"]
    warm_up()
    write_pages(Path(folder))
