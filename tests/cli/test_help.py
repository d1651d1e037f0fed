"""The help teaches: every command has its words, its examples and its exit codes."""

import json
import re
import shlex
import sys
import unicodedata

import pytest

from selo.cli.output.exit_codes import Exit
from selo.cli.parser import command_line
from selo.cli.parser.command_tree import arguments_of, command_words, leaf_parsers, subcommands_of
from selo.text.help_text import load_manual

LANGUAGES = ["pt", "zh", "en"]
#: Said once, for all commands.
EVERYWHERE = {"--help", "--version"}


@pytest.fixture
def run(selo):
    """Run a command with little around it but what is given."""

    def with_environment(arguments, environment=None):
        around = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **(environment or {})}
        return selo(*arguments, environment=around)

    return with_environment


def every(one=None):
    """Yield every command, those that only hold others too."""
    one = one or command_line.build_parser()
    yield one
    for under in subcommands_of(one).values():
        yield from every(under)


def commands():
    return [pytest.param(one, id=one.prog) for one in every()]


def columns(line):
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line)


@pytest.mark.parametrize("command", commands())
def test_every_command_and_argument_has_its_words_in_three_languages(command):
    entry = load_manual().commands[command_words(command) or "selo"]

    for action in arguments_of(command):
        names = {*action.option_strings, action.dest}
        assert names & {*entry.arguments, *load_manual().arguments}, f"{command.prog}: {names}"


def test_every_command_can_be_asked_in_a_language():
    for one in leaf_parsers(command_line.build_parser()):
        names = {name for action in arguments_of(one) for name in action.option_strings}
        # Where --lang is the language of a game's code, --words is that of people.
        assert "--words" in names or "--lang" in names, one.prog


def test_every_command_prints_json_or_something_that_is_read_by_programs_anyway():
    for one in leaf_parsers(command_line.build_parser()):
        names = {name for action in arguments_of(one) for name in action.option_strings}
        # Two are for a person at a terminal; the commands that they run leave files.
        others = {"law schema", "completion", "watch", "certify"}
        assert "--json" in names or command_words(one) in others, one.prog


def test_the_manual_speaks_of_nothing_that_does_not_exist():
    known = {command_words(one) or "selo": one for one in every()}

    assert set(load_manual().commands) == set(known)
    for words, entry in load_manual().commands.items():
        names = {
            name
            for action in arguments_of(known[words])
            for name in (*action.option_strings, action.dest)
        }
        assert set(entry.arguments) <= names, words


def test_every_group_of_commands_has_a_heading(selo):
    shown = selo("--help").stdout
    groups = command_line.build_parser().groups

    for group, names in groups.items():
        assert f"\n{load_manual().groups[group].en}\n  {names[0]} " in shown, group


@pytest.mark.parametrize("command", commands())
def test_every_option_stands_in_the_help_once(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["selo"])

    with pytest.raises(SystemExit):
        command_line.parse_arguments([*command_words(command).split(), "--help"])

    shown = re.findall(r"^  (--[\w-]+)", capsys.readouterr().out, re.MULTILINE)
    wanted = [one.option_strings[-1] for one in arguments_of(command) if one.option_strings]
    assert sorted(shown) == sorted(wanted)


def test_every_heading_over_options_stands_over_some():
    used = {name for entry in load_manual().commands.values() for name in entry.sections}
    assert used == set(load_manual().sections)
    for words, one in ((command_words(one), one) for one in every()):
        names = {name for action in arguments_of(one) for name in action.option_strings}
        entry = load_manual().commands[words or "selo"]
        for section in entry.sections:
            assert names & set(load_manual().sections[section].options), (words, section)


def test_a_command_of_many_options_has_them_under_headings(selo):
    shown = selo("gate", "--help", "--lang", "pt").stdout

    titles = [
        load_manual().sections[one].title.pt for one in load_manual().commands["gate"].sections
    ]
    assert re.findall(rf"^({'|'.join(titles)})$", shown, re.MULTILINE) == titles


def test_a_command_that_does_something_shows_an_example():
    for one in leaf_parsers(command_line.build_parser()):
        assert load_manual().commands[command_words(one)].examples, one.prog


