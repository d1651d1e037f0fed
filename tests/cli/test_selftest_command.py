"""``selo selftest --missing``: only games without a score of this edition are scored."""

import argparse

import pytest

from selo.cli.commands.examination import selftest
from selo.examine.selftest.kill_score import KillScore, game_edition, write_kill_score
from selo.rules.checks.game_check import list_games

GAME = "pai-kao"


@pytest.fixture
def scored(tmp_path):
    """Return a function that writes a score of one game, and the arguments that name its file."""

    def write(edition, *, missing=True):
        path = tmp_path / "score.json"
        kills = KillScore(editions={GAME: edition}, counts={}, accused=[], scores=[])
        write_kill_score(path, kills)
        return argparse.Namespace(out=path, missing=missing, lang="en")

    return write


def left(arguments, law, *, by_provision=False):
    games = list_games(law)
    return selftest.games_left(arguments, law, games, by_provision=by_provision)


def test_a_game_with_a_score_of_this_edition_is_not_scored_again(law, scored):
    arguments = scored(game_edition(law, GAME))

    assert GAME not in left(arguments, law)
    assert len(left(arguments, law)) == len(list_games(law)) - 1


def test_a_score_of_another_edition_is_none(law, scored):
    assert GAME in left(scored("of another law"), law)


def test_a_score_of_planted_faults_is_none_by_provision(law, scored):
    assert GAME in left(scored(game_edition(law, GAME)), law, by_provision=True)


def test_all_games_are_scored_unless_the_missing_ones_are_asked_for(law, scored):
    arguments = scored(game_edition(law, GAME), missing=False)

    assert left(arguments, law) == list_games(law)


def test_games_without_a_score_are_named(law, scored, capsys):
    selftest.print_unscored(scored(game_edition(law, GAME)), law)

    shown = capsys.readouterr().out
    assert "No score of planted faults in this edition:" in shown
    planted, provisions = shown.split("No score by provision")
    assert GAME not in planted
    assert GAME in provisions
