"""Every command that the README shows works as shown."""

import re
import shlex

import pytest

COMMAND = re.compile(r"^\$ \.venv/bin/selo (.+)$", re.MULTILINE)


def commands(root):
    return COMMAND.findall((root / "README.md").read_text(encoding="utf-8"))


def test_the_readme_shows_the_two_commands_and_others(root):
    text = (root / "README.md").read_text(encoding="utf-8")

    assert "$ make certify" in text
    assert "$ make test" in text
    assert len(commands(root)) >= 5


@pytest.mark.parametrize("index", range(14))
def test_a_command_of_the_readme_succeeds(root, selo, index):
    done = selo(*shlex.split(commands(root)[index]))

    assert done.returncode == 0, done.stderr
    assert done.stdout
