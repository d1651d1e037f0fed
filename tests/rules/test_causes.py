"""Causes: a structure with a code of its own, and the sentence that named it before."""

import re
from collections import Counter

import msgspec
import pytest
from tests.games import GAMES

from selo.rules.mutants.cause import Cause, Operator, cause_of_reading
from selo.rules.mutants.known_causes import causes_of_provision, find_cause
from selo.rules.mutants.mutant_games import generate_mutants
from selo.rules.readings.reading_choice import Readings

#: These compare a clause with its neighbours, so another order of clauses makes other mutants.
NEIGHBOURS = {Operator.ABOVE, Operator.BELOW, Operator.ODDS, Operator.PAIR}
CODE = re.compile(r"[a-z0-9/-]+:[a-z]+(\.[a-z_]+)?\.[a-z-]+-[0-9a-f]{6}", re.ASCII)


@pytest.fixture(scope="module")
def causes(law):
    """Return the cause of every mutant of a game."""
    readings = Readings(law)
    return {
        game: [mutant.cause for mutant in generate_mutants(law, game, readings)] for game in GAMES
    }


def test_no_two_mutants_of_a_game_have_the_same_code(causes):
    assert sum(map(len, causes.values())) > 3000
    for game in GAMES:
        codes = Counter(cause.code for cause in causes[game])

        assert [code for code, times in codes.items() if times > 1] == []


def test_a_code_is_short_and_ascii_without_spaces(causes):
    codes = [cause.code for game in GAMES for cause in causes[game]]

    assert [code for code in codes if not CODE.fullmatch(code)] == []
    assert max(map(len, codes)) < 80


def test_a_code_names_provision_clause_field_and_operator(causes):
    for cause in (cause for game in GAMES for cause in causes[game]):
        kind, _, mark = cause.code.rpartition("-")

        assert kind == f"{cause.provision}:" + ".".join(
            filter(None, (cause.clause, cause.field, cause.operator.value))
        )
        assert mark == cause.mark


@pytest.mark.parametrize("game", GAMES)
def test_codes_stay_the_same_when_clauses_are_reordered(law, game, monkeypatch):
    from selo.rules.mutants import mutant_games  # noqa: PLC0415 - its reader is replaced

    readings = Readings(law)
    before = list(generate_mutants(law, game, readings))
    in_force = mutant_games.clauses_in_force
    monkeypatch.setattr(mutant_games, "clauses_in_force", lambda *given: in_force(*given)[::-1])

    after = list(generate_mutants(law, game, readings))

    assert [one.provision for one in after] != [one.provision for one in before]
    assert independent(after) == independent(before)


def independent(mutants):
    return {one.cause.code for one in mutants if one.cause.operator not in NEIGHBOURS}


def test_a_cause_is_the_same_after_a_journey_through_json(causes):
    for cause in (cause for game in GAMES for cause in causes[game]):
        again = msgspec.json.decode(msgspec.json.encode(cause), type=Cause)

        assert again == cause
        assert again.code == cause.code


@pytest.mark.parametrize(
    ("provision", "sentence", "parts"),
    [
        (
            "portaria-21-96-m/6/h",
            "prize three-of-figure: odds 150:1 become 151:1",
            {"clause": "prize", "subject": ("three-of-figure",), "field": "odds", "was": "150:1",
             "now": "151:1", "operator": Operator.ODDS},
        ),
        (
            "portaria-21-96-m/7",
            "on small, big: forgotten for small",
            {"clause": "on", "subject": ("small", "big"), "field": "on", "part": "small",
             "operator": Operator.FORGOTTEN_FOR},
        ),
        (
            "portaria-97-85-m/4",
            "prize field: total == 11: odds 1:1 become 2:1",
            {"clause": "prize", "field": "odds", "when": "total == 11", "was": "1:1", "now": "2:1"},
        ),
        (
            "portaria-21-96-m/5/a",
            "bet small: wins: without total >= 4",
            {"clause": "bet", "field": "wins", "was": "total >= 4", "now": None},
        ),
        (
            "despacho-2-2009/18/1",
            "commission banker: the rate is 4%",
            {"clause": "commission", "field": "rate", "was": "5%", "now": "4%"},
        ),
    ],
)  # fmt: skip
def test_a_cause_says_which_field_of_which_clause_was_what_and_is_what(
    law, provision, sentence, parts
):
    cause = find_cause(law, [provision], Readings(law), sentence)

    assert {name: getattr(cause, name) for name in parts} == parts
    assert cause.provision == provision


def test_another_reading_is_a_cause_with_the_point_and_the_reading_as_its_code():
    cause = cause_of_reading("portaria-97-85-m/4", "97-85-m-4--double", "total-is-double")

    assert cause.code == "97-85-m-4--double:total-is-double"
    assert cause.sentence == "97-85-m-4--double: total-is-double"


def test_every_cause_of_a_provision_is_known_by_its_sentence_and_its_code(law, causes):
    provision = "portaria-97-85-m/3/2"
    known = list(causes_of_provision(law, provision, Readings(law)))

    own = {cause for cause in causes["craps"] if cause.provision == provision}
    assert own <= set(known)
    assert len({cause.sentence for cause in own}) == len({cause.code for cause in own}) == len(own)


def test_a_sentence_of_another_provision_names_no_cause(law):
    sentence = "prize three-of-figure: odds 150:1 become 151:1"

    assert find_cause(law, ["portaria-21-96-m/7"], Readings(law), sentence) is None
    assert find_cause(law, ["no-such-provision"], Readings(law), sentence) is None
