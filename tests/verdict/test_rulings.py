"""Readings that somebody adopted: from where, by whom, when, and which of them prevails."""

import datetime as dt

import pytest

from selo.errors import SpecError, UsageError
from selo.rules.readings.reading_choice import Readings
from selo.verdict.rulings import NO_RULINGS, RulingSource, adopt_rulings, list_recorded
from selo.verdict.verdict_phrases import ruling_phrase

POINT = "21-96-m-3-c--leaning-dice"
OTHER = "21-96-m-6--stake-in-the-prize"


def written(tmp_path, text):
    path = tmp_path / "rulings.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nobody_has_ruled_unless_somebody_has(law):
    assert adopt_rulings(law) == NO_RULINGS
    assert NO_RULINGS.reading(POINT) is None


def test_defaults_adopt_the_whole_register_openly(law):
    adopted = adopt_rulings(law, defaults=True)

    assert adopted.followed == {one.id: one.default for one in law.divergences}
    assert {one.source for one in adopted.adopted} == {RulingSource.DEFAULTS}
    assert Readings(law, adopted.followed).rulings == adopted.followed


def test_a_file_says_who_ruled_and_when(law, tmp_path):
    path = written(tmp_path, f"{POINT}: {{reading: stacked-only, by: authority, on: 2025-01-31}}\n")

    (one,) = adopt_rulings(law, path=path).adopted

    assert (one.reading, one.by, one.on) == ("stacked-only", "authority", dt.date(2025, 1, 31))
    assert one.source is RulingSource.FILE
    assert (
        ruling_phrase(one, "en")
        == f"{POINT}: stacked-only (authority, 2025-01-31, file of rulings)"
    )


def test_a_file_may_name_readings_alone(law, tmp_path):
    path = written(tmp_path, f"{POINT}: stacked-only\n{OTHER}: to-one\n")

    assert adopt_rulings(law, path=path).followed == {POINT: "stacked-only", OTHER: "to-one"}


def test_what_is_given_prevails_over_a_file_and_a_file_over_defaults(law, tmp_path):
    path = written(tmp_path, f"{POINT}: stacked-only\n{OTHER}: for-one\n")

    adopted = adopt_rulings(law, {OTHER: "to-one"}, path=path, defaults=True)

    sources = {one.divergence: one.source for one in adopted.adopted}
    assert (adopted.reading(OTHER), sources[OTHER]) == ("to-one", RulingSource.GIVEN)
    assert (adopted.reading(POINT), sources[POINT]) == ("stacked-only", RulingSource.FILE)
    assert len(adopted.adopted) == len(law.divergences)


@pytest.mark.parametrize(
    ("given", "told"),
    [({"no-such-point": "x"}, "no-such-point"), ({POINT: "sideways"}, "sideways")],
)
def test_a_ruling_on_nothing_is_refused(law, given, told):
    with pytest.raises(UsageError, match=told):
        adopt_rulings(law, given)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{OTHER}: to-one\n{POINT}: {{by: authority}}\n", 2),
        (f"{POINT}: [stacked-only]\n", 1),
        (f"{POINT}: {{reading: stacked-only, on: 2025-02-30}}\n", 1),
        (f"{POINT}: {{reading: stacked-only, who: authority}}\n", 1),
    ],
    ids=["no reading", "a list", "no day", "unknown field"],
)
def test_a_ruling_that_cannot_be_read_is_refused_by_line(law, tmp_path, text, line):
    path = written(tmp_path, text)

    with pytest.raises(SpecError) as refused:
        adopt_rulings(law, path=path)

    assert (refused.value.problem.path, refused.value.problem.line) == (path, line)


def test_a_list_is_no_file_of_rulings(law, tmp_path):
    with pytest.raises(UsageError, match="is not a list of rulings"):
        adopt_rulings(law, path=written(tmp_path, "- x\n"))


IDLE = "21-96-m-1-b--details-of-the-cup"


def test_a_ruling_on_a_point_without_rule_is_recorded_with_the_reason_of_the_register(law):
    point = next(one for one in law.divergences if one.id == IDLE)
    given = {IDLE: point.default, POINT: "stacked-only"}

    (one,) = list_recorded(law, adopt_rulings(law, given))

    assert (one.divergence, one.reading, one.source) == (IDLE, point.default, RulingSource.GIVEN)
    assert one.because == point.not_executable.because


def test_a_ruling_on_a_point_of_another_game_is_recorded(law):
    adopted = adopt_rulings(law, {POINT: "stacked-only"})

    assert list(list_recorded(law, adopted, ["fish-prawn-crab"])) == []
    (one,) = list_recorded(law, adopted, ["craps"])
    assert one.because.en == "The point does not concern any examined game."


def test_a_ruling_on_a_settled_point_is_recorded(law):
    settled = next(one for one in law.divergences if len(one.readings) == 1)

    (one,) = list_recorded(law, adopt_rulings(law, {settled.id: settled.default}))

    assert one.because.en == "This point has one reading only."


def test_of_adopted_defaults_those_without_rule_in_these_games_are_recorded(law):
    adopted = adopt_rulings(law, defaults=True)

    recorded = {one.divergence for one in list_recorded(law, adopted, ["fish-prawn-crab"])}

    assert recorded == {
        one.id
        for one in law.divergences
        if one.not_executable is not None and one.id.startswith("21-96-m")
    }
