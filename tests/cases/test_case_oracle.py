"""What is expected of a case follows from the law, and an answer is held against it exactly."""

import functools
import gc
import subprocess
import sys
import tracemalloc
from types import SimpleNamespace

import pytest
from tests.games import GAMES

from selo.cases.case import Case
from selo.cases.generate.case_stream import list_groups, stream_cases
from selo.cases.oracle.answer_check import (
    ExpectedSettlement,
    is_same_amount,
    matches_expectation,
)
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.oracle.told_settlement import returned_stake
from selo.cases.scope import offer_everything
from selo.law.files.situation_file import read_situations
from selo.rules.checks.game_check import settlement_points
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game


@pytest.fixture(scope="module")
def oracle(law):
    return Oracle(law)


@pytest.fixture(scope="module")
def quick(law, oracle):
    """Return every case of a quick stream with what is expected of it."""

    @functools.cache
    def of(game):
        return [
            (
                one,
                oracle.compare(one)
                if one.method == "compare"
                else oracle.expected_settlements(one),
            )
            for one in stream_cases(law, offer_everything(law, [game]))
        ]

    return of


def answer(result, prize=0, commission=0, stake=0):
    return SimpleNamespace(result=result, prize=prize, commission=commission, stake=stake)


def settled(expected):
    """Answer exactly what is expected."""
    return [answer(one.result, one.prize, one.commission, one.stake) for one in expected]


# The law and the reference vendors.


def _as_answered(module, case, expected):
    if case.method == "compare":
        # What the law that is held does not judge may be answered anyhow.
        return expected in {None, module.compare(case.a, case.b)}
    answers = module.settle(case.options, case.outcome, case.bets)
    ours = [(one.result, one.prize, one.commission) for one in expected]
    return ours == [(one["result"], one["prize"], one["commission"]) for one in answers]


@pytest.mark.parametrize("game", GAMES)
def test_every_expectation_is_what_the_reference_vendor_answers(quick, vendor, game):
    for case, expected in quick(game):
        assert _as_answered(vendor(game), case, expected), case


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_expectation_of_a_standard_stream_is_what_the_vendor_answers(
    law, oracle, vendor, game
):
    for case in stream_cases(law, offer_everything(law, [game]), budget="standard"):
        expected = (
            oracle.compare(case) if case.method == "compare" else oracle.expected_settlements(case)
        )
        assert _as_answered(vendor(game), case, expected), case


@pytest.mark.parametrize("game", GAMES)
def test_every_situation_of_the_register_is_expected_as_worked_out_by_hand(
    law, oracle, quick, game
):
    defaults = {one.id: one.default for one in law.divergences}
    worked = [case.expect[defaults[point]] for point, case in read_situations(game).items()]
    made = [one for one, _ in quick(game) if one.group == "situations"]

    assert len(made) == len(worked)
    for case, expect in zip(made, worked, strict=True):
        if case.method == "compare":
            assert (oracle.compare(case) or "not-required") == expect
        else:
            assert oracle.settle_plain(case) == expect


def test_the_law_of_tiles_that_is_held_judges_what_is_tried_quickly(quick):
    orders = {order for case, order in quick("pai-kao") if case.group != "situations"}

    assert orders == {"higher", "lower", "equal"}


@pytest.mark.parametrize("game", GAMES)
def test_every_result_that_the_law_knows_for_a_bet_is_reached_quickly(oracle, quick, game):
    reached = {
        (bet["bet"], one.result)
        for case, expected in quick(game)
        if case.method == "settle"
        for bet, one in zip(case.bets, expected, strict=True)
    }

    for name, rules in oracle.game(game).bets.items():
        # A point is no end of a bet.
        known = {rule.result for rule in rules.results} - {"point"} | {"refused"}
        assert known <= {result for bet, result in reached if bet == name}, name


def _group(law, game, name):
    groups = list_groups(law, offer_everything(law, [game]))
    return next(group.cases() for _, group in groups if group.name == name)


def _some(law, game):
    return [
        one for one in stream_cases(law, offer_everything(law, [game]), at_random=64) if one.bets
    ][::23]


