"""Each provision says whether it binds, forbids, permits, offers a choice or defines."""

import pytest

from selo.gazette.force_words import Force, ForceReader
from selo.law.force import ForceFinder
from selo.law.ledger import make_ledger

#: Read in the texts by hand: what the verbs of each provision do.
BY_HAND = {
    "portaria-21-96-m/3/c": {"must", "must-not", "may"},
    "portaria-21-96-m/4": {"must-not"},
    "portaria-21-96-m/5": {"may"},
    "portaria-21-96-m/7": {"must"},
    "portaria-22-96-m/4/2": {"may"},
    "portaria-22-96-m/4/3": {"must-not"},
    "portaria-22-96-m/7/2": {"must-not", "may"},
    "portaria-97-85-m/1": {"must"},
    "portaria-97-85-m/1/par-4": {"must-not", "may"},
    "portaria-97-85-m/2/2": {"must", "may"},
    "portaria-96-85-m/annex/98": {"defines"},
    "despacho-2-2009/13/1/4": {"may"},
    "despacho-2-2009/17/12": {"must"},
    "despacho-2-2009/18/1": {"must"},
    "despacho-2-2009/18/2": {"must", "option"},
    "despacho-2-2009/19": {"must", "option"},
    "despacho-78-2008/3/2": {"must", "option"},
    "despacho-78-2008/6/3": {"must-not"},
    "despacho-78-2008/9/5": {"must-not"},
    "despacho-78-2008/8/2": {"defines"},
}


def test_every_provision_that_ships_states_its_force(law):
    assert [one.id for one in law.provisions.values() if not one.provision.force] == []


@pytest.mark.parametrize(("provision", "forces"), BY_HAND.items())
def test_a_force_is_that_of_the_verbs(law, provision, forces):
    assert {str(one) for one in law.find(provision).provision.force} == forces


def test_the_ledger_shows_the_words_of_both_languages(law):
    rows = {row.id: row for row in make_ledger(law).provisions}

    (force,) = rows["portaria-21-96-m/4"].force

    assert force.force is Force.MUST_NOT
    assert force.words == {"pt": ["não poderá"], "zh": ["不得"]}


@pytest.mark.parametrize(
    ("provision", "old", "new", "told"),
    [
        ("4", "[must-not]", "[must]", "the text expresses 'must-not' (pt «não poderá»; zh «不得»)"),
        ("4", "[must-not]", "[must-not, may]", "expresses 'may'"),
        ("5", "[may]", "[must]", "the text expresses 'may'"),
        ("7", "[must]", "[option]", "expresses 'option'"),
        ("7", "[must]", "[must, must]", "listed twice"),
    ],
)
def test_another_force_than_that_of_the_verbs_is_found(copy, provision, old, new, told):
    name = f"specs/portaria-21-96-m/articles/art-{provision:0>2}.yaml"
    path = copy.path(name)
    text = path.read_text(encoding="utf-8")
    at = text.index(f"force: {old}")
    path.write_text(text[:at] + f"force: {new}" + text[at + len(f"force: {old}") :], "utf-8")

    found = copy.problems()

    assert any(told in one.problem for one in found), [one.problem for one in found]
    assert {one.line for one in found} == {text[:at].count("\n") + 1}


def test_every_change_of_a_worded_force_is_found(law):
    """Leave out, one by one, each force that a word of the text carries: the lint must see it."""
    finder = ForceFinder(law)
    for located in law.provisions.values():
        for force in finder.own_words(located):
            assert force in located.provision.force, located.id


def test_a_vocabulary_without_words_carries_nothing():
    from selo.gazette.force_words import ForceVocabulary  # noqa: PLC0415 - only here

    assert ForceReader(ForceVocabulary()).read("não podem", "pt") == []


def test_an_unstated_force_is_read_from_the_words(law):
    finder = ForceFinder(law)

    for provision, forces in (
        ("portaria-21-96-m/4", [Force.MUST_NOT]),
        ("portaria-21-96-m/5/a", [Force.MAY, Force.DEFINES]),
        ("despacho-78-2008/10", [Force.DEFINES]),
    ):
        assert finder.read_forces(law.find(provision)) == forces
