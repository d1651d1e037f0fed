"""The law of a provision is more than its words: whatever its verdict rests on belongs to it."""

import dataclasses

import msgspec
import pytest

from selo.delta.provision_law import find_amended_provisions

GAME = "bacara"
POINTS = "despacho-2-2009/13/1"
#: Provisions whose bets win by points, which 13/1 defines.
BY_POINTS = {"despacho-2-2009/13/1/1", "despacho-2-2009/13/1/2", "despacho-2-2009/13/1/3"}


def with_folder(law, **changes):
    """Return the law with other things in the folder of a game."""
    folders = tuple(
        dataclasses.replace(folder, **{name: change(folder) for name, change in changes.items()})
        if folder.instrument.game == GAME
        else folder
        for folder in law.folders
    )
    return dataclasses.replace(law, folders=folders)


def with_rule(law, name, old, new):
    """Return the law with a text replaced in the rule of one provision."""
    held = law.provisions[name]
    text = msgspec.json.encode(held.provision.rule).decode()
    assert old in text
    rule = msgspec.json.decode(text.replace(old, new))
    provision = msgspec.structs.replace(held.provision, rule=rule)
    other = dataclasses.replace(held, provision=provision)
    return dataclasses.replace(law, provisions={**law.provisions, name: other})


def games_of(law, names):
    return {law.provisions[name].instrument.game for name in names}


def test_what_stands_in_for_law_that_is_not_held_touches_all_of_its_game(law):
    document, material = law.reconstructions[0]
    other = msgspec.structs.replace(material, statements=material.statements[:-1])
    amended = dataclasses.replace(
        law, reconstructions=((document, other), *law.reconstructions[1:])
    )
    every = [held.id for held in law.provisions.values() if held.instrument.game == GAME]

    assert material.instrument == "despacho-2-2009"
    assert find_amended_provisions(law, amended, [GAME]) == every
    assert find_amended_provisions(law, amended, ["craps", "pai-kao"]) == []


@pytest.mark.parametrize("name", ["equipment", "events"])
def test_a_file_of_the_whole_game_touches_all_of_it(law, name):
    amended = with_folder(law, **{name: lambda _: {"other": 1}})

    found = find_amended_provisions(law, amended, [GAME, "craps"])

    assert games_of(law, found) == {GAME}
    assert POINTS in found


def test_what_a_vendor_may_say_it_cannot_do_belongs_to_the_law(law):
    def without(folder):
        return msgspec.structs.replace(folder.instrument, circumstances=[])

    assert POINTS in find_amended_provisions(law, with_folder(law, instrument=without), [GAME])


def test_an_amended_definition_touches_whoever_uses_it(law):
    amended = with_rule(law, POINTS, "last_digit(sum(", "last_digit(1 + sum(")

    found = set(find_amended_provisions(law, amended, [GAME]))

    assert {POINTS, *BY_POINTS} <= found
    assert "despacho-2-2009/13/1/4" not in found


def test_a_definition_that_rests_on_an_amended_one_is_amended_too(law):
    name = "despacho-2-2009/13/1/1"
    amended = with_rule(law, name, "points(player) > points(banker)", "points(player) > 0")

    found = find_amended_provisions(law, amended, [GAME])

    # What follows speaks of who wins.
    assert name in found
    assert 1 < len(found) < 10


def test_the_same_law_is_amended_nowhere(law):
    assert find_amended_provisions(law, dataclasses.replace(law), [GAME]) == []
