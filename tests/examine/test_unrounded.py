"""Whoever answers in exact fractions breaks no rounding, and never conforms to one."""

import pytest
from tests.examine.partial_examination import PARTIAL, default_rulings, examine
from tests.fixture_modules import load_fixture

from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import tell_settlement
from selo.examine.analysis.evidence_analysis import EvidenceAnalysis
from selo.rules.clauses import clause_models as c
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings

#: The provision that prescribes a commission, or a prize in parts of the stake, in each game.
ROUNDING = {
    "bacara": "despacho-2-2009/18/1",
    "three-card-baccarat": "portaria-22-96-m/10",
    "craps": "portaria-97-85-m/3/2/2",
}


def exact_answers(law, game, is_exact):
    """Return a way of answering exactly where no text says how an amount becomes whole."""
    rulings = default_rulings(law).followed
    unrounded = Oracle(law, rulings).game(game).without_open_roundings()

    def answer(params, whole):
        if not is_exact(params):
            return whole
        settled = unrounded.settle_plain(params["options"], params["outcome"], params["bets"])
        told = [
            tell_settlement("full", plain, bet)
            for plain, bet in zip(settled, params["bets"], strict=True)
        ]
        return {
            "settlements": [
                {part: getattr(one, part) for part in one.__struct_fields__} for one in told
            ]
        }

    return answer


def examine_exact(law, game, is_exact=lambda _: True):
    whole = load_fixture("planted/vendor.py").load(game, "lawful")
    vendor = PARTIAL.PartialVendor(whole, {}, exact_answers(law, game, is_exact))
    return examine(law, vendor, game, rulings=default_rulings(law))


def roundings(law, game):
    """Return the provisions that say how an amount becomes whole."""
    readings = Readings(law, default_rulings(law).followed)
    return {
        mutant.provision
        for mutant in generate_mutants(law, game, readings)
        if isinstance(mutant.was, c.Rounding)
    }


@pytest.fixture(
    scope="module",
    params=[
        "craps",
        *(pytest.param(game, marks=pytest.mark.full) for game in ROUNDING if game != "craps"),
    ],
)
def examined(request, law):
    return request.param, examine_exact(law, request.param)


def test_exact_answers_are_no_finding_and_show_no_rounding(law, examined):
    game, found = examined

    assert found.findings == []
    assert found.verdict(ROUNDING[game]) == ("not-examined", "not-fully-examined")
    assert not roundings(law, game) & found.conforming()


def test_nothing_else_is_left_open_by_exact_answers(law, examined):
    game, found = examined

    assert {provision for provision, _ in found.withheld} <= roundings(law, game)
    assert len(found.conforming()) >= len(roundings(law, game))


def test_evidence_read_again_shows_the_same_exact_answers(law, examined):
    game, found = examined
    again = EvidenceAnalysis(law=law, terms=found.analysis.terms)
    for line in found.lines:
        again.add_line(line)

    marks = found.analysis.tallies[game].unrounded_bets
    assert marks
    assert all(
        marks.has_any(place) == again.tallies[game].unrounded_bets.has_any(place)
        for place in range(again.cases)
    )


@pytest.mark.full
def test_some_exact_answers_among_whole_ones_keep_the_rounding_open(law):
    found = examine_exact(law, "bacara", lambda params: len(params["bets"]) > 1)

    assert found.findings == []
    assert found.verdict(ROUNDING["bacara"]) == ("not-examined", "not-fully-examined")
