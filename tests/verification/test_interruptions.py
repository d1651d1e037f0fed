"""Documents are written whole or not at all: full disks and kills at any moment leave nothing."""

import random
import resource
import signal
import subprocess
import sys
import time

import pytest
from tests.often import often
from tests.verification.conftest import PASSPHRASE, bound

#: Bytes that a file may have on a disk that is nearly full.
SIZES = (0, 700, 40_000)
KILLS = 12


@pytest.fixture(scope="module")
def place(material, tmp_path_factory):
    """Return a folder with an unsigned document and the passphrase of the keys."""
    folder = tmp_path_factory.mktemp("interrupted")
    (folder / "report.pdf").write_bytes(bound(*material))
    (folder / "passphrase").write_text(PASSPHRASE, encoding="utf-8")
    return folder


@pytest.fixture
def commands(place, keys, lawful, tmp_path):
    """Return the command line of each command that writes documents, and where they go."""
    signed = tmp_path / "signed" / "signed.pdf"
    signed.parent.mkdir()
    return {
        "sign": (
            ["sign", place / "report.pdf", "--as", "laboratory", "--p12", keys / "laboratory.p12",
             "--passphrase-file", place / "passphrase", "--out", signed],
            signed.parent,
        ),
        "report": (
            ["report", lawful, "--format", "json", "--format", "html", "--out", tmp_path / "out"],
            tmp_path / "out",
        ),
    }  # fmt: skip


def start(words, most=None):
    """Start a command on a disk on which no file may be larger than `most`."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.Popen(
        [sys.executable, "-m", "selo", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=None if most is None else limit,  # noqa: PLW1509 - no threads here
    )  # fmt: skip


def files_in(folder):
    if not folder.exists():
        return []
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("size", often(SIZES, 700))
@pytest.mark.parametrize("name", often(["sign", "report"], "sign"))
def test_a_full_disk_leaves_nothing_and_the_same_command_works_later(commands, name, size):
    words, folder = commands[name]
    full = start(words, size)
    _, problem = full.communicate()

    assert full.returncode not in {0, 5}
    assert "nothing was left behind" in problem
    assert files_in(folder) == []

    again = start(words)
    _, problem = again.communicate()
    assert files_in(folder), problem
    assert again.returncode != 5


@pytest.mark.parametrize("count", [1, pytest.param(KILLS, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", often(["sign", "report"], "sign"))
@pytest.mark.full
def test_a_kill_leaves_whole_files_and_the_same_command_works_later(commands, name, count):
    words, folder = commands[name]
    drawn = random.Random(name)  # noqa: S311 - the same moments on each run
    longest = 3.0
    for _ in range(count):
        killed = start(words)
        time.sleep(drawn.uniform(0.2, longest))
        killed.send_signal(signal.SIGKILL)
        killed.communicate()

        left = files_in(folder)
        assert not [path for path in left if path.endswith((".new", ".part", ".tmp"))]
        if name == "sign" and left:
            # It was over before it was killed.
            (folder / "signed.pdf").unlink()
    again = start(words)
    _, problem = again.communicate()

    assert again.returncode != 5
    assert files_in(folder), problem
