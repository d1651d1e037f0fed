"""What registered readings allow, alone or together, is open; a fault beside them is a finding."""

from collections import Counter

import msgspec
import pytest
from tests.games import GAMES
from tests.often import often

from selo.cases.case import Case
from selo.cases.oracle.answer_readings import ReadingSearch
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.planted_selftest import load_planted_vendors
from selo.examine.selftest.reading_selftest import ReadingScorer, draw_reading_combinations
from selo.examine.tally.followed_readings import infer_followed_readings
from selo.examine.tally.tally import Tally
from selo.law import load_law
from selo.protocol import messages as m
from selo.rules.settlement.settlement_models import RulesDisagree
from selo.vendors.reply_reader import Reply
from selo.verdict.rulings import Ruling, Rulings, RulingSource

SEED = 16
FISH = "fish-prawn-crab"
FOR_ONE = ("21-96-m-6--stake-in-the-prize", "for-one")
EVERY_DIE = ("21-96-m-5-c--what-the-figure-bet-is", "every-die")
#: Three dice of one figure, on which both readings bear.
TRIPLE = Case(
    game=FISH, method="settle", group="-", outcome={"dice": ["fish", "fish", "fish"]},
    bets=[{"bet": "figure", "choice": "fish", "stake": 100}, {"bet": "big", "stake": 100}],
)  # fmt: skip
SMALL = Case(
    game=FISH, method="settle", group="-", outcome={"dice": ["fish", "prawn", "gourd"]},
    bets=[{"bet": "figure", "choice": "fish", "stake": 100}, {"bet": "small", "stake": 100}],
)  # fmt: skip
#: Two readings of one article whose rules give the bet different results where both bear on it.
DISAGREEING = (
    ("22-96-m-8-1--zero-is-even", "zero-is-a-tie"),
    ("22-96-m-8-1--face-value-or-points", "face-value"),
)
BACCARAT_ZERO = Case(
    game="three-card-baccarat", method="settle", group="-", options={"packs": 8},
    outcome={"banker": ["7C", "3S", "JD"], "seats": {"6": ["2C", "JS", "8D"]}},
    bets=[{"bet": "odd", "seat": "6", "stake": 100}],
)  # fmt: skip


@pytest.fixture(scope="module")
def scorers(law):
    kept = {}

    def of(game):
        if game not in kept:
            kept[game] = ReadingScorer(Examiner(law, game))
        return kept[game]

    return of


def answer_of(oracle, case):
    return Reply(id="", result=m.Settled(settlements=oracle.answer(case)))


def test_an_answer_that_needs_two_readings_is_lawful_under_both_together(law):
    oracle = Oracle(law)
    answer = oracle.under([FOR_ONE, EVERY_DIE]).answer(TRIPLE)

    assert oracle.wrong_bets(TRIPLE, answer) == [0]
    assert list(oracle.lawful_readings(TRIPLE, answer, 0)) == [FOR_ONE]
    answer = oracle.under([FOR_ONE, EVERY_DIE]).answer(SMALL)
    found = ReadingSearch(oracle, (FOR_ONE, EVERY_DIE)).of(SMALL, answer)
    assert EVERY_DIE in found.explain(0).alone
    assert FOR_ONE in found.explain(1).alone


def test_the_readings_followed_are_inferred_together(law):
    oracle = Oracle(law)
    both = oracle.under([FOR_ONE, EVERY_DIE])
    answers = [(case, both.answer(case)) for case in (TRIPLE, SMALL)]

    assert set(infer_followed_readings(oracle, FISH, answers)) == {FOR_ONE, EVERY_DIE}


