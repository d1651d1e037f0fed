"""Fault localisation on small inputs made by hand: parts, cover, drafts, exoneration."""

from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from selo.cases.case import Case
from selo.examine.blame.cause_cover import CauseCover
from selo.examine.blame.cause_drafts import CauseDraft, assign_kinds, merge_same_effects
from selo.examine.blame.exoneration import find_hidden_provisions
from selo.examine.blame.fitted_values import fit_amounts
from selo.examine.blame.mutant_trial import Trial, try_mutants
from selo.examine.blame.wrong_answer import PartRules, WrongAnswer, prescribing_provisions
from selo.examine.tally.answer_difference import (
    DifferenceGrounds,
    DifferenceKind,
    DifferenceShape,
)
from selo.examine.tally.place_sets import BetMarks
from selo.rules.clauses import clause_models as c

LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}
WON = {"result": "win", "prize": 100, "commission": 0, "stake": 100}
REASONS = (("law/5/a", "win"), ("law/6/a", "prize"), ("law/1", "defines"))


@dataclass(frozen=True)
class Supposed:
    """A mutant of which only what the test needs is there."""

    provision: str
    name: str = ""
    was: object = None
    answers: dict = field(default_factory=dict)
    is_line: bool = False
    is_stake_rule: bool = False

    def bets(self):
        return frozenset({"small"})

    def compile(self):
        return self

    def settle_plain(self, options, outcome, bets):
        del options, bets
        return [self.answers[outcome["dice"][0]]]

    def with_value(self, field, value, part=None):
        return Supposed(self.provision, f"{field}={value}{part or ''}")

    def __hash__(self):
        return hash((self.provision, self.name))


class Known:
    """Right answers of which it is known which mutants they refute, and how many are upheld."""

    def __init__(self, upheld=(), refuted=()):
        self.upheld, self.refuted, self.excused = dict(upheld), set(refuted), []

    def upholds(self, hypothesis, *, comparisons):
        del comparisons
        return self.upheld.get(hypothesis.name)

    def refutes(self, hypothesis, *, comparisons):
        del comparisons
        return hypothesis.name in self.refuted

    def excuse(self, hypothesis):
        self.excused.append(hypothesis.name)


def kind(name="small"):
    return DifferenceKind(
        DifferenceShape("dice", name, "lose", "win", ("result",)),
        DifferenceGrounds(frozenset(), (), ()),
    )


def wrong(lawful=LOST, observed=WON, reasons=REASONS, name="small", stake=100, die=1):
    case = Case(
        game="dice", method="settle", group="", outcome={"dice": [die]},
        bets=[{"bet": name, "stake": stake}],
    )  # fmt: skip
    return WrongAnswer(
        kind=kind(name), case=case, answer=None, bet=0, lawful=lawful, observed=observed,
        reasons=reasons,
    )  # fmt: skip


def trial(name, provision, reproduced, changed=None, involved=None):
    changed = reproduced if changed is None else changed
    return Trial(
        hypothesis=Supposed(provision, name), game=name, reproduced=frozenset(reproduced),
        changed=frozenset(changed), involved=frozenset(changed if involved is None else involved),
    )  # fmt: skip


def cover(answers, prescribers, right):
    return CauseCover(wrong=answers, prescribers=[frozenset(names) for names in prescribers],
                      right=right)  # fmt: skip


def named(covered):
    return [accepted.trial.hypothesis.name for accepted in covered.causes]


# Which provision prescribes the part that is wrong.


def test_a_wrong_prize_is_the_matter_of_the_provision_that_gives_it():
    answer = wrong(WON, {**WON, "prize": 180})

    assert prescribing_provisions(answer, PartRules()) == {"law/6/a"}


def test_a_wrong_result_is_the_matter_of_the_provision_that_gives_the_result():
    answer = wrong(WON, LOST)

    assert prescribing_provisions(answer, PartRules()) == {"law/5/a"}


def test_a_kept_stake_of_a_winner_is_the_matter_of_the_provision_on_odds():
    answer = wrong(WON, {**WON, "stake": 0})

    assert prescribing_provisions(answer, PartRules(stakes=("law/9",))) == {"law/9"}


