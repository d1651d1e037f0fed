"""How soon the command line answers, as a ratio to an empty interpreter in the same run."""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

SELO = str(Path(sys.executable).with_name("selo"))
#: What a person waits for the help at most.
LONGEST = 0.3
ROWS = (
    ("selo --help", ["--help"]),
    ("selo --lang zh --help", ["--lang", "zh", "--help"]),
    ("selo examine --help", ["examine", "--help"]),
    ("selo --version", ["--version"]),
    ("selo config", ["config"]),
    ("a wrong command", ["exmaine"]),
)


def seconds(command, times=9):
    """Return how long a command takes, and how much of that it reckons itself."""
    walls, reckoned = [], []
    for _ in range(times):
        started, before = time.perf_counter(), processor()
        subprocess.run(command, check=False, capture_output=True)
        walls.append(time.perf_counter() - started)
        reckoned.append(processor() - before)
    return statistics.median(walls), statistics.median(reckoned)


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_help_is_there_at_once():
    empty = seconds([sys.executable, "-c", "pass"])
    measured = {what: seconds([SELO, *words]) for what, words in ROWS}

    print(f"\n{'what':<26}{'seconds':>9}{'processor':>11}{'× empty interpreter':>22}")
    for what, (wall, reckoned) in (("empty interpreter", empty), *measured.items()):
        print(f"{what:<26}{wall:>9.3f}{reckoned:>11.3f}{reckoned / empty[1]:>22.1f}")
    for what in ("selo --help", "selo --lang zh --help", "selo examine --help"):
        # What others do on this machine meanwhile is not the fault of the help.
        assert measured[what][1] < LONGEST, what
