"""However a command fails, its exit code never looks like a verdict."""

import argparse

import pytest

from selo.adapters.faults import Kind, broken
from selo.cli import parser
from selo.cli.exits import Exit
from selo.errors import UsageError
from selo.rules.game import RulesDisagree


@pytest.mark.parametrize(
    ("raised", "exit_code", "words"),
    [
        (UsageError(problem="no such thing", hint="Look."), Exit.USAGE, "no such thing"),
        (broken(Kind.LATE, seconds=1), Exit.VENDOR, "No complete answer"),
        (RulesDisagree("two rules"), Exit.SUITE, "two rules"),
        (ZeroDivisionError("a defect"), Exit.SUITE, "Selo itself failed"),
        (MemoryError(), Exit.SUITE, "Selo itself failed"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_each_failure_has_its_exit_code(monkeypatch, capsys, raised, exit_code, words):
    class Command:
        @staticmethod
        def run(_):
            raise raised

    monkeypatch.setattr(parser.importlib, "import_module", lambda _: Command)

    assert parser.run(argparse.Namespace(module="any")) == exit_code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_a_file_that_is_not_there_is_named_without_the_number_of_the_error(selo, language):
    done = selo("replay", "nowhere.json", "--vendor", "x", "--lang", language)

    assert done.returncode == 3
    assert "nowhere.json" in done.stderr
    assert "Errno" not in done.stderr