@pytest.mark.parametrize(
    ("charged", "blamed"),
    [
        ({"law/10": frozenset({"small"}), "law/11": frozenset({"big"})}, {"law/10"}),
        ({"law/11": frozenset({"big"})}, {"law/11"}),
    ],
)
def test_a_commission_where_none_is_due_is_the_matter_of_those_that_charge_one(charged, blamed):
    answer = wrong(WON, {**WON, "commission": 5})

    assert prescribing_provisions(answer, PartRules(commissions=charged)) == blamed


def test_a_wrong_order_is_the_matter_of_the_lines_of_both_hands():
    answer = WrongAnswer(
        kind=kind(), case=Case(game="cards", method="compare", group=""), answer="lower", bet=None,
        lawful={"order": "higher"}, observed={"order": "lower"},
        reasons=(("law/8/1", "ranks"), ("law/8/2", "ranks"), ("law/4", "defines")),
    )  # fmt: skip

    assert prescribing_provisions(answer, PartRules()) == {"law/8/1", "law/8/2"}


# What mutants do with wrong answers.


def test_a_mutant_reproduces_only_the_very_answer():
    answers = [wrong(die=1), wrong(die=2, observed={**WON, "prize": 200})]
    mutant = Supposed("law/5/a", answers={1: WON, 2: WON})

    (tried,) = try_mutants([mutant], answers)

    assert (tried.reproduced, tried.changed) == ({0}, {0, 1})


def test_a_mutant_of_a_prize_has_a_part_in_a_bet_that_lost_wrongly():
    """A fault in the prize may hide behind a bet that never wins."""
    answers = [wrong(WON, LOST)]
    mutant = Supposed("law/6/a", answers={1: {**WON, "prize": 180}})

    (tried,) = try_mutants([mutant], answers)

    assert (tried.reproduced, tried.involved) == (frozenset(), {0})


def test_a_mutant_that_changes_what_is_right_has_no_part():
    answers = [wrong(WON, {**WON, "prize": 180})]
    mutant = Supposed("law/5/a", answers={1: LOST})

    (tried,) = try_mutants([mutant], answers)

    assert tried.involved == frozenset()


def test_a_mutant_of_other_bets_is_not_tried():
    assert not list(try_mutants([Supposed("law/5/b")], [wrong(name="big")]))


# The fewest mutants that explain everything.


def test_two_faults_are_two_causes_and_not_one():
    answers = [wrong(), wrong(), wrong(name="big"), wrong(name="big")]
    right = Known(upheld={"small": 70, "big": 217, "neither": 5})
    covered = cover(answers, [["law/5/a"]] * 2 + [["law/5/b"]] * 2, right)

    covered.extend(
        [
            trial("neither", "law/5/a", {0}),
            trial("small", "law/5/a", {0, 1}),
            trial("big", "law/5/b", {2, 3}),
        ]
    )

    assert sorted(named(covered)) == ["big", "small"]
    assert covered.explained == {0, 1, 2, 3}


def test_a_mutant_that_right_answers_refute_is_no_cause():
    covered = cover([wrong()], [["law/5/a"]], Known())

    covered.extend([trial("refuted", "law/5/a", {0})])

    assert not covered.causes


def test_one_wrong_definition_is_one_cause_of_what_many_provisions_prescribe():
    answers = [wrong(), wrong(name="big"), wrong(name="points")]
    covered = cover(
        answers, [["law/5/a"], ["law/5/b"], ["law/5/c"]],
        Known(upheld={"value": 30, "small": 10, "big": 10, "points": 10}),
    )  # fmt: skip

    covered.extend(
        [
            trial("small", "law/5/a", {0}), trial("big", "law/5/b", {1}),
            trial("points", "law/5/c", {2}), trial("value", "law/4/1", {0, 1, 2}),
        ]
    )  # fmt: skip

    assert named(covered) == ["value"]


def test_an_exception_that_was_not_applied_is_not_blamed_for_two_bets_that_never_win():
    """Who explains only a part of what is wrong must stand in the derivations of that part."""
    answers = [wrong(WON, LOST), wrong(WON, LOST, name="big"), wrong(name="number")]
    right = Known(upheld={"small": 9, "big": 9, "exception": 18})
    covered = cover(answers, [["law/5/a"], ["law/5/b"], ["law/5/j"]], right)

    covered.extend(
        [
            trial("exception", "law/7", {0, 1}),
            trial("small", "law/5/a", {0}), trial("big", "law/5/b", {1}),
        ]
    )  # fmt: skip

    assert sorted(named(covered)) == ["big", "small"]


