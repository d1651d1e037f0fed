"""The whole road of a game that was added by data: check, odds, examination, document, gate."""

import json
import os
import resource
import subprocess
import sys

import pytest
from tests.example_games import EXAMPLES, ROOT

pytestmark = pytest.mark.full

#: What an examination with the budget `standard` may take of a processor.
MOST_SECONDS = 30
#: Commands that judge by the law of a day, and a day on which the made-up texts would be law.
DATED = {"examine", "gate"}
AS_OF = ("--as-of", "2033-06-01")
THROWS = {"roulette": "17", "cussec": "1,2,4", "fantan": "43", "boule": "7"}
BETS = {
    "roulette": "straight=17:100", "cussec": "small:100", "fantan": "fan=3:100",
    "boule": "single=7:100",
}  # fmt: skip
PRIZES = {
    "roulette": "wins 3500", "cussec": "wins 100", "fantan": "wins 300, commission 15",
    "boule": "wins 700",
}  # fmt: skip
FAULTS = {
    "roulette": ("straight-pays-36", "4/a"),
    "cussec": ("double-pays-10", "4/g"),
    "fantan": ("fan-pays-4", "4/a"),
    "boule": ("number-pays-8", "4/a"),
}


@pytest.fixture(scope="module")
def ask(folder_with_games):
    """Run a command with the law that has the games."""

    def run(*words, status=0):
        done = subprocess.run(
            [sys.executable, "-m", "selo", *words, *(AS_OF if words[0] in DATED else ())],
            cwd=ROOT, env={**os.environ, "SELO_LAW": str(folder_with_games)}, check=False,
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == status, done.stderr[-3000:]
        return done.stdout

    return run


def command(game, fault=""):
    return f"python3 fixtures/examples/piece_vendor.py {game} {fault}".strip()


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_game_takes_the_whole_road(ask, tmp_path, game):
    assert "rounds" in ask("law", "check")
    assert game in ask("odds", game)
    assert PRIZES[game] in ask("explain", game, "--throw", THROWS[game], "--bet", BETS[game])
    assert "an-ordinary-round" in ask("plan", "--game", game)
    assert "(100% in all)" in ask("coverage", game)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    examined = ask(
        "examine", "--vendor", command(game), "--budget", "standard", "--rulings", "defaults",
        "--out", str(tmp_path / "run"), "--json",
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    assert json.loads(examined)["exit"] == 0
    assert after.ru_utime - before.ru_utime < MOST_SECONDS
    ask("report", str(tmp_path / "run"), "--out", str(tmp_path / "report"))
    assert (tmp_path / "report" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert EXAMPLES[game] in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    ask("gate", "--vendor", command(game), "--rulings", "defaults", "--out", str(tmp_path / "gate"))


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_fault_is_in_the_document_and_keeps_the_gate_closed(ask, tmp_path, game):
    fault, provision = FAULTS[game]
    ask(
        "examine", "--vendor", command(game, fault), "--rulings", "defaults",
        "--out", str(tmp_path / "run"), status=1,
    )  # fmt: skip
    ask(
        "report", str(tmp_path / "run"), "--out", str(tmp_path / "report"), "--format", "json",
        status=1,
    )  # fmt: skip
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))

    assert [one["provisions"] for one in report["findings"]] == [[f"{EXAMPLES[game]}/{provision}"]]
    assert report["findings"][0]["pieces"]["shape"] in {"wheel", "die", "beads"}
    ask(
        "gate", "--vendor", command(game, fault), "--rulings", "defaults",
        "--out", str(tmp_path / "gate"), status=1,
    )  # fmt: skip


def test_the_vendors_of_the_examples_are_listed_nowhere_in_the_harness():
    assert not [
        path
        for path in (ROOT / "harness").rglob("*.py")
        if "piece_vendor" in path.read_text(encoding="utf-8")
    ]
