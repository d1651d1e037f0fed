"""Cheats that were written from the reference of the protocol alone meet what they wait for.

A shadow of all of them examines itself: it is lawful, and counts for each sign how often the cheat
that goes by it would have played its trick in an examination with a sealed seed.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter

import pytest
from tests.fixture_modules import load_fixture
from tests.vendors.hostile import needs_bubblewrap

pytestmark = [needs_bubblewrap, pytest.mark.full]
GAME = "fish-prawn-crab"
SECONDS = 3000
#: Runs Selo, and keeps what vendors write to their error streams.
DRIVER = """
import sys
from selo.cli import main
from selo.vendors.child_process import ChildTransport
read, log = ChildTransport._read_errors, sys.argv.pop(1)
def keep(self):
    before = self._stderr_bytes
    read(self)
    if self._stderr_bytes > before:
        with open(log, "ab") as file:
            file.write(bytes(self._stderr_tail[before - self._stderr_bytes:]))
ChildTransport._read_errors = keep
sys.exit(main())
"""
#: What no examination of this length, or on this machine, has; `docs/security.md` says why.
NAMED = frozenset({
    # The session is as long as it is.
    "after-3000-requests", "after-20000-requests", "older-than-20-seconds", "stopped-in-between",
    "free-after-20-rounds", "draw-late",
    # The protocol has one way of doing it, or the law no such act.
    # Of orders of fields there are two.
    "line-ends-in-cr", "keys-in-another-order", "escaped-letters", "unknown-param",
    "described-twice",
    "free-after-a-withdrawal",
    # The clock of the wall, and what belongs to the machine.
    "weekend", "night", "year-2027", "clocks-agree", "entropy-pool", "much-memory-free",
    "one-core", "draw-on-even-seconds", "uptime-over-a-day", "devices-are-many", "nice-is-0",
    # It is a sandbox, and shows it.
    "no-seccomp", "privileges-can-grow", "whole-uid-map", "core-is-not-0", "no-limit-of-data",
    "many-processes-allowed", "network-is-there",
    "machine-id-is-there", "sys-is-there", "first-process-is-init", "parent-is-not-first",
    "other-processes", "mounts-without-newroot", "root-is-not-tmpfs", "folder-can-be-written",
    "file-older-than-a-day", "file-has-many-links", "folder-keeps-bytecode", "answers-to-a-file",
    "errors-to-a-file", "own-session", "controlled-by-cgroup", "group-list",
    # A free table always has one outcome of its own; what it may be asked besides is forced.
    "small-batch", "big-batch", "first-second", "after-a-pause", "slow-questions", "not-busy",
})  # fmt: skip


@pytest.fixture(scope="module")
def notes(root, tmp_path_factory):
    """Return what the shadow noted in a sealed examination: by kind, then by sign."""
    product = tmp_path_factory.mktemp("product")
    for name in ("strangers", "vendors", "adapters/python"):
        shutil.copytree(
            root / "fixtures" / name, product / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    folder = tmp_path_factory.mktemp("run")
    log, seal = folder / "log", folder / "seal"
    vendor = ["--vendor", f"{sys.executable} strangers/shadow.py --game {GAME}"]
    vendor += ["--folder", str(product), "--game", GAME]

    def run(*words):
        command = [sys.executable, "-c", DRIVER, str(log), *words, *vendor]
        return subprocess.run(
            command, cwd=product, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    assert run("seal", "new", "--out", str(seal)).returncode == 0
    ran = run("examine", "--text-as-stored", "--rulings", "defaults", "--seal", str(seal),
              "--out", str(folder / "out"))  # fmt: skip
    assert ran.returncode == 2, ran.stdout
    counts = {}
    for line in log.read_text().splitlines():
        if line.startswith("SHADOW "):
            for kind, noted in json.loads(line.removeprefix("SHADOW ")).items():
                counts.setdefault(kind, Counter()).update(noted)
    return counts


def is_met_and_not(counts, sign):
    return 0 < counts[sign] < counts["*"]


def test_every_sign_is_met_in_answers_with_a_prize_or_named(notes):
    signs = load_fixture("strangers/stranger.py").SIGNS

    never = {sign for sign in signs if not notes["prizes"][sign]}

    assert never <= NAMED


def test_draws_are_asked_for_in_every_manner_or_named(notes):
    signs = load_fixture("strangers/stranger.py").DRAWN

    assert {sign for sign in signs if not notes["drawn"][sign]} <= NAMED


@pytest.mark.parametrize(
    "sign",
    ["line-has-spaces", "line-begins-with-id", "long-id", "id-with-dash", "first-is-a-table",
     "one-table-open", "free-odd-stakes", "free-great-stakes", "free-name-of-table-short",
     "never-described"],
)  # fmt: skip
def test_a_free_round_is_played_with_the_sign_and_without_it(notes, sign):
    assert is_met_and_not(notes["rounds"], sign)
