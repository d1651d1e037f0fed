"""``selo readings`` says which readings can be followed, and which of them ever decide a case."""

import json

# These change what needs the authority's permission, which no settlement shows.
IDLE = {
    ("2-2009-13-1-4-3--pool-shared-between-tables", "one-table-only"),
    ("2-2009-17-12--percentage-without-approval", "fixed-amounts-only"),
    ("2-2009-18-1--five-per-cent-an-option", "one-of-three"),
    ("2-2009-19--which-options-need-authorisation", "true-alternatives-only"),
}


def test_every_reading_decides_a_case_but_those_about_permissions(selo):
    rows = json.loads(selo("readings", "--json").stdout)

    assert len(rows) > 100
    assert {(row["divergence"], row["reading"]) for row in rows if not row["decisive"]} == IDLE


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
    assert "is no list of rulings" in done.stderr
