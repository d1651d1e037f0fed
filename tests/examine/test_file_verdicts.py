"""A file of answers gets the verdicts that `selo examine` gives on the same answers."""

import json
import subprocess
import sys

import pytest
from tests.games import GAMES

DICE, TILES = "fish-prawn-crab", "pai-kao"
VENDORS = {"lawful": "adapters/python/reference.py", "broken": "broken/arbitrary.py"}
PAIRS = [(TILES, "broken"), (DICE, "lawful")]
#: A file holds no outcomes of the product's own.
NOT_DRAWN = ("not-examined", "draws-not-tested")


@pytest.fixture
def judged(selo, root, tmp_path):
    """Return the results by provision, and the exit code, by file and live."""

    def judge(game, kind):
        path = root / "fixtures" / VENDORS[kind]
        adapter = [sys.executable, str(path), "--game", game]
        describe = b'{"jsonrpc":"2.0","id":"1","method":"describe","params":{}}\n'
        told = subprocess.run(adapter, input=describe, capture_output=True, check=True).stdout
        described = tmp_path / "description.json"
        described.write_bytes(told)
        written = selo("vectors", "write", "--description", described, "--out", tmp_path / "v",
                       "--rulings", "defaults", "--game", game)  # fmt: skip
        assert written.returncode == 0, written.stderr
        asked = (tmp_path / "v" / "requests.jsonl").read_bytes()
        answers = subprocess.run(adapter, input=asked, capture_output=True, check=True).stdout
        (tmp_path / "answers").write_bytes(answers)
        graded = selo("vectors", "grade", tmp_path / "v", tmp_path / "answers", "--json",
                      "--text-as-stored")  # fmt: skip
        vendor = " ".join(adapter)
        live = selo("examine", "--vendor", vendor, "--game", game, "--rulings", "defaults",
                    "--text-as-stored", "--json", "--out", tmp_path / "run")  # fmt: skip
        return json.loads(graded.stdout), json.loads(live.stdout)["summary"]

    return judge


def results(output):
    return {one["provision"]: (one["result"], one["reason"]) for one in output["provisions"]}


def params():
    rest = [(game, kind) for game in GAMES for kind in VENDORS if (game, kind) not in PAIRS]
    return [*PAIRS, *(pytest.param(*pair, marks=pytest.mark.full) for pair in rest)]


@pytest.mark.parametrize(("game", "kind"), params())
def test_a_file_is_judged_by_provision_as_the_same_answers_are_live(judged, game, kind):
    by_file, live = (results(output) for output in judged(game, kind))

    differing = {name for name in live if by_file[name] != live[name]}
    assert by_file.keys() == live.keys()
    assert all(by_file[name] == NOT_DRAWN for name in differing)
    assert ("violates" in {result for result, _ in by_file.values()}) is (kind == "broken")
