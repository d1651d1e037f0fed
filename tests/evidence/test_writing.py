"""Evidence survives kills, full disks and other processes, and is the same afterwards."""

import errno
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from selo.errors import UsageError
from selo.evidence import block
from selo.evidence import evidence_writer as writing
from selo.evidence.canonical_json import NotCanonical
from selo.evidence.evidence_errors import (
    EvidenceNotWritable,
    EvidenceTampered,
    EvidenceUnfinished,
    RunFinished,
    WrittenOutOfOrder,
)
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter

#: A process that is asked by a line to start a run or to go on with it, in a child of its own:
#: to load the program again for each of many kills would take most of the time.
STARTER = """
import os, sys, time
from pathlib import Path
from selo.errors import UsageError
from selo.evidence import evidence_writer as writing
from selo.evidence.evidence_errors import EvidenceUnfinished
from selo.evidence.canonical_json import encode_canonical as encode

def go(folder, many, pause):
    try:
        writer, header, lines = writing.EvidenceWriter.resume(folder)
        assert header == {"seed": 7}
    except (EvidenceUnfinished, UsageError):
        writer, lines = writing.EvidenceWriter(folder), 1
        writer.header({"seed": 7})
    with writer:
        print(os.getpid(), flush=True)
        for start in range(lines - 1, many, 50):
            writer.lines(
                encode({"n": n, "key": f"{n:020x}", "text": "魚蝦蟹" * (n % 40)})
                for n in range(start, min(start + 50, many))
            )
            time.sleep(pause)
        writer.close({"cases": many})

writing._BLOCK_LINES = 64
for line in sys.stdin:
    folder, many, pause = line.rstrip("\\n").split("|")
    child = os.fork()
    if not child:
        go(Path(folder), int(many), float(pause))
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture
def starter():
    """Return functions that start a run and return its process, and that wait for its end."""
    with subprocess.Popen(
        [sys.executable, "-c", STARTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:

        def start(folder, *, many=10**9, pause=0.0):
            process.stdin.write(f"{folder}|{many}|{pause}\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        def ended():
            return int(process.stdout.readline())

        yield start, ended
        process.stdin.close()


def finished(starter, folder, many):
    start, ended = starter
    start(folder, many=many)
    assert ended() == 0
    return EvidenceReader(folder).read().root


def killed(starter, folder, times, draw):
    """Kill the run so often at random moments; return how many lines each kill left."""
    start, ended = starter
    left = []
    for _ in range(times):
        process = start(folder, pause=0.01)
        time.sleep(draw.uniform(0, 0.06))
        os.kill(process, signal.SIGKILL)
        assert ended() == signal.SIGKILL
        with pytest.raises(EvidenceUnfinished) as caught:
            EvidenceReader(folder).read()
        left.append(caught.value.lines)
    return left


def same_after(times, starter, folder):
    draw = random.Random(times)  # noqa: S311 - the same moments each time, as far as can be
    left = killed(starter, folder / "killed", times, draw)

    assert left == sorted(left)
    assert left[-1] > left[0]
    many = left[-1] + 500
    same = finished(starter, folder / "killed", many)
    assert same == finished(starter, folder / "undisturbed", many)


def test_a_run_killed_twenty_times_has_the_same_root_as_one_undisturbed(starter, tmp_path):
    same_after(20, starter, tmp_path)


@pytest.mark.full
def test_a_run_killed_fifty_times_has_the_same_root_as_one_undisturbed(starter, tmp_path):
    same_after(50, starter, tmp_path)


@pytest.mark.usefixtures("hasty")
def test_a_run_cut_off_after_any_byte_can_be_resumed_to_the_same_root(small, another):
    root = another.write()
    small.begin()
    written = small.file.read_bytes()
    header = len(small.blocks()[0])
    for length in range(header, len(written) + 1):
        small.put(written[:length])

        writer, header, lines = EvidenceWriter.resume(small.folder)
        assert header == small.header
        writer.lines(small.cases[lines - 1 :])

        assert writer.close(small.footer) == root


@pytest.mark.usefixtures("hasty")
def test_a_run_cut_off_within_its_header_can_be_begun_anew(small, another):
    root = another.write()
    small.begin(until=0)
    written = small.file.read_bytes()
    for length in range(len(written)):
        small.put(written[:length])

        with pytest.raises(EvidenceUnfinished):
            EvidenceWriter.resume(small.folder)
        assert small.write() == root


@pytest.mark.parametrize("hole", [slice(-30, None), slice(-60, -10), slice(None, None)])
def test_a_last_block_with_holes_from_a_power_cut_is_dropped(small, hole):
    small.begin()
    *before, last = small.blocks()
    broken = bytearray(last)
    broken[hole] = bytes(len(broken[hole]))
    small.put(b"".join([*before, broken]))

    writer, _, lines = EvidenceWriter.resume(small.folder)

    with writer:
        assert lines == 16
        assert writer.dropped == len(last)


def test_a_hole_that_is_not_at_the_end_is_an_alteration_and_is_not_dropped(small):
    small.begin()
    blocks = small.blocks()
    blocks[2] = bytes(len(blocks[2]))
    small.put(b"".join(blocks))

    with pytest.raises(EvidenceTampered):
        EvidenceWriter.resume(small.folder)

    assert small.file.read_bytes() == b"".join(blocks)


def test_altered_evidence_is_not_gone_on_with(small):
    small.begin()
    spaced = small.cases[2].replace(b":", b": ", 1)
    small.forge([small.first, *small.cases[:2], spaced], ends=False)

    with pytest.raises(EvidenceTampered):
        EvidenceWriter.resume(small.folder)


def test_a_finished_run_is_not_gone_on_with(small):
    small.write()

    with pytest.raises(RunFinished):
        EvidenceWriter.resume(small.folder)


def test_a_folder_that_holds_evidence_is_not_written_over(small):
    small.begin(until=5)
    before = small.file.read_bytes()

    with pytest.raises(UsageError):
        EvidenceWriter(small.folder)

    assert small.file.read_bytes() == before


def test_a_folder_without_evidence_cannot_be_resumed(small):
    with pytest.raises(UsageError):
        EvidenceWriter.resume(small.folder)

    assert not small.folder.exists()


def test_a_second_writer_is_refused_while_the_first_one_lives(small):
    with EvidenceWriter(small.folder) as first:
        first.header(small.header)

        with pytest.raises(UsageError, match="another process"):
            EvidenceWriter(small.folder)
        with pytest.raises(UsageError, match="another process"):
            EvidenceWriter.resume(small.folder)

    writer, *_ = EvidenceWriter.resume(small.folder)
    writer.leave()


def test_a_second_process_is_refused_while_the_first_one_lives(starter, small):
    start, ended = starter
    process = start(small.folder, pause=0.1)

    with pytest.raises(UsageError, match="another process"):
        EvidenceWriter.resume(small.folder)
    os.kill(process, signal.SIGKILL)
    ended()


def test_a_link_in_the_place_of_the_evidence_is_not_written_through(small, tmp_path):
    small.folder.mkdir()
    outside = tmp_path / "outside"
    outside.touch()
    small.file.symlink_to(outside)

    with pytest.raises(EvidenceTampered):
        EvidenceWriter(small.folder)

    assert outside.read_bytes() == b""


def test_a_writer_that_is_left_keeps_what_it_was_given(small):
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        writer.lines(small.cases[:7])

    writer, _, lines = EvidenceWriter.resume(small.folder)

    with writer:
        assert lines == 8


FULL = """
import resource, sys
from pathlib import Path
from selo.evidence.evidence_errors import EvidenceNotWritable
from selo.evidence.evidence_writer import EvidenceWriter
import random
draw = random.Random(1)
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    with EvidenceWriter(Path(sys.argv[1])) as writer:
        writer.header({"seed": 7})
        for n in range(1000):
            writer.lines([b'{"key":"%s","n":%d}' % (draw.randbytes(50).hex().encode(), n)])
            if n % 10 == 9:
                writer.flush()
