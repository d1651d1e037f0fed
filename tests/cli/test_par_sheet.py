"""What a vendor declares of its bets is held against the exact figures.

Expected figures are those of the literature on the same bets: Small of Sic Bo wins in 105 of 216
throws at an edge of 6/216, the Pass Line of craps in 244 of 495 rounds at an edge of 7/495.
"""

import json

import pytest

RIGHT = """game: fish-prawn-crab
bets:
  - {bet: small, win: 105/216, edge: 2.78 %, return: 97.2 %}
"""


@pytest.fixture
def sheet(tmp_path):
    """Return the path of a sheet with a text."""

    def write(text, name="par.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_right_figures_hold_as_fractions_percentages_and_decimals(selo, sheet):
    done = selo("odds", "--par", sheet(RIGHT))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 figures declared, 0 wrong" in done.stdout


@pytest.mark.parametrize(("figure", "declared"), [
    ("win", "0.48"), ("win", "106/216"), ("edge", "2.7 %"), ("edge", "2.77 %"),
    ("return", "97.3 %"), ("lose", "0.52"), ("push", "1"),
])  # fmt: skip
def test_a_wrong_figure_is_told_with_the_right_one(selo, sheet, figure, declared):
    text = f"game: fish-prawn-crab\nbets:\n  - {{bet: small, {figure}: {declared}}}\n"

    done = selo("odds", "--par", sheet(text), "--json")

    (check,) = json.loads(done.stdout)[0]["declared"]
    exact = {"win": "35/72", "lose": "37/72", "edge": "1/36", "return": "35/36", "push": "0"}
    assert done.returncode == 1
    assert (check["right"], check["figure"], check["exact"]) == (False, figure, exact[figure])


def test_a_table_of_commas_is_about_the_game_that_is_named(selo, sheet):
    text = "bet,win,edge\npass-line,244/495,1.41 %\n"

    assert selo("odds", "craps", "--par", sheet(text, "par.csv")).returncode == 0
    wrong = selo("odds", "craps", "--par", sheet(text.replace("244", "245"), "wrong.csv"))
    assert wrong.returncode == 1
    assert "244/495" in wrong.stdout


@pytest.mark.parametrize(
    ("language", "name"),
    [("pt", "Três dados de igual figura"), ("zh", "任何圍骰"), ("en", "any-three-of-figure")],
)
def test_bets_that_are_not_declared_are_named_in_every_language(selo, sheet, language, name):
    done = selo("odds", "--par", sheet(RIGHT), "--lang", language)

    assert name in done.stdout


@pytest.mark.parametrize("text", [
    "game: fish-prawn-crab\nbets:\n  - {bet: small, win: often}\n",
    "game: fish-prawn-crab\nbets:\n  - {bet: nothing, win: 0.5}\n",
    "game: fish-prawn-crab\nbets:\n  - {bet: small, odds: 0.5}\n",
    "game: no-such-game\nbets: []\n",
    "bets: []\n",
    "game: [",
])  # fmt: skip
def test_a_sheet_that_cannot_be_read_is_refused_with_what_to_do(selo, sheet, text):
    done = selo("odds", "--par", sheet(text))

    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_a_sheet_that_declares_nothing_is_not_right(selo, sheet):
    assert selo("odds", "--par", sheet("game: fish-prawn-crab\nbets: []\n")).returncode == 2
