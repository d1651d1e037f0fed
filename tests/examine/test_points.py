"""The points of a pair of tiles may be told, and are examined where the law held says them."""

import pytest
from tests.examine.partial_examination import (
    default_rulings,
    examine,
    load_partial,
    session_with,
)

from selo.cases.case import comparison_case
from selo.cases.oracle import Oracle
from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.protocol.messages import Compared

TILES = "pai-kao"
#: Annex 98, «Cheóng P’ai Iat»: one point; annex 104, «Cheóng P’ai Mât»: none.
ONE, NONE = ["3/3", "1/4"], ["3/3", "2/2"]
#: A pair of ranks that the law held does not print.
UNPRINTED = ["6/6", "6/6"]


@pytest.mark.parametrize(
    ("hand", "points", "told"),
    [
        (ONE, [1, 0], "higher"),
        (ONE, [2, 0], "higher at 2:0"),
        (ONE, [1, 1], "higher at 1:1"),
        (ONE, None, "higher"),
        (UNPRINTED, [7, 0], "higher"),
    ],
)
def test_points_are_compared_where_the_law_says_them(law, hand, points, told):
    case = comparison_case(TILES, "", hand, NONE)

    answer = Oracle(law).told_order(case, Compared(order="higher", hand_points=points))

    assert answer == told


@pytest.mark.parametrize("manner", ["tells-points", "tells-a-point-too-many"])
def test_the_smoke_test_passes_whoever_tells_points(law, root, monkeypatch, manner):
    monkeypatch.chdir(root)

    found = list(run_smoke_checks(session_with(load_partial(TILES, manner)), law, [TILES]))

    assert [check.name for check in found if check.state is SmokeState.WRONG] == []


def test_right_points_change_nothing(law):
    examined = examine(
        law, load_partial(TILES, "tells-points"), TILES, rulings=default_rulings(law)
    )

    assert examined.findings == []
    assert examined.fault_kinds == set()


def test_a_point_too_many_is_a_violation_of_the_lines_that_say_the_points(law):
    vendor = load_partial(TILES, "tells-a-point-too-many")

    examined = examine(law, vendor, TILES, rulings=default_rulings(law), with_coverage=False)

    assert examined.summary.overall.exit == 1
    broken = {one for finding in examined.findings for one in finding.provisions}
    assert broken <= {f"portaria-96-85-m/annex/{line}" for line in range(98, 107)}
    finding = examined.findings[0]
    assert finding.expected["order"] == finding.observed["order"]
    assert [more - 1 for more in finding.observed["hand_points"]] == finding.expected["hand_points"]
