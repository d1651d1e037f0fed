"""Each open point that a rule touches comes out, under each reading, as the register says."""

from fractions import Fraction
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
SITUATIONS = {
    yaml.safe_load((path.parent / "instrument.yaml").read_text("utf-8"))["game"]: yaml.safe_load(
        path.read_text("utf-8")
    )
    for path in sorted((HERE / "../../specs").glob("*/situations.yaml"))
}
#: Readings of some points need more than one case; these are not the register's own.
FURTHER = yaml.safe_load((HERE / "further_situations.yaml").read_text("utf-8"))
CASES = [
    pytest.param(game, point, case, reading, id=f"{point}={reading}")
    for game, points in SITUATIONS.items()
    for point, own in points.items()
    for case in [
        own,
        *({**case, "own_case": True} for case in FURTHER.get(game, {}).get(point, [])),
    ]
    for reading in case["expect"]
    if "compare" not in case
]
COMPARISONS = [
    pytest.param(game, point, case, reading, id=f"{point}={reading}")
    for game, points in SITUATIONS.items()
    for point, case in points.items()
    for reading in case["expect"]
    if "compare" in case
]


@pytest.fixture(scope="module")
def points(law):
    return {one.id: one for one in law.divergences}


def _amount(written):
    return Fraction(*written) if isinstance(written, list) else Fraction(written)


@pytest.mark.parametrize(("game", "point", "case", "reading"), CASES)
def test_the_case_settles_as_worked_out_by_hand(compiled, game, point, case, reading):
    under = compiled(game, **{point: reading})

    answers = under.settle_plain(case["options"], case["outcome"], case["bets"])

    assert answers == case["expect"][reading]


@pytest.mark.parametrize(("game", "point", "case", "reading"), CASES)
def test_the_register_pays_as_much(points, game, point, case, reading):
    """A case that is not the register's own says so with `own_case: true`.

    Where the register asks for some bets only, `asked` gives their places.
    """
    del game
    pays = points[point].situation.results[reading].pays
    if pays is None or case.get("own_case"):
        return
    answers = case["expect"][reading]
    asked = [answers[at] for at in case.get("asked", range(len(answers)))]
    won = [one for one in asked if one["result"] == "win"]
    assert sum(_amount(one["prize"]) - _amount(one["commission"]) for one in won) == pays


@pytest.mark.parametrize(("game", "point", "case", "reading"), COMPARISONS)
def test_the_pairs_compare_as_the_register_says(compiled, points, game, point, case, reading):
    under = compiled(game, **{point: reading})
    one, other = case["compare"]

    said = under.compare(one, other) if under.is_judged(one, other) else "not-required"

    assert said == case["expect"][reading] == points[point].situation.results[reading].result


@pytest.mark.parametrize("game", SITUATIONS)
def test_every_reading_of_an_executable_point_is_settled(points, game):
    for point, case in SITUATIONS[game].items():
        assert set(case["expect"]) == {one.id for one in points[point].readings}, point


@pytest.mark.parametrize("game", SITUATIONS)
def test_the_readings_of_an_executable_point_part(game):
    for point, case in SITUATIONS[game].items():
        expected = list(case["expect"].values())
        assert expected.count(expected[0]) < len(expected), point
