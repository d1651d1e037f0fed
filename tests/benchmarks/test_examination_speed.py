"""What a whole examination takes: with the reference vendors, and with a vendor that costs nothing.

The JSON floor: the same requests encoded with orjson, through a pipe to the same compiled program,
the answers decoded with orjson, and nothing else. Everything is measured in turn, in one run.
"""

import contextlib
import fcntl
import gc
import json
import os
import statistics
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import orjson
import pytest
from tests.tools import need

from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle.case_oracle import Oracle
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.exchange import LocalWorkforce, VendorEndpoint, VendorRestart
from selo.examine.plan import Plan, terms_of
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.vendors.resource_limits import Limits

pytestmark = pytest.mark.bench

#: What we cost beside the reference vendor; it was 0.88 to 1.00 in quiet runs.
TOLERATED = 1.2
BATCH = 512
ROUNDS = 3


def fnv(text):
    found = 0xCBF29CE484222325
    for byte in text:
        found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return found


class Told:
    """A vendor that was told all its answers, and what was asked to get them."""

    def __init__(self, folder, law, adapter):
        self.folder = folder
        session = VendorEndpoint(adapter, Limits(), Path.cwd()).session()
        known = introduce_vendor(session, law)
        session.end()
        self.description = msgspec.structs.replace(known.description, files=[], processes=2)
        self.terms = terms_of(
            law,
            known.scope,
            as_of="2026-01-01",
            text_as_stored=True,
            rulings={},
            budget="full",
            seed=0,
            provisions=[],
        )
        self.requests, self.bets = [], 0
        oracle, writing = Oracle(law), CaseEncoder()
        with (folder / "answers").open("wb") as answers:
            self._put(answers, b"", msgspec.json.encode(self.description))
            # Made beforehand: what is measured is what becomes of cases, not how they are made.
            self.made = list(Plan(law, self.terms).chunks())
            for chunk in self.made:
                for case in chunk.cases:
                    params = bytes(writing.params(case))
                    self._put(answers, params, _answer(oracle, case))
                    self.requests.append((case.method, params))
                    self.bets += len(case.bets)

    @staticmethod
    def _put(file, params, answer):
        file.write(struct.pack("<QQ", fnv(params) if params else 0, len(answer)) + answer)


def _answer(oracle, case):
    if case.method == "compare":
        return msgspec.json.encode({"order": oracle.compare(case) or "equal"})
    return msgspec.json.encode({"settlements": oracle._settle_as_vendor(case)})  # noqa: SLF001 - a speed


@pytest.fixture(scope="module")
def told(law, root, tmp_path_factory):
    need("cc")
    folder = tmp_path_factory.mktemp("replay")
    source = root / "fixtures" / "adapters" / "c" / "replay.c"
    subprocess.run(["cc", "-O2", "-std=c11", "-o", folder / "replay", source], check=True)
    return Told(folder, law, f"{sys.executable} {root}/fixtures/adapters/python/reference.py")


