"""What evidence costs beside encoding its lines with the fastest codec there is."""

import os
import random
import subprocess
import sys
import time

import orjson
import pytest

from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.merkle import leaf_hashes

pytestmark = pytest.mark.bench

MANY = 200_000
BATCH = 512
ROUNDS = 5
FACES = ("fish", "prawn", "crab", "rooster", "gourd", "coin")


def cases(many):
    """Return answers like those of a vendor, about 300 bytes each when they are written."""
    draw = random.Random(1)  # noqa: S311 - the same lines each time
    return [
        {
            "answer": {
                "settlements": [
                    {"prize": draw.randrange(1000), "returned": 100, "verdict": "won"},
                    {"prize": 0, "returned": 0, "verdict": "lost"},
                ]
            },
            "game": "fish-prawn-crab",
            "key": f"{draw.getrandbits(80):020x}",
            "method": "settle",
            "n": number,
            "params": {
                "bets": [{"bet": "small", "stake": 100}, {"bet": "large", "stake": 100}],
                "outcome": {"dice": [draw.choice(FACES) for _ in range(3)]},
            },
            "right": True,
        }
        for number in range(many)
    ]


def timed(work):
    """Return processor time and time on the clock; other work on the machine spoils the latter."""
    clock, started = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - started, time.perf_counter() - clock


def write(folder, lines):
    with EvidenceWriter(folder) as writer:
        writer.header({"seed": 0})
        for start in range(0, len(lines), BATCH):
            writer.lines(lines[start : start + BATCH])
        writer.close({"cases": len(lines)})


def best(work):
    return min(work() for _ in range(ROUNDS))


def test_a_line_of_evidence_costs_at_most_three_microseconds(tmp_path):
    values = cases(MANY)
    lines = [orjson.dumps(one) for one in values]
    length = sum(map(len, lines)) / MANY
    folders = (tmp_path / str(number) for number in range(ROUNDS))

    encode = best(lambda: timed(lambda: [orjson.dumps(one) for one in values]))
    hashing = best(lambda: timed(lambda: leaf_hashes(lines)))
    # Half a million dictionaries would be looked through for garbage again and again.
    values.clear()
    writing = best(lambda: timed(lambda: write(next(folders), lines)))
    reading = best(lambda: timed(lambda: EvidenceReader(tmp_path / "0").read()))
    size = (tmp_path / "0" / "evidence.jsonl.zst").stat().st_size

    print(f"\n{MANY:,} lines of {length:.0f} bytes, {size / MANY:.1f} bytes each in the file")
    print(f"{'':34}{'processor':>12}{'clock':>12}{'ratio':>8}")
    for name, (used, passed) in {
        "orjson, encoding only": encode,
        "hashes of leaves only": hashing,
        "writing: hash, tree, zstd, disk": writing,
        "reading: zstd, form, hash, tree": reading,
    }.items():
        per = [1e6 * one / MANY for one in (used, passed)]
        print(f"{name:34}{per[0]:>9.2f} µs{per[1]:>9.2f} µs{used / encode[0]:>8.1f}")
    assert 280 < length < 360
    assert 1e6 * writing[0] / MANY <= 3.0


MEASURED = """
import sys
from pathlib import Path
from selo.evidence.evidence_writer import EvidenceWriter
many = int(sys.argv[2])
with EvidenceWriter(Path(sys.argv[1])) as writer:
    writer.header({})
    filling = "x" * 250
    for start in range(0, many, 512):
        writer.lines(
            b'{"filling":"%s","n":%d}' % (filling.encode(), n)
            for n in range(start, min(start + 512, many))
        )
    writer.close({})
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
"""


def test_memory_is_flat_from_ten_thousand_to_a_million_lines(tmp_path):
    used = {}
    for many in (10_000, 1_000_000):
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, str(tmp_path / str(many)), str(many)],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ,
        )
        used[many] = int(done.stdout) / 1024

    print()
    for many, mebibytes in used.items():
        print(f"{many:>9,} lines: {mebibytes:6.1f} MiB")
    assert used[1_000_000] - used[10_000] < 4
