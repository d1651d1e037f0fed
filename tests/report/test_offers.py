"""What a vendor offers, told in the words of each language and not by its ids."""

import datetime as dt

import msgspec
import pytest

from selo.protocol.messages import Offer
from selo.report.model.report_model import DatesRecord
from selo.report.phrases.labels import Labels
from selo.report.phrases.offer_phrases import OfferDescriber
from selo.verdict.observations import MissingOffer, NotOffered

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
        describer = OfferDescriber(Labels(law), "MOP", 2)
        return describer.describe(offer, plain["options"], declared or {})

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
    assert said(BACARA)[-1].value.en == "any amount, without limit"


POKER = {
    "game": "fortune-three-card-poker",
    "methods": ["settle"],
    "options": {
        "limits": ["none", "declared"],
        "maximum": {"from": 0, "to": 9007199254740991},
    },
}


def test_limits_that_may_be_declared_or_not_are_one_thing(said):
    limits = said(POKER)[1].value

    assert (limits.pt, limits.zh) == ("com ou sem limites declarados", "可設或不設投注限額")


def test_an_option_that_is_also_declared_is_told_once_and_in_money(said):
    told = said(POKER, {"maximum": 500000, "minimum": 5000})

    assert [one.what.pt for one in told][2:] == ["limite máximo afixado", "limite mínimo afixado"]
    assert told[2].value.pt.startswith("MOP 5\u00a0000,00 (configurável: qualquer montante")
    assert told[2].value.zh.startswith("MOP 5,000.00（可設定：")
    assert told[3].value.zh == "MOP 50.00"


def test_an_option_declared_as_it_may_be_is_told_once(said):
    packs = {"packs": {"from": 1, "to": 8}}
    offer = {**BACARA, "game": "three-card-baccarat", "options": packs}

    assert [one.value.pt for one in said(offer, packs)][2:] == ["1–8"]


def test_every_face_has_a_line_of_its_own_and_chinese_its_own_signs(said):
    faces = [
        {"figure": "fish", "colour": "red", "number": 1},
        {"figure": "prawn", "colour": "green", "number": 2},
    ]
    offer = {**BACARA, "game": "fish-prawn-crab", "bets": [], "options": {}}
    line = said(offer, {"faces": faces})[-1].value

    assert line.pt.count("\n") == 1
    assert line.zh.splitlines()[0] == "圖案：魚，顏色：紅色，點數：1；"


def test_a_jackpot_is_told_by_its_modality_with_its_amounts_and_its_part(said):
    jackpot = {
        "modality": "C",
        "fixed": {"six-alike": 10000000, "five-alike": 5000000},
        "percentage": [1, 20],
    }
    line = said(BACARA, {"jackpots": [jackpot]})[-1]

    assert line.what.pt.endswith(": Modalidade C")
    assert line.value.pt.splitlines() == [
        "montantes fixos:",
        "Seis cartas do mesmo valor: MOP 100\u00a0000,00;",
        "Cinco cartas do mesmo valor: MOP 50\u00a0000,00;",
        "percentagem: 5\u00a0%",
    ]


def test_a_range_with_ends_tells_both(said):
    offer = {**BACARA, "game": "three-card-baccarat", "options": {"packs": {"from": 1, "to": 8}}}

    assert said(offer)[-1].value.zh == "1–8"


def test_an_authorisation_is_told_with_its_document_and_days(said):
    line = said(BACARA, {"authorisations": [GRANTED]})[-1]

    for word in ("Authorisation 7", "2025-03-10", "2025-03-17"):
        assert word in line.value.pt
    assert "artigo 18.º, n.º 2" in line.value.pt


@pytest.mark.parametrize("name", ["layout: bets", "layout: combinations"])
def test_a_part_of_a_layout_that_is_not_declared_has_words_in_each_language(law, name):
    missing = MissingOffer(kind=NotOffered.DECLARATION, name=name)

    told = Labels(law).missing_offer("fish-prawn-crab", missing)

    # As the law calls the layout, in both languages.
    assert "tabuleiro de jogo: " in told.pt
    assert "檯證：" in told.zh
    assert name not in told.pt + told.zh


@pytest.mark.parametrize(("last", "period"), [(20, "2026-01-20"), (22, "2026-01-20 – 2026-01-22")])
def test_a_test_of_one_day_names_it_once(last, period):
    day = dt.date(2026, 1, 20)
    dates = DatesRecord(
        received=None, first_day=day, last_day=day.replace(day=last), issued=day,
        valid_until=None, time_zone="UTC",
    )  # fmt: skip

    assert dates.test_period == period
