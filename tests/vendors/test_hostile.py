"""A vendor may do what it likes: Selo stays up, says what is wrong, and leaves nothing behind.

Each vice is a small program in fixtures/hostile. Those that behave alike are rows of one table.
"""

import contextlib
import json
import os
import re
import signal
import socket
import threading
import time
from dataclasses import dataclass

import pytest

from .hostile import (
    FOLDER,
    arguments,
    cold,
    environment,
    examine,
    gone,
    living,
    needs_bubblewrap,
    new_token,
    started,
)

SANE = 0
VENDOR = 4
#: Beyond the limits that a row names; a busy machine is slow, a hanging one is slower.
IN_TIME = 120
MOST_MEMORY = 300 * 1024


@dataclass(frozen=True)
class Seen:
    """What must be seen of a vice: its kind, words of its message, and bytes of its evidence."""

    kind: str
    words: tuple[str, ...] = ()
    raw: bytes | None = None
    stderr: bytes | None = None
    more: tuple[str, ...] = ()


def late(seconds, raw=None):
    words = (f"No complete answer within {seconds} s",)
    return Seen("late", words, raw, more=("--time-limit", str(seconds)))


#: What a vendor may do, though few do it.
ALLOWED = (
    "lawful",
    "answers_out_of_order",
    "answers_line_by_line",
    "answers_with_unknown_fields",
)

PRIZE = "$.result.settlements[0].prize"
VICES = {
    # It does not answer, or not in time.
    "never_answers": late(1),
    "answers_byte_by_byte": late(3, b"{"),
    "answers_a_part_of_a_batch": late(1),
    "closes_its_input": late(1),
    "hides_behind_a_thread": late(1),
    # It dies.
    "dies_at_start": Seen("died-at-start", ("status 7",), stderr=b"the engine found no wheel"),
    "dies_within_a_line": Seen("died", ("status 5",), b'{"jsonrpc":"2.0","id":'),
    "dies_within_a_batch": Seen("died", ("status 6", "before answering")),
    "kills_its_parents": Seen("died", ("before answering",)),
    # It says too much.
    "floods_with_lines": Seen("unknown-id", ("“0”",), b'{"jsonrpc":"2.0","id":"0","result":{}}'),
    "floods_with_blank_lines": Seen("not-json", ("empty",)),
    "floods_without_a_newline": Seen("line-too-long", ("16777216 bytes",), b"7777"),
    "says_a_line_of_a_gibibyte": Seen("line-too-long", ("16777216 bytes",), b"aaaa"),
    "floods_the_error_stream": Seen(
        "too-much-stderr", ("67108864 bytes",), stderr=b"still thinking"
    ),
    "floods_the_error_stream_after_the_end": Seen(
        "too-much-stderr", ("67108864 bytes",), stderr=b"nearly gone"
    ),
    # It does not say JSON.
    "says_a_banner": Seen("not-json", (), b"Fish-Prawn-Crab Engine 1.0 ready."),
    "speaks_latin_1": Seen("not-utf8", ("0xe3",), b"Camar\xe3o"),
    "begins_with_a_bom": Seen("not-json", ("BOM",), b"\xef\xbb\xbf{"),
    "nests_deeply": Seen("too-deep", ("nested",), b"[[[["),
    "says_half_a_character": Seen("not-json", ("malformed",), b"\\ud83d"),
    "says_a_key_twice": Seen("key-twice", ("“prize”",), b'"prize": 0, "prize": 100'),
    # It answers something else.
    "answers_with_other_ids": Seen("unknown-id", ("“1”", "Unknown response id"), b'"id": "1"'),
    "answers_with_numbers_as_ids": Seen("not-an-answer", ("`int`", "$.id"), b'"id": '),
    "answers_without_ids": Seen("not-an-answer", ("`id`", "missing"), b'{"jsonrpc": "2.0", "r'),
    "repeats_ids": Seen("answered-twice", ("twice",), b'"settlements"'),
    "answers_twice": Seen("answered-twice", ("twice",), b'"product"'),
    "sends_requests": Seen("not-an-answer", ("no requests", "$.method"), b"whoAreYou"),
    "sends_notifications": Seen("not-an-answer", ("no requests", "$.method"), b"progress"),
    # Its money is no money.
    "pays_nan": Seen("not-json", ("NaN",), b'"prize": NaN'),
    "pays_floats": Seen("wrong-shape", ("`float`", PRIZE), b"100.5"),
    "pays_whole_floats": Seen("wrong-shape", ("`float`", PRIZE), b"100.0"),
    "pays_more_than_any_float": Seen("wrong-shape", ("range", PRIZE), b"1e999"),
    "pays_more_than_json_can_hold": Seen(
        "wrong-shape", ("9007199254740991", PRIZE), b"9007199254740992"
    ),
    "pays_a_number_of_five_thousand_digits": Seen("not-json", ("5000 digits",), b"9" * 5000),
    # It is not what it says.
    "settles_with_unknown_fields": Seen("wrong-shape", ("unknown field `bonus`",), b'"bonus": 5'),
    "settles_by_chance": Seen("not-pure", ("settle",), b'"win"'),
    "refuses_what_it_offers": Seen("error-answer", ("-32001", "this engine was not licensed")),
    "draws_dice_of_another_game": Seen("wrong-words", ("`throws`", "outcomes[0]"), b"[[3,4]]"),
    "plays_another_game": Seen("wrong-words", ("'throw-dice'", "events[0]"), b"throw-dice"),
    "changes_its_description": Seen(
        "description-changed", ("$.result.product.version",), b'"version":"1.2"'
    ),
    "declares_a_wrong_hash": Seen(
        "file-differs", ("declares_a_wrong_hash.py", "SHA-256", "$.result.files[0]")
    ),
    # It takes too much, or does not leave.
    "fills_memory": Seen(
        "too-much-memory", ("67108864", "memory"), more=("--memory-limit", "64")
    ),
    "fills_memory_at_once": Seen("died-at-start", ("status 1",), stderr=b"MemoryError"),
    "has_many_children": Seen("too-many-processes", ("the limit is 64",)),
    "ignores_its_end": Seen(
        "not-ended", ("0.5 s after end", "killed"), more=("--grace-limit", "0.5")
    ),
    "ends_with_status_3": Seen("exit-status", ("status 3",), stderr=b"the books do not balance"),
}  # fmt: skip

