"""An examination can be killed, its vendor can crash, the disk can fill: nothing is lost.

Whatever happened on the way, the evidence is the same to the last bit.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time

import pytest

from selo.evidence.evidence_reader import EvidenceReader
from selo.examine.run.run_log import read_run_log

#: So many bytes fit into a file of a full disk.
FULL = 40 * 1024

#: Begins or resumes a run, as the commands do, without concluding from it.
CODE = """
import sys
from pathlib import Path
from selo.vendors.resource_limits import Limits
from selo.examine.run.evidence_header import build_header
from selo.examine.run.examination import Examination
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.examine.plan import terms_of
from selo.examine.exchange import VendorEndpoint, VendorRestart
from selo.law.loader import load_law

folder, vendor, processes = Path(sys.argv[1]), sys.argv[2], sys.argv[4]
games = sys.argv[3].split(",")
law = load_law()
evidence = folder / "evidence.jsonl.zst"
if evidence.exists() and evidence.stat().st_size:
    examination = Examination.resume(folder, law)
else:
    endpoint = VendorEndpoint(vendor, Limits(), Path.cwd())
    session = endpoint.session()
    known = introduce_vendor(session, law, games)
    terms = terms_of(law, known.scope, as_of="2026-01-01", text_as_stored=True,
                     rulings={}, budget="quick", seed=3,
                     provisions=[])
    header = build_header(terms, known.description, adopted=[], commitment=None)
    session.end()
    log = begin_run_log(endpoint, int(processes))
    examination = Examination.begin(folder, law, log, header)
print("begun", flush=True)
for got in examination.put_cases():
    print("restarted" if isinstance(got, VendorRestart) else "chunk", flush=True)
for got in examination.play_rounds():
    print("restarted" if isinstance(got, VendorRestart) else "round", flush=True)
session = examination.vendor().session()
if len(sys.argv) > 5:
    print("reducing", flush=True)
    examination.collect_findings()