def floor(told):
    """Return cases a second with orjson, the pipe, and nothing else."""
    requests = [
        [
            # In the order in which Selo writes it: the program knows answers by these bytes.
            {
                "id": os.urandom(8).hex(), "method": method,
                "params": orjson.loads(params), "jsonrpc": "2.0",
            }
            for method, params in told.requests[at : at + BATCH]
        ]
        for at in range(0, len(told.requests), BATCH)
    ]  # fmt: skip
    process = subprocess.Popen(
        [told.folder / "replay", told.folder / "answers"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    for pipe in (process.stdin, process.stdout):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
    # The program has read all its answers before the clock runs; ours has not.
    hello = {"id": "0", "method": "describe", "params": {}, "jsonrpc": "2.0"}
    process.stdin.write(orjson.dumps(hello) + b"\n")
    process.stdin.flush()
    assert b"result" in process.stdout.readline()
    # What was made beforehand is not looked through for garbage either.
    gc.collect()
    gc.freeze()
    started = time.perf_counter()

    def ask():
        for batch in requests:
            process.stdin.write(orjson.dumps(batch) + b"\n")
        process.stdin.close()

    # The other side must be read while it is written to: lines are longer than the pipe.
    asking = threading.Thread(target=ask)
    asking.start()
    answered = sum(len(orjson.loads(process.stdout.readline())) for _ in requests)
    asking.join()
    took = time.perf_counter() - started
    gc.unfreeze()
    process.stdout.close()
    process.wait()
    assert answered == len(told.requests)
    return answered / took


def whole_path(told, law, folder, monkeypatch):
    """Return cases a second with expectation, exchange, comparison and evidence."""
    monkeypatch.setattr(Plan, "chunks", lambda _, start, every: iter(told.made[start::every]))
    address = f"{told.folder / 'replay'} {told.folder / 'answers'}"
    vendor = VendorEndpoint(address, Limits(), told.folder, told.description)
    seen = EvidenceAnalysis(law=law, terms=told.terms)
    writer = EvidenceWriter(folder)
    writer.header({"bench": True})
    started = time.perf_counter()
    for got in LocalWorkforce(law, told.terms, vendor, processes=2).answer_chunks():
        assert not isinstance(got, VendorRestart)
        close = [got.lines[at] for at in got.close]
        assert not [one for one in close if b'"right":false' in one or b'"fault"' in one]
        writer.lines(got.lines)
        seen.add_chunk(got)
    writer.close({})
    return seen.cases / (time.perf_counter() - started)


def tree(pid):
    """Yield a process and all that descend from it."""
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in task.read_text().split():
                yield from tree(int(child))


def held(pid):
    """Return the mebibytes that a process and its descendants hold, shared ones divided."""
    kibibytes = 0
    for one in tree(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                kibibytes += int(line.split()[1])
    return kibibytes / 1024


def used(pid):
    """Yield each process of a tree, whether it is the vendor's, and its seconds of a processor."""
    for one in tree(pid):
        try:
            stat = Path(f"/proc/{one}/stat").read_bytes().rpartition(b")")[2].split()
            command = Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0")
        except OSError:
            # A process that was there a moment ago; what others used still counts.
            continue
        theirs = (
            command[-2:-1] and command[-2].endswith(b"reference.py") and b"bwrap" not in command[0]
        )
        yield one, bool(theirs), sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")


# First of all: what is measured after it holds every case in memory.


def test_everything_about_a_case_costs_about_what_the_vendor_itself_costs(law, root, tmp_path):
    """Ours: making cases, expecting, asking, checking, comparing, writing down; and the keepers."""
    adapter = f"{sys.executable} {root}/fixtures/adapters/python/reference.py"
    session = VendorEndpoint(adapter, Limits(), root).session()
    known = introduce_vendor(session, law)
    session.end()
    terms = terms_of(
        law,
        known.scope,
        as_of="2026-01-01",
        text_as_stored=True,
        rulings={},
        budget="full",
        seed=0,
        provisions=[],
    )
    vendor = VendorEndpoint(adapter, Limits(), root, known.description)
    seen, writer = EvidenceAnalysis(law=law, terms=terms), EvidenceWriter(tmp_path)
    writer.header({"bench": True})
    before = {one: spent for one, _, spent in used(os.getpid())}
    seconds, done = {}, threading.Event()

    def watch():
        while not done.wait(0.2):
            with contextlib.suppress(OSError):
                seconds.update({one: (whose, spent) for one, whose, spent in used(os.getpid())})

    watching = threading.Thread(target=watch)
    watching.start()
    for got in LocalWorkforce(law, terms, vendor, processes=2).answer_chunks():
        writer.lines(got.lines)
        seen.add_chunk(got)
    writer.close({})
    done.set()
    watching.join()
    seconds.update({one: (whose, spent) for one, whose, spent in used(os.getpid())})
    theirs = sum(spent for whose, spent in seconds.values() if whose)
    ours = sum(spent - before.get(one, 0) for one, (whose, spent) in seconds.items() if not whose)

    print(f"\n{seen.cases:,} cases: ours {ours:.1f} s of a processor, the vendor's {theirs:.1f} s,")
    print(f"ratio {ours / theirs:.2f}")
    assert ours / theirs < TOLERATED


def test_the_whole_path_is_at_least_a_quarter_of_the_json_floor(told, law, tmp_path, monkeypatch):
    pairs = []
    for number in range(ROUNDS):
        with monkeypatch.context() as patch:
            ours = whole_path(told, law, tmp_path / str(number), patch)
        pairs.append((floor(told), ours))

    ratio = statistics.median(ours / bare for bare, ours in pairs)
    bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    cases = len(told.requests)
    print(f"\n{cases:,} cases, {told.bets:,} bets: the full plan")
    print(f"JSON floor {bare:,.0f} cases/s, whole path {ours:,.0f} cases/s, ratio {ratio:.2f}")
    assert ratio >= 0.25


def examined(root, out, budget):
    """Run an examination of all games; return seconds, the most memory held, and who used what."""
    adapter = f"{sys.executable} {root}/fixtures/adapters/python/reference.py"
    command = [
        sys.executable, "-m", "selo", "examine", "--vendor", adapter, "--rulings", "defaults",
        "--budget", budget, "--out", str(out),
    ]  # fmt: skip
    most, seconds = 0.0, {}
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        output = threading.Thread(target=running.stdout.read)
        output.start()
        while running.poll() is None:
            try:
                most = max(most, held(running.pid))
                seconds |= {one: (theirs, spent) for one, theirs, spent in used(running.pid)}
            except OSError:
                # A process that was there a moment ago.
                continue
            time.sleep(0.5)
        output.join()
    assert running.returncode in {0, 2}
    took = time.perf_counter() - started
    theirs = sum(spent for vendor, spent in seconds.values() if vendor)
    return took, most, (sum(spent for _, spent in seconds.values()) - theirs, theirs)


def counted(folder):
    found = json.loads((folder / "result.json").read_text())
    return sum(one["cases"] for one in found["counts"])


def test_the_full_examination_takes_less_than_a_minute(root, tmp_path):
    seconds, most, (ours, theirs) = examined(root, tmp_path / "full", "full")
    phases = json.loads((tmp_path / "full" / "run.json").read_text())["phases"]
    bets = sum(
        line.count(b'"result":')
        for block in EvidenceReader(tmp_path / "full").blocks()
        for line in block
        if b'"method":"settle"' in line
    )
    size = (tmp_path / "full" / "evidence.jsonl.zst").stat().st_size / 2**20

    print(f"\n{counted(tmp_path / 'full'):,} cases, {bets:,} settled bets, {seconds:.1f} s")
    print(f"evidence {size:.1f} MiB, most memory {most:.0f} MiB with the vendor's processes")
    print(f"processor: ours {ours:.1f} s, the vendor's {theirs:.1f} s, ratio {ours / theirs:.2f}")
    for name, took in phases.items():
        print(f"  {name:12}{took:>8.1f} s")
    assert bets >= 1_000_000
    assert seconds < 60
    assert most < 500
