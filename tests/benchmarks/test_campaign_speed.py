"""Campaigns: speed beside the vendor alone, memory as samples grow, and two workers beside one."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

from selo.draws import equipment_of_game
from selo.examine.exchange import VendorEndpoint
from selo.examine.exchange.outcome_streams import DrawStream, draw_stream
from selo.examine.plan import Sample
from selo.rules.readings import Readings
from selo.vendors.resource_limits import Limits

pytestmark = pytest.mark.bench
FISH = "fish-prawn-crab"
REFERENCE = f"{sys.executable} fixtures/adapters/python/reference.py --game {FISH}"
MEBIBYTE = 1 << 20
#: Draws as the reference vendor does and writes every answer, with nobody who reads it.
ALONE = """
import json, sys, time
sys.path.insert(0, "fixtures/adapters/python")
from reference import ReferenceVendor
vendor, params = ReferenceVendor([{game!r}]), {params!r}
begun = time.process_time()
with open("/dev/null", "w", encoding="utf-8") as nowhere:
    for _ in range({requests}):
        nowhere.write(json.dumps(vendor.draw(params)) + "\\n")
print(time.process_time() - begun)
"""


@pytest.fixture
def examine(root, tmp_path):
    """Examine, and return the folder, the seconds that draws took, and the most memory used."""

    def run(*arguments):
        folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        process = subprocess.Popen(
            [sys.executable, "-m", "selo", "examine", "--vendor", REFERENCE, "--text-as-stored",
             "--rulings", "defaults", "--out", folder, *arguments],
            cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        most = [0]
        watching = threading.Thread(target=_watch_memory, args=(process, most))
        watching.start()
        process.wait()
        watching.join()
        log = json.loads((folder / "run.json").read_text())
        return folder, log["phases"], most[0]

    return run


def _watch_memory(process, most):
    """Keep the most memory that the program and its own processes had, without the vendor's."""
    while process.poll() is None:
        used = 0
        with contextlib.suppress(psutil.NoSuchProcess):
            own = psutil.Process(process.pid)
            for one in (own, *own.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    # Workers are forks of the program; supervisors and vendors are not.
                    if "examine" in one.cmdline():
                        used += one.memory_full_info().pss
        most[0] = max(most[0], used)
        time.sleep(0.2)


@pytest.mark.parametrize("game", [FISH, "fortune-three-card-poker"])
def test_a_stream_is_drawn_at_four_fifths_of_the_vendors_own_speed(law, root, game):
    batches = 200
    sample = Sample(game=game, options={}, provisions=[], outcomes=batches * 1_000)
    equipment = equipment_of_game(law, game, Readings(law, {}), {})
    address = f"{sys.executable} fixtures/adapters/python/reference.py --game {game}"
    vendor = VendorEndpoint(address, Limits(), root)
    session = vendor.session()
    stream = DrawStream(sample=0, look=1, stream=1, batches=batches)
    begun = time.process_time()
    drawn = draw_stream(session, law, sample, equipment, stream)
    ours = time.process_time() - begun
    session.kill()
    assert drawn.counts is not None
    code = ALONE.format(game=game, params=sample.params(), requests=batches)
    alone = float(subprocess.check_output([sys.executable, "-c", code], cwd=root))

    # They run side by side, so the slower of the two decides, each on a core of its own.
    ratio = alone / max(alone, ours)
    print(f"\n{game}: vendor alone {alone:.2f} s, ours {ours:.2f} s of processor: {ratio:.2f}")
    assert ratio >= 0.8


def test_memory_is_flat_from_a_hundred_thousand_to_ten_million_draws(examine):
    used = {}
    for draws in (100_000, 1_000_000, 10_000_000):
        _, phases, used[draws] = examine("--draws", str(draws), "--processes", "2")
        print(f"\n{draws:>12,}: {used[draws] / MEBIBYTE:.0f} MiB, draws {phases['draws']:.0f} s")
    growth = (used[10_000_000] - used[1_000_000]) / 9_000_000
    print(f"extrapolated to 10^9: {(used[10_000_000] + growth * 990e6) / MEBIBYTE:.0f} MiB")

    assert used[10_000_000] < 1.3 * used[1_000_000]
    assert used[10_000_000] < 2 * used[100_000]


def test_two_workers_draw_at_least_1_6_times_as_fast_as_one(examine):
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("two workers need two cores")
    seconds = {}
    for workers in (1, 2):
        # Everything that a cluster of so many workers does has so many cores.
        os.sched_setaffinity(0, set(cores[:workers]))
        try:
            _, phases, _ = examine("--draws", "3000000", "--cluster", f"local:{workers}")
        finally:
            os.sched_setaffinity(0, set(cores))
        seconds[workers] = phases["draws"]

    print(f"\none {seconds[1]:.1f} s, two {seconds[2]:.1f} s: {seconds[1] / seconds[2]:.2f}")
    assert seconds[1] / seconds[2] >= 1.6