@pytest.mark.parametrize(
    ("game", "point", "reading"),
    [
        ("fish-prawn-crab", "21-96-m-6--ceiling-on-prizes", "ceiling-holds"),
        ("fish-prawn-crab", "21-96-m-5--opposite-bets", "no-opposites"),
        ("three-card-baccarat", "22-96-m-10--commission-waived", "may-be-waived"),
        ("bacara", "2-2009-17-5--share-per-person-or-bet", "per-bet"),
        ("craps", "97-85-m-2-2--gain-cap", "limit-stake"),
        ("fortune-three-card-poker", "78-2008-8-3--ace-in-lowest-straight", "highest-card-alone"),
    ],
)
def test_the_fast_way_says_the_same_as_the_rules_under_a_ruling(law, game, point, reading):
    rulings = {point: reading}
    slow, fast = compile_game(law, game, Readings(law, rulings)), Oracle(law, rulings)
    usual, differ = Oracle(law), 0

    for case in (*_some(law, game), *_group(law, game, "situations")):
        answers = slow.settle_plain(case.options, case.outcome, case.bets)
        assert fast.settle_plain(case) == answers, case
        differ += usual.settle_plain(case) != answers

    assert differ


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES[:-1])
def test_the_fast_way_says_the_same_under_every_reading(law, game):
    made = _some(law, game)
    for point, readings in settlement_points(law, game).items():
        for reading in readings:
            rulings = {point: reading}
            slow, fast = compile_game(law, game, Readings(law, rulings)), Oracle(law, rulings)
            for case in made:
                answers = slow.settle_plain(case.options, case.outcome, case.bets)
                assert fast.settle_plain(case) == answers, (case, rulings)


# Answers.


@pytest.mark.parametrize(
    ("result", "right", "wrong"),
    [
        ("win", [100], [0, 99, 200]),
        ("push", [100], [0]),
        ("refused", [100], [0]),
        ("lose", [0], [100]),
        ("stands", [0], [100]),
    ],
)
def test_what_goes_back_of_a_stake_follows_from_the_result(result, right, wrong):
    expected = ExpectedSettlement(result, 0, 0, returned_stake({"result": result}, 100))

    assert all(matches_expectation(expected, answer(result, stake=one)) for one in right)
    assert not any(matches_expectation(expected, answer(result, stake=one)) for one in wrong)


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ([95, 2], True),
        ([190, 4], True),
        (47, False),
        (48, False),
        ([95, 0], False),
        ([0, 0], False),
    ],
)
def test_a_prize_is_the_same_amount_or_it_is_wrong(given, same):
    expected = ExpectedSettlement("win", [95, 2], 0, 19)

    assert matches_expectation(expected, answer("win", prize=given, stake=19)) == same
    assert is_same_amount(given, [95, 2]) == same


@pytest.mark.parametrize(
    "change", [{"prize": 99}, {"commission": 1}, {"result": "lose"}, {"stake": 0}]
)
def test_one_difference_is_enough_to_be_wrong(change):
    right = {"result": "win", "prize": 100, "commission": 0, "stake": 100}
    expected = ExpectedSettlement("win", 100, 0, 100)

    assert matches_expectation(expected, SimpleNamespace(**right))
    assert not matches_expectation(expected, SimpleNamespace(**{**right, **change}))


SMALL_ON_A_TRIPLE = Case(
    game="fish-prawn-crab", method="settle", group="-",
    outcome={"dice": ["gourd", "gourd", "gourd"]},
    bets=[{"bet": "small", "stake": 100}, {"bet": "any-three-of-figure", "stake": 100}],
)  # fmt: skip


def test_the_places_of_wrong_settlements_are_named(oracle):
    case = SMALL_ON_A_TRIPLE
    right = [answer("lose"), answer("win", prize=2400, stake=100)]

    assert oracle.wrong_bets(case, right) == []
    assert oracle.wrong_bets(case, [answer("win", prize=100, stake=100), right[1]]) == [0]
    assert oracle.wrong_bets(case, right[:1]) == [1]
    assert oracle.wrong_bets(case, [*right, right[0]]) == [2]


@pytest.mark.parametrize("game", GAMES[:-1])
def test_an_answer_as_expected_is_never_wrong(law, oracle, game):
    for case in _some(law, game):
        expected = oracle.expected_settlements(case)
        given = settled(expected)
        assert oracle.wrong_bets(case, given) == []
        assert all(map(matches_expectation, expected, given))


# Reasons, asked for only where an answer is wrong.


def test_a_wrong_answer_is_told_with_the_provisions_it_offends(oracle):
    provisions = [reason.provision for reason in oracle.derivation_of(SMALL_ON_A_TRIPLE, 0)]

    assert {"portaria-21-96-m/5/a", "portaria-21-96-m/7"} <= set(provisions)


@pytest.mark.parametrize(
    ("game", "a", "b", "lines"),
    [
        (
            "three-card-baccarat", ["KS", "QH", "JD"], ["9S", "KH", "QD"],
            {"portaria-22-96-m/annex/1", "portaria-22-96-m/annex/2"},
        ),
        (
            "pai-kao", ["3/3", "1/4"], ["5/6", "4/5"],
            {"portaria-96-85-m/annex/98", "portaria-96-85-m/annex/106"},
        ),
    ],
)  # fmt: skip
def test_a_comparison_is_told_with_the_lines_of_the_law(oracle, game, a, b, lines):
    case = Case(game=game, method="compare", group="-", a=a, b=b)

    assert oracle.compare(case) == "higher"
    assert lines <= {reason.provision for reason in oracle.derivation_of(case)}


