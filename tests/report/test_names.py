"""What is shown to people has a name in each language, and never only its id."""

from collections import Counter

import pytest

from selo.report.phrases.composition import as_words
from selo.report.phrases.labels import Labels
from selo.rules.checks.game_check import list_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game


def shown(law, game):
    """Return the ids of all bets, combinations and ranks of hands that the rules of a game name."""
    found = set(compile_game(law, game, Readings(law)).bets)
    for one in read_clauses(law, game):
        if isinstance(one.clause, c.Combination):
            found.add(one.clause.combination)
        # The ranks of P’ai Kao are numbers of the law.
        if isinstance(one.clause, c.Rank) and not str(one.clause.rank).isdigit():
            found.add(one.clause.rank)
    return found


def test_every_bet_combination_and_rank_has_a_name(law):
    names = Labels(law)
    nameless = {
        (game, one)
        for game in list_games(law)
        for one in shown(law, game)
        if names.term(game, one) == as_words(one)
    }

    assert nameless == set()


@pytest.mark.parametrize(
    ("game", "name", "provision"),
    [
        ("bacara", "six-alike", "despacho-2-2009/13/1/4/3/b/i"),
        ("bacara", "five-alike", "despacho-2-2009/13/1/4/3/b/ii"),
        ("bacara", "four-alike", "despacho-2-2009/13/1/4/3/b/iv"),
        ("bacara", "three-alike", "despacho-2-2009/13/1/4/3/b/v"),
        ("bacara", "six-alike-one-colour", "despacho-2-2009/13/1/4/3/c/i"),
        ("bacara", "C", "despacho-2-2009/13/1/4/3/c"),
        ("fortune-three-card-poker", "odd-cards", "despacho-78-2008/8/6"),
        ("three-card-baccarat", "one-with-two-figures", "portaria-22-96-m/annex/26"),
    ],
)
def test_a_name_is_that_of_the_provision_which_defines_it(law, game, name, provision):
    found, text = Labels(law).term(game, name), law.find(provision).provision.text

    assert found.pt in text.pt
    assert found.zh in text.zh


def test_bets_that_are_counted_together_are_named_together(law):
    found = Labels(law).term("fortune-three-card-poker", "ante + raise")

    assert (found.pt, found.zh) == ("Aposta inicial + aposta adicional", "原注 + 加注")


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_no_two_bets_of_a_game_have_the_same_name(law, language):
    names = Labels(law)
    alike = {
        (game, name)
        for game in list_games(law)
        for name, count in Counter(
            names.term(game, bet).get(language).casefold()
            for bet in compile_game(law, game, Readings(law)).bets
        ).items()
        if count > 1
    }

    assert alike == set()


def test_no_portuguese_word_stands_among_the_chinese_names_of_bets(law):
    names = Labels(law)
    told = {
        names.term(game, bet).zh.casefold()
        for game in list_games(law)
        for bet in compile_game(law, game, Readings(law)).bets
    }

    assert not [one for one in told if "aposta" in one or "«" in one]
