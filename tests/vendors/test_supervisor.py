"""The keeper clears up whenever Selo dies, also before it heard the keeper's first word."""

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from selo.vendors import supervisor

_PATIENCE = 60


@pytest.fixture
def scratch(tmp_path):
    return tmp_path / "scratch"


def kept(scratch, theirs, does="touch $TMPDIR/left; exec sleep 600"):
    """Start a keeper of a vendor that leaves something behind and sleeps."""
    config = {
        "command": ["sh", "-c", does],
        "folder": "/",
        "scratch": str(scratch),
        "environment": {"PATH": "/usr/bin:/bin", "TMPDIR": str(scratch)},
        "rlimits": {},
        "memory": 1 << 30,
        "processes": 10,
        "threads": 100,
        "cpu": 100,
        "inputs": {},
        "in_memory": [],
        "uptime": 0,
    }
    control = theirs.fileno()
    command = [sys.executable, "-I", "-S", supervisor.__file__, str(control), json.dumps(config)]
    started = subprocess.Popen(command, pass_fds=[control])
    theirs.close()
    return started


def is_dead(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return True
    return stat.rpartition(b")")[2].split()[0] == b"Z"


def test_selo_dies_and_leaves_the_word_of_the_start_unread(scratch):
    ours, theirs = socket.socketpair()
    process = kept(scratch, theirs)
    said = ours.recv(1000, socket.MSG_PEEK)
    ours.close()

    assert process.wait(_PATIENCE) == 0
    assert not scratch.exists()
    assert is_dead(json.loads(said)["started"])


def test_selo_dies_before_the_vendor_has_started(scratch):
    ours, theirs = socket.socketpair()
    process = kept(scratch, theirs)
    ours.close()

    assert process.wait(_PATIENCE) == 0
    assert not scratch.exists()


def test_selo_dies_after_it_heard_all(scratch):
    ours, theirs = socket.socketpair()
    process = kept(scratch, theirs)
    vendor = json.loads(ours.recv(1000))["started"]
    until = time.monotonic() + _PATIENCE
    while not (scratch / "left").exists() and time.monotonic() < until:
        time.sleep(0.01)
    ours.close()

    assert process.wait(_PATIENCE) == 0
    assert not scratch.exists()
    assert is_dead(vendor)


def test_a_scratch_folder_that_is_there_already_is_nobody_elses_to_use(scratch):
    scratch.mkdir()
    ours, theirs = socket.socketpair()
    process = kept(scratch, theirs)

    said = json.loads(ours.recv(1000))
    ours.close()

    assert said == {"failed": f"{scratch}: File exists"}
    assert process.wait(_PATIENCE) == 0


def words(ours):
    """Yield what the keeper says."""
    with ours.makefile("rb") as said:
        for line in said:
            yield json.loads(line)


def test_a_vendor_that_closed_its_output_and_lives_is_told_from_one_that_died(scratch):
    ours, theirs = socket.socketpair()
    process = kept(scratch, theirs)
    said = words(ours)
    assert "started" in next(said)

    ours.send(b"?")
    lives = next(said)
    ours.send(b"T")
    ended = next(said)
    ours.send(b"?K")

    assert lives == {"lives": True}
    assert ended["ended"] == -signal.SIGTERM
    assert [next(said), next(said)] == [{"children": 0}, {"gone": True, "left": 0}]
    assert process.wait(_PATIENCE) == 0
    ours.close()
