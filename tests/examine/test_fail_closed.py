"""A round that was not played to its end proves nothing of the provisions it is about."""

import msgspec
import pytest

from selo.cases.scope import offer_everything
from selo.evidence.canonical_json import encode_canonical
from selo.examine.live_rounds.round_tally import RoundTally
from selo.examine.plan import terms_of
from selo.rounds.script import Script
from selo.rounds.table_player import PlayedScript
from selo.vendors.faults import FaultKind

ABOUT = "portaria-97-85-m/2/1"


@pytest.fixture
def rounds(law):
    terms = terms_of(
        law, offer_everything(law, ["craps"]), as_of="2026-01-01", text_as_stored=True,
        rulings={}, budget="quick",
        seed=0, provisions=[],
    )  # fmt: skip
    return RoundTally(law, terms)


def line(played):
    script = Script(game="craps", acts=[{"act": "go-on"}], provisions=(ABOUT,))
    plain = {"params": msgspec.to_builtins(script), "answer": msgspec.to_builtins(played)}
    return encode_canonical({"n": 0, **plain})


def test_a_round_that_broke_off_is_counted_for_no_provision(rounds):
    rounds.take(line(PlayedScript(opened=[], answers=[], closed=None)), right=False)

    assert rounds.about == {}
    assert rounds.broken == 1


def test_a_round_that_the_vendor_declined_is_counted_for_no_provision(rounds):
    rounds.take(line(PlayedScript(closed=[], declined="not offered")), right=False)

    assert rounds.about == {}


def test_a_declared_round_that_is_declined_is_a_fault_of_the_adapter(rounds):
    rounds.take(line(PlayedScript(closed=[], declined="not these dice")), right=False)

    assert rounds.refused == {ABOUT: [""]}
    assert [one.kind for one in rounds.faults] == [FaultKind.DECLINED]
    assert "not these dice" in rounds.faults[0].describe()


def test_a_round_played_to_its_end_is_counted(rounds):
    rounds.take(line(PlayedScript(answers=[{"events": []}], closed=[])), right=True)

    assert rounds.about == {ABOUT: 1}
    assert rounds.broken == 0
