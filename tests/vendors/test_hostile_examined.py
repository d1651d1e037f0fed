"""What is hostile in the smoke test is hostile in an examination: it stops, says why, and leaves.

An examination has sessions of its own, starts a broken vendor again, and may run several at once.
"""

import json
import os
import re
import signal
import time

import pytest

from .hostile import FOLDER, PATIENCE, command, environment, gone, living, new_token, started

VENDOR = 4
#: Each vice with options of the command, the kind of its fault, and what must be said of it.
VICES = {
    "never_answers": (("--time-limit", "1"), "late", "No complete answer within 1 s"),
    "dies_within_a_batch": ((), "died", "restarted: The adapter ended before answering"),
    "pays_nan": ((), "not-json", "NaN is no number of JSON"),
    "repeats_ids": ((), "answered-twice", "was answered twice"),
    "changes_its_description": ((), "description-changed", "description changed since the start"),
}
#: Those whose like is tried above, or that have nothing to do with what an examination adds.
MORE = {
    "dies_at_start": ((), "died-at-start", "status 7"),
    "dies_within_a_line": ((), "died", "status 5"),
    "floods_with_lines": ((), "unknown-id", "Unknown response id"),
    "floods_without_a_newline": ((), "line-too-long", "16777216 bytes"),
    "floods_the_error_stream": ((), "too-much-stderr", "67108864 bytes"),
    "says_a_line_of_a_gibibyte": ((), "line-too-long", "16777216 bytes"),
    "speaks_latin_1": ((), "not-utf8", "0xe3"),
    "nests_deeply": ((), "too-deep", "nested"),
    "answers_with_other_ids": ((), "unknown-id", "Unknown response id"),
    "answers_without_ids": ((), "not-an-answer", "missing"),
    "answers_twice": ((), "answered-twice", "twice"),
    "fills_memory": (("--memory-limit", "64"), "too-much-memory", "memory"),
    "has_many_children": ((), "too-many-processes", "the limit is 64"),
    "declares_a_wrong_hash": ((), "file-differs", "SHA-256"),
}


def given(vice, token, out, *more):
    vendor = command(vice, token)
    named = ["--vendor", vendor, "--folder", str(FOLDER), "--out", str(out)]
    return ["examine", "--text-as-stored", *named, *more]


@pytest.mark.parametrize(
    "vice", [*VICES, *(pytest.param(one, marks=pytest.mark.full) for one in MORE)]
)
def test_an_examination_stops_says_why_and_leaves_nothing(selo, tmp_path, vice):
    more, kind, words = {**VICES, **MORE}[vice]
    token, out = new_token(), tmp_path / "run"

    done = selo(*given(vice, token, out, *more))

    assert done.returncode == VENDOR, done.stdout
    assert words in " ".join((done.stdout + done.stderr).split())
    kept = json.loads((out / "faults" / "faults.json").read_text())["faults"]
    assert [one["kind"] for one in kept] == [kind]
    assert not living(token)


# In the log of a CI there is no bar, and what stands on it is told late or not at all.
@pytest.mark.parametrize("surroundings", [{}, {"CI": "true"}], ids=["screen", "log"])
def test_nothing_of_a_vendor_moves_the_cursor_in_an_examination(terminal, tmp_path, surroundings):
    asked = given("writes_to_the_terminal", new_token(), tmp_path / "run")

    # Nothing else that this vendor says is text, so one provision is enough to see its name.
    text = terminal(*asked, "--provision", "portaria-21-96-m/6/d", **surroundings)

    unseen = "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]"
    assert "NOT FULLY VERIFIED" in text
    assert not re.search(unseen, text)
    assert "\x1b]0;owned" not in text
    assert "\x1b[2Jowned" not in text
    assert r"\x1b[2J" in text.replace("\r\n", "")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_lives_on_when_an_examination_by_two_processes_is_stopped(warm_selo, tmp_path, how):
    token, scratch = new_token(), tmp_path / "scratch"
    scratch.mkdir()
    asked = given("thinks_for_ever", token, tmp_path / "run", "--time-limit", "600")
    printed = (tmp_path / "stdout", tmp_path / "stderr")
    pid = warm_selo.start(asked, printed, environment(TMPDIR=str(scratch)))
    try:
        # Two that settle, each for a worker of its own.
        started("thinks_for_ever", token, 2)
    finally:
        os.kill(pid, how)
        status, _ = warm_selo.finish(pid)

    assert status != 0
    assert not gone(token)
    until = time.monotonic() + PATIENCE
    while list(scratch.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not list(scratch.iterdir())