def test_every_example_is_a_command_line_that_is_understood():
    for words, entry in load_manual().commands.items():
        for example in entry.examples:
            program, *rest = shlex.split(example.run)
            assert program == "selo"
            arguments = command_line.parse_arguments(rest)
            assert words == "selo" or f" {words}" in example.run
            assert arguments.command


def test_the_exit_codes_of_the_help_are_the_contract():
    assert {int(code) for code in load_manual().exits} == {int(code) for code in Exit}
    for entry in load_manual().commands.values():
        assert {*entry.exits, *(int(code) for code in entry.means)} <= {int(one) for one in Exit}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [[], ["law"], ["examine"], ["explain"]])
def test_help_fits_a_narrow_terminal_in_every_language(language, words, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "argv", ["selo", "--lang", language])

    with pytest.raises(SystemExit):
        command_line.parse_arguments([*words, "--help"])

    lines = capsys.readouterr().out.splitlines()
    # What is typed is never broken: it must be possible to copy it.
    prose = [one for one in lines if not re.match(r"\s*(\$|--|\w+  selo)", one)]
    assert len(prose) > 8
    assert max(columns(one) for one in prose) <= 60


@pytest.mark.parametrize(
    ("arguments", "environment", "heading"),
    [
        (["--help"], {}, "Exit codes"),
        (["--lang", "pt", "--help"], {}, "Códigos de saída"),
        (["examine", "--help", "--lang=zh"], {}, "結束代碼"),
        (["examine", "--help"], {"SELO_LANG": "zh"}, "結束代碼"),
        (["--lang", "pt", "examine", "--help"], {"SELO_LANG": "zh"}, "Códigos de saída"),
        (["examine", "--help"], {"SELO_LANG": "klingon"}, "Exit codes"),
    ],
)
def test_the_help_speaks_the_language_asked_for(run, arguments, environment, heading):
    done = run(arguments, environment)

    assert done.returncode == 0
    assert f"\n{heading}\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lw"], ["selo: unknown value “lw”", "Did you mean law?"]),
        (["lw", "--lang", "pt"], ["selo: valor desconhecido: «lw»", "Quis dizer law?"]),
        (["law", "chek"], ["selo law: unknown value “chek”", "Did you mean check?"]),
        (
            ["examine", "--vendor", "x", "--gaem", "craps"],
            ["selo examine: unknown argument “--gaem craps”", "Did you mean --game?"],
        ),
        (["smoke", "--vendor"], ["selo smoke --vendor: its value is missing"]),
        (["plan", "--seed", "one"], ["selo plan --seed: “one” is not a whole number"]),
        (
            ["plan", "--budget", "big", "--lang", "zh"],
            ["selo plan --budget: 不明之值：“big”", "quick, standard, full"],
        ),
        (
            ["protocol", "--json", "--markdown"],
            ["selo protocol --markdown: cannot be given together with --json"],
        ),
        (["law", "check", "--json=yes"], ["selo law check --json: takes no value (“yes”)"]),
        (["coverage", "--mo", "3"], ["unknown argument “--mo”", "Did you mean --most?"]),
    ],
)
def test_a_wrong_command_line_is_told_by_its_command_with_what_was_meant(run, arguments, says):
    done = run(arguments)

    assert done.returncode == Exit.USAGE
    if "--json" in arguments:
        assert json.loads(done.stdout)["error"]["message"] == says[0]
    else:
        assert done.stdout == ""
    for words in says:
        assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("environment", "colour"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
    ],
)
@pytest.mark.parametrize("arguments", [["--help"], ["law", "list"]])
def test_a_pipe_has_colour_only_if_somebody_insists(run, arguments, environment, colour):
    done = run(arguments, environment)

    assert ("\x1b[" in done.stdout) is colour


@pytest.mark.parametrize("words", [[], ["law"], ["evidence"]])
def test_a_command_without_its_last_word_shows_its_help(selo, words):
    bare, asked = selo(*words), selo(*words, "--help")

    assert (bare.returncode, bare.stdout, bare.stderr) == (0, asked.stdout, "")
