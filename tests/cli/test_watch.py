"""``selo watch``: examines again when a file changes, shows what changed, and ends with Ctrl-C."""

import os
import re
import signal
import sys
import time

import pytest
from tests.delta.conftest import change_prize
from tests.verification.certificates import make_build

from selo.cli.runs.watched_files import WatchedFiles, compare_snapshots

PATIENCE = 90
PROVISION = "portaria-21-96-m/6/h"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "adapter.py").write_text("one")
    return tmp_path / "game"


class Printed:
    """What a running command has printed so far."""

    def __init__(self, path):
        self._path, self._at = path, 0

    def wait_for(self, pattern):
        """Return what was printed up to a line that matches, from where the last wait ended."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = self._path.read_text(encoding="utf-8")[self._at :]
            found = re.search(pattern, text)
            if found:
                self._at += found.end()
                return text[: found.end()]
            time.sleep(0.1)
        pytest.fail(f"{pattern!r} was never printed:\n{self._path.read_text(encoding='utf-8')}")


@pytest.mark.full  # three examinations
def test_a_change_is_examined_and_what_it_changed_is_shown_until_an_interrupt(warm_selo, tmp_path):
    build = make_build(tmp_path / "build")
    lawful = (build / "vendors" / "fish_prawn_crab.py").read_text(encoding="utf-8")
    printed = [tmp_path / "stdout", tmp_path / "stderr"]
    for path in printed:
        path.touch()
    words = ("watch", "--vendor", f"{sys.executable} adapters/python/reference.py")
    scope = ("--game", "fish-prawn-crab", "--provision", PROVISION, "--text-as-stored")
    out = Printed(printed[0])

    pid = warm_selo.start(
        (*words, "--folder", build, *scope, "--rulings", "defaults", "--out", tmp_path / "runs"),
        printed,
        dict(os.environ),
    )
    first = out.wait_for(r"Waiting for changes.*\n")
    change_prize(build)
    broken = out.wait_for(r"Waiting for changes.*\n")
    (build / "vendors" / "fish_prawn_crab.py").write_text(lawful, encoding="utf-8")
    mended = out.wait_for(r"Waiting for changes.*\n")
    spent = time_of(pid)
    time.sleep(2)
    idle = time_of(pid) - spent
    os.kill(pid, signal.SIGINT)
    status, _ = warm_selo.finish(pid)

    assert "Changed: vendors/fish_prawn_crab.py" in broken
    assert "New findings: 1" in broken
    assert re.search(rf"conforms → violates .*{PROVISION}", broken)
    assert "New findings" not in first
    assert "Fixed findings: 1" in mended
    assert re.search(rf"violates → conforms .*{PROVISION}", mended)
    # The provision that was asked for conforms again; the game is seen in part only.
    assert status == int(re.search(r"last exit code (\d)", mended)[1])
    assert "Ended." in printed[0].read_text(encoding="utf-8")
    assert "Traceback" not in printed[1].read_text(encoding="utf-8")
    # One verdict is kept; that of the broken build is gone.
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["3"]
    assert idle < 0.4


def time_of(pid):
    """Return the processor time of a process, in seconds."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - no ordinary file
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_hidden_files_and_what_programs_make_are_not_watched(folder):
    files = WatchedFiles(folder, folder / "runs")
    before = files.look()
    for name in (".git", "__pycache__", "node_modules", "runs"):
        (folder / name).mkdir()
        (folder / name / "made").write_text("x")
    (folder / ".hidden").write_text("x")

    assert compare_snapshots(before, files.look()) == []
    (folder / "new.py").write_text("x")
    assert compare_snapshots(before, files.look()) == ["new.py"]


def test_a_file_that_goes_is_a_change(folder, tmp_path):
    files = WatchedFiles(folder, tmp_path)
    before = files.look()

    (folder / "adapter.py").unlink()

    assert files.wait_for_change(before) == ["adapter.py"]


def test_a_server_without_a_folder_is_refused(selo):
    done = selo("watch", "--vendor", "http://127.0.0.1:9/")

    assert done.returncode == 3
    assert "--folder" in done.stderr
