"""The score by provision: which faults have an effect together, and what becomes of provisions."""

from random import Random
from types import SimpleNamespace

import pytest

from selo.examine.selftest.combination_selftest import CombinationScorer, draw_combinations
from selo.examine.selftest.fault_combination import KnownFault
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.provision_score import VendorKind, add_scores
from selo.examine.selftest.vendor_transcript import WrongAnswers
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.mutants.word_dependence import dependent_provisions
from selo.rules.readings.reading_choice import Readings
from selo.verdict.rulings import adopt_rulings


@pytest.fixture(scope="module")
def scorer(law):
    return CombinationScorer(Examiner(law, "pai-kao", adopt_rulings(law, defaults=True)))


def named(scorer, *names):
    known = {fault.name: fault for fault in (*scorer.planted, *scorer.generated)}
    return [known[name] for name in names]


def test_each_of_two_faults_with_an_effect_breaks_its_provision(scorer):
    pair = named(scorer, "rank-98-counts-as-100", "rank-106-counts-as-101")

    score = scorer.score(pair)

    assert score.broken == ["portaria-96-85-m/annex/106", "portaria-96-85-m/annex/98"]
    assert score.found + score.concealed + score.cleared == 2


def test_a_fault_that_another_one_undoes_breaks_nothing(scorer):
    def undo(vendor):
        vendor.compare = lawful.compare

    (fault,) = named(scorer, "rank-98-counts-as-100")
    lawful = scorer.build([])
    undoing = KnownFault(name="undone", breaks=frozenset(), planted=planted(scorer, serve=undo))

    score = scorer.score([fault, undoing])

    assert (score.broken, score.found, score.accused) == ([], 0, 0)


def planted(scorer, **change):
    """Return a fault that changes a vendor in one way."""
    return type(scorer.planted[0].planted)(provision="", words="", **change)


def test_an_untouched_provision_that_violates_is_accused(scorer):
    (fault,) = named(scorer, "rank-98-counts-as-100")
    innocent = KnownFault(name=fault.name, breaks=frozenset(), planted=fault.planted)

    score = scorer.score([innocent])

    accused = [one.provision for one in score.misjudged if one.judged == "accused"]
    assert accused == ["portaria-96-85-m/annex/98"]
    assert score.cleared == 0


def test_a_broken_provision_that_conforms_is_cleared(scorer):
    (fault,) = named(scorer, "rank-98-counts-as-100")
    own = {"portaria-96-85-m/annex/98"}
    other = KnownFault(
        name=fault.name, breaks=frozenset({"portaria-96-85-m/annex/104"}), planted=fault.planted,
        blamable=frozenset(own),
    )  # fmt: skip

    score = scorer.score([other])

    assert score.cleared == 1
    cleared = [one.provision for one in score.misjudged if one.judged == "cleared"]
    assert cleared == ["portaria-96-85-m/annex/104"]


def test_the_same_seed_draws_the_same_combinations(scorer):
    drawn = [
        [
            sorted(fault.name for fault in faults)
            for faults in draw_combinations(scorer, pairs=4, triples=2, seed=7)
        ]
        for _ in range(2)
    ]

    assert drawn[0] == drawn[1]
    assert sorted(map(len, drawn[0])) == [2, 2, 2, 2, 3, 3]


def test_faults_without_an_effect_are_not_drawn(scorer):
    random = Random(1)  # noqa: S311 - a sample, not a secret
    drawn = {fault.name for _ in range(20) for fault in scorer.draw(2, random) or ()}

    # No other line that the law files hold lies between, so nobody could tell.
    assert "portaria-96-85-m/annex/98:tiles.tiles.line-1cabed" not in drawn
    assert len(drawn) > 2


def test_sums_count_combinations_and_provisions(scorer):
    scores = [scorer.score(pair) for pair in draw_combinations(scorer, pairs=3, triples=0, seed=1)]

    sums = add_scores(scores, game="pai-kao", kind=VendorKind.PAIRS, edition="", seed=1)

    assert (sums.vendors, sums.faults) == (3, 6)
    assert sums.found + sums.concealed + sums.cleared == sum(len(one.broken) for one in scores)
    assert sums.clearing <= 3


@pytest.fixture
def wrong():
    return lambda **lines: WrongAnswers(
        description=SimpleNamespace(games=[]),
        lines={int(at[1:]): line for at, line in lines.items()},
    )


def test_a_fault_shows_where_a_wrong_answer_is_another_with_it(wrong):
    assert wrong(n1=b"a").shows(wrong())
    assert wrong(n1=b"a").shows(wrong(n1=b"b"))
    assert not wrong(n1=b"a").shows(wrong(n1=b"a"))


def test_a_fault_that_only_mends_an_answer_does_not_show(wrong):
    assert not wrong(n1=b"a").shows(wrong(n1=b"a", n2=b"b"))


def test_the_meaning_of_a_face_touches_the_bets_on_it_and_no_prize_of_another(law):
    (face,) = (
        written.clause
        for written in read_clauses(law, "fish-prawn-crab")
        if written.held.id == "portaria-21-96-m/1/a/1"
    )

    touched = dependent_provisions(law, "fish-prawn-crab", Readings(law), [face])

    # Portaria 21/96/M, art. 5 d) speaks of colours and 5 j) of numbers; 6 a) only pays.
    assert {"portaria-21-96-m/5/d", "portaria-21-96-m/5/j"} <= touched
    assert "portaria-21-96-m/6/a" not in touched
