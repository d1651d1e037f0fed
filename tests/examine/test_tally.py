"""Differences are counted, told apart, and never taken for lawful unseen."""

import msgspec
import pytest

from selo.cases.case import settlement_case
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.conclusion.verdict_summary import summarise_verdicts
from selo.examine.coverage.plan_coverage import DecisiveCount
from selo.examine.plan import terms_of
from selo.examine.tally.tally import PlaceSet, Tally
from selo.law.files.provision_file import Way
from selo.protocol import messages as m
from selo.vendors.reply_reader import Reply
from selo.verdict.rulings import NO_RULINGS

GAME = "fish-prawn-crab"
#: Nine pays six times the stake, or five times and the stake besides.
NINE = "portaria-21-96-m/6/j/6"


@pytest.fixture
def tally(law):
    return Tally(Oracle(law))


def put(tally, prize, n=0):
    bets = [{"bet": "number", "choice": 9, "stake": 100}]
    case = settlement_case(GAME, "", {"dice": ["gourd", "gourd", "gourd"]}, bets)
    one = m.Settlement(result="win", prize=prize, commission=0, stake=100)
    tally.take(case, Reply(id="", result=m.Settled(settlements=[one])), n)


def test_one_breach_among_many_that_a_reading_allows_is_a_breach(tally):
    for n in range(200):
        put(tally, 501 if n == 150 else 500, n)

    assert tally.violates
    assert sorted(tally.times.values()) == [1, 199]


def test_breaches_are_listed_however_many_differences_some_reading_allows(tally, monkeypatch):
    monkeypatch.setattr("selo.examine.tally.tally._MAX_KINDS", 1)
    put(tally, 500)
    put(tally, 700)

    assert tally.violates
    assert tally.unlisted == 0


def test_a_provision_behind_differences_that_stand_in_no_list_does_not_conform(
    law, tally, monkeypatch
):
    monkeypatch.setattr("selo.examine.tally.tally._MAX_KINDS", 0)
    put(tally, 700)
    terms = terms_of(
        law,
        offer_everything(law, [GAME]),
        as_of="",
        text_as_stored=True,
        rulings={},
        budget="quick",
        seed=0,
        provisions=[],
    )
    seen = EvidenceAnalysis(law=law, terms=terms, tallies={GAME: tally})
    covered = {(NINE, Way.EXAMINATION): DecisiveCount(cases=9, decisive=9)}

    summary = summarise_verdicts(
        law, seen, findings=[], covered=covered, rulings=NO_RULINGS, declarations={}
    )

    (told,) = [one for one in summary.provisions if one.provision == NINE]
    assert tally.unlisted == 1
    assert told.result == "inconclusive"


def test_places_are_marked_one_by_one():
    marks = PlaceSet()
    for place in (-1, 3, 17):
        marks.add(place)

    assert [place for place in range(-2, 30) if place in marks] == [3, 17]


def test_a_reading_that_is_denied_allows_nothing(tally):
    put(tally, 500)
    (difference,) = tally.differences.values()
    assert difference.open

    tally.deny({*difference.readings})

    assert tally.violates
    assert msgspec.structs.asdict(next(iter(tally.differences.values())))["readings"] == ()