def test_the_prescribing_provision_comes_before_another_that_explains_the_same():
    covered = cover([wrong()], [["law/5/a"]], Known(upheld={"own": 10, "other": 99}))

    covered.extend([trial("other", "law/4/1", {0}), trial("own", "law/5/a", {0})])

    assert named(covered) == ["own"]


def test_a_wrong_prize_alone_is_not_laid_on_a_provision_that_does_not_give_it():
    answers = [wrong(WON, {**WON, "prize": 180})] * 2
    covered = cover(answers, [["law/6/a"]] * 2, Known(upheld={"other": 2}))

    covered.extend([trial("other", "law/4/1", {0, 1})])

    assert not covered.causes


def test_what_explains_a_part_of_a_kind_and_stands_in_no_derivation_is_no_cause():
    covered = cover([wrong(), wrong()], [["law/5/a"]] * 2, Known(upheld={"other": 1}))

    covered.extend([trial("other", "law/99", {0})])

    assert not covered.causes


# What is left in doubt.


def test_a_provision_that_no_right_answer_clears_is_hidden():
    hidden = find_hidden_provisions(
        [wrong()], [trial("prize", "law/6/a", set(), {0})], {0}, {"law/5/a"}, Known()
    )

    assert hidden == {"law/6/a": {kind()}}


def test_a_right_answer_clears_a_provision_beside_an_explained_one():
    right = Known(refuted={"prize"})
    trials = [trial("prize", "law/6/a", set(), {0})]

    assert not find_hidden_provisions([wrong()], trials, {0}, {"law/5/a"}, right)


def test_no_right_answer_clears_a_provision_beside_an_unexplained_one():
    """The fault may be narrower than every change that is known."""
    right = Known(refuted={"prize"})
    trials = [trial("prize", "law/6/a", set(), {0})]

    assert find_hidden_provisions([wrong()], trials, set(), {"law/5/a"}, right)


def test_a_blamed_provision_is_not_hidden_as_well():
    trials = [trial("prize", "law/6/a", set(), {0})]

    assert not find_hidden_provisions([wrong()], trials, set(), {"law/6/a"}, Known())


def test_who_has_no_part_in_a_wrong_answer_is_not_in_doubt():
    trials = [trial("prize", "law/6/a", set(), {0}, involved=set())]

    assert not find_hidden_provisions([wrong()], trials, set(), set(), Known())


# Findings: what is one, and what are several.


def prizes(*short):
    return [wrong(WON, {**WON, "prize": 100 - by}, name=f"bet-{at}") for at, by in enumerate(short)]


def drafts(count):
    return [CauseDraft(provisions={f"law/6/{at}": None}, answers=[at]) for at in range(count)]


def test_every_prize_one_stake_short_is_one_finding_of_all_lines():
    (merged,) = merge_same_effects(drafts(3), prizes(100, 100, 100))

    assert list(merged.provisions) == ["law/6/0", "law/6/1", "law/6/2"]


def test_different_wrong_prizes_stay_apart():
    assert len(merge_same_effects(drafts(3), prizes(100, 50, 10))) == 3


def test_a_kind_belongs_to_the_cause_that_shows_most_of_it():
    answers = [wrong(), wrong(), wrong()]
    first = CauseDraft(provisions={"law/1": None}, answers=[0])
    second = CauseDraft(provisions={"law/2": None}, answers=[1, 2])

    owned = assign_kinds([first, second], answers)

    assert owned == [[kind()], [kind()]]


def test_the_odds_that_a_vendor_uses_are_read_from_its_prizes():
    mutant = Supposed("law/6/a", was=c.Prize(prize="small", odds="1:1"))

    fitted = fit_amounts([wrong(WON, {**WON, "prize": 250})], [{"law/6/a"}], [mutant])

    assert [one.name for one in fitted] == [f"odds={Fraction(5, 2).numerator}:2"]


def test_marks_of_bets_beyond_a_word_share_the_last_one():
    marks = BetMarks()

    marks.add(3, 70)

    assert marks.has(3, 99)
    assert not marks.has(3, 5)
    assert not marks.has(4, 70)
