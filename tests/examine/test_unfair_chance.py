"""Vendors whose chance is not fair are found, and fair ones are not, whatever is tested."""

import msgspec
import pytest
from tests.examine.free_play import play_freely
from tests.fixture_modules import load_fixture
from tests.often import often

from selo.cases import Scope
from selo.draws.draw_verdict import DrawResult, read_levels
from selo.examine.analysis.draw_results import DrawResults, planned_samples, run_tests
from selo.examine.plan import terms_of
from selo.examine.run.finding_redraw import draw_sample
from selo.examine.vendor_description import offered_of
from selo.protocol import messages as m
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session

CHEATS = load_fixture("unfair/cheat.py").CHEATS
#: Few enough for every run of the tests; the others stand behind the mark.
QUICK = [
    "same-seed-in-every-process", "loaded-after-ten-thousand-throws", "outcome-knows-the-bets",
    "shoe-lacks-a-card", "aces-lie-behind-the-cut",
    "set-lacks-a-tile", "period-of-four-thousand",
]  # fmt: skip
#: The method of whole packs, where a quick plan has none.
WITH_PACKS = "standard"


def draw_only(law, vendor, game, method, budget="quick"):
    """Return the tested draws of a vendor, without its tables."""
    description = msgspec.convert(vendor.describe({}), m.Description)
    offer = next(one for one in description.games if one.game == game)
    terms = terms_of(
        law, Scope(games=(offered_of(offer),)), as_of="2026-01-01", rulings={}, budget=budget,
        seed=1, provisions=[],
    )  # fmt: skip
    samples = [one for one in planned_samples(law, terms) if one.sample.method == method]
    results = DrawResults(samples=samples, levels=read_levels(law, [game]))
    session = Session(InProcessTransport(game, given=vendor), DEFAULT_LIMITS)
    for sample in samples:
        draw_sample(session, law, sample)
    run_tests(results, None)
    return results, terms


def examine_chance(law, name, made):
    """Return the results of a cheat, examined where it cheats."""
    vendor, place, game = CHEATS[name]
    if place == "pack":
        return draw_only(law, vendor([game]), game, "pack", WITH_PACKS)
    if place == "draw":
        made.setattr(vendor, "started", 1, raising=False)
        return draw_only(law, vendor([game]), game, "draw")
    if place == "both":
        return play_in_two_processes(law, vendor, game)
    # Tables of one process, on as many rounds as a full examination has.
    return play_freely(law, vendor([game]), game, budget="full")


def play_in_two_processes(law, vendor, game):
    """Play free rounds in one process, and draw in another."""
    results, terms = play_freely(law, vendor([game]), game)
    results.samples = planned_samples(law, terms)
    session = Session(InProcessTransport(game, given=vendor([game])), DEFAULT_LIMITS)
    for sample in results.samples:
        draw_sample(session, law, sample)
    run_tests(results, None)
    return results, terms


def is_suspected(results):
    """Return the tests by which a source is found, at the first look or at the second."""
    return {test.test for test in results.statistics if test.verdict is not DrawResult.FAIR}


@pytest.mark.parametrize(
    "name", often(QUICK, *(name for name in QUICK if name not in {QUICK[0], QUICK[2]}))
)
def test_a_source_that_is_not_fair_is_found(law, monkeypatch, name):
    monkeypatch.setenv("TZ", "Asia/Macau")
    results, _ = examine_chance(law, name, monkeypatch)

    assert any(test.verdict is DrawResult.UNFAIR for test in results.statistics)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in CHEATS if name not in QUICK])
def test_every_source_that_is_not_fair_is_found(law, monkeypatch, name):
    monkeypatch.setenv("TZ", "Asia/Macau")
    results, _ = examine_chance(law, name, monkeypatch)

    assert is_suspected(results)
