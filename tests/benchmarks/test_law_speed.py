"""How fast the law is read, as a ratio to an empty interpreter in the same run."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

SELO = str(Path(sys.executable).with_name("selo"))


def seconds(command, times=7):
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        spent.append(time.perf_counter() - started)
    return statistics.median(spent)


def test_start_up_and_check_are_fast():
    empty = seconds([sys.executable, "-c", "pass"])
    helped = seconds([SELO, "--help"])
    imported = seconds([sys.executable, "-c", "import selo.cli.commands.law.law_check"])
    checked = seconds([SELO, "law", "check"])

    print(f"\n{'what':<32}{'seconds':>9}{'× empty interpreter':>22}")
    for what, spent in (
        ("empty interpreter", empty),
        ("selo --help", helped),
        ("start-up of selo law check", imported),
        ("selo law check, everything", checked),
    ):
        print(f"{what:<32}{spent:>9.3f}{spent / empty:>22.1f}")
    assert imported < 0.5
    assert checked - imported < 2.0
