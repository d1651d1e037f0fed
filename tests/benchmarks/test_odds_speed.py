"""How long the odds of everything take, and how much memory, measured on the program itself."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.games import GAMES_WITH_BETS as GAMES

pytestmark = pytest.mark.bench

SELO = str(Path(sys.executable).with_name("selo"))
MOST_SECONDS = 60
MOST_BYTES = 2**30


def measured(*arguments):
    """Return seconds and the largest memory of one run, as the kernel counted them for it."""
    started = time.perf_counter()
    child = subprocess.Popen([SELO, "odds", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - started, usage.ru_maxrss * unit


def test_odds_of_everything_are_quick_and_small():
    rows = [("everything", *measured("--json")), *((game, *measured(game)) for game in GAMES)]

    print(f"\n{'selo odds':<28}{'seconds':>9}{'MiB':>8}")
    for what, seconds, size in rows:
        print(f"{what:<28}{seconds:>9.2f}{size / 2**20:>8.0f}")
    _, seconds, size = rows[0]
    assert seconds < MOST_SECONDS
    assert size < MOST_BYTES