#: Where bubblewrap is missing, some vices look different.
UNCONFINED = {
    "closes_its_input": late(1),
    "hides_behind_a_thread": late(1),
    "closes_its_output": Seen("closed-output", ("closed its output", "without ending")),
    "kills_its_keeper": Seen("died", ("before answering",)),
    "kills_its_parents": Seen("died", ("before answering",)),
    "leaves_a_child": Seen("left-behind", ("left 1 processes running",)),
    "leaves_a_daemon": Seen("left-behind", ("left 1 processes running",)),
    "ignores_its_end": Seen(
        "not-ended", ("0.5 s after end", "killed"), more=("--grace-limit", "0.5")
    ),
    "has_many_children": Seen("too-many-processes", ("the limit is 64",)),
    "dies_within_a_line": Seen("died", ("status 5",), b'{"jsonrpc":"2.0","id":'),
    "fills_memory": Seen(
        "too-much-memory", ("67108864", "memory"), more=("--memory-limit", "64")
    ),
}  # fmt: skip
CONFINED = {"closes_its_output": late(1), "kills_its_keeper": late(1)}
ALONE = {
    "leaves_a_child",
    "leaves_a_daemon",
    "keeps_empty_files",
    "never_stops_reckoning",
    "reaches_for_the_network",
    "reads_the_environment",
    "thinks_for_ever",
    "fills_the_disk",
    "hides_a_daemon",
    "writes_everywhere",
    "writes_to_the_terminal",
    "writes_to_the_terminal_in_errors",
}


@pytest.fixture
def warm(warm_selo):
    """Run it to its end."""
    return warm_selo.run


def check(ran, seen):
    """Hold what was seen of a vice against what must be seen."""
    assert not ran.left
    assert not ran.stderr
    assert ran.status == VENDOR, ran.stdout
    assert [one["kind"] for one in ran.kept] == [seen.kind]
    for word in seen.words:
        assert word in ran.told
    files = ran.kept[0]["files"]
    assert ("raw" in files) == (seen.raw is not None)
    assert seen.raw is None or seen.raw in ran.evidence("raw")
    assert seen.stderr is None or seen.stderr in ran.evidence("stderr")
    assert ran.seconds < IN_TIME
    assert ran.memory < MOST_MEMORY


def test_no_hostile_vendor_is_left_untried():
    there = {path.stem for path in FOLDER.glob("*.py")}

    assert there == {*ALLOWED, *VICES, *UNCONFINED, *CONFINED, *ALONE}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed_is_sane(warm, tmp_path, name):
    ran = examine(warm, tmp_path, name, "--json")

    assert ran.status == SANE, ran.stdout
    assert ran.record["sane"] is True
    assert not ran.out.exists()
    assert not ran.left


