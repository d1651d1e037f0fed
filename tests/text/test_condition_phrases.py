"""Conditions of the law files are said in words, in every language."""

import pytest

from selo.law.loader import load_law
from selo.rules.clauses.clause_models import StepClause
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.language.condition_phrases import condition_in_words
from selo.rules.procedure.step_reader import list_step_games, read_constraints


@pytest.fixture(scope="module")
def steps(law):
    """Every step of every game."""
    return [
        one.clause
        for game in list_step_games(law)
        for one in read_clauses(law, game)
        if isinstance(one.clause, StepClause)
    ]


def test_every_condition_of_a_step_has_words(steps):
    conditions = {text for one in steps for text in (one.when, one.given) if text}

    assert len(conditions) > 100
    assert [one for one in sorted(conditions) if condition_in_words(one) is None] == []


def test_no_step_is_told_in_the_rule_language(law):
    signs = ("==", "!=", "&&", "||", "opening_", "`", '"]')
    told = [one.required for game in list_step_games(law) for one in read_constraints(law, game)]

    assert len(told) > 300
    for words in told:
        for text in (words.pt, words.zh, words.en):
            assert not any(sign in text for sign in signs), text


def test_a_field_of_an_event_is_named_in_each_language(law):
    told = [one.required for one in read_constraints(law, "craps")]
    joined = [one for one in told if "；就每一所附加之注號" in one.zh]

    assert joined
    assert all("; para cada talão da aposta a que se junta" in one.pt for one in joined)


@pytest.mark.parametrize(
    ("condition", "pt", "zh", "en"),
    [
        ("!same(figures, opening_dice)", "as figuras anunciadas não forem as dos dados",
         "所宣佈之圖案並非骰子之圖案", "the figures announced are not those of the dice"),
        ("total==11", "sair 11", "擲得 11", "the throw is 11"),
        ("total  ==  7", "sair 7", "擲得 7", "the throw is 7"),
    ],
)  # fmt: skip
def test_a_condition_is_found_however_it_is_spaced(condition, pt, zh, en):
    told = condition_in_words(condition)

    assert (told.pt, told.zh, told.en) == (pt, zh, en)


@pytest.mark.parametrize(
    ("condition", "pt", "zh", "en"),
    [
        ("total == 7 && player == opening_player", "sair 7 e o jogador for o mesmo",
         "擲得 7，且為同一博彩者", "the throw is 7 and the player is the same"),
        ("total == 2 || (total == 3) || total == 12", "sair 2 ou sair 3 ou sair 12",
         "擲得 2，或擲得 3，或擲得 12", "the throw is 2 or the throw is 3 or the throw is 12"),
    ],
)  # fmt: skip
def test_conditions_that_have_words_have_words_together(condition, pt, zh, en):
    told = condition_in_words(condition)

    assert (told.pt, told.zh, told.en) == (pt, zh, en)


def test_words_are_not_joined_where_they_could_be_read_in_two_ways():
    assert condition_in_words("total == 2 || total == 3 && packs > 1") is None


@pytest.mark.parametrize("condition", ["total == seven", "total == 11 && alike", "", "tota == 11"])
def test_a_condition_without_words_is_not_guessed(condition):
    assert condition_in_words(condition) is None


def test_slots_that_differ_between_the_languages_are_a_problem(copy):
    copy.replace("bilingual/conditions.yaml", 'pt: "sair {n}"', "pt: sair")

    (problem,) = copy.problems()

    assert "different slots" in problem.problem


def test_a_condition_told_twice_is_a_problem(copy):
    old = "  - {when: 'packs > 1',"
    twice = "  - {when: 'packs>1', pt: a, zh: b, en: c}\n"
    copy.replace("bilingual/conditions.yaml", old, twice + old)

    (problem,) = copy.problems()

    assert "twice" in problem.problem


def test_a_condition_that_the_table_lacks_is_told_as_a_rule(copy):
    path = copy.path("bilingual/conditions.yaml")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert sum("!same(figures" in line for line in lines) == 1
    copy.replace("specs/portaria-21-96-m/articles/art-03.yaml", "!same(figures, opening_dice)",
                 "!same(opening_dice, figures)")  # fmt: skip
    law = load_law(specs=copy.specs, bilingual=copy.bilingual)

    told = [one.required for one in read_constraints(law, "fish-prawn-crab")]

    (one,) = [words for words in told if "`" in words.pt]
    assert "; se regra: `!same(opening_dice, figures)`" in one.pt
    assert "；如規則：`!same(opening_dice, figures)`" in one.zh
