"""``selo evidence`` as a person runs it."""

import json

import pytest


@pytest.fixture
def known(small):
    """Return a run whose root is known, and that root."""
    root = small.write()
    small.record(root)
    return small, root


def test_evidence_of_no_examination_is_told_with_its_root_and_does_not_hold(selo, known):
    run, root = known

    done = selo("evidence", "check", str(run.folder))

    assert done.stdout.splitlines()[:3] == [
        "Nothing was altered: 20 cases, 22 lines.",
        f"root {root}",
        "the same root is named by: run.json",
    ]
    assert "Not checked whether the evidence follows its plan" in done.stdout
    assert (done.returncode, done.stderr) == (2, "")


def test_evidence_whose_root_nobody_knows_is_not_said_to_be_unaltered(selo, small):
    small.write()

    done = selo("evidence", "check", str(small.folder))

    assert "there is no known root to compare it with" in done.stdout
    assert "Nothing was altered" not in done.stdout
    assert done.returncode == 2


def test_a_root_can_be_given(selo, small):
    root = small.write()

    done = selo("evidence", "check", str(small.folder), "--root", root.upper(), "--json")

    assert json.loads(done.stdout) == {
        "state": "whole",
        "planned": False,
        "root": root,
        "cases": 20,
        "lines": 22,
        "known_to": ["--root"],
        "exit": 2,
    }
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("language", "word"), [("pt", "ALTERADA"), ("zh", "已遭更改"), ("en", "ALTERED")]
)
def test_altered_evidence_is_told_in_every_language(selo, known, language, word):
    run, _ = known
    raw = bytearray(run.file.read_bytes())
    raw[-40] ^= 1
    run.put(raw)

    done = selo("evidence", "check", str(run.folder), "--lang", language)

    assert done.stdout.startswith(word)
    assert done.returncode == 6


def test_altered_evidence_is_told_to_machines(selo, known):
    run, root = known
    run.forge([run.first, *run.cases[:-1], run.cases[-1].replace(b"true", b"false"), run.last])

    done = selo("evidence", "check", str(run.folder), "--json")

    told = json.loads(done.stdout)
    assert (told["state"], told["sign"], told["exit"]) == ("altered", "root", 6)
    assert root in told["what"]
    assert done.returncode == 6


def test_a_truncated_file_of_a_finished_run_is_altered(selo, known):
    run, _ = known
    run.put(run.file.read_bytes()[:-1])

    done = selo("evidence", "check", str(run.folder))

    assert "The end is missing" in done.stdout
    assert done.returncode == 6


def test_an_unfinished_run_is_told_apart(selo, small):
    small.begin(until=10)

    done = selo("evidence", "check", str(small.folder))

    assert done.stdout.startswith("The evidence is incomplete: 10 cases recorded.")
    assert f"selo resume {small.folder}" in done.stdout.replace("\n", "")
    assert done.returncode == 2


def test_a_proof_travels_in_a_file_and_is_checked_without_the_evidence(selo, known, tmp_path):
    run, root = known
    file = tmp_path / "proof.json"

    made = selo("evidence", "proof", str(run.folder), "7", "--out", str(file))
    run.file.unlink()
    checked = selo("evidence", "verify-proof", str(file), "--root", root)

    assert made.returncode == 0
    assert root in made.stdout
    assert checked.stdout.splitlines() == [
        "This line is in the evidence with that root: line 8 of 22.",
        '{"key":"00000000000000000007","n":7,"right":true}',
    ]
    assert checked.returncode == 0


def test_a_proof_is_printed_when_no_file_is_named(selo, known, tmp_path):
    run, root = known
    file = tmp_path / "proof.json"

    made = selo("evidence", "proof", str(run.folder), f"{7:020x}")
    file.write_text(made.stdout, encoding="utf-8")

    assert selo("evidence", "verify-proof", str(file), "--root", root).returncode == 0


def test_a_proof_of_altered_evidence_is_not_made(selo, known):
    run, _ = known
    run.put(run.file.read_bytes()[:-1])

    done = selo("evidence", "proof", str(run.folder), "7")

    assert done.returncode == 6
    assert "path" not in done.stdout


def test_a_proof_of_another_line_or_another_root_is_refused_and_not_quoted(selo, known, tmp_path):
    run, root = known
    file = tmp_path / "proof.json"
    made = selo("evidence", "proof", str(run.folder), "7").stdout
    file.write_text(made.replace("true", "false"), encoding="utf-8")

    done = selo("evidence", "verify-proof", str(file), "--root", root, "--json")

    assert json.loads(done.stdout) == {
        "proved": False,
        "told": "NOT proved: this line does not lead to that root.",
        "line": None,
        "exit": 6,
    }
    assert done.returncode == 6


@pytest.mark.parametrize("text", ["", "{", "[]", '{"proof":"selo-evidence"}', "\xff"])
def test_a_file_that_is_no_proof_proves_nothing(selo, tmp_path, text):
    file = tmp_path / "proof.json"
    file.write_bytes(text.encode("latin-1"))

    done = selo("evidence", "verify-proof", str(file), "--root", "0" * 64)

    assert "NOT proved" in done.stdout
    assert done.returncode == 6


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "{folder}", "--root", "abc"),
        ("check", "{folder}/nowhere"),
        ("proof", "{folder}", "99"),
        ("proof", "{folder}", "7", "--out", "{folder}/run.json"),
        ("verify-proof", "{folder}/nowhere", "--root", "0" * 64),
        ("verify-proof", "{folder}/run.json"),
    ],
)
def test_wrong_usage_is_told_as_such(selo, known, arguments):
    run, _ = known

    done = selo("evidence", *(one.format(folder=run.folder) for one in arguments))

    assert "hint" in done.stderr
    assert done.returncode == 3
