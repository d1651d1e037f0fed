"""Decisive answers count if they were given and right, on small plans made by hand."""

from dataclasses import dataclass

import pytest

from selo.examine.blame.plan_index import ChangedBet
from selo.examine.coverage.sound_coverage import count_sound_answers
from selo.examine.tally import Tally
from selo.verdict.observations import Observation
from selo.verdict.provision_verdict import CasePower, facts_of

ENOUGH = 10


@dataclass(frozen=True)
class Deciding:
    """A mutant, by the places of the plan that kill it, and their bets."""

    bets_by_place: dict


class Index:
    def changed_bets(self, mutant):
        for place, bet in mutant.bets_by_place.items():
            yield ChangedBet(place, bet, is_comparison=False, is_answered=True, parts=1)


def count(places, *, wrong=(), unanswered=(), bet=0):
    tally = Tally(oracle=None)
    for place in wrong:
        tally.mark_wrong(place, 0, {"result": "win"})
    for place in unanswered:
        tally.unanswered_places.add(place)
    return count_sound_answers([Deciding(dict.fromkeys(places, bet))], Index(), tally, ENOUGH)


def test_right_answers_are_counted_up_to_enough():
    assert count(range(40)) == (ENOUGH, ENOUGH)


def test_a_wrong_answer_decides_nothing():
    assert count(range(5), wrong=[0, 1]).right == 3


def test_an_unanswered_case_decides_nothing():
    assert count(range(5), unanswered=[4]).right == 4


def test_a_case_whose_deciding_bet_is_right_counts_though_another_bet_is_wrong():
    assert count(range(5), wrong=range(5), bet=1).right == 5


def test_a_case_counts_once_however_many_changes_it_tells_apart():
    mutants = [Deciding({1: 0, 2: 0}), Deciding({1: 0, 2: 0})]

    assert count_sound_answers(mutants, Index(), Tally(oracle=None), ENOUGH).right == 2


@pytest.mark.parametrize(("has", "required"), [(1, 1), (4, 2), (7, 4), (19, 10), (20, 10)])
def test_half_of_what_a_plan_has_is_required_if_it_has_few(has, required):
    wrong = range(max(0, has - 3))

    assert count(range(has), wrong=wrong).required == required


def test_nothing_is_counted_where_no_case_decides():
    assert count([]) is None


@pytest.mark.parametrize(
    ("decisive", "required", "power"),
    [
        (10, 10, CasePower.DECISIVE),
        (9, 10, CasePower.UNDECISIVE),
        (1, 1, CasePower.DECISIVE),
        (0, 1, CasePower.UNDECISIVE),
        (0, 0, CasePower.UNDECISIVE),
    ],
)
def test_fewer_decisive_answers_than_the_plan_requires_decide_nothing(decisive, required, power):
    observed = Observation(cases=20, decisive=decisive, required=required)

    assert facts_of(observed).tried is power
