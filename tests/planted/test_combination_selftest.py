"""Vendors with several faults, and lawful ones: no broken provision is called conforming."""

import pytest
from tests.often import often

from selo.examine.selftest.provision_score import Misjudgement, VendorKind
from selo.examine.selftest.provision_selftest import ProvisionSample, score_by_provision
from selo.rules.checks.game_check import list_games

GAMES = (
    "pai-kao", "fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker",
    "craps",
)  # fmt: skip
COMBINED = (VendorKind.PAIRS, VendorKind.TRIPLES)
#: One in so many combinations may accuse an innocent provision.
RARELY = 50


@pytest.fixture(scope="module")
def scores(law):
    """Return the scores of a game, by kind of vendor; each sample is examined once."""
    kept = {}

    def of(game):
        if game not in kept:
            sample = ProvisionSample(pairs=6, triples=3, readings=4)
            kept[game] = list(score_by_provision(law, game, sample))
        return kept[game]

    return of


def misjudged(scored, judged, *kinds):
    return [
        (one.provision, one.faults)
        for kind, score in scored
        if kind in kinds
        for one in score.misjudged
        if one.judged is judged
    ]


def test_combinations_are_tried_in_every_game(law):
    assert {*list_games(law)} == {*GAMES}


@pytest.mark.parametrize("game", often(GAMES, "pai-kao"))
def test_no_provision_that_a_combination_breaks_conforms(scores, game):
    assert misjudged(scores(game), Misjudgement.CLEARED, *COMBINED) == []


@pytest.mark.parametrize("game", often(GAMES, "pai-kao"))
def test_no_provision_that_one_fault_breaks_conforms(scores, game):
    kinds = (VendorKind.PLANTED, VendorKind.ENGINE)

    assert misjudged(scores(game), Misjudgement.CLEARED, *kinds) == []


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_nobody_who_follows_a_combination_of_readings_is_accused(scores, game):
    assert misjudged(scores(game), Misjudgement.ACCUSED, VendorKind.READINGS) == []


@pytest.mark.full
def test_combinations_seldom_accuse_a_provision_that_they_do_not_touch(scores):
    combined = [score for game in GAMES for kind, score in scores(game) if kind in COMBINED]

    accusing = [score.faults for score in combined if score.accused]

    assert len(accusing) <= len(combined) // RARELY, accusing
