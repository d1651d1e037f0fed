"""One rule: an adapter of 1.0 keeps working, since what came later holds what held before."""

import msgspec
import pytest
from tests.examine.partial_examination import load_partial, session_with
from tests.fixture_modules import load_fixture

from selo.examine.plan import terms_of
from selo.examine.vendor_description import check_description, introduce_vendor
from selo.protocol import messages as m

DICE = "fish-prawn-crab"
#: What came with 1.1, and what held before.
CAME_LATER = {"level": "full", "via": {}, "cannot": []}


@pytest.fixture(scope="module")
def old():
    """Return the description of an adapter that was written for 1.0."""
    description = load_fixture("adapters/python/reference.py").ReferenceVendor([DICE]).describe({})
    assert description["protocol"] == "1.0"
    assert not CAME_LATER.keys() & description["games"][0].keys()
    return description


def test_a_field_that_came_later_holds_what_held_before(old):
    told = {**old["games"][0], **CAME_LATER}

    assert msgspec.convert(told, m.Offer) == msgspec.convert(old["games"][0], m.Offer)


def test_a_description_of_an_older_protocol_has_no_fault(law, old):
    assert list(check_description(law, msgspec.convert(old, m.Description))) == []


def test_the_plan_for_an_older_adapter_is_that_for_one_that_says_the_defaults(law, old):
    def digest(offer):
        vendor = load_partial(DICE, "cannot-and-does")
        vendor.describe({})["games"][:] = [offer]
        scope = introduce_vendor(session_with(vendor), law).scope
        return terms_of(
            law,
            scope,
            as_of="",
            text_as_stored=True,
            rulings={},
            budget="quick",
            seed=1,
            provisions=[],
        ).digest

    assert digest(old["games"][0]) == digest({**old["games"][0], **CAME_LATER})


def test_a_full_settlement_is_read_as_in_the_first_protocol():
    assert m.RESULTS[m.answer_form("settle", m.FULL)] is m.Settled
    assert m.Settlement.__struct_fields__ == ("result", "prize", "commission", "stake")