def test_a_wrong_answer_names_the_readings_under_which_it_would_be_lawful(oracle):
    # Article 2 n. 2 of craps: the gain of an additional bet stops at the initial stake, or not.
    one = read_situations("craps")["97-85-m-2-2--gain-cap"]
    case = Case(game="craps", method="settle", group="-", outcome=one.outcome, bets=one.bets)
    given = [answer("win", prize=100, stake=100), answer("win", prize=200, stake=100)]

    assert oracle.wrong_bets(case, given) == [1]
    assert ("97-85-m-2-2--gain-cap", "limit-stake") in list(oracle.lawful_readings(case, given))
    assert ("97-85-m-2-2--gain-cap", "limit-stake") in list(oracle.lawful_readings(case, given, 1))
    nonsense = [given[0], answer("win", prize=12345, stake=100)]
    assert list(oracle.lawful_readings(case, nonsense)) == []


def test_an_answer_against_a_ruling_is_wrong_and_the_reading_it_follows_is_known(law):
    one = read_situations("fish-prawn-crab")["21-96-m-3-c--leaning-dice"]
    case = Case(
        game="fish-prawn-crab", method="settle", group="-", outcome=one.outcome, bets=one.bets
    )
    ruled = Oracle(law, {"21-96-m-3-c--leaning-dice": "stacked-or-leaning"})
    given = [answer("lose", prize=0, stake=0)]

    assert ruled.wrong_bets(case, given) == [0]
    assert ruled.is_ruled("21-96-m-3-c--leaning-dice")
    assert list(ruled.lawful_readings(case, given)) == [
        ("21-96-m-3-c--leaning-dice", "stacked-only")
    ]


def test_a_wrong_comparison_names_its_readings(oracle):
    case = Case(
        game="pai-kao", method="compare", group="-", a=["3/3", "2/3"], b=["2/2", "3/4"]
    )  # fmt: skip

    assert oracle.compare(case) == "higher"
    assert list(oracle.lawful_readings(case, "lower")) == [
        ("96-85-m-annex--order-direction", "higher-number-higher"),
        ("96-85-m-annex--five-point-tiles", "printed-only"),
    ]


# Memory.


def _grown(law, made, first, last):
    """Return the bytes by which memory grows from the `first` case to the `last`."""
    oracle, held = Oracle(law), []
    tracemalloc.start()
    try:
        for at, case in enumerate(made, 1):
            oracle.expected_settlements(case) if case.method == "settle" else oracle.compare(case)
            if at in {first, last}:
                # What nobody holds any more is not held.
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0])
            if at == last:
                break
    finally:
        tracemalloc.stop()
    return held[1] - held[0]


@pytest.mark.parametrize(("kept", "flat"), [(64, True), (10_000, False)])
def test_what_is_remembered_does_not_grow_with_the_outcomes(law, monkeypatch, kept, flat):
    """An oracle that kept all outcomes would be seen to grow."""
    monkeypatch.setattr("selo.cases.oracle.case_oracle._OUTCOMES_BEFORE_RESET", kept)
    made = _group(law, "three-card-baccarat", "two-lines")

    assert (_grown(law, made, 60, 900) < 500_000) == flat


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES[:-1])
def test_memory_is_flat_from_ten_thousand_cases_to_a_hundred_thousand(law, game):
    made = stream_cases(law, offer_everything(law, [game]), at_random=100_000)

    # What grows is what definitions remember of hands, until the oracle compiles them anew.
    assert _grown(law, made, 10_000, 100_000) < 16_000_000


MILLION = """
import itertools, resource
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import everything
from selo.cases.generate.case_stream import stream
from selo.law import load_law as load
law = load()
oracle = Oracle(law)
made = stream(law, everything(law, ["{game}"]), budget="full", at_random=1_000_000)
peaks = []
for at, case in enumerate(itertools.islice(made, 1_000_000), 1):
    oracle.expected_settlements(case) if case.method == "settle" else oracle.compare(case)
    if at in (100_000, 1_000_000):
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[1] - peaks[0])
"""


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES[:-1])
def test_the_peak_of_memory_is_flat_over_a_million_cases(game):
    grown = subprocess.run(
        [sys.executable, "-c", MILLION.format(game=game)],
        capture_output=True, text=True, check=True, timeout=1800,
    ).stdout  # fmt: skip

    assert int(grown) < 40_000
