"""How close the protocol comes to the pipe, and what an examination costs beside its vendor.

The JSON floor: the same requests encoded with orjson, through a pipe to a compiled program, the
answers decoded with orjson, and nothing else. Everything is measured in turn, in one run.
"""

import fcntl
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest
from tests.tools import need

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.vendors.vendor_address import connect

pytestmark = pytest.mark.bench

ROUNDS = 7
MANY = 100_000
BATCH = 512
CASE = {
    "game": "fish-prawn-crab",
    "options": {},
    "outcome": {"dice": ["fish", "fish", "crab"]},
    "bets": [{"bet": "small", "stake": 100}],
}


@pytest.fixture(scope="module")
def echo(root, tmp_path_factory):
    need("cc")
    program = tmp_path_factory.mktemp("floor") / "floor"
    source = root / "fixtures" / "adapters" / "c" / "floor.c"
    subprocess.run(["cc", "-O2", "-std=c11", "-o", program, source], check=True)
    return str(program)


def floor(echo):
    """Return messages a second with orjson, the pipe, and nothing else."""
    requests = [
        [
            {"jsonrpc": "2.0", "id": os.urandom(8).hex(), "method": "settle", "params": CASE}
            for _ in range(BATCH)
        ]
        for _ in range(MANY // BATCH)
    ]
    process = subprocess.Popen([echo], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for stream_ in (process.stdin, process.stdout):
        fcntl.fcntl(stream_, fcntl.F_SETPIPE_SZ, 1 << 20)
    waiting = 0
    started = time.perf_counter()
    for batch in requests:
        os.write(process.stdin.fileno(), orjson.dumps(batch) + b"\n")
        waiting += 1
        if waiting == 4:
            orjson.loads(process.stdout.readline())
            waiting -= 1
    for _ in range(waiting):
        orjson.loads(process.stdout.readline())
    took = time.perf_counter() - started
    process.stdin.close()
    process.stdout.close()
    process.wait()
    return len(requests) * BATCH / took


def layer(echo):
    """Return messages a second with ids, batches, pipelining, limits and validation."""
    session = connect(echo)
    for _ in session.ask_in_batches("settle", [CASE] * 8 * BATCH):
        pass
    started = time.perf_counter()
    answered = sum(
        len(some) for _, some in session.ask_in_batches("settle", (CASE for _ in range(MANY)))
    )
    took = time.perf_counter() - started
    assert session.end() == []
    assert answered == MANY
    return MANY / took


def test_the_protocol_is_at_least_half_as_fast_as_the_json_floor(echo):
    pairs = [(floor(echo), layer(echo)) for _ in range(ROUNDS)]

    ratio = statistics.median(ours / bare for bare, ours in pairs)
    bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"\nJSON floor {bare:,.0f}/s, protocol with validation {ours:,.0f}/s, ratio {ratio:.2f}")
    assert ratio >= 0.5


def test_the_harness_costs_no_more_than_the_vendor_itself(law, root):
    """Ours: requests, exchange, validation, comparison with expectations that are known.

    What it costs to make cases and to work out what the law expects of them is printed beside it.
    """
    adapter = f"{sys.executable} {root / 'fixtures' / 'adapters' / 'python' / 'reference.py'}"
    print(f"\n{'game':28}{'cases':>8}{'ours':>9}{'vendor':>9}{'ratio':>7}{'cases+law':>11}")
    totals = [0.0, 0.0]
    for game in [one.game for one in _offers(adapter, law) if "settle" in one.methods]:
        session = connect(adapter)
        known = introduce_vendor(session, law, [game])
        oracle = Oracle(law)
        started = time.process_time()
        cases = [
            case
            for case in stream_cases(law, known.scope, budget="quick", at_random=15_000)
            if case.method == "settle"
        ]
        expected = [
            [
                (one.result, one.prize, one.commission, one.stake)
                for one in oracle.expected_settlements(case)
            ]
            for case in cases
        ]
        law_took = time.process_time() - started
        before = cpu_of_vendors()
        started = time.process_time()
        wrong = compared(session, cases, expected)
        ours = time.process_time() - started
        theirs = cpu_of_vendors() - before
        assert session.end() == []
        assert wrong == 0
        totals[0] += ours
        totals[1] += theirs
        print(f"{game:28}{len(cases):>8}{ours:>8.2f}s{theirs:>8.2f}s{ours / theirs:>7.2f}", end="")
        print(f"{law_took:>10.2f}s")
    print(f"{'all':28}{'':>8}{totals[0]:>8.2f}s{totals[1]:>8.2f}s{totals[0] / totals[1]:>7.2f}")
    assert totals[0] <= totals[1]


def compared(session, cases, expected):
    """Put cases to a vendor and return how many of its settlements are not as expected."""
    wrong = at = 0
    for asked, answers in session.ask_in_batches(
        "settle", cases, params=lambda case: case.params()
    ):
        for answer in answers:
            for one, (result, prize, commission, back) in zip(
                answer.result.settlements, expected[at], strict=True
            ):
                wrong += (
                    one.result != result
                    or one.prize != prize
                    or one.commission != commission
                    or one.stake not in back
                )
            at += 1
        assert len(asked) == len(answers)
    return wrong


def cpu_of_vendors():
    """Return the processor seconds of every process that serves the reference vendor."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if b"reference.py" in (stat.parent / "cmdline").read_bytes():
                ticks += sum(map(int, stat.read_bytes().rpartition(b")")[2].split()[11:13]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def _offers(adapter, law):
    session = connect(adapter)
    known = introduce_vendor(session, law)
    session.end()
    return known.offers()


MEASURED = """
import sys, time
from selo.vendors.vendor_address import connect
case = {case!r}
session = connect({echo!r})
started = time.perf_counter()
cases = (case for _ in range({many}))
count = sum(len(some) for _, some in session.ask_in_batches("settle", cases))
took = time.perf_counter() - started
session.end()
assert count == {many}
# Not from getrusage, which begins with the memory of the process that started this one.
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0], took)
"""


def measured(echo, many):
    code = MEASURED.format(case=CASE, echo=echo, many=many)
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    kibibytes, seconds = done.split()
    return int(kibibytes) / 1024, float(seconds)


def test_memory_is_flat_and_time_linear_from_ten_thousand_to_a_million_cases(echo):
    figures = {many: measured(echo, many) for many in (10_000, 100_000, 1_000_000)}

    print()
    for many, (mebibytes, seconds) in figures.items():
        print(f"{many:>9,} cases: {mebibytes:6.1f} MiB, {1e6 * seconds / many:5.2f} µs a case")
    assert figures[1_000_000][0] - figures[10_000][0] < 16
    per_case = [figures[many][1] / many for many in (100_000, 1_000_000)]
    assert per_case[1] < 1.5 * per_case[0]
