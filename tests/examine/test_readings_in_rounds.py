"""What live rounds say of open points: what nobody ruled on is open, a ruling leaves no doubt."""

import sys

import msgspec
import pytest

from selo.examine.conclusion.result import ExaminationResult

GAME = "fish-prawn-crab"
ASKED = "portaria-21-96-m/3/a"
#: Whether the sign goes out when the bell rang; only the steps of a round show it.
POINT = "21-96-m-3-a--sign-after-the-bell"
GOES_OUT, STAYS_LIT = "out-at-the-bell", "may-stay-lit"
VENDOR = f"{sys.executable} fixtures/planted/vendor.py {GAME}"


@pytest.fixture(scope="module")
def verdict(selo, law, tmp_path_factory):
    """Examine a vendor on one provision, and return the verdict on it and what was found."""
    others = [
        f"--ruling={one.id}={one.default}"
        for one in law.divergences
        if ASKED in one.provisions and one.id != POINT
    ]

    def examined(fault, *rulings):
        folder = tmp_path_factory.mktemp("run") / "run"
        selo(
            "examine", "--vendor", f"{VENDOR} {fault}", "--provision", ASKED, *others, *rulings,
            "--out", str(folder),
        )  # fmt: skip
        result = msgspec.json.decode((folder / "result.json").read_bytes(), type=ExaminationResult)
        (mine,) = [one for one in result.summary.provisions if one.provision == ASKED]
        return mine, result.findings

    return examined


def test_a_point_that_only_rounds_show_is_open_and_the_reading_followed_is_named(verdict):
    mine, (finding,) = verdict("leaves-the-sign-lit")

    assert (mine.result, mine.reason) == ("inconclusive", "reading-open")
    (followed,) = [one for one in mine.followed if one.divergence == POINT]
    assert followed.fits[STAYS_LIT] == followed.cases > followed.fits[GOES_OUT]
    assert (finding.verdict, finding.readings) == ("open", [(POINT, STAYS_LIT)])


@pytest.mark.full
def test_what_every_reading_allows_is_not_open_though_nobody_ruled(verdict):
    mine, findings = verdict("lawful")

    assert (mine.result, findings) == ("conforms", [])


@pytest.mark.full
def test_following_another_reading_than_the_one_ruled_violates_in_live_rounds(verdict):
    mine, (finding,) = verdict("leaves-the-sign-lit", f"--ruling={POINT}={GOES_OUT}")

    assert (mine.result, mine.reason) == ("violates", "against-ruling")
    assert mine.findings == (finding.id,)
    assert (finding.verdict, finding.readings) == ("violates", [])
    assert finding.against == [(POINT, STAYS_LIT)]


@pytest.mark.full
@pytest.mark.parametrize(
    ("fault", "reading"), [("lawful", GOES_OUT), ("leaves-the-sign-lit", STAYS_LIT)]
)
def test_following_the_reading_ruled_leaves_nothing_open_in_live_rounds(verdict, fault, reading):
    mine, findings = verdict(fault, f"--ruling={POINT}={reading}")

    assert (mine.result, findings) == ("conforms", [])
