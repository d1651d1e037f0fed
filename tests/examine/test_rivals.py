"""What explains everything that is wrong, and would have been seen where all was right."""

import pytest
from selo.examine.blame.refutation import drop_refuted

from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.examine.blame.hypotheses import Explanation
from selo.examine.plan.examination_plan import terms_of
from selo.examine.tally.tally import Tally
from selo.protocol import messages as m
from selo.rules.mutants.mutant_games import generate_mutants
from selo.rules.readings.reading_choice import Readings
from selo.vendors.reply_reader import Reply
from selo.verdict.rulings import adopt_rulings

GAME = "pai-kao"
ANNEX = "portaria-96-85-m/annex"
#: These explain all that is wrong as well, and would compare more pairs otherwise.
MEANT = (f"{ANNEX}/99", "tiles 99: stands on line 97")
RIVALS = [
    (f"{ANNEX}/98", "tiles 98: stands on line 107"),
    (f"{ANNEX}/98", "manner order: order: last-highest"),
]


@pytest.fixture(scope="module")
def seen(law):
    """Return what is known of a vendor that misread one line, when no right answer was kept."""
    ruled = adopt_rulings(law, defaults=True)
    terms = terms_of(
        law, offer_everything(law, [GAME]), as_of="", rulings=dict(ruled.followed), budget="quick",
        seed=1, provisions=[],
    )  # fmt: skip
    found = EvidenceAnalysis(law=law, terms=terms)
    tally = found.tallies[GAME] = Tally(Oracle(law, terms.rulings))
    misread = game_of(law, terms, MEANT)
    for place, case in found.planned_cases(GAME):
        order = misread.compare(sorted(case.a), sorted(case.b))
        tally.take(case, Reply(id="", result=m.Compared(order=order)), place)
    return found


def suspects(law, terms):
    found = generate_mutants(law, GAME, Readings(law, terms.rulings))
    return {(one.provision, one.cause.sentence): one for one in found}


def game_of(law, terms, name):
    return suspects(law, terms)[name].compile()


def supposed(seen, *names):
    """Return some changes as what explains everything that is wrong."""
    kinds, found = tuple(seen.tallies[GAME].differences), suspects(seen.law, seen.terms)
    return [
        Explanation(
            hypothesis=found[name], game=found[name].compile(), kinds=kinds, weight=1, named=(1, 1)
        )
        for name in names
    ]


def test_only_the_provision_is_blamed_that_leaves_right_what_was_right(seen):
    (cause,) = seen.locate_causes().causes[GAME]

    assert cause.provisions == (MEANT[0],)


def test_what_would_have_made_more_wrong_is_refuted_by_cases_that_nobody_kept(seen):
    some = supposed(seen, *RIVALS, MEANT)

    assert drop_refuted(seen.tallies[GAME], some, seen.planned_cases(GAME)) == some[-1:]


def test_all_are_kept_if_each_is_refuted(seen):
    some = supposed(seen, *RIVALS)

    assert drop_refuted(seen.tallies[GAME], some, seen.planned_cases(GAME)) == some


def test_a_case_without_a_sound_answer_refutes_nothing(seen):
    tally = Tally(seen.tallies[GAME].oracle)
    for place, _ in seen.planned_cases(GAME):
        tally.unanswered_places.add(place)
    some = supposed(seen, *RIVALS, MEANT)

    assert drop_refuted(tally, some, seen.planned_cases(GAME)) == some
