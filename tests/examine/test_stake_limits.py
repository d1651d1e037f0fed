"""A product takes no larger stake than it declares, and only multiples of its step."""

import pytest
from tests.examine.partial_examination import session_with
from tests.fixture_modules import load_fixture

from selo.cases import OfferedGame, Scope
from selo.cases.generate.case_stream import stream_cases
from selo.examine.adapter_tools.smoke_test import run_smoke_checks
from selo.examine.plan import Plan, terms_of
from selo.examine.vendor_description import introduce_vendor
from selo.protocol.messages import Offer
from selo.protocol.schema import game_words
from selo.rounds.generate import read_written_scripts
from selo.rounds.script import describe_lacking, find_lacking
from selo.table_values import StakeLimits

DICE = "fish-prawn-crab"
ABOVE_EVERY_STAKE = 2**53


def bet(stake):
    return {"bet": "small", "stake": stake}


@pytest.mark.parametrize(
    ("limits", "stakes", "fitted"),
    [
        (StakeLimits(), [1, 7], [1, 7]),
        (StakeLimits(step=100), [100, 300], [100, 300]),
        (StakeLimits(step=100), [1, 300], [100, 30_000]),
        (StakeLimits(step=100), [0, -5, 7], [0, -5, 700]),
        (StakeLimits(step=100), [1.5, True, 7], [1.5, True, 700]),
        (StakeLimits(largest=500), [500], [500]),
        (StakeLimits(largest=500), [501], None),
        (StakeLimits(largest=500, step=100), [7], None),
        (StakeLimits(largest=700, step=100), [7], [700]),
        (StakeLimits(largest=500), [0], [0]),
    ],
)
def test_stakes_are_multiplied_by_the_step_and_left_out_above_the_largest(limits, stakes, fitted):
    bets = limits.fit([bet(stake) for stake in stakes], ABOVE_EVERY_STAKE)

    assert (None if bets is None else [one["stake"] for one in bets]) == fitted


def test_no_stake_is_made_whose_prize_could_not_be_written():
    assert StakeLimits(step=100).fit([bet(7)], 699) is None
    assert StakeLimits(step=100).fit([bet(7)], 700) == [bet(700)]


def stakes_of(law, **limits):
    offered = OfferedGame(
        game=DICE, methods=frozenset({"settle"}), bets=("small", "figure"),
        stake_limits=StakeLimits(**limits),
    )  # fmt: skip
    return [
        one["stake"]
        for case in stream_cases(law, Scope(games=(offered,)), at_random=20)
        for one in case.bets
        if type(one["stake"]) is int and one["stake"] > 0
    ]


def test_no_case_asks_for_a_stake_beyond_the_limits(law):
    stakes = stakes_of(law, largest=50_000, step=100)

    assert stakes
    assert max(stakes) <= 50_000
    assert {stake % 100 for stake in stakes} == {0}
    assert max(stakes_of(law)) > 50_000


def test_a_plan_keeps_the_limits_and_changes_no_digest_without_them(law):
    def terms(**limits):
        offered = OfferedGame(
            game=DICE, methods=frozenset({"settle"}), bets=("small",),
            stake_limits=StakeLimits(**limits),
        )  # fmt: skip
        return terms_of(
            law, Scope(games=(offered,)), as_of="", text_as_stored=True, rulings={},
            budget="quick", seed=1, provisions=[],
        )  # fmt: skip

    limited = Plan(law, terms(largest=1000))

    assert terms(largest=1000).digest != terms().digest
    assert limited.scope.games[0].stake_limits == StakeLimits(largest=1000)
    assert limited.size() < Plan(law, terms()).size()


def written(law, name):
    return next(script for script in read_written_scripts(law, DICE) if script.name == name)


def limits_script(law):
    return next(
        script for script in read_written_scripts(law, DICE) if script.options.get("maximum")
    )


def offer(**fields):
    words = {"bets": ["small"], "forces": True, "methods": ["table"], **fields}
    return Offer(game=DICE, **words)


def test_whoever_offers_declared_limits_takes_whatever_limits_a_table_declares(law):
    words, script = game_words(law, DICE), limits_script(law)

    assert list(find_lacking(script, offer(options={"limits": ["none", "declared"]}), words)) == []
    assert {need.name for need in find_lacking(script, offer(), words)} >= {"limits", "minimum"}


def test_a_number_that_is_named_holds_as_it_is_named(law):
    options = {"limits": ["none", "declared"], "minimum": [1]}

    needs = list(find_lacking(limits_script(law), offer(options=options), game_words(law, DICE)))

    assert [need.name for need in needs] == ["minimum"]


def test_a_round_with_a_stake_beyond_the_limits_is_not_played_and_says_why(law):
    words, script = game_words(law, DICE), limits_script(law)
    options = {"limits": ["none", "declared"]}

    told = describe_lacking(script, offer(options=options, largest_stake=1000), words)

    assert told == "the vendor takes no stake above 1000"
    assert describe_lacking(script, offer(options=options, largest_stake=1001), words) is None


def test_the_smoke_test_says_which_stakes_are_not_examined(law):
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor([DICE])
    vendor.describe({})["games"][0] |= {"largest_stake": 1000, "stake_step": 100}

    checks = {check.name: check.slots for check in run_smoke_checks(session_with(vendor), law)}

    assert checks["largest-stake"]["stake"] == "1000"
    assert checks["stake-step"]["stake"] == "100"
    assert introduce_vendor(session_with(vendor), law).scope.games[0].stake_limits == StakeLimits(
        largest=1000, step=100
    )
