"""Third cards of Bacará are seen in what is drawn, for engines without payouts too."""

import msgspec
import pytest
from tests.examine.partial_examination import session_with
from tests.fixture_modules import load_fixture

from selo.cases import Scope
from selo.cases.generate.round_dealer import RoundDealer
from selo.examine.adapter_tools.smoke_test import run_smoke_checks
from selo.examine.analysis import draw_results
from selo.examine.analysis.draw_results import DrawResults, planned_samples
from selo.examine.findings.draw_findings import collect_draw_findings
from selo.examine.plan import terms_of
from selo.examine.vendor_description import offered_of
from selo.protocol.messages import Offer


@pytest.mark.parametrize(
    ("player", "banker", "is_right"),
    [
        (["9H", "KD"], ["2S", "3C"], True),  # a natural: nobody draws
        (["9H", "KD"], ["2S", "3C", "4H"], False),
        (["6H", "KD"], ["2S", "3C", "4H"], True),  # the player stands, the banker draws on five
        (["6H", "KD"], ["2S", "3C"], False),
        (["2H", "3D", "8C"], ["KS", "3C"], True),  # three against an eight stands
        (["2H", "3D", "8C"], ["KS", "3C", "AH"], False),
        (["2H", "3D", "9C"], ["KS", "3C", "AH"], True),
        (["2H", "3D"], ["KS", "7C"], False),
        (["2H", "3D", "6C"], ["KS", "6C", "AH"], True),
        (["2H"], ["KS", "6C"], False),
    ],
)
def test_a_round_is_dealt_by_the_rule_or_not(law, player, banker, is_right):
    outcome = {"player": player, "banker": banker}

    assert RoundDealer.from_law(law).is_dealt_by_rule(outcome) is is_right


def test_dice_have_no_third_card(law):
    assert RoundDealer.from_law(law).is_dealt_by_rule({"dice": ["fish"] * 3}) is None


@pytest.mark.parametrize("spoiled", [False, True])
def test_the_smoke_test_notes_third_cards_that_come_otherwise(law, spoiled):
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor(["bacara"])
    plain = vendor.draw

    def draw(params):
        outcomes = plain(params)["outcomes"]
        cut = [{**one, "banker": one["banker"][:2]} for one in outcomes]
        return {"outcomes": cut if spoiled else outcomes}

    vendor.draw = draw

    notes = [check for check in run_smoke_checks(session_with(vendor), law, ["bacara"])
             if check.name == "drawing-rule"]  # fmt: skip

    assert len(notes) == spoiled


def departing(side, change):
    """Return a Bacará vendor of which one side of each drawn deal is changed."""
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor(["bacara"])
    plain = vendor.draw

    def draw(params):
        outcomes = plain(params)["outcomes"]
        return {"outcomes": [{**one, side: change(one[side])} for one in outcomes]}

    vendor.draw = draw
    return vendor


def rule_tests(law, vendor, rulings=None):
    """Return the tests of additional cards of one sample, as an examination makes them."""
    described = vendor.describe({})["games"]
    offers = [offered_of(msgspec.convert(one, Offer)) for one in described]
    terms = terms_of(law, Scope(games=tuple(offers)), as_of="", rulings=rulings or {},
                     budget="quick", seed=0, provisions=[])  # fmt: skip
    results = DrawResults(samples=planned_samples(law, terms)[:1])
    (draws,) = results.samples
    draws.batches.append(
        draws.equipment.rows(vendor.draw({**draws.sample.params(), "count": 900})["outcomes"])
    )
    results.statistics = draw_results.tests_of_look(results, [draws], 1, [])
    return results, {test.of: test for test in results.statistics if not test.is_of_chance}


def test_a_lawful_source_departs_from_no_rule(law):
    _, tests = rule_tests(law, departing("banker", list))

    assert {side: (test.statistic, test.verdict) for side, test in tests.items()} == {
        "player": ("0", "fair"), "banker": ("0", "fair"),
    }  # fmt: skip


@pytest.mark.parametrize("side", ["player", "banker"])
def test_a_side_that_never_draws_departs_by_its_points_and_is_not_called_unfair(law, side):
    results, tests = rule_tests(law, departing(side, lambda hand: hand[:2]))

    assert tests[side].verdict == "unfair"
    assert "9" not in {one.name for one in tests[side].frequencies if one.observed}
    assert results.verdict_of(results.samples[0]) != "unfair"
    assert not list(collect_draw_findings(law, None, results, None))


def test_a_ruling_on_the_drawing_rule_is_what_deals_are_held_against(law):
    ruled = {"2-2009--drawing-rule-not-held": "banker-draws-to-five"}

    _, tests = rule_tests(law, departing("banker", list), ruled)

    # The reconstructed rule stands on three against an eight, and on five against an ace.
    assert {one.name for one in tests["banker"].frequencies if one.observed} >= {"3", "4", "5"}
    assert tests["player"].verdict == "fair"
