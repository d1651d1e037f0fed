"""Which provisions ask for chance, and at which tables."""

import pytest

from selo.errors import SpecError
from selo.law.files.provision_file import Way
from selo.rules.checks.game_check import list_games
from selo.rules.clauses.clause_models import RandomClause
from selo.rules.clauses.clause_reader import LocatedClause, read_clauses
from selo.rules.declarations.randomness import applicable_rules, read_randomness_rules
from selo.rules.readings.reading_choice import Readings


def test_every_provision_verified_by_statistics_says_what_is_random(law):
    said = {one.provision for game in list_games(law) for one in read_randomness_rules(law, game)}

    assert said == {
        held.id
        for held in law.provisions.values()
        if Way.STATISTICS in {held.provision.verified_by, *held.provision.also}
    }


@pytest.mark.parametrize(
    ("shuffling", "provision"),
    [("by-hand", "despacho-78-2008/3/1"), ("by-machine", "despacho-78-2008/3/2")],
)
def test_each_way_of_shuffling_has_its_own_provision(law, shuffling, provision):
    game = "fortune-three-card-poker"
    found = applicable_rules(
        law, game, read_randomness_rules(law, game, Readings(law)), {"shuffling": shuffling}
    )

    assert [one.provision for one in found] == [provision]


def test_a_table_that_declares_nothing_shuffles_by_hand(law):
    game = "fortune-three-card-poker"
    found = applicable_rules(law, game, read_randomness_rules(law, game, Readings(law)), {})

    assert [one.provision for one in found] == ["despacho-78-2008/3/1"]


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        (RandomClause(random="cards"), "'cards' are not what is random here"),
        (RandomClause(random="faces", given="moon == 1"), "moon"),
    ],
)
def test_a_clause_that_fits_no_game_is_refused_with_its_line(law, monkeypatch, clause, said):
    game = "fish-prawn-crab"
    written = [
        LocatedClause(one.held, one.index, clause) if isinstance(one.clause, RandomClause) else one
        for one in read_clauses(law, game)
    ]
    monkeypatch.setattr("selo.rules.declarations.randomness.read_clauses", lambda *_: written)

    with pytest.raises(SpecError, match=said) as caught:
        read_randomness_rules(law, game)
    assert "art-01.yaml" in str(caught.value)
