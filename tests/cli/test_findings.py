"""What is printed of a finding: told in words, with a command that can be pasted."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.often import often

FAULTY = "python3 fixtures/planted/vendor.py fish-prawn-crab pays-a-chosen-figure-180-to-one"


@pytest.fixture(scope="module")
def runs(root, tmp_path_factory):
    """Examine a faulty vendor from another folder, once, and print it in each language."""
    folder = tmp_path_factory.mktemp("findings")
    told = {}
    for language in ("en", "pt", "zh"):
        asked = ["resume", "run"] if told else ["examine", "--text-as-stored", "--out", "run"]
        asked += [] if told else ["--vendor", FAULTY, "--folder", str(root)]
        asked += [] if told else ["--provision", "portaria-21-96-m/6/h", "--rulings", "defaults"]
        told[language] = subprocess.run(
            [sys.executable, "-m", "selo", "--lang", language, *asked],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
    return folder, told


@pytest.mark.parametrize(
    ("language", "title", "money"),
    [
        # Article 6 h): a hundred and fifty to one.
        ("en", "a prize of MOP 180.00 instead of MOP 150.00", "Pays MOP 30.00 too much for"),
        ("pt", "prémio de MOP 180,00 em vez de MOP 150,00", "Paga MOP 30,00 a mais por uma aposta"),
        ("zh", "彩金 MOP 180.00，應為 MOP 150.00", "多付 MOP 30.00"),
    ],
)
def test_a_finding_is_told_in_words_and_in_money(runs, language, title, money):
    done = runs[1][language]

    assert done.returncode == 1, done.stderr
    assert title in done.stdout
    assert money in done.stdout


def test_the_command_that_replays_a_finding_can_be_pasted(runs):
    folder, told = runs
    lines = told["en"].stdout.splitlines()
    (line,) = {one.strip() for one in lines if "selo replay" in one and "F-001" in one}
    surroundings = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    done = subprocess.run(
        shlex.split(line.removeprefix("$ ")),
        cwd=folder, env=surroundings, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1, done.stderr
    assert "F-001 still fails." in done.stdout


@pytest.mark.parametrize("language", often(["en", "pt", "zh"], "zh"))
def test_a_finding_replayed_is_told_in_the_words_of_its_examination(root, runs, language):
    folder, told = runs
    finding = str(folder / "run" / "findings" / "F-001.json")
    asked = ["replay", finding, "--vendor", FAULTY, "--folder", str(root)]
    done = subprocess.run(
        [sys.executable, "-m", "selo", "--lang", language, *asked],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip

    examined = told[language].stdout.splitlines()
    begin = next(at for at, line in enumerate(examined) if line.startswith("F-001"))
    end = next(at for at, line in enumerate(examined) if line.startswith("  $ selo replay"))
    words = [line for line in examined[begin:end] if line.strip()]

    assert done.returncode == 1, done.stderr
    assert any(("MOP 30,00" if language == "pt" else "MOP 30.00") in line for line in words)
    replayed = [line for line in done.stdout.splitlines() if line.strip()]
    assert replayed[: len(words)] == words
    # Then it is told that it is still so, and a table: what the law requires, and what is done now.
    assert replayed[len(words) + 1 :] == [
        line for line in words if line in replayed[len(words) + 1 :]
    ]
    assert len(replayed) == len(words) + 6


def test_words_of_the_law_stay_under_their_provision(runs):
    lines = runs[1]["en"].stdout.splitlines()
    quoted = [one for one in lines if "«Três dados de uma figura escolhida»" in one]

    assert quoted
    assert all(one.startswith(" " * 6) for one in quoted)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", " provisions depend on open points of interpretation."),
        pytest.param(
            "pt",
            " disposições dependem de pontos de leitura em aberto.",
            marks=pytest.mark.full,
        ),
        pytest.param("zh", " 項條文取決於未決之解讀問題。", marks=pytest.mark.full),
    ],
)
def test_whoever_is_left_with_open_readings_is_told_what_to_do(law, selo, tmp_path, language, said):
    vendor = "python3 fixtures/adapters/python/reference.py"
    asked = ("--game", "pai-kao", "--out", str(tmp_path / "run"), "--lang", language)

    without = selo("examine", "--vendor", vendor, *asked)
    asked = ("--game", "pai-kao", "--out", str(tmp_path / "ruled"), "--lang", language)
    ruled = selo("examine", "--vendor", vendor, *asked, "--rulings", "defaults")

    assert without.returncode == 2
    assert said in without.stdout
    assert "--rulings defaults" in without.stdout
    assert ruled.returncode == 0
    # Of P'ai Kao only a part of the law is stored, and one line says which is not.
    (instrument,) = (
        folder.instrument for folder in law.folders if folder.instrument.game == "pai-kao"
    )
    missing = instrument.not_held[0].part.get(language)
    (line,) = (line for line in ruled.stdout.splitlines() if missing in line)
    assert " 9" in line or "：9" in line
    assert said not in ruled.stdout
