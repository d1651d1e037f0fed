"""A finding is put to a vendor again in the way in which it was found."""

import msgspec
import pytest
from tests.fixture_modules import load_fixture

from selo.examine.findings.declaration_findings import (
    collect_declaration_findings,
    judge_declarations,
)
from selo.examine.findings.finding import Finding, FindingOrigin
from selo.examine.findings.finding_replay import replay_finding
from selo.protocol.messages import Description
from selo.rounds.script import Script
from selo.vendors.in_process import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session

vendors = load_fixture("planted/vendor.py")

DICE, POKER = "fish-prawn-crab", "fortune-three-card-poker"
ORIGIN = FindingOrigin(selo="0", spec_digest="", rulings={})


def session(game, fault):
    return Session(InProcessTransport(fault, given=vendors.load(game, fault)), DEFAULT_LIMITS)


@pytest.fixture
def round_finding():
    fault = vendors.faults(DICE)["knows-no-limits"]
    script = Script(game=DICE, acts=list(fault.shows), options=dict(fault.options))
    return Finding(
        id="F-001", verdict="violates", game=DICE, provisions=[fault.provision], cause="accepted",
        times=1, ways=1, first=0, method="round", params=msgspec.to_builtins(script), bet=None,
        expected={}, observed={}, money=None, law=[], readings=[], origin=ORIGIN,
    )  # fmt: skip


@pytest.mark.parametrize(("fault", "still"), [("knows-no-limits", True), ("lawful", False)])
def test_a_round_is_played_again(law, round_finding, fault, still):
    again = replay_finding(law, round_finding, session(DICE, fault))

    assert again.still is still
    assert not again.fault


@pytest.fixture
def declared_finding(law):
    told = vendors.load(POKER, "78-2008-2-1--nine-places").describe({})
    (offer,) = msgspec.convert(told, Description).games
    (found,) = collect_declaration_findings(law, [judge_declarations(law, offer, {})], ORIGIN)
    return found


@pytest.mark.parametrize(
    ("fault", "still", "violates"),
    [
        ("78-2008-2-1--nine-places", True, True),
        # Seven places are lawful under one reading: still otherwise, and open.
        ("78-2008-2-1--seven-places", True, False),
        ("78-2008-6-1--limits-the-wrong-way-round", False, False),
        ("lawful", False, False),
    ],
)
def test_a_declaration_is_asked_for_again(law, declared_finding, fault, still, violates):
    again = replay_finding(law, declared_finding, session(POKER, fault))

    assert (again.still, again.violates) == (still, violates)


def test_what_is_not_declared_any_more_is_not_mended(law, declared_finding):
    vendor = vendors.load(POKER)
    del vendor.describe({})["games"][0]["declares"]["places"]

    again = replay_finding(
        law, declared_finding, Session(InProcessTransport("x", given=vendor), DEFAULT_LIMITS)
    )

    assert (again.still, again.violates) == (True, False)


class PaysOneStakeLess:
    """A vendor of which one answer is what another reading would have of all."""

    def __init__(self, vendor):
        self.describe, self._settle = vendor.describe, vendor.settle

    def settle(self, params):
        told = self._settle(params)
        for bet, one in zip(params["bets"], told["settlements"], strict=True):
            one["prize"] -= bet["stake"]
        return told


def test_a_breach_that_one_case_alone_would_leave_open_is_still_a_breach(law):
    finding = Finding(
        id="F-001", verdict="violates", game=DICE, provisions=["portaria-21-96-m/6/j/6"], cause="",
        times=1, ways=1, first=0, method="settle", bet=0, expected={}, observed={}, money=None,
        params={
            "game": DICE, "options": {}, "outcome": {"dice": ["gourd", "gourd", "gourd"]},
            "bets": [{"bet": "number", "choice": 9, "stake": 100}],
        },
        law=[], readings=[], origin=ORIGIN,
    )  # fmt: skip
    vendor = PaysOneStakeLess(vendors.load(DICE))

    again = replay_finding(
        law, finding, Session(InProcessTransport("x", given=vendor), DEFAULT_LIMITS)
    )

    assert (again.still, again.violates) == (True, True)
