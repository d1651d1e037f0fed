"""Fault localisation on small inputs made by hand: parts, cover, drafts, exoneration."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import pytest

from selo.cases.case import Case
from selo.examine.blame import exoneration
from selo.examine.blame.cause_cover import AcceptedCause, CauseCover
from selo.examine.blame.cause_drafts import CauseDraft, assign_kinds, merge_same_effects
from selo.examine.blame.exoneration import WrongAnswerMap, find_hidden_provisions
from selo.examine.blame.explanation import Explanation
from selo.examine.blame.fitted_values import fit_amounts
from selo.examine.blame.mutant_trial import RightAnswerIndex, Trial, try_mutants
from selo.examine.blame.plan_index import ChangedBet
from selo.examine.blame.wrong_answer import (
    ComparedAnswer,
    PartRules,
    WrongAnswer,
    build_wrong_answer,
    prescribing_provisions,
)
from selo.examine.tally import Tally, place_sets
from selo.examine.tally.answer_difference import (
    DifferenceGrounds,
    DifferenceKind,
    DifferenceShape,
)
from selo.examine.tally.place_sets import AnswerLog, BetMarks
from selo.protocol.messages import Settlement
from selo.rules.clauses import clause_models as c

LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}
WON = {"result": "win", "prize": 100, "commission": 0, "stake": 100}
REASONS = (("law/5/a", "win"), ("law/6/a", "prize"), ("law/1", "defines"))


class Answering:
    """A game that answers by the first die."""

    bets = {}

    def __init__(self, answers):
        self.answers = answers

    def settle_plain(self, options, outcome, bets):
        del options, bets
        return [self.answers[outcome["dice"][0]]]

    def forget_outcomes(self):
        """Nothing is kept."""


@dataclass(frozen=True)
class Supposed:
    """A mutant of which only what the test needs is there."""

    provision: str
    name: str = ""
    was: object = None
    answers: dict = field(default_factory=dict)
    is_line: bool = False

    def bets(self):
        return frozenset({"small"})

    def compile(self):
        return Answering(self.answers)

    def compile_with(self, others):
        raise ValueError(others)

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


def test_a_prize_of_a_bet_that_did_not_win_is_the_matter_of_the_provision_on_its_result():
    reasons = (("law/5/b", "declares"), ("law/5", "lose"), ("law/1", "defines"))
    answer = wrong(LOST, {**LOST, "prize": 50}, reasons)

    assert prescribing_provisions(answer, PartRules()) == {"law/5"}


def test_a_commission_that_no_provision_knows_is_the_matter_of_the_prize():
    answer = wrong(WON, {**WON, "commission": 5})

    assert prescribing_provisions(answer, PartRules()) == {"law/6/a"}


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


# What is a consequence of another wrong answer.


class Rules(NamedTuple):
    added_to: str | None = None
    needs: tuple = ()


class Added:
    """An oracle of a bet and of another that is added to it; both lose, and both are wrong."""

    def __init__(self):
        self.bets = {"pass": Rules(), "more": Rules(added_to="pass")}

    def game(self, name):
        del name
        return self

    def derivation_of(self, case, bet):
        del case, bet
        return []

    def expected_parts(self, case, bet, parts):
        del case, bet
        return {part: LOST[part] for part in parts}

    def wrong_bets(self, case, answer):
        del answer
        return [*range(len(case.bets))]


@pytest.mark.parametrize(
    ("base", "added", "leans"),
    [
        (WON, WON, True),
        (WON, {**LOST, "stake": 50}, False),
        ({**LOST, "stake": 50}, {**LOST, "stake": 50}, False),
        ({**LOST, "stake": 50}, WON, False),
    ],
)
def test_only_a_wrong_result_beside_a_wrong_result_is_a_consequence(base, added, leans):
    """A part of the stake that both give back is a fault of each of them."""
    bets = [{"bet": "pass", "stake": 100}, {"bet": "more", "stake": 100}]
    case = Case(game="dice", method="settle", group="", bets=bets)
    answer = [Settlement(**base), Settlement(**added)]

    built = build_wrong_answer(Added(), kind("more"), (case, answer, 1))

    assert built.leans_on == (frozenset({"pass"}) if leans else frozenset())


# What mutants do with wrong answers.


class IndexOf:
    """An index of two cases, each of which a mutant may change if its first die is among some."""

    def __init__(self, *dice):
        self.dice = dice

    def number_of(self, case):
        return case.outcome["dice"][0]

    def candidates(self, hypothesis):
        del hypothesis
        return sum(1 << die for die in self.dice)


def test_a_mutant_is_not_tried_on_what_it_cannot_change():
    answers = [wrong(die=1), wrong(die=2)]
    mutant = Supposed("law/5/a", answers={2: WON})

    (tried,) = try_mutants([mutant], answers, IndexOf(2))

    assert (tried.reproduced, tried.changed) == ({1}, {1})


def test_a_mutant_reproduces_only_the_very_answer():
    answers = [wrong(die=1), wrong(die=2, observed={**WON, "prize": 200})]
    mutant = Supposed("law/5/a", answers={1: WON, 2: WON})

    (tried,) = try_mutants([mutant], answers, IndexOf(1, 2))

    assert (tried.reproduced, tried.changed) == ({0}, {0, 1})


def test_a_mutant_of_a_prize_has_a_part_in_a_bet_that_lost_wrongly():
    """A fault in the prize may hide behind a bet that never wins."""
    answers = [wrong(WON, LOST)]
    mutant = Supposed("law/6/a", answers={1: {**WON, "prize": 180}})

    (tried,) = try_mutants([mutant], answers, IndexOf(1, 2))

    assert (tried.reproduced, tried.involved) == (frozenset(), {0})


def test_a_mutant_that_changes_what_is_right_has_no_part():
    answers = [wrong(WON, {**WON, "prize": 180})]
    mutant = Supposed("law/5/a", answers={1: LOST})

    (tried,) = try_mutants([mutant], answers, IndexOf(1, 2))

    assert tried.involved == frozenset()


def test_a_mutant_of_other_bets_is_not_tried():
    assert not list(try_mutants([Supposed("law/5/b")], [wrong(name="big")], IndexOf(1)))


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


NO_RULES = PartRules()


class Plan:
    """A plan of which it is known which bets each mutant changes, and in which parts."""

    def __init__(self, changes=(), places=frozenset(range(100)), more=()):
        self.changes, self.places, self.more = dict(changes), places, dict(more)
        self.indexed = []

    def changed_bets(self, hypothesis):
        for place, parts in self.changes.get(hypothesis.name, ()):
            yield ChangedBet(place, 0, is_comparison=False, is_answered=True, parts=parts)

    def changes_of(self, hypothesis, *, comparisons):
        return iter(()) if comparisons else self.changed_bets(hypothesis)

    def numbers_at(self, places):
        return sum(1 << place for place in places if place in self.places)

    def changed_among(self, hypothesis, numbers, *, comparisons):
        for changed in self.changes_of(hypothesis, comparisons=comparisons):
            if numbers >> changed.place & 1:
                yield changed

    def index_more(self, placed):
        self.indexed = [place for place, _ in placed]
        changes = {**self.changes, **self.more}
        return Plan({name: [one for one in own if one[0] in self.indexed]
                     for name, own in changes.items()})  # fmt: skip


class Reason(NamedTuple):
    provision: str
    role: str


class Lawful:
    """An oracle that knows one lawful answer, and from what it follows."""

    def __init__(self, lawful=WON, reasons=()):
        self.lawful, self.reasons = lawful, reasons

    def expected_parts(self, case, bet, parts):
        del case, bet
        return {part: self.lawful[part] for part in parts}

    def derivation_of(self, case, bet):
        del case, bet
        return [Reason(*reason) for reason in self.reasons]


def compared(place, observed=LOST, *, explained):
    case = Case(
        game="dice", method="settle", group="", outcome={"dice": [1]},
        bets=[{"bet": "small", "stake": 100}],
    )  # fmt: skip
    return ComparedAnswer(place, case, 0, observed, explained)


def hidden(answers, plan, *, blamed=(), names=("prize",), oracle=None, rules=NO_RULES):
    tally = Tally(oracle=None)
    for answer in answers:
        tally.mark_wrong(answer.place, 0, answer.observed or {})
    doubt = WrongAnswerMap.of(answers, oracle or Lawful(), plan, rules)
    right = RightAnswerIndex(tally=tally, index=plan)
    mutants = [Supposed("law/6/a", name) for name in names]
    return set(find_hidden_provisions(mutants, set(blamed), doubt, right))


SHORT = {**WON, "prize": 90}
RESULT, PRIZE = 1, 2
WRONG, RIGHT = 3, 4


def test_a_provision_that_no_right_answer_clears_is_hidden():
    plan = Plan({"prize": [(WRONG, PRIZE)]})

    assert hidden([compared(WRONG, SHORT, explained=True)], plan) == {"law/6/a"}


def test_a_right_answer_clears_a_provision_beside_an_explained_one():
    plan = Plan({"prize": [(WRONG, PRIZE), (RIGHT, PRIZE)]})

    assert not hidden([compared(WRONG, SHORT, explained=True)], plan)


def test_no_right_answer_clears_a_provision_beside_an_unexplained_one():
    """The fault may be narrower than every change that is known."""
    plan = Plan({"prize": [(RIGHT, PRIZE), (WRONG, PRIZE)]})

    assert hidden([compared(WRONG, SHORT, explained=False)], plan) == {"law/6/a"}


def test_one_unexplained_answer_among_very_many_explained_ones_clears_nobody():
    plan = Plan({"prize": [(place, PRIZE) for place in range(90)]})
    answers = [compared(place, SHORT, explained=place != 77) for place in range(1, 90)]

    assert hidden(answers, plan) == {"law/6/a"}


def test_an_answer_that_was_not_kept_hides_whatever_can_have_changed_it():
    plan = Plan({"prize": [(RIGHT, PRIZE), (WRONG, PRIZE)]})

    assert hidden([compared(WRONG, None, explained=False)], plan) == {"law/6/a"}


def test_a_blamed_provision_is_not_hidden_as_well():
    plan = Plan({"prize": [(WRONG, PRIZE)]})

    assert not hidden([compared(WRONG, SHORT, explained=False)], plan, blamed={"law/6/a"})


def test_who_changes_what_is_right_has_no_part_in_a_wrong_prize():
    plan = Plan({"prize": [(WRONG, RESULT | PRIZE)]})

    assert not hidden([compared(WRONG, SHORT, explained=False)], plan)


def test_who_changes_a_wrong_result_has_a_part_whatever_result_it_gives():
    """Known changes may make a bet lose where the fault made it a push: the stake differs."""
    pushed = {"result": "push", "prize": 0, "commission": 0, "stake": 100}
    plan = Plan({"prize": [(RIGHT, 15), (WRONG, 15)]})

    assert hidden([compared(WRONG, pushed, explained=False)], plan) == {"law/6/a"}


WINS = (("law/5/a", "win"), ("law/6/a", "prize"))
CHARGED = PartRules(commissions={"law/10": frozenset({"big"})})


@pytest.mark.parametrize(
    ("lawful", "observed", "reasons", "prescribers"),
    [
        (LOST, {**LOST, "stake": 50}, (("law/5/a", "lose"),), {"law/5/a"}),
        (
            LOST,
            {**LOST, "prize": 50},
            (("law/5/b", "declares"), ("law/5", "lose")),
            {"law/5/b", "law/5"},
        ),
        (WON, LOST, WINS, {"law/5/a"}),
        (WON, SHORT, WINS, {"law/6/a"}),
        (WON, {**SHORT, "commission": 5}, WINS, {"law/6/a", "law/10"}),
        (WON, None, WINS, {"law/5/a", "law/6/a"}),
    ],
)
def test_who_prescribes_a_wrong_part_is_hidden_though_no_change_of_it_is_known(
    lawful, observed, reasons, prescribers
):
    """The stake of a bet that lost, say: no mutant gives a part of it back."""
    answers = [compared(WRONG, observed, explained=False)]
    oracle = Lawful(lawful, reasons)

    assert hidden(answers, Plan(), oracle=oracle, rules=CHARGED) == prescribers


def test_an_explained_answer_leaves_no_doubt_of_who_prescribes_it():
    answers = [compared(WRONG, SHORT, explained=True)]

    assert not hidden(answers, Plan(), oracle=Lawful(WON, WINS))


def test_beyond_the_bound_who_prescribes_a_wrong_part_is_hidden_too(monkeypatch):
    monkeypatch.setattr(exoneration, "_MAX_MORE", {True: 0, False: 0})
    answers = [compared(WRONG, {**LOST, "stake": 50}, explained=False)]

    left = hidden(answers, Plan(), names=(), oracle=Lawful(LOST, (("law/5/a", "lose"),)))

    assert left == {"law/5/a"}


def test_a_wrong_answer_outside_the_sample_of_a_large_plan_hides_too():
    plan = Plan({"prize": [(RIGHT, PRIZE)]}, places={RIGHT}, more={"prize": [(WRONG, PRIZE)]})

    assert hidden([compared(WRONG, SHORT, explained=False)], plan) == {"law/6/a"}
    assert plan.indexed == [WRONG]


@pytest.mark.parametrize("explained", [True, False])
def test_beyond_the_bound_what_can_bear_on_the_bet_is_hidden(monkeypatch, explained):
    monkeypatch.setattr(exoneration, "_MAX_MORE", {True: 1, False: 1})
    plan = Plan({}, places=set())
    answers = [compared(place, SHORT, explained=explained) for place in (1, 2)]

    assert hidden(answers, plan) == {"law/6/a"}


# Which wrong answers are explained.


def explanation(*answers, right=None):
    """Return what explains wrong answers of small: for each cause, its answer by the die."""
    causes = [
        AcceptedCause(
            trial=Trial(
                hypothesis=mutant, game=mutant.compile(), reproduced=frozenset(),
                changed=frozenset(), involved=frozenset(),
            ),
            explained=frozenset(), alike=(),
        )
        for mutant in (Supposed("law/6/a", f"{at}", answers=given)
                       for at, given in enumerate(answers))
    ]  # fmt: skip
    explained = Explanation(Lawful(), causes)
    if right is not None:
        explained.contradict(right, Plan())
    return explained


def test_only_the_very_answer_is_explained():
    explained = explanation({1: SHORT})
    case = compared(0, explained=True).case

    assert explained.explains(case, 0, SHORT)
    assert not explained.explains(case, 0, {**WON, "prize": 91})
    assert not explained.explains(case, 0, LOST)


def test_a_cause_that_a_right_answer_contradicts_explains_nothing():
    class Contradicting:
        def contradictions(self, hypothesis):
            del hypothesis
            yield 5, 0

    explained = explanation({1: SHORT}, right=Contradicting())

    assert not explained.explains(compared(0, explained=True).case, 0, SHORT)


def test_every_wrong_answer_is_kept_and_alike_ones_once():
    log = AnswerLog()
    for place in (7, 3, 3):
        log.add(place, 0 if place == 7 else 1, SHORT)
    log.add(-1, 0, SHORT)

    assert list(log.by_place()) == [(3, [(1, SHORT), (1, SHORT)]), (7, [(0, SHORT)])]


def test_an_answer_too_many_is_kept_as_wrong_and_no_more(monkeypatch):
    monkeypatch.setattr(place_sets, "_MAX_ANSWERS", 1)
    log = AnswerLog()

    log.add(1, 0, SHORT)
    log.add(2, 0, LOST)

    assert [answers for _, answers in log.by_place()] == [[(0, SHORT)], [(0, None)]]


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
