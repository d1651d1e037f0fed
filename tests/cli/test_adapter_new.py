"""A new adapter works at once in every language for which there is a tool, honestly wrong."""

import re
import subprocess
from itertools import islice

import pytest
from tests.examine.trial import offered, trial
from tests.often import often
from tests.tools import need

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.adapter_tools.adapter_template import LANGUAGES, write_adapter
from selo.examine.adapter_tools.smoke_test import SmokeState, run_smoke_checks
from selo.examine.tally.tally import Tally
from selo.examine.vendor_description.describe_check import introduce_vendor
from selo.rules.checks.game_check import list_games
from selo.vendors.vendor_address import connect

TOOLS = {"python": "python3", "javascript": "node", "java": "javac", "c": "cc", "rust": "rustc"}


def vendor(law, folder, language, game):
    """Return how to reach a new adapter, built where it must be."""
    if language != "python":
        need(TOOLS[language])
    write_adapter(folder, law, language, game)
    if LANGUAGES[language].build is not None:
        subprocess.run(LANGUAGES[language].build.split(), cwd=folder, check=True)
    return LANGUAGES[language].run


def is_sane_and_breaks_the_law(law, folder, language, game, thinned=1):
    command = vendor(law, folder, language, game)

    checks = list(run_smoke_checks(connect(command, folder=folder), law, folder=folder))
    session = connect(command, folder=folder)
    known = introduce_vendor(session, law)
    tally = Tally(Oracle(law))
    cases = islice(stream_cases(law, known.scope, budget="quick", at_random=10), 0, None, thinned)
    trial(session, offered(cases, known.offers()), tally)

    assert [check for check in checks if check.state is SmokeState.WRONG] == []
    assert session.end() == []
    assert tally.faults == []
    assert tally.violates


@pytest.mark.parametrize("language", often(TOOLS, "python", "javascript"))
def test_a_new_adapter_is_sane_at_once_and_breaks_the_law(law, tmp_path, language):
    is_sane_and_breaks_the_law(law, tmp_path, language, "bacara", thinned=20)


@pytest.mark.parametrize("language", often(TOOLS, "c", "java"))
def test_a_new_adapter_that_compares_is_sane_at_once_and_breaks_the_law(law, tmp_path, language):
    is_sane_and_breaks_the_law(law, tmp_path, language, "pai-kao")


@pytest.mark.full
@pytest.mark.parametrize("language", list(TOOLS))
def test_a_new_adapter_of_every_game_is_sane_at_once_and_breaks_the_law(law, tmp_path, language):
    for game in list_games(law):
        is_sane_and_breaks_the_law(law, tmp_path / game, language, game)


def test_the_command_says_what_to_do_next(selo, tmp_path):
    folder = tmp_path / "mine"

    done = selo("adapter", "new", "--lang", "c", "--game", "craps", "--out", folder)

    assert done.returncode == 0
    assert (folder / "adapter.c").exists()
    for line in (f"cd {folder}", LANGUAGES["c"].build, 'selo smoke --vendor "./adapter"'):
        assert line in done.stdout


def test_a_folder_that_holds_something_is_left_alone(selo, tmp_path):
    (tmp_path / "adapter.py").write_text("my work", encoding="utf-8")

    done = selo("adapter", "new", "--lang", "python", "--game", "craps", "--out", tmp_path)

    assert done.returncode == 3
    assert "not empty" in done.stderr
    assert (tmp_path / "adapter.py").read_text(encoding="utf-8") == "my work"


def test_a_game_that_does_not_exist_is_named(selo, tmp_path):
    done = selo("adapter", "new", "--lang", "c", "--game", "roulette", "--out", tmp_path / "x")

    assert done.returncode == 3
    assert "roulette" in done.stderr
    assert "pai-kao" in done.stderr


@pytest.mark.parametrize("language", sorted(TOOLS))
def test_no_mark_of_the_template_is_left(law, tmp_path, language):
    for path in write_adapter(tmp_path, law, language, "bacara"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@[a-z_]+@", text)


def test_an_adapter_of_every_game_and_language_has_at_most_forty_lines(law, tmp_path):
    for language in LANGUAGES.values():
        for game in list_games(law):
            folder = tmp_path / language.name / game
            write_adapter(folder, law, language.name, game)
            text = (folder / language.files[0]).read_text(encoding="utf-8")
            assert len(text.splitlines()) <= 40
            assert text.count("FILL IN") >= 5