print(examination.finish(session).root, flush=True)
session.end()
"""


def command(folder, vendor, games="craps,pai-kao", processes=1):
    return [sys.executable, "-c", CODE, str(folder), vendor, games, str(processes)]


@pytest.fixture(scope="module")
def vendor():
    return f"{sys.executable} fixtures/adapters/python/reference.py"


def root_of(folder):
    return str(EvidenceReader(folder).read().root)


@pytest.fixture(scope="module")
def calm(root, vendor, tmp_path_factory):
    """A run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run(command(folder, vendor), cwd=root, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def undisturbed(calm):
    """The evidence root of a run that nobody disturbed."""
    return root_of(calm)


def test_two_processes_of_the_vendor_give_the_same_evidence(root, vendor, undisturbed, tmp_path):
    folder = tmp_path / "run"
    subprocess.run(command(folder, vendor, processes=2), cwd=root, check=True, capture_output=True)

    assert root_of(folder) == undisturbed


def killed_and_resumed(root, vendor, folder, times, seed):
    """Kill a run so many times at random moments, bring it to its end, and return root and kills.

    A run that is at its end before it can be killed is not killed any more.
    """
    chance, kills = random.Random(seed), 0  # noqa: S311 - repeatable
    while kills < times and root_unknown(folder):
        process = subprocess.Popen(
            command(folder, vendor, processes=chance.choice([1, 2])), cwd=root,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        process.stdout.readline()
        time.sleep(chance.random() * 0.4)
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate()
        assert "Traceback" not in said, said
        kills += process.returncode == -signal.SIGKILL
    if root_unknown(folder):
        subprocess.run(command(folder, vendor), cwd=root, check=True, capture_output=True)
    return root_of(folder), kills


def root_unknown(folder):
    return not (folder / "run.json").exists() or read_run_log(folder).evidence_root is None


def test_a_run_that_is_killed_and_resumed_has_the_same_evidence(
    root, vendor, undisturbed, tmp_path
):
    found, kills = killed_and_resumed(root, vendor, tmp_path / "run", 2, 1)

    assert found == undisturbed
    assert kills


@pytest.mark.full
def test_a_run_that_is_killed_at_fifty_moments_has_the_same_evidence(
    root, vendor, undisturbed, tmp_path
):
    kills = number = 0
    while kills < 50:
        found, more = killed_and_resumed(root, vendor, tmp_path / str(number), 5, number)
        assert found == undisturbed
        kills, number = kills + more, number + 1
        assert number < 50, "runs are at their end before they can be killed"


@pytest.mark.full
@pytest.mark.parametrize(
    ("rounds", "processes"), [(1, 1), pytest.param(40, 2, marks=pytest.mark.full)]
)
def test_a_run_that_is_killed_while_rounds_are_played_has_the_same_evidence(
    root, vendor, undisturbed, tmp_path, rounds, processes
):
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command(folder, vendor, processes=processes), cwd=root, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    played = 0
    while played < rounds:
        assert process.poll() is None
        played += process.stdout.readline().strip() == "round"

    process.send_signal(signal.SIGKILL)
    process.communicate()

    assert root_unknown(folder)
    assert killed_and_resumed(root, vendor, folder, 0, 0)[0] == undisturbed
    assert any(b'"method":"round"' in line for line in EvidenceReader(folder))


FAULTY = f"{sys.executable} fixtures/planted/vendor.py craps twelve-ties-the-pass-line"


def reducing(folder):
    return [*command(folder, FAULTY, "craps"), "reduce"]


@pytest.mark.full
@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.full)])
def test_a_run_that_is_killed_while_findings_are_made_smaller_has_the_same_evidence(
    root, tmp_path, number
):
    calm, shaken = tmp_path / "calm", tmp_path / "shaken"
    subprocess.run(reducing(calm), cwd=root, check=True, capture_output=True)
    process = subprocess.Popen(
        reducing(shaken), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    while process.stdout.readline().strip() != "reducing":
        assert process.poll() is None

    time.sleep(0.02 + number * 0.4)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if root_unknown(shaken):
        subprocess.run(reducing(shaken), cwd=root, check=True, capture_output=True)

    asked = [line for line in EvidenceReader(calm) if b'"group":"reduction"' in line]
    assert asked
    assert root_of(shaken) == root_of(calm)


COLOURS = (
    f"{sys.executable} fixtures/planted/vendor.py fish-prawn-crab one-of-a-colour-wins-with-more"
)


@pytest.mark.full
def test_two_places_languages_and_time_zones_give_the_same_evidence_and_verdicts(root, tmp_path):
    told = set()
    # In these two places it is never the same day.
    for name, language, zone, seed in (
        ("one", "C.UTF-8", "Etc/GMT+12", "1"), ("other", "pt_PT.UTF-8", "Etc/GMT-14", "2"),
    ):  # fmt: skip
        folder = tmp_path / name / "run"
        subprocess.run(
            [sys.executable, "-m", "selo", "examine", "--text-as-stored", "--vendor", COLOURS,
             "--seed", "5", "--provision", "portaria-21-96-m/5/d", "--rulings", "defaults",
             "--out", str(folder)],
            cwd=root, check=False, capture_output=True,
            env={**os.environ, "LC_ALL": language, "TZ": zone, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        verdicts = [(one["provision"], one["result"]) for one in result["summary"]["provisions"]]
        told.add((root_of(folder), result["header"]["plan"], tuple(verdicts), result["exit"]))

    assert len(told) == 1
    assert told.pop()[-1] == 1


CRASHING = """
import os, sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import selo_adapter
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
    count = 0
    def settle(self, params):
        Vendor.count += 1
        if Vendor.count == 1500:
            os._exit(9)
        return super().settle(params)

selo_adapter.serve_stdio(Vendor())
"""


def test_a_vendor_that_crashes_is_started_again_and_the_evidence_is_the_same(root, calm, tmp_path):
    path = tmp_path / "crashing.py"
    path.write_text(
        CRASHING.format(folder=str(root / "fixtures" / "adapters" / "python")), encoding="utf-8"
    )
    shaken = tmp_path / "shaken"
    done = subprocess.run(
        command(shaken, f"{sys.executable} {path} {root / 'fixtures'}"), cwd=root, check=True,
        capture_output=True, text=True,
    )  # fmt: skip

    assert "restarted" in done.stdout
    assert read_run_log(shaken).restarts[0]["kind"] == "died"
    lines = [list(EvidenceReader(folder))[1:-1] for folder in (calm, shaken)]
    assert lines[0] == lines[1]


def test_a_full_disk_stops_with_a_clear_error_and_nothing_is_corrupt(
    root, vendor, undisturbed, tmp_path
):
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command(folder, vendor), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    # The law lies beside the evidence, and is larger: the disk is full once the run has begun.
    assert process.stdout.readline() == "begun\n"
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FULL, FULL))
    _, said = process.communicate()

    assert process.returncode != 0
    assert "evidence.jsonl.zst" in said
    assert killed_and_resumed(root, vendor, folder, 0, 0)[0] == undisturbed


def test_a_run_for_which_the_law_has_no_room_has_no_evidence_and_can_begin_again(
    root, vendor, undisturbed, tmp_path
):
    folder = tmp_path / "run"
    done = subprocess.run(
        command(folder, vendor), cwd=root, check=False, capture_output=True, text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, FULL)),
    )  # fmt: skip

    assert done.returncode != 0
    assert "law.jsonl.zst: cannot be written: File too large" in done.stderr
    # Whoever begins a run holds its evidence, in which not even a header stands.
    assert [(one.name, one.stat().st_size) for one in folder.iterdir()] == [
        ("evidence.jsonl.zst", 0)
    ]
    assert killed_and_resumed(root, vendor, folder, 0, 0)[0] == undisturbed