@pytest.mark.parametrize("name", VICES)
def test_a_vice_is_named_and_its_evidence_kept(warm, tmp_path, name):
    ran = examine(warm, tmp_path, name, "--json", *VICES[name].more)

    check(ran, VICES[name])
    faults = [one for each in ran.record["checks"] for one in each["faults"]]
    assert [one["kind"] for one in faults] == [VICES[name].kind]
    assert ran.record["sane"] is False


@needs_bubblewrap
@pytest.mark.parametrize("name", CONFINED)
def test_in_a_sandbox_a_vice_shows_only_as_silence(warm, tmp_path, name):
    ran = examine(warm, tmp_path, name, "--json", *CONFINED[name].more)

    # In half of all worlds a shell stands between a vendor and its first process; it can kill that.
    killed = name == "kills_its_keeper" and ran.kept[0]["kind"] == "died"
    check(ran, VICES["kills_its_parents"] if killed else CONFINED[name])


@pytest.mark.full
@pytest.mark.parametrize("name", UNCONFINED)
def test_without_a_sandbox_a_vice_is_named_too(warm, tmp_path, name):
    seen = UNCONFINED[name]

    ran = examine(warm, tmp_path, name, "--json", *seen.more, env=environment(free=True))

    check(ran, seen)


@pytest.mark.full
@pytest.mark.parametrize("name", VICES)
def test_the_installed_command_names_a_vice_alike(tmp_path, name):
    check(examine(cold, tmp_path, name, "--json", *VICES[name].more), VICES[name])


def test_a_person_is_told_what_and_where_and_what_to_do(tmp_path):
    ran = examine(cold, tmp_path, "pays_floats")

    assert ran.status == VENDOR
    assert "Expected `int | array`, got `float`" in ran.stdout
    assert f"at: {PRIZE}" in ran.stdout
    assert "100.5" in ran.stdout
    assert "hint: " in ran.stdout
    assert f"Evidence kept in {ran.out}" in ran.stdout


# Processes.


@needs_bubblewrap
@pytest.mark.parametrize("name", ["leaves_a_child", "leaves_a_daemon"])
def test_what_a_vendor_starts_ends_with_its_sandbox(warm, tmp_path, name):
    ran = examine(warm, tmp_path, name, "--json")

    assert ran.status == SANE, ran.stdout
    assert not ran.left


