"""Every fault planted in a random source is found, and blamed on the provision that it breaks."""

import functools
import importlib
import sys
from pathlib import Path

import pytest
from tests.often import often

from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.planted_selftest import score_planted_faults
from selo.law.files.provision_file import Way
from selo.verdict.rulings import NO_RULINGS, adopt_rulings

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
if str(FIXTURES) not in sys.path:
    sys.path.insert(0, str(FIXTURES))
DRAWN = importlib.import_module("planted.chance").DRAWN
FAULTS = [(game, name) for game, faults in DRAWN.items() for name in faults]
#: One of each game in every run; all of them in the long one.
OFTEN = {"a-die-is-loaded", "the-dice-alternate", "the-pack-lacks-a-card"}


@pytest.fixture(scope="module")
def examiners(law):
    rulings = (adopt_rulings(law, defaults=True), NO_RULINGS)
    return functools.cache(lambda game: [Examiner(law, game, one) for one in rulings])


def test_every_provision_verified_by_statistics_has_a_fault(law):
    assert {one.provision for faults in DRAWN.values() for one in faults.values()} == {
        held.id
        for held in law.provisions.values()
        if Way.STATISTICS in {held.provision.verified_by, *held.provision.also}
    }


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(*one, id=one[1], marks=() if one[1] in OFTEN else pytest.mark.full)
        for one in FAULTS
    ],
)
def test_a_fault_of_the_random_source_is_found_and_blamed_on_its_provision(examiners, game, name):
    (score,) = score_planted_faults(*examiners(game), [name])

    assert (score.state, score.blamed) == ("killed", [DRAWN[game][name].provision])


@pytest.mark.parametrize("game", often(DRAWN, "fish-prawn-crab"))
def test_the_lawful_vendor_is_not_accused(examiners, game):
    lawful = importlib.import_module("planted.vendor").load(game)

    # One fair source in ten thousand would be.
    assert [list(one.examine_draws(lawful).findings) for one in examiners(game)] == [[], []]
