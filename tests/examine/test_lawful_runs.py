"""A lawful vendor is found nothing against, whatever the seed and the way it is asked."""

import pytest
from tests.examine.lawful_runs import GAMES, run_lawfully

#: A sample of 200, which `python -m tests.examine.lawful_runs 0 200` makes.
SAMPLE = range(0, 200, 13)


def test_every_game_is_in_the_sample():
    assert {number % len(GAMES) for number in SAMPLE} == set(range(len(GAMES)))


@pytest.mark.full
@pytest.mark.parametrize("number", SAMPLE)
def test_a_lawful_run_has_no_finding(law, number):
    run = run_lawfully(law, number)

    assert run.cases
    assert run.findings == []
