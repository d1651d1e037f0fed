"""Every command that the README shows works as shown."""

import re
import shlex
import subprocess

import pytest

COMMAND = re.compile(r"^\$ \.venv/bin/selo (.+)$", re.MULTILINE)


BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
BLOCKS = 5


def blocks(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    return [COMMAND.findall(block) for block in BLOCK.findall(text) if COMMAND.search(block)]


def test_the_readme_shows_the_two_commands_and_others(root):
    text = (root / "README.md").read_text(encoding="utf-8")

    assert "$ make certify" in text
    assert "$ make test" in text
    assert len(blocks(root)) == BLOCKS
    others = [line for block in BLOCK.findall(text) for line in block.splitlines()
              if not COMMAND.match(line)]  # fmt: skip
    # These two are typed by test_certify.py and tests/packaging/clean_root.sh.
    assert others == ["$ make certify", "$ make test"]


@pytest.mark.parametrize("index", range(BLOCKS))
def test_the_commands_of_the_readme_end_as_shown(root, selo, index, tmp_path):
    for line in blocks(root)[index]:
        command, _, wanted = line.partition("    # exit ")

        done = selo(*shlex.split(command.replace(" out/", f" {tmp_path}/")))

        assert done.returncode == int(wanted or 0), (command, done.stderr)
        assert done.stdout or done.returncode == 2, command


@pytest.mark.full
@pytest.mark.parametrize("index", range(BLOCKS))
def test_the_commands_of_the_readme_end_as_shown_from_the_wheel(root, wheel_home, index, tmp_path):
    for line in blocks(root)[index]:
        command, _, wanted = line.partition("    # exit ")

        done = subprocess.run(
            [wheel_home / "bin" / "selo", *shlex.split(command.replace(" out/", f" {tmp_path}/"))],
            cwd=root, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip

        assert done.returncode == int(wanted or 0), (command, done.stderr)
