"""``selo evidence check`` looks at the draws beside the evidence too."""

import json

import pytest

from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_writer import EvidenceWriter
from selo.evidence.run_files import DRAWS_FILE


@pytest.fixture
def run(small):
    """Return a run with draws, whose roots are known."""
    evidence = small.write()
    writer = EvidenceWriter(small.folder, book=DRAWS_FILE)
    writer.header({"plan": "p"})
    writer.lines(
        [encode_canonical({"n": number, "answer": {"outcomes": []}}) for number in range(3)]
    )
    root = writer.close({"batches": 3})
    (small.folder / "run.json").write_text(
        json.dumps({"evidence_root": evidence, "draws_root": str(root)}), encoding="utf-8"
    )
    return small, root


def test_draws_in_order_are_told_with_their_root(selo, run):
    small, root = run

    done = selo("evidence", "check", str(small.folder))

    assert done.stdout.splitlines()[3] == f"The draws are unaltered, too: 3 batches, root {root}."
    assert done.returncode == 2


def test_a_batch_of_draws_is_proved_under_the_root_of_the_draws_and_no_other(selo, run, tmp_path):
    small, root = run
    file = tmp_path / "proof.json"

    made = selo("evidence", "proof", str(small.folder), "1", "--draws", "--out", str(file))

    assert made.returncode == 0, made.stderr
    assert json.loads(json.loads(file.read_text(encoding="utf-8"))["line"])["n"] == 1
    evidence = json.loads((small.folder / "run.json").read_text(encoding="utf-8"))["evidence_root"]
    codes = [
        selo("evidence", "verify-proof", str(file), "--root", str(one)).returncode
        for one in (root, evidence)
    ]
    assert codes == [0, 6]


def test_altered_draws_are_noticed(selo, run):
    small, _ = run
    path = small.folder / DRAWS_FILE.file
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)

    done = selo("evidence", "check", str(small.folder))

    assert "ALTERED" in done.stdout
    assert DRAWS_FILE.file in done.stdout
    assert done.returncode == 6


def test_draws_that_were_taken_away_are_missed(selo, run):
    small, _ = run
    (small.folder / DRAWS_FILE.file).unlink()

    assert selo("evidence", "check", str(small.folder)).returncode == 6


def test_draws_whose_root_nobody_knows_are_not_said_to_be_unaltered(selo, run):
    small, _ = run
    path = small.folder / "run.json"
    known = {**json.loads(path.read_text(encoding="utf-8")), "draws_root": None}
    path.write_text(json.dumps(known), encoding="utf-8")

    done = selo("evidence", "check", str(small.folder), "--json")

    assert (json.loads(done.stdout)["state"], done.returncode) == ("no-root", 2)


def test_a_root_of_the_draws_can_be_given(selo, run):
    small, root = run

    right = selo("evidence", "check", str(small.folder), "--draws-root", root)
    wrong = selo("evidence", "check", str(small.folder), "--draws-root", "0" * 64)

    assert (right.returncode, wrong.returncode) == (2, 6)