def test_what_no_reading_allows_stays_a_violation_beside_readings(law):
    oracle = Oracle(law)
    tally = Tally.inferring(oracle)
    both = oracle.under([FOR_ONE, EVERY_DIE])
    for number, case in enumerate([TRIPLE, SMALL] * 20):
        tally.take(case, answer_of(both, case), number)
    wrong = [msgspec.structs.replace(one, prize=7) for one in both.answer(TRIPLE)]
    tally.take(TRIPLE, Reply(id="", result=m.Settled(settlements=wrong)), 99)
    tally.infer_readings()

    assert Counter(one.open for one in tally.differences.values())[False] == 2
    assert sum(tally.times[kind] for kind, one in tally.differences.items() if one.open) == 60


def test_one_odd_answer_leaves_all_others_open_and_is_itself_found(law):
    oracle = Oracle(law)
    tally = Tally.inferring(oracle)
    follower = oracle.under([FOR_ONE])
    for number in range(60):
        tally.take(SMALL, answer_of(follower, SMALL), number)
    tally.infer_readings()
    tally.take_odd_answer(SMALL, oracle.answer(SMALL), 60)
    tally.deny({point for point in tally.search.followed if tally.reading_fit.is_denied(point)})

    assert not tally.violates
    (odd,) = {one.readings for one in tally.differences.values() if one.odd}
    assert odd == ((FOR_ONE[0], "to-one"),)


@pytest.mark.parametrize("game", often(GAMES, "pai-kao"))
def test_a_follower_written_apart_from_the_rules_breaks_no_law(law, game):
    vendors = load_planted_vendors()
    followers = __import__("planted.followers", fromlist=["FOLLOWERS"]).FOLLOWERS
    follower = followers[game]

    def examined(rulings):
        vendor = vendors.planted(game, follower.as_change())
        for offer in vendor.describe({})["games"]:
            offer["methods"] = [name for name in offer["methods"] if name != "table"]
        return Examiner(law, game, rulings).examine_vendor(vendor)

    ruling = Ruling(divergence=follower.point, reading=follower.reading, source=RulingSource.GIVEN)
    of_cases = [one for one in examined(Rulings()).findings if one.method in {"settle", "compare"}]
    ruled = examined(Rulings(adopted=(ruling,))).findings
    assert {one.verdict for one in of_cases} == {"open"}
    assert {name for one in of_cases for name, _ in one.readings} == {follower.point}
    assert [one for one in ruled if one.method in {"settle", "compare"}] == []


def combinations(law, game, many, seed):
    alone = [{point: reading} for point, reading in Oracle(law).other_readings(game)]
    drawn = list(draw_reading_combinations(law, game, combinations=many, seed=seed))
    return alone, drawn[len(alone) :]


@pytest.mark.parametrize("game", often(GAMES, "pai-kao"))
def test_random_combinations_of_readings_break_no_law(law, scorers, game):
    _, drawn = combinations(law, game, 2, SEED)

    for readings in drawn:
        assert [one.provision for one in scorers(game).score(readings).misjudged] == [], readings


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_reading_and_very_many_combinations_break_no_law(law, scorers, game):
    alone, drawn = combinations(law, game, 84, SEED)

    accused = {
        str(readings): [one.provision for one in score.misjudged]
        for readings in [*alone, *drawn]
        for score in [scorers(game).score(readings)]
        if score.misjudged
    }

    assert accused == {}


def test_readings_that_disagree_together_make_nothing_lawful_and_end_nothing(copy):
    # By face value a hand without points is odd with a Jack; a table that also holds such bets as
    # tied would have to do both.
    copy.replace(
        "specs/portaria-22-96-m/articles/art-08.yaml",
        "when: points_count && zero(banker)",
        "when: zero(banker)",
    )
    oracle = Oracle(load_law(specs=copy.specs, bilingual=copy.bilingual))
    with pytest.raises(RulesDisagree):
        oracle.under(DISAGREEING).settle_plain(BACCARAT_ZERO)
    answer = [m.Settlement(result="win", prize=7, commission=0, stake=1)]

    found = ReadingSearch(oracle, DISAGREEING).of(BACCARAT_ZERO, answer)

    assert found.explain(0).points == ()
    assert not found.allows(DISAGREEING, 0)
