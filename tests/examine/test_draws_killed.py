"""A run that is killed while it draws, and resumed, has the draws of one that nobody disturbed."""

import random
import signal
import subprocess
import sys
import time

import pytest

from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.run_files import DRAWS_FILE

#: Begins or resumes a run that does nothing but draw.
CODE = """
import sys
from pathlib import Path
from selo.vendors.resource_limits import Limits
from selo.examine.plan import draw_plan as sampling
from selo.examine.run.evidence_header import build_header
from selo.examine.run.examination import Examination
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.examine.plan import terms_of
from selo.examine.exchange import VendorEndpoint
from selo.law.loader import load_law

sampling.OUTCOMES_PER_TABLE["quick"] = 20_000
folder, vendor = Path(sys.argv[1]), sys.argv[2]
law = load_law()
if (folder / "evidence.jsonl.zst").exists():
    examination = Examination.resume(folder, law)
else:
    endpoint = VendorEndpoint(vendor, Limits(), Path.cwd())
    session = endpoint.session()
    known = introduce_vendor(session, law)
    terms = terms_of(law, known.scope, as_of="2026-01-01", text_as_stored=True,
                     rulings={}, budget="quick", seed=3,
                     provisions=[])
    header = build_header(terms, known.description, adopted=[], commitment=None)
    session.end()
    examination = Examination.begin(folder, law, begin_run_log(endpoint, 1), header)
print("begun", flush=True)
for _ in examination.draw_outcomes():
    pass
examination.finish(examination.vendor().session())
"""
#: Draws from a source that begins with the same seed in each process.
VENDOR = """
import random, sys
sys.path.insert(0, {folder!r})
import selo_adapter
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
    def _offer(self, game):
        return {{**super()._offer(game), "methods": ["draw"], "forces": False, "happens": []}}

selo_adapter.serve_stdio(Vendor(["fish-prawn-crab"], random.Random(7)))
"""


@pytest.fixture(scope="module")
def run(root, tmp_path_factory):
    """Return what begins or resumes a run in a folder."""
    path = tmp_path_factory.mktemp("seeded") / "vendor.py"
    folder = str(root / "fixtures" / "adapters" / "python")
    path.write_text(VENDOR.format(folder=folder), encoding="utf-8")

    command = f"{sys.executable} {path} {root / 'fixtures'}"

    def start(folder):
        return subprocess.Popen(
            [sys.executable, "-c", CODE, str(folder), command], cwd=root,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    return start


def root_of(folder):
    return EvidenceReader(folder, book=DRAWS_FILE).read().root


@pytest.fixture(scope="module")
def undisturbed(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    process = run(folder)
    _, said = process.communicate()
    assert process.returncode == 0, said
    return root_of(folder)


def killed_and_resumed(run, folder, times, seed):
    """Kill a run so many times at random moments, bring it to its end, and return its root."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    for _ in range(times):
        process = run(folder)
        process.stdout.readline()
        time.sleep(chance.random())
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate()
        assert "Traceback" not in said or "finished" in said, said
    process = run(folder)
    _, said = process.communicate()
    assert process.returncode == 0 or "finished" in said, said
    return root_of(folder)


def test_a_run_that_is_killed_while_it_draws_has_the_same_draws(run, undisturbed, tmp_path):
    assert killed_and_resumed(run, tmp_path / "run", 1, 1) == undisturbed


@pytest.mark.full
def test_a_run_that_is_killed_at_twenty_moments_has_the_same_draws(run, undisturbed, tmp_path):
    for number in range(5):
        assert killed_and_resumed(run, tmp_path / str(number), 4, number) == undisturbed
