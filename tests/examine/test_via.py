"""What the adapter works out is judged as ever, and is not certified as the product's."""

import pytest
from tests.examine.partial_examination import (
    default_rulings,
    examine,
    load_partial,
    session_with,
)

from selo.examine.vendor_description import check_description, introduce_vendor
from selo.law.files.provision_file import Way
from selo.report.content.tested_item import describe_offers
from selo.report.phrases import Labels

DICE = "fish-prawn-crab"
#: Art. 5 a) and b): when small and when big win; art. 6 a): what small wins.
SMALL, BIG, PRIZE = (f"portaria-21-96-m/{place}" for place in ("5/a", "5/b", "6/a"))


@pytest.fixture(scope="module")
def small_apart(law):
    """Examine a vendor whose adapter settles the bet on small itself."""
    vendor = load_partial(DICE, "small-by-the-adapter")
    return examine(law, vendor, DICE, rulings=default_rulings(law))


@pytest.mark.parametrize("provision", [SMALL, PRIZE])
def test_what_only_the_adapter_works_out_does_not_conform(small_apart, provision):
    assert small_apart.verdict(provision) == ("not-examined", "not-of-the-product")


def test_what_the_product_works_out_conforms_beside_it(small_apart):
    assert small_apart.verdict(BIG) == ("conforms", "examined")


def test_what_is_not_the_products_is_named_with_who_worked_it_out(small_apart):
    (missing,) = small_apart.withheld[SMALL, Way.EXAMINATION]

    assert (missing.kind, missing.name, missing.value) == ("via", "small", "adapter")


def test_a_game_with_foreign_answers_is_not_certified(small_apart):
    assert small_apart.findings == []
    assert small_apart.summary.overall.exit == 2


def test_a_wrong_answer_of_the_adapter_is_a_violation(law):
    vendor = load_partial(DICE, "everything-copied", "pays-seven-fourteen-to-one")

    examined = examine(law, vendor, DICE, rulings=default_rulings(law), with_coverage=False)

    assert examined.verdict("portaria-21-96-m/6/j/4") == ("violates", "violation")


@pytest.mark.full
def test_nothing_conforms_where_everything_is_copied(law):
    vendor = load_partial(DICE, "everything-copied")

    examined = examine(law, vendor, DICE, rulings=default_rulings(law))

    assert examined.conforming() == set()


def test_who_works_out_an_unknown_bet_is_a_fault_of_the_description(law):
    vendor = load_partial(DICE, "small-by-the-adapter")
    vendor.describe({})["games"][0]["via"] = {"roulette": "adapter"}

    (fault,) = check_description(law, introduce_vendor(session_with(vendor), law).description)

    assert fault.path == "$.result.games[0].via.roulette"


@pytest.mark.parametrize(
    ("manner", "key", "value"),
    [
        ("small-by-the-adapter", "Computed by the adapter, and not certified", "small"),
        ("cannot", "What the product cannot do, as the vendor declares", "dice that lean"),
        ("tells-nets", "What a settlement reports, as the vendor declares", "the net amount alone"),
    ],
)
def test_the_document_prints_the_claims_of_the_vendor(law, manner, key, value):
    described = introduce_vendor(session_with(load_partial(DICE, manner)), law).description

    (offer,) = describe_offers(Labels(law), described, [DICE])

    said = {line.what.en: line.value.en.lower() for line in offer.said}
    assert value in said[key]
