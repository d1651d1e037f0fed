"""``selo readings`` says which readings can be followed, and which of them ever decide a case."""

import json

import pytest
import yaml

from selo.rules.checks import settlement_points
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

# These change what needs the authority's permission, which no settlement shows.
IDLE = {
    ("2-2009-13-1-4-3--pool-shared-between-tables", "one-table-only"),
    ("2-2009-17-12--percentage-without-approval", "percentage-also"),
    ("2-2009-18-1--five-per-cent-an-option", "one-of-three"),
    ("2-2009-19--which-options-need-authorisation", "true-alternatives-only"),
}
#: These decide no registered case, since one case cannot tell three readings apart, but a further.
FURTHER = {
    ("2-2009-13-1-4-3-a-i--fifth-or-sixth-card", "five-card-rounds"),
    ("2-2009-13-1-4-3-a-iii--four-alike-suits", "not-all-one-suit"),
}


def test_every_reading_decides_a_case_but_those_about_permissions(selo):
    rows = json.loads(selo("readings", "--json").stdout)

    assert len(rows) > 100
    assert {(row["divergence"], row["reading"]) for row in rows if not row["decisive"]} == {
        *IDLE,
        *FURTHER,
    }


@pytest.mark.parametrize(("point", "reading"), sorted(FURTHER))
def test_a_reading_that_decides_no_registered_case_decides_a_further_one(law, root, point, reading):
    path = root / "tests" / "rules" / "further_situations.yaml"
    (case,) = yaml.safe_load(path.read_text(encoding="utf-8"))["bacara"][point]
    games = [compile_game(law, "bacara", Readings(law, one)) for one in ({}, {point: reading})]

    usual, ruled = (
        game.settle_plain(case["options"], case["outcome"], case["bets"]) for game in games
    )

    assert usual != ruled


def test_one_game_can_be_asked_for(selo):
    done = selo("readings", "fish-prawn-crab", "--lang", "pt")

    assert done.returncode == 0
    assert "21-96-m-5-h--chosen-figure" in done.stdout
    assert "decide um caso" in done.stdout
    assert "bacara" not in done.stdout


def test_rulings_come_from_a_file_and_the_command_line_prevails(selo, tmp_path):
    path = tmp_path / "rulings.yaml"
    path.write_text("21-96-m-5-h--chosen-figure: any-figure\n", encoding="utf-8")
    case = [
        "explain",
        "fish-prawn-crab",
        "--throw",
        "crab,crab,crab",
        "--bet",
        "three-of-figure=fish",
    ]

    from_file = selo(*case, "--rulings", str(path))
    over = selo(
        *case, "--rulings", str(path), "--ruling", "21-96-m-5-h--chosen-figure=chosen-figure"
    )

    assert "wins 15000" in from_file.stdout
    assert "is lost" in over.stdout


def test_a_rulings_file_that_is_none_is_one_clear_error(selo, tmp_path):
    path = tmp_path / "rulings.yaml"
    path.write_text("- a\n- b\n", encoding="utf-8")

    done = selo("explain", "craps", "--throw", "3,4", "--bet", "field", "--rulings", str(path))

    assert done.returncode == 3
    assert "is not a list of rulings" in done.stderr


def test_readings_that_only_steps_follow_are_listed_too(selo, law):
    rows = json.loads(selo("readings", "three-card-baccarat", "--json").stdout)

    steps = {row["divergence"] for row in rows if row["steps"]}
    assert steps
    assert steps.isdisjoint(settlement_points(law, "three-card-baccarat"))
    assert steps | {row["divergence"] for row in rows} <= {point.id for point in law.divergences}