except EvidenceNotWritable as error:
    print(error)
    sys.exit(3)
"""


@pytest.mark.parametrize("limit", [0, 100, 200, 5_000, 20_000])
def test_a_full_disk_stops_with_a_clear_error_and_nothing_corrupt(small, limit):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(small.folder), str(limit)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 3, done.stderr
    assert "File too large" in done.stdout
    with pytest.raises(EvidenceUnfinished) as caught:
        EvidenceReader(small.folder).read()
    # Not a byte of half a block is left behind.
    assert "nothing after byte" in caught.value.what
    assert f"hint: {caught.value.lines} lines are safe" in done.stdout
    assert limit < 5_000 or caught.value.lines > 11


def test_a_run_goes_on_when_there_is_room_again(small, another, monkeypatch):
    root = another.write()
    small.begin(until=5)
    writer, *_ = EvidenceWriter.resume(small.folder)
    monkeypatch.setattr(writing.os, "pwrite", half_written())
    writer.lines(small.cases[5:10])
    with pytest.raises(EvidenceNotWritable, match="No space left on device"):
        writer.flush()
    monkeypatch.undo()

    writer, _, lines = EvidenceWriter.resume(small.folder)
    writer.lines(small.cases[lines - 1 :])

    assert lines == 6
    assert writer.dropped == 0
    assert writer.close(small.footer) == root


def half_written():
    """Return a function that writes a few bytes and then finds the disk full."""
    pwrite = os.pwrite
    room = [40]

    def write(file, raw, at):
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = pwrite(file, raw[: room[0]], at)
        room[0] -= written
        return written

    return write


def test_half_a_block_that_cannot_be_taken_away_is_dropped_by_the_next_run(small, monkeypatch):
    writer = EvidenceWriter(small.folder)
    writer.header(small.header)
    monkeypatch.setattr(writing.os, "pwrite", half_written())
    monkeypatch.setattr(writing.os, "ftruncate", broken)
    writer.lines(small.cases[:5])
    with pytest.raises(EvidenceNotWritable):
        writer.flush()
    monkeypatch.undo()

    writer, _, lines = EvidenceWriter.resume(small.folder)

    with writer:
        assert (lines, writer.dropped) == (1, 40)


def broken(*_):
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_disk_that_does_not_keep_what_it_was_given_stops_the_run(small, monkeypatch):
    writer = EvidenceWriter(small.folder)
    writer.header(small.header)
    monkeypatch.setattr(writing.os, "fsync", broken)
    writer.lines(small.cases[:5])

    with pytest.raises(EvidenceNotWritable, match="Input/output error"):
        writer.flush()
    with pytest.raises(WrittenOutOfOrder):
        writer.flush()


def test_a_line_is_written_within_about_a_second_by_itself(small, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(writing.time, "monotonic", lambda: now[0])
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        writer.lines(small.cases[:1])
        before = small.file.stat().st_size
        now[0] += 1.1
        writer.lines(small.cases[1:2])

        assert small.file.stat().st_size > before


def test_many_lines_are_written_by_themselves(small, monkeypatch):
    monkeypatch.setattr(writing.time, "monotonic", lambda: 100.0)
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        before = small.file.stat().st_size
        writer.lines(b'{"n":%d}' % number for number in range(5000))

        assert small.file.stat().st_size > before
        root = writer.close({})
    assert EvidenceReader(small.folder).read().root == root


def test_long_lines_end_a_block_early_and_are_read_back(small):
    long = [b'{"n":%d,"text":"%s"}' % (number, b"x" * 6_000_000) for number in range(4)]
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        writer.lines(long)
        root = writer.close({"text": "y" * 10_000_000})

    assert EvidenceReader(small.folder).read().root == root
    # The header, what is just beyond the limit, and the rest.
    assert len(small.blocks()) == 3


def test_a_line_too_long_to_be_read_again_is_refused(small):
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)

        with pytest.raises(NotCanonical):
            writer.lines([b'{"n":0,"text":"%s"}' % (b"x" * block.LINE_LIMIT)])


@pytest.mark.parametrize(
    "line",
    [b'{"n": 0}', b'{"n":0.5}', b'{"n":0}\n{"n":1}', b'{"b":1,"n":0,"a":1}', b"", b"{"],
)
def test_a_wrong_line_is_refused_before_it_is_written(small, line):
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        before = small.file.read_bytes()
        writer.lines([line])

        with pytest.raises(NotCanonical):
            writer.flush()

    assert small.file.read_bytes() == before


def test_a_case_out_of_turn_is_refused(small):
    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        writer.lines(small.cases[1:2])

        with pytest.raises(WrittenOutOfOrder):
            writer.flush()


def test_an_interruption_amid_a_block_leaves_evidence_that_can_be_resumed(small, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with EvidenceWriter(small.folder) as writer:
        writer.header(small.header)
        monkeypatch.setattr(writing, "salted_leaf_hashes", interrupted)
        writer.lines(small.cases[:5])
        with pytest.raises(KeyboardInterrupt):
            writer.flush()
    monkeypatch.undo()

    writer, _, lines = EvidenceWriter.resume(small.folder)

    with writer:
        assert lines == 6


def test_what_comes_in_the_wrong_order_is_refused(small):
    with EvidenceWriter(small.folder) as writer:
        with pytest.raises(WrittenOutOfOrder):
            writer.lines(small.cases)
        with pytest.raises(WrittenOutOfOrder):
            writer.close(small.footer)
        writer.header(small.header)
        with pytest.raises(WrittenOutOfOrder):
            writer.header(small.header)
        writer.close(small.footer)
        with pytest.raises(WrittenOutOfOrder):
            writer.close(small.footer)


@pytest.mark.parametrize(
    "header", [{"evidence": "mine"}, {"format": 2}, {"seed": 0.5}, {"seed": 2**60}]
)
def test_a_header_that_cannot_be_kept_is_refused(small, header):
    with EvidenceWriter(small.folder) as writer, pytest.raises(NotCanonical):
        writer.header(header)


def test_the_same_lines_give_the_same_root_wherever_blocks_end(small, another):
    with EvidenceWriter(another.folder) as writer:
        writer.header(another.header)
        for one in another.cases:
            writer.lines([one])
        root = writer.close(another.footer)

    assert small.write() == root
