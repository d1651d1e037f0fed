"""Third cards of Bacará are seen in what is drawn, for engines without payouts too."""

import pytest
from tests.examine.partial_examination import session_with
from tests.fixture_modules import load_fixture

from selo.cases.generate.round_dealer import RoundDealer
from selo.examine.adapter_tools.smoke_test import run_smoke_checks


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
