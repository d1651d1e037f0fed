"""The referee of refactorings: equal passes, any changed byte is reported, intentions are used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
#: The modules of a script import each other by their own names.
sys.path.insert(0, str(HERE))

from commands import list_uncovered  # noqa: E402 - it lies in a folder that was just added
from compare import Intention, Side, compare, read_intentions  # noqa: E402 - the same
from jobs import GAMES, list_jobs  # noqa: E402 - the same
from normalise import normalise  # noqa: E402 - the same

ROOT = HERE.parent.parent
#: What two full collections take on a busy machine.
PATIENCE = 3600


@pytest.fixture
def sides(tmp_path):
    """Return a maker of two sides out of their files."""

    def write(folder, files, literals):
        for name, text in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Side(folder=tmp_path / folder, literals=dict.fromkeys(files, literals))

    def make(old, new, old_literals=None, new_literals=None):
        return write("old", old, old_literals or {}), write("new", new, new_literals or {})

    return make


def test_equal_files_are_equal(sides):
    old, new = sides({"law/check.txt": "a\n"}, {"law/check.txt": "a\n"})

    result = compare(old, new, ["law/check.txt"])

    assert (result.equal, result.differences) == (1, {})


def test_a_changed_byte_is_reported_with_its_line(sides):
    old, new = sides({"law/check.txt": "a\nb\n"}, {"law/check.txt": "a\nc\n"})

    result = compare(old, new, ["law/check.txt"])

    assert result.differences["law/check.txt"][-3:] == ["-b", "+c", " "]


def test_a_changed_byte_in_one_line_of_json_is_reported_by_its_key(sides):
    text = f'{{"filler":"{"x" * 300}","verdict":"conforms"}}'
    old, new = sides({"a.json": text}, {"a.json": text.replace("conforms", "violates")})

    result = compare(old, new, ["a.json"])

    assert '+ "verdict": "violates"' in result.differences["a.json"]


def test_a_changed_line_end_is_reported(sides):
    old, new = sides({"a.txt": "a\n"}, {"a.txt": "a"})

    result = compare(old, new, ["a.txt"])

    assert "a.txt" in result.differences


def test_json_that_is_laid_out_anew_is_reported(sides):
    text = f'{{"a": "{"x" * 300}"}}'
    old, new = sides({"a.json": text}, {"a.json": text.replace(": ", ":")})

    result = compare(old, new, ["a.json"])

    assert result.differences["a.json"] == ["differs only in how its JSON is laid out"]


@pytest.mark.parametrize(
    ("old", "new", "side"), [({"a.txt": ""}, {}, "newer"), ({}, {"a.txt": ""}, "older")]
)
def test_a_missing_file_differs(sides, old, new, side):
    result = compare(*sides(old, new), ["a.txt"])

    assert result.differences == {"a.txt": [f"is missing in the {side} tree"]}


@pytest.mark.parametrize(
    "part",
    [
        {"key": "tool.*.version"},
        {"pattern": r"\d\.\d", "replacement": "<version>"},
        {"whole": True},
    ],
)
def test_an_intended_difference_passes(sides, part):
    old, new = sides(
        {"a.json": '{"tool": [{"version": "1.0"}]}'}, {"a.json": '{"tool": [{"version": "2.0"}]}'}
    )
    intention = Intention(reason="a new version", files="*.json", **part)

    result = compare(old, new, ["a.json"], [intention])

    assert (result.intended, result.differences, result.stale) == (["a.json"], {}, [])


def test_a_key_that_is_new_wherever_it_stands_is_no_difference(sides):
    old, new = sides(
        {"a.json": '{"list": [{"b": 1}], "b": {"c": [2]}}'},
        {"a.json": '{"list": [{"b": 1, "new": 0}], "b": {"c": [2], "new": []}}'},
    )
    intention = Intention(reason="it is new", files="*.json", key="**.new")

    result = compare(old, new, ["a.json"], [intention])

    assert (result.intended, result.differences, result.stale) == (["a.json"], {}, [])


def test_a_difference_beside_an_intended_one_is_reported(sides):
    old, new = sides({"a.json": '{"a": 1, "b": 1}'}, {"a.json": '{"a": 2, "b": 2}'})
    intention = Intention(reason="a is new", files="*.json", key="a")

    result = compare(old, new, ["a.json"], [intention])

    assert '+ "b": 2' in result.differences["a.json"]


def test_an_intention_that_nothing_needs_is_stale(sides):
    old, new = sides({"a.txt": "a"}, {"a.txt": "a"})
    intention = Intention(reason="long ago", files="a.txt", whole=True)

    result = compare(old, new, ["a.txt"], [intention])

    assert result.stale == [intention]


def test_an_intention_without_a_reason_is_refused(tmp_path):
    path = tmp_path / "intended.toml"
    path.write_text('[[intended]]\nfiles = "*"\nwhole = true\nreason = ""\n', encoding="utf-8")

    with pytest.raises(ValueError, match="give a reason"):
        read_intentions(path)


def test_intentions_of_the_repository_can_be_read():
    assert isinstance(read_intentions(HERE / "intended.toml"), list)


def test_the_values_by_which_a_run_names_itself_do_not_differ(sides):
    name = "examine/run/result.json"
    old, new = sides(
        {name: '{"root": "aa11", "folder": "/x/out"}'},
        {name: '{"root": "bb22", "folder": "/y/out"}'},
        {"aa11": "<evidence-root>", "/x": "<workspace>"},
        {"bb22": "<evidence-root>", "/y": "<workspace>"},
    )

    result = compare(old, new, [name])

    assert (result.equal, result.differences) == (1, {})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("examine/terminal.txt", "2,968 cases, 65 rounds"),
        ("examine/result.json", '{"as_of": "2026-01-15", "probability": 0.59}'),
        ("report/report.junit.xml", '<testsuite tests="22" failures="1">'),
        ("law/check.txt", "spec digest  sha256:9ff7b3a9c5c31dc8ca66f1ffd2b4678a"),
    ],
)
def test_what_a_program_decides_is_not_normalised(name, text):
    assert normalise(text, name, {}) == text


def test_a_command_without_a_line_is_named(tmp_path):
    (tmp_path / "law-check.txt").write_text("Options\n  --json  print it\n", encoding="utf-8")
    (tmp_path / "law-new.txt").write_text("Options\n  --json  print it\n", encoding="utf-8")

    assert list_uncovered(tmp_path) == ["law-new"]


def test_every_game_is_examined_with_a_fault_and_quickly():
    jobs = list_jobs(GAMES, ["quick"], full=False)

    assert {f"{game}-quick-faulty" for game in GAMES} <= {job.name for job in jobs if job.quick}


@pytest.mark.full
def test_the_work_tree_does_what_the_last_commit_did():
    base = os.environ.get("SELO_FREEZE_BASE", "HEAD")
    command = [sys.executable, str(HERE / "freeze.py"), "--base", base, "--name", "test"]

    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)  # noqa: PLW1510 - the code is the claim

    assert done.returncode == 0, done.stdout
