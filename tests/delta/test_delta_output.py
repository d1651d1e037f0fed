"""How a comparison is told: in three languages, as JSON by its schema, and by the exit code."""

import datetime as dt
import io
import json
import sys

import jsonschema
import msgspec
import pytest
from rich.console import Console
from tests.verification.certificates import make_build, refactor

from selo.cli.printers.delta_summary import print_delta
from selo.cli.schemas.published_schemas import build_schema
from selo.delta import compare_sides, read_change_policy
from selo.delta.carry_over import CarryObstacle
from selo.delta.change_policy import ChangeKind
from selo.text import say

PRIZE = "portaria-21-96-m/6/h"
LANGUAGES = ("pt", "zh", "en")


@pytest.fixture(scope="session")
def delta(sides):
    day = dt.date(2026, 1, 31)
    return compare_sides(sides["lawful"], sides["prize"], read_change_policy(), day)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_prize_is_told_with_article_class_and_both_answers(delta, law, language):
    out = Console(file=io.StringIO(), width=400, markup=False)

    print_delta(out, law, delta, language)

    text = out.file.getvalue()
    assert PRIZE in text
    assert say("delta.class.fairness", language) in text
    assert read_change_policy().class_of(ChangeKind.SETTLEMENT).because.get(language) in text
    example = next(one.example for one in delta.provisions if one.id == PRIZE)
    assert str(example.before) in text
    assert str(example.after) in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("obstacle", CarryObstacle)
def test_every_obstacle_has_words(obstacle, language):
    assert say(f"delta.obstacle.{obstacle}", language)


def test_the_json_is_what_its_schema_says(delta):
    plain = json.loads(msgspec.json.encode(delta))

    jsonschema.validate(plain, build_schema("diff"))


@pytest.mark.full
def test_runs_and_builds_are_compared_by_the_command(selo, tmp_path):
    vendor = f"{sys.executable} adapters/python/reference.py"
    old, new = make_build(tmp_path / "old"), refactor(make_build(tmp_path / "new"))
    terms = ("--game", "pai-kao", "--rulings", "defaults")
    run = tmp_path / "run"
    selo("examine", "--vendor", vendor, "--folder", str(old), *terms, "--out", str(run))

    told = selo("diff", str(run), vendor, "--new-folder", str(new), "--json", stored=False)

    delta = json.loads(told.stdout)
    jsonschema.validate(delta, build_schema("diff"))
    assert told.returncode == 0, told.stderr
    assert (delta["before"]["kind"], delta["after"]["kind"]) == ("run", "build")
    assert {change["kind"] for change in delta["changes"]} == {"files"}
    assert delta["again"] == []
    assert not delta["certified"]


@pytest.mark.full
def test_an_altered_run_is_not_compared(selo, tmp_path):
    vendor = f"{sys.executable} adapters/python/reference.py"
    build, run = make_build(tmp_path / "old"), tmp_path / "run"
    terms = ("--game", "pai-kao", "--rulings", "defaults")
    selo("examine", "--vendor", vendor, "--folder", str(build), *terms, "--out", str(run))
    path = run / "evidence.jsonl.zst"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)

    told = selo("diff", str(run), str(run), stored=False)

    assert told.returncode == 6
