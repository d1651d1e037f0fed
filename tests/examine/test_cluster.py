"""A cluster of real processes: the same root and verdicts, lost workers, and who may join."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import jsonschema
import psutil
import pytest

from selo.cli.schemas.published_schemas import build_schema, schema_name

POKER = "fortune-three-card-poker"
REFERENCE = f"{sys.executable} fixtures/adapters/python/reference.py"
#: A vendor in the worker's own process, which ends that process in the middle of its work.
MURDERER = """
import os, signal, sys
sys.path.insert(0, {folder!r})
from reference import ReferenceVendor

class Vendor(ReferenceVendor):
    def compare(self, params):
        os.kill(os.getpid(), signal.SIGKILL)

    settle = compare

vendor = Vendor(["pai-kao"])
"""


@pytest.fixture
def examine(root, tmp_path):
    """Run an examination and return its folder, or what it said."""

    def run(*arguments, vendor=REFERENCE, fails=False):
        folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        done = subprocess.run(
            [sys.executable, "-m", "selo", "examine", "--vendor", vendor, "--text-as-stored",
             "--rulings", "defaults", "--out", folder, *arguments],
            cwd=root, check=False, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        if fails:
            return done
        assert (folder / "result.json").exists(), done.stderr
        return folder

    return run


@pytest.fixture
def part(root):
    """Start a part of a cluster and return its process and what it said first."""
    started = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "selo", "cluster", *arguments],
            cwd=root, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        said = process.stdout.readline()
        while said.startswith("{") and not said.endswith("\n}\n"):
            said += process.stdout.readline()
        return process, said

    yield start
    for process in reversed(started):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        process.kill()
        process.wait()
        process.stdout.close()


def read_commands(root):
    """Return the two commands that docs/campaigns.md shows, without what the shell adds."""
    page = (root / "docs" / "campaigns.md").read_text(encoding="utf-8")
    return [
        shlex.split(line)[3:] for line in page.splitlines() if line.startswith("$ selo cluster")
    ]


@pytest.fixture
def cluster(part, root, tmp_path):
    """Start a scheduler and two workers with the two commands of the page, on loopback."""
    keys = str(tmp_path / "keys")
    start, join = read_commands(root)
    assert (start[0], start[1], join[0], join[2]) == ("start", "keys", "join", "keys")
    scheduler, said = part("start", keys, "--host", "127.0.0.1", "--port", "0", "--json")
    started = json.loads(said)
    jsonschema.validate(started, build_schema(schema_name("cluster start")))
    address = started["address"]
    assert re.fullmatch(r"tls://127\.0\.0\.1:\d+", address)
    workers, said = part("join", address, keys, "--host", "127.0.0.1", "--workers", "2", "--json")
    joined = json.loads(said)
    jsonschema.validate(joined, build_schema(schema_name("cluster join")))
    assert joined == {"address": address, "workers": 2}
    return address, keys, scheduler, workers


def verdicts(folder):
    result = json.loads((folder / "result.json").read_text())
    return [(one["provision"], one["result"], one["reason"]) for one in
            result["summary"]["provisions"]]  # fmt: skip


def facts(folder):
    result = json.loads((folder / "result.json").read_text())
    return result["header"]["plan"], result["evidence_root"], verdicts(folder)


def worker_processes(joined):
    """Return the processes that work, which their nannies started, by their own children."""
    children = psutil.Process(joined.pid).children(recursive=True)
    return [one for one in children if "spawn_main" in " ".join(one.cmdline())]


@pytest.mark.full
def test_a_local_cluster_comes_to_the_same_root_plan_and_verdicts(examine):
    alone = examine("--game", "pai-kao", "--processes", "1")

    spread = examine("--game", "pai-kao", "--cluster", "local:2")

    assert facts(spread) == facts(alone)


@pytest.mark.full
def test_a_worker_killed_mid_run_changes_neither_root_nor_verdicts(
    root, tmp_path, cluster, examine
):
    address, keys, _, workers = cluster
    choices = ["--game", POKER, "--draws", "500000"]
    alone = examine(*choices)
    folder = tmp_path / "spread"
    run = subprocess.Popen(
        [sys.executable, "-m", "selo", "examine", "--vendor", REFERENCE, "--text-as-stored",
         "--rulings", "defaults", "--out", folder, *choices, "--cluster", address,
         "--cluster-keys", keys],
        cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    killed = []
    for file, size in (("evidence.jsonl.zst", 20_000), ("draws.jsonl.zst", 100_000)):
        while run.poll() is None and (
            not (folder / file).exists() or (folder / file).stat().st_size < size
        ):
            time.sleep(0.05)
        assert run.poll() is None, "it ended before a worker could be killed"
        before = worker_processes(workers)
        victim = before[0]
        os.kill(victim.pid, signal.SIGKILL)
        killed.append(victim.pid)

    run.communicate(timeout=600)

    assert len(set(killed)) == 2
    assert facts(folder) == facts(alone)
    result = json.loads((folder / "result.json").read_text())
    assert result["draws_root"] != json.loads((alone / "result.json").read_text())["draws_root"]
    assert {one["sample"] for one in result["statistics"] if one["source"] == "draw"} == {500_000}
    assert {"streams", "overlap"} <= {one["test"] for one in result["statistics"]}


@pytest.mark.full
def test_a_vendor_that_kills_its_worker_is_at_fault(root, tmp_path, examine):
    path = tmp_path / "murderer.py"
    folder = str(root / "fixtures" / "adapters" / "python")
    path.write_text(MURDERER.format(folder=folder), encoding="utf-8")

    done = examine("--game", "pai-kao", "--cluster", "local:2", vendor=f"{path}:vendor", fails=True)

    assert done.returncode == 4
    assert "ended 4 times in the same part of the plan" in done.stderr
    (kept,) = tmp_path.glob("run*/faults/faults.json")
    assert [one["kind"] for one in json.loads(kept.read_text())["faults"]] == ["killed-worker"]


@pytest.mark.full
def test_nothing_of_a_cluster_listens_beyond_this_machine(cluster):
    _, _, scheduler, workers = cluster

    processes = [
        one
        for part in (scheduler, workers)
        for one in (psutil.Process(part.pid), *psutil.Process(part.pid).children(recursive=True))
    ]
    heard = {
        socket.laddr.ip
        for one in processes
        for socket in one.net_connections("inet")
        if socket.status == psutil.CONN_LISTEN
    }

    assert heard == {"127.0.0.1"}


@pytest.mark.full
def test_whoever_has_another_key_cannot_use_a_cluster(part, cluster, examine, tmp_path):
    address, _, _, _ = cluster
    other = str(tmp_path / "others")
    part("start", other, "--port", "0")

    done = examine("--game", "pai-kao", "--cluster", address, "--cluster-keys", other, fails=True)

    assert done.returncode == 3
    assert "cannot be reached" in done.stderr


@pytest.mark.full
def test_a_cluster_without_workers_ends_the_run_which_can_be_resumed(part, examine, tmp_path, root):
    keys = str(tmp_path / "keys")
    _, said = part("start", keys, "--port", "0")
    address = re.search(r"tls://127\.0\.0\.1:\d+", said)[0]

    done = examine("--game", "pai-kao", "--cluster", address, "--cluster-keys", keys, fails=True)

    assert done.returncode == 3
    assert "has no workers" in done.stderr
    (folder,) = tmp_path.glob("run*")
    resumed = subprocess.run(
        [sys.executable, "-m", "selo", "resume", folder], cwd=root, check=False, capture_output=True
    )
    assert resumed.returncode in {0, 2}
    assert (folder / "result.json").exists()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (["--cluster", "tcp://192.0.2.1:8786"], "not encrypted"),
        (["--cluster", "tls://127.0.0.1:8786"], "needs the key"),
        (["--cluster", "local:0"], "not the address of a cluster"),
        (["--cluster", "http://127.0.0.1:1"], "not the address of a cluster"),
        (["--cluster", "tls://127.0.0.1:1", "--cluster-keys", "nowhere"], "does not exist"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_refused(selo, choices, said, tmp_path):
    done = selo(
        "examine", "--vendor", REFERENCE, "--game", "pai-kao", "--out", str(tmp_path / "run"),
        *choices,
    )  # fmt: skip

    assert done.returncode == 3
    assert said in done.stderr
