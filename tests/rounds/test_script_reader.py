"""The written rounds: readable, lawful at the reference vendor, and about every provision."""

import shutil

import pytest
from tests.games import GAMES_WITH_BETS as GAMES

from selo.errors import SpecError
from selo.law.files.round_file import read_written_rounds
from selo.protocol.schema.game_schema import game_words
from selo.report.phrases.labels import round_reason
from selo.rounds.analysis.step_coverage import measure_step_coverage
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.script import describe_lacking
from selo.rounds.table_player import play_scripts
from selo.rules.procedure.step_reader import list_step_games, read_constraints
from selo.vendors.vendor_address import connect

#: Without these two, looking at all steps takes long.
#: Accidents that the reference vendor does not stage; `tests/rules/rounds` tries their steps.
UNSTAGED = {"notice-fault", "interrupt-game", "leave-dice", "return-stakes"}
QUICK = ("fish-prawn-crab", "bacara")


def marks(game):
    """Return for each round, by its name, which of its acts must be refused."""
    _, file = read_written_rounds(game)
    return {one.name: [line.startswith("!") for line in one.acts] for one in file.rounds}


def test_every_game_with_steps_has_rounds(law):
    assert {*list_step_games(law)} == {*GAMES}
    assert all(read_written_scripts(law, game) for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_provision_with_steps_has_a_round_that_is_about_it(law, game):
    about = {
        provision for script in read_written_scripts(law, game) for provision in script.provisions
    }

    assert {one.provision for one in read_constraints(law, game)} <= about


@pytest.mark.parametrize("game", GAMES)
def test_why_a_round_is_played_is_said_in_every_language(law, game):
    for script in read_written_scripts(law, game):
        why = round_reason(game, script.name, "")

        assert why.en == script.reason, script.name
        assert len({why.pt, why.zh, why.en}) == 3, script.name
        assert any("\u4e00" <= sign <= "\u9fff" for sign in why.zh), script.name


@pytest.mark.parametrize("game", GAMES)
def test_no_two_rounds_of_a_game_are_the_same(law, game):
    scripts = read_written_scripts(law, game)

    assert len({one.key for one in scripts}) == len({one.name for one in scripts}) == len(scripts)


@pytest.mark.parametrize("game", GAMES)
def test_a_lawful_vendor_gives_no_difference_and_refuses_what_is_marked(law, judge, session, game):
    wanted = marks(game)

    for script, played in play_scripts(session, read_written_scripts(law, game)):
        answers = [one["answer"] == "refused" for one in played.answers]
        closing = [False] * (len(answers) - len(wanted[script.name]))
        assert answers == wanted[script.name] + closing, script.name
        assert played.is_complete, script.name
        assert judge.judge(script, played) == [], script.name


def test_a_lawful_vendor_in_another_process_gives_no_difference(law, judge, root):
    session = connect("python3 fixtures/adapters/python/reference.py", folder=root)
    scripts = [script for game in GAMES for script in read_written_scripts(law, game)[:6]]

    found = {
        script.name: judge.judge(script, played)
        for script, played in play_scripts(session, scripts)
    }

    assert session.end() == []
    assert not any(found.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_vendor_offers_all_that_the_rounds_need(law, offers, game):
    words = game_words(law, game)

    assert {
        describe_lacking(one, offers[game], words) for one in read_written_scripts(law, game)
    } == {None}


@pytest.mark.parametrize(
    "game",
    [game if game in QUICK else pytest.param(game, marks=pytest.mark.full) for game in GAMES],
)
def test_every_step_is_decided_by_some_round(law, judge, session, game):
    played = [
        (script, judge.log(script, one))
        for script, one in play_scripts(session, read_written_scripts(law, game))
    ]

    found = measure_step_coverage(judge, game, played, enough=1)

    unstaged = {one.key for one in read_constraints(law, game) if one.events & UNSTAGED}
    assert [
        one.constraint
        for one in found
        if not one.scripts and not one.idle and one.constraint not in unstaged
    ] == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("stake=100", "stake=much", "cannot be read"),
        ("player=ana", "player ana", "no field=value"),
        ("about: [3/a]", "about: [3/z]", "no provision '3/z'"),
        ("minimum: 100", "minimum: few", "an option"),
        ("reason:", "because:", "because"),
    ],
)
def test_a_round_that_cannot_be_read_is_told_with_its_line(law, root, tmp_path, old, new, problem):
    folder = tmp_path / "portaria-21-96-m"
    shutil.copytree(root / "specs" / folder.name, folder)
    path = folder / "rounds.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1

    with pytest.raises(SpecError) as told:
        read_written_scripts(law, "fish-prawn-crab", specs=tmp_path)

    assert problem in str(told.value)
    # What is wrong with a whole round is told at its first line.
    assert line - 4 <= told.value.problem.line <= line


def test_a_game_without_a_file_has_no_rounds(law, tmp_path):
    assert read_written_scripts(law, "craps", specs=tmp_path) == []
    assert read_written_scripts(law, "pai-kao") == []


#: Rounds that are about what a table does when nobody gives it an outcome.
BY_ITSELF = {"by-the-table-alone", "two-rounds-by-the-table-alone"}


@pytest.mark.parametrize("game", GAMES)
def test_every_outcome_is_given_in_advance_where_it_is_not_the_tables_own(
    law, judge, session, game
):
    left = {
        script.name
        for script, played in play_scripts(session, read_written_scripts(law, game, seed=5))
        if judge.vendor_draws(script, played)
    }

    assert left <= BY_ITSELF


def test_what_a_round_leaves_open_comes_from_the_seed(law):
    one, again, other = (
        read_written_scripts(law, "three-card-baccarat", seed=seed) for seed in (1, 1, 2)
    )

    assert [script.acts for script in one] == [script.acts for script in again]
    assert any(mine.acts != yours.acts for mine, yours in zip(one, other, strict=True))


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("game", ["three-card-baccarat", "fortune-three-card-poker"])
def test_a_lawful_vendor_gives_no_difference_whatever_the_seed(law, judge, session, game, seed):
    for script, played in play_scripts(session, read_written_scripts(law, game, seed=seed)):
        assert judge.judge(script, played) == [], script.name
