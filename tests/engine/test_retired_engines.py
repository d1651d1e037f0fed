"""An engine is retired only where a plan of it is known that this program makes otherwise."""

import datetime as dt

import msgspec
import pytest

from selo.cases.oracle import Oracle
from selo.engine import (
    ENGINE,
    JUDGED_OTHERWISE,
    RETIRED_PLANS,
    judging_retired_at,
    plan_retired_at,
)
from selo.protocol.messages import Offer
from selo.rounds.generate import generate_free_scripts

GAME = "fish-prawn-crab"
#: The first acts at the first free table of a vendor that offers two bets, by engine, as that
#: engine asked them with the seed 1.
ASKED_ONCE = {
    1: [
        {"act": "go-on"},
        {
            "act": "place-bet", "ticket": "pxjrhkcbv6c", "player": "ac7xsq", "bet": "big",
            "stake": 4400,
        },
        {"act": "go-on"},
    ],
}  # fmt: skip


def test_every_engine_before_this_one_is_retired():
    assert [engine for engine, _ in RETIRED_PLANS] == [*ASKED_ONCE]
    assert [engine for engine, _ in RETIRED_PLANS + JUDGED_OTHERWISE] == [*range(1, ENGINE)]


def test_only_its_judging_is_retired_of_an_engine_whose_plans_are_made_again():
    """Engine 2 let a rounding conform by exact amounts (``tests/examine/test_unrounded.py``)."""
    assert plan_retired_at(2) is None
    assert judging_retired_at(1) == plan_retired_at(1)
    assert judging_retired_at(2) is not None
    assert judging_retired_at(ENGINE) is None


def test_no_plan_is_given_up_only_in_the_future():
    """Until that moment questions could be left out in the name of a retired engine."""
    assert all(moment < dt.datetime.now(dt.UTC) for _, moment in RETIRED_PLANS)


@pytest.mark.parametrize("engine", ASKED_ONCE)
def test_a_plan_of_a_retired_engine_is_made_otherwise(law, engine):
    offer = msgspec.convert(
        {"game": GAME, "bets": ["small", "big"], "methods": ["settle", "table"]}, Offer
    )

    first = generate_free_scripts(law, offer, Oracle(law), "1", 2)[0]

    assert first.acts[: len(ASKED_ONCE[engine])] != ASKED_ONCE[engine]
