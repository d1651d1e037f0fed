"""Completion as the shells themselves do it: each script is loaded by its own shell."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.tools import need

#: What is typed, what comes of it; every shell must agree.
TYPED = [
    ("selo comple", "completion"),
    ("selo law led", "ledger"),
    ("selo --lang pt law div", "divergences"),
    ("selo examine --bud", "--budget"),
    ("selo examine --budget st", "standard"),
    ("selo plan --game cra", "craps"),
    ("selo law show portaria-22-96-m/10", "portaria-22-96-m/10"),
    ("selo completion fi", "fish"),
    ("selo schema devi", "deviations"),
    ("selo law schema rec", "reconstructed"),
    ("selo witness check witne", "witness.yaml"),
]


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """Return the script of a shell, in a folder with one file to complete."""
    folder = tmp_path_factory.mktemp("completion")
    (folder / "witness.yaml").write_text("")

    def written(shell):
        need(shell)
        path = folder / f"selo.{shell}"
        if not path.exists():
            done = subprocess.run(
                [str(Path(sys.executable).with_name("selo")), "completion", shell],
                capture_output=True,
                check=True,
                timeout=60,
            )
            path.write_bytes(done.stdout)
        return path

    return written


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_can_read(script, shell):
    done = subprocess.run([shell, "-n", str(script(shell))], capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("line", "word"), TYPED)
def test_bash_completes(script, line, word):
    path = script("bash")
    words = line.split(" ")
    asked = (
        f"source {path}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _selo;"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )

    done = subprocess.run(
        ["bash", "--norc", "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        cwd=path.parent,
        timeout=30,
    )

    assert done.stdout.splitlines() == [word]


@pytest.mark.parametrize(("line", "word"), TYPED)
def test_fish_completes(script, line, word):
    path = script("fish")

    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"],
        capture_output=True,
        text=True,
        check=True,
        cwd=path.parent,
        timeout=30,
        env={**os.environ, "HOME": str(path.parent)},
    )

    assert [one.partition("\t")[0] for one in done.stdout.splitlines()] == [word]


def test_zsh_completes(script):
    path = script("zsh")
    shell = Zsh(path)

    try:
        completed = [shell.completes(line) for line, _ in TYPED]
    finally:
        shell.close()

    assert completed == [f"{line.rpartition(' ')[0]} {word}" for line, word in TYPED]


@pytest.mark.parametrize(
    ("line", "word"),
    [("plan --game=pai", "--game=pai-kao"), ("witness check --out=witne", "--out=witness.yaml")],
)
def test_a_value_in_one_word_with_its_option_is_completed_too(script, line, word):
    # So it comes where somebody has taken the sign out of COMP_WORDBREAKS.
    words = f"selo {line}".split(" ")
    asked = (
        f"source {script('bash')}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1};"
        '_selo; echo "${COMPREPLY[@]}"'
    )

    done = subprocess.run(
        ["bash", "--norc", "-c", asked], capture_output=True, text=True, check=True, timeout=30,
        cwd=script("bash").parent,
    )  # fmt: skip

    assert done.stdout == f"{word}\n"


def test_a_value_behind_an_equals_sign_is_completed_too(script):
    asked = (
        f"source {script('bash')}; COMP_WORDS=(selo plan --budget = f); COMP_CWORD=4; _selo;"
        'echo "${COMPREPLY[@]}"'
    )

    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)

    assert done.stdout == "full\n"


def test_descriptions_are_in_the_language_asked_for(selo):
    assert "'law:ler, provar e listar a lei'" in selo("--lang", "pt", "completion", "zsh").stdout


class Zsh:
    """A zsh in a terminal, as a person has it."""

    def __init__(self, path):
        process, self._terminal = pty.fork()
        if process == 0:
            os.chdir(path.parent)
            os.environ.update({"TERM": "dumb", "HOME": str(path.parent), "COLUMNS": "500"})
            os.execvp("zsh", ["zsh", "-f", "-i"])  # noqa: S606 - the shell itself is what is tested
        self._process = process
        self._type(
            "PS1=; unsetopt zle_bracketed_paste prompt_sp; autoload -Uz compinit; compinit -u -D;"
            f"source {path}; print READ''Y\n"
        )
        self._until("READY")

    def completes(self, line):
        """Return the line after the key for completion; what is typed is printed, not run."""
        self._type(f"{line}\t\x01print -r -- '<\x05>' 'END''ED'\n")
        shown = self._until("ENDED")
        return shown.rpartition("<")[2].partition(">")[0].strip()

    def close(self):
        self._type("\x03exit\n")
        os.close(self._terminal)
        os.waitpid(self._process, 0)

    def _type(self, keys):
        os.write(self._terminal, keys.encode())

    def _until(self, mark):
        shown, late = "", time.monotonic() + 30
        while mark not in shown and time.monotonic() < late:
            if select.select([self._terminal], [], [], 1)[0]:
                shown += os.read(self._terminal, 65536).decode(errors="replace")
        return shown
