"""What a vendor offers, told in the words of each language and not by its ids."""

import msgspec
import pytest

from selo.protocol.messages import Offer
from selo.report.names import Names
from selo.report.offers import Offers

BACARA = {
    "game": "bacara",
    "methods": ["settle", "draw"],
    "bets": ["player", "banker"],
    "options": {
        "commission": ["five-percent", "half-on-six", "dragon-push"],
        "jackpot_stake": {"from": 0, "to": 9007199254740991},
    },
}
GRANTED = {
    "option": "commission",
    "values": ["half-on-six"],
    "document": "Authorisation 7",
    "granted": "2025-03-10",
    "used_from": "2025-03-17",
}


@pytest.fixture
def said(law):
    def of(plain, declared=None):
        offer = msgspec.convert(plain, Offer)
        return Offers(Names(law)).said(offer, plain["options"], declared or {})

    return of


def test_every_line_of_an_offer_is_told_in_three_languages(said):
    for one in said(BACARA):
        assert len({one.what.get(name) for name in ("pt", "zh", "en")}) == 3, one
        assert len({one.value.get(name) for name in ("pt", "zh", "en")}) == 3, one


def test_no_id_of_the_program_stands_among_the_words(said):
    told = " ".join(f"{one.what.pt} {one.value.pt}" for one in said(BACARA))

    for name in ("five-percent", "half-on-six", "jackpot_stake", "settle"):
        assert name not in told


def test_a_range_without_an_end_is_told_as_any(said):
    assert said(BACARA)[-1].value.en == "any"


def test_a_range_with_ends_tells_both(said):
    offer = {**BACARA, "game": "three-card-baccarat", "options": {"packs": {"from": 1, "to": 8}}}

    assert said(offer)[-1].value.zh == "1–8"


def test_an_authorisation_is_told_with_its_document_and_days(said):
    line = said(BACARA, {"authorisations": [GRANTED]})[-1]

    for word in ("Authorisation 7", "2025-03-10", "2025-03-17"):
        assert word in line.value.pt
    assert "artigo 18.º, n.º 2" in line.value.pt