def stopped(warm_selo, folder, name, processes, how, *, free):
    """Stop Selo by a signal when its vendor runs; return how it ended, and the vendor's token."""
    token = new_token()
    given = arguments(name, folder / "evidence", token, "--time-limit", "600")
    scratch = folder / "scratch"
    scratch.mkdir()
    env = environment(free=free, TMPDIR=str(scratch))
    pid = warm_selo.start(given, (folder / "stdout", folder / "stderr"), env)
    try:
        started(name, token, processes)
    finally:
        os.kill(pid, how)
        status, _ = warm_selo.finish(pid)
    return status, token


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(("name", "processes"), [("never_answers", 1), ("hides_a_daemon", 2)])
def test_nothing_lives_on_when_selo_is_killed(warm_selo, tmp_path, name, processes, free):
    status, token = stopped(warm_selo, tmp_path, name, processes, signal.SIGKILL, free=free)

    assert status == -signal.SIGKILL
    assert not gone(token)
    # Its keeper clears up when it sees that nobody is left, a moment later.
    until = time.monotonic() + 60
    while list((tmp_path / "scratch").iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize("free", [False, True])
def test_nothing_lives_on_when_selo_is_interrupted(warm_selo, tmp_path, free):
    status, token = stopped(warm_selo, tmp_path, "hides_a_daemon", 2, signal.SIGINT, free=free)

    assert status != SANE
    assert not living(token)
    assert not list((tmp_path / "scratch").iterdir())


# The network, files and the environment.


@contextlib.contextmanager
def listening():
    """Give a port, and a list that grows with every connection to it."""
    came = []
    with socket.create_server(("127.0.0.1", 0)) as warm_selo:
        warm_selo.settimeout(0.1)
        over = threading.Event()

        def accept():
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    connection, address = warm_selo.accept()
                    connection.close()
                    came.append(address)

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield warm_selo.getsockname()[1], came
        finally:
            over.set()
            thread.join()


@needs_bubblewrap
def test_a_vendor_does_not_reach_the_network(warm, tmp_path):
    with listening() as (port, came):
        ran = examine(warm, tmp_path, "reaches_for_the_network", "--json", words=[str(port)])

    assert ran.slot("describe", "name") == "not reached"
    assert not came


def test_a_vendor_that_reaches_the_network_is_a_reason_for_caution(warm, tmp_path):
    with listening() as (port, came):
        ran = examine(
            warm, tmp_path, "reaches_for_the_network",
            words=[str(port)], env=environment(free=True),
        )  # fmt: skip

    assert came
    assert "CAUTION: without bubblewrap the adapter has the network" in ran.stdout
    assert ran.status == SANE


def test_a_bubblewrap_that_does_not_work_is_a_reason_for_caution(warm, tmp_path):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'no namespaces here' >&2\nexit 1\n")
    program.chmod(0o755)

    ran = examine(warm, tmp_path, "lawful", env={**environment(), "PATH": str(tmp_path)})

    assert "CAUTION: bubblewrap does not work here" in ran.stdout
    assert "no namespaces here" in ran.stdout
    assert ran.status == SANE


@needs_bubblewrap
def test_a_sandbox_is_told_of_without_caution(warm, tmp_path):
    ran = examine(warm, tmp_path, "lawful")

    assert "runs in a sandbox (bubblewrap) without network" in ran.stdout
    assert "CAUTION" not in ran.stdout


@needs_bubblewrap
def test_a_vendor_writes_nowhere_but_in_its_scratch_folder(warm, tmp_path):
    ran = examine(warm, tmp_path, "writes_everywhere", "--json")

    assert ran.slot("describe", "name") == "wrote in scratch; elsewhere: nowhere"


@needs_bubblewrap
def test_the_scratch_folder_and_shared_memory_have_an_end(warm, tmp_path):
    ran = examine(warm, tmp_path, "fills_the_disk", "--json")

    written = int(re.fullmatch(r"wrote (\d+) MiB", ran.slot("describe", "name"))[1])
    assert 64 < written <= 2 * 64


@needs_bubblewrap
def test_files_without_content_count_as_memory(warm, tmp_path):
    ran = examine(warm, tmp_path, "keeps_empty_files", "--json", "--memory-limit", "40")

    assert ran.kept[0]["kind"] == "too-much-memory"


@needs_bubblewrap
def test_a_vendor_sees_no_secret_of_ours(warm, tmp_path):
    env = environment(SELO_SECRET="open sesame")  # noqa: S106 - bait

    ran = examine(warm, tmp_path, "reads_the_environment", "--json", env=env)

    assert ran.slot("describe", "name") == "own: nothing, others: 0"


def test_a_vendor_is_given_no_secret_of_ours_even_without_a_sandbox(warm, tmp_path):
    env = environment(free=True, SELO_SECRET="open sesame")  # noqa: S106 - bait

    ran = examine(warm, tmp_path, "reads_the_environment", "--json", env=env)

    assert ran.slot("describe", "name").startswith("own: nothing")


# The terminal.

#: What rich itself writes to a terminal to colour a line.
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)  # fmt: skip
DRAWING = ("writes_to_the_terminal", "writes_to_the_terminal_in_errors")


@pytest.mark.parametrize("name", DRAWING)
def test_nothing_of_a_vendor_moves_the_cursor(terminal, tmp_path, name):
    text = terminal(*arguments(name, tmp_path / "evidence", new_token()))

    assert COLOUR.search(text), "this was no terminal"
    plain = COLOUR.sub("", text).replace("\r\n", "\n")
    assert not UNSEEN.search(plain)
    assert r"\x1b[2J" in plain.replace("\n", "")
    assert "[red]red[/red]" in plain.replace("\n", "")


@pytest.mark.parametrize("more", [(), ("--json",), ("--lang", "zh"), ("--lang", "pt")])
@pytest.mark.parametrize("name", DRAWING)
def test_nothing_of_a_vendor_is_hidden_in_a_file(warm, tmp_path, name, more):
    ran = examine(warm, tmp_path, name, *more)

    assert not UNSEEN.search(ran.stdout)
    assert not ran.stderr
    if ran.out.exists():
        assert not UNSEEN.search((ran.out / "faults.json").read_text())


def test_json_gives_back_exactly_what_a_vendor_said(warm, tmp_path):
    ran = examine(warm, tmp_path, "writes_to_the_terminal", "--json")

    name = ran.slot("describe", "name")
    assert name.startswith("\x1b[2J\x1b]0;owned\x07")
    assert name.endswith("<script>alert(1)</script>[red]red[/red]")
    assert json.loads(ran.stdout)["sane"] is True
