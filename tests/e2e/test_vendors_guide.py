"""The vendor's guide, followed by a stranger: every command, every edit, every line shown."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e import guide as typed

BLOCK = re.compile(
    r"(?P<edit><!-- edit (?P<file>[\w.]+) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```\n", re.DOTALL
)
EXIT = re.compile(r"\s+# exit (\d)$")


@pytest.fixture(scope="module")
def guide(root):
    return (root / "docs" / "vendors.md").read_text(encoding="utf-8")


def steps(guide):
    """Yield commands with what they print, and edits, in the order of the guide."""
    blocks = list(BLOCK.finditer(guide))
    for at, block in enumerate(blocks):
        if block["kind"] == "console":
            command, shown = None, []
            for line in block["text"].splitlines():
                if line.startswith("$ "):
                    if command is not None:
                        yield "run", command, shown
                    command, shown = line[2:], []
                else:
                    shown.append(line)
            yield "run", command, shown
        elif block["edit"]:
            yield "edit", block["file"], (block["text"], blocks[at + 1]["text"])


def shown_in(output, line):
    """Return whether a line of the guide, in which … stands for anything, was printed."""
    pattern = ".*".join(re.escape(part) for part in line.strip().split("…"))
    return any(re.fullmatch(pattern, one.strip()) for one in output.splitlines())


def follow(guide, folder, until=None, without="\n", path=None):
    """Do what the guide says, up to a kind of step, without some commands; return what was done."""
    path = path or f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    surroundings = {**os.environ, "PATH": path}
    commands, edits = [], 0
    for kind, what, detail in steps(guide):
        if kind == until:
            break
        if what.startswith(without):
            continue
        if kind == "edit":
            old, new = detail
            path = folder / what
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, old
            path.write_text(text.replace(old, new), encoding="utf-8")
            edits += 1
            continue
        commands.append(what)
        if what.startswith("cd "):
            folder /= what[3:]
        else:
            wanted = EXIT.search(what)
            done = subprocess.run(
                ["bash", "-c", EXIT.sub("", what)], cwd=folder, env=surroundings, check=False,
                capture_output=True, text=True, timeout=600,
            )  # fmt: skip
            assert done.returncode == (int(wanted[1]) if wanted else 0), (what, done.stderr)
            for line in detail:
                assert shown_in(done.stdout, line), (what, line, done.stdout[-3000:])
    return commands, edits


def test_a_stranger_comes_from_nothing_to_a_first_answer_beside_the_law(guide, tmp_path):
    commands, _ = follow(guide, tmp_path, until="edit", without="selo examine")

    for words in ("selo adapter new", "selo smoke", "selo law show", "selo ask"):
        assert any(one.startswith(words) for one in commands), words


@pytest.mark.full
def test_a_stranger_who_follows_the_guide_comes_to_a_verdict(guide, tmp_path, wheel_path):
    commands, edits = follow(guide, tmp_path, path=wheel_path)

    assert commands == [command for command, _ in typed.commands(guide)]
    assert edits == 5
    # From a first finding to its replay, its mending, and a run that does not have it any more.
    words = ("selo adapter new", "selo smoke", "selo examine", "selo replay")
    order = [next(at for at, one in enumerate(commands) if one.startswith(two)) for two in words]
    assert order == sorted(order)
    assert commands[order[-1] + 1].startswith("selo examine")


def test_the_limits_in_the_guide_are_those_of_the_program(guide):
    from selo.vendors.resource_limits import DEFAULT_LIMITS  # noqa: PLC0415

    mebibyte = 1 << 20
    rows = {
        row.split("|")[1].strip(): row.split("|")[2].strip()
        for row in guide.splitlines()
        if row.startswith("| ") and "limit" not in row.split("|")[2]
    }

    assert (
        rows["time for one answer"]
        == f"{DEFAULT_LIMITS.request:g} s ({DEFAULT_LIMITS.start:g} s for the first)"
    )
    assert rows["time for the whole session"] == f"{DEFAULT_LIMITS.total / 3600:g} h"
    assert rows["time to leave after `end`"] == f"{DEFAULT_LIMITS.grace:g} s"
    assert rows["memory of all its processes"] == f"{DEFAULT_LIMITS.memory // (1 << 30)} GiB"
    assert rows["processor time of a process"] == f"{DEFAULT_LIMITS.cpu // 3600} h"
    assert (
        rows["processes, open files"] == f"{DEFAULT_LIMITS.processes}, {DEFAULT_LIMITS.open_files}"
    )
    lines = f"{DEFAULT_LIMITS.line // mebibyte} MiB, {DEFAULT_LIMITS.output // (1 << 30)} GiB"
    assert rows["one line, all output"] == lines
    assert rows["error stream"] == f"{DEFAULT_LIMITS.stderr // mebibyte} MiB"
    assert rows["threads of all processes"] == f"{DEFAULT_LIMITS.threads}"
    files = rows["each folder for temporary files"]
    assert files == f"{DEFAULT_LIMITS.scratch // mebibyte} MiB"


def test_the_exit_codes_in_the_guide_are_all_there_are(guide):
    from selo.cli.output.exit_codes import Exit  # noqa: PLC0415

    codes = [int(row.split("|")[1]) for row in guide.splitlines() if re.match(r"\| \d \|", row)]

    assert codes == [int(one) for one in Exit]
