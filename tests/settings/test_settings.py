"""What a project says once: found, read with the line of every fault; what is typed prevails."""

import datetime as dt
import json
import re
from pathlib import Path

import jsonschema
import pytest

from selo.cli.parser import command_line, defaults
from selo.cli.schemas.published_schemas import build_schema
from selo.errors import UsageError
from selo.settings.settings_file import find_settings_file, read_settings
from selo.settings.settings_model import setting_keys, setting_value

EVERYTHING = """\
vendor = "node adapter.mjs"
folder = "game"
visible = ["lib"]
games = ["craps", "bacara"]
budget = "standard"
seed = 7
as-of = 2009-01-01
text-as-stored = true
rulings = "rulings.yaml"
lang = "pt"
out = "out/run"
processes = 2
deviations = "deviations.yaml"
permissions = ["permission.yaml"]
trust = [
  "authority.pem",
]
crl = ["authority.crl"]

[limits]
time = 2.5
total = 600
memory = 512
grace = 1

[gate]
fail-on = "not-examined"
at-least = 3
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a project with settings: `project(text)` or `project(text, "pyproject.toml")`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SELO_CONFIG", raising=False)
    monkeypatch.delenv("SELO_LANG", raising=False)
    (tmp_path / ".git").mkdir()

    def make(text, name="selo.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


def test_every_key_is_read_and_has_its_line(project):
    found = read_settings(project(EVERYTHING))

    assert set(found.lines) == set(setting_keys())
    lines = EVERYTHING.splitlines()
    for key, line in found.lines.items():
        assert lines[line - 1].startswith(f"{key.rpartition('.')[2]} = "), key


def test_paths_are_those_of_the_project_wherever_a_command_is_typed(project, tmp_path):
    settings = read_settings(project(EVERYTHING)).settings

    for key, path in (
        ("folder", "game"),
        ("rulings", "rulings.yaml"),
        ("out", "out/run"),
        ("deviations", "deviations.yaml"),
    ):
        assert setting_value(settings, key) == str(tmp_path / path)
    assert settings.visible == [str(tmp_path / "lib")]
    assert settings.permissions == [str(tmp_path / "permission.yaml")]
    assert settings.trust == [str(tmp_path / "authority.pem")]


def test_the_word_defaults_is_no_path(project):
    assert read_settings(project('rulings = "defaults"')).settings.rulings == "defaults"


@pytest.mark.parametrize("name", ["selo.toml", "pyproject.toml"])
def test_settings_are_found_from_below(project, tmp_path, name):
    path = project(
        "[tool.selo]\nlang = 'zh'\n" if name == "pyproject.toml" else "lang = 'zh'", name
    )
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)

    assert find_settings_file(below) == path
    assert read_settings(path).settings.lang == "zh"


def test_nothing_above_the_repository_is_looked_at(project, tmp_path):
    project("lang = 'zh'")
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)

    assert find_settings_file(inner) is None


def test_a_pyproject_that_does_not_speak_of_selo_is_none_of_our_business(project, tmp_path):
    project("[project.scripts]\nselo = 'selo.cli:main'\n[tool.other]\nx = [", "pyproject.toml")

    assert find_settings_file(tmp_path) is None


def test_the_file_of_our_own_prevails_over_the_shared_one(project, tmp_path):
    project("[tool.selo]\nlang = 'pt'", "pyproject.toml")
    own = project("lang = 'zh'")

    assert find_settings_file(tmp_path) == own


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("lang = 'pt'\nvendro = 'x'\n", 2, "unknown key “vendro”"),
        ("[limits]\n# of time\n\ntme = 3\n", 4, "unknown key “limits.tme”"),
        ("games = [\n  'craps',\n]\nbuget = 'full'", 4, "unknown key “buget”"),
        ("budget = 'huge'", 1, "invalid value for “budget”"),
        ("\n\nseed = 'one'", 3, "invalid value for “seed”"),
        ("[limits]\ntime = 0", 2, "invalid value for “limits.time”"),
        ("games = ['craps',\n 3]", 1, "invalid value for “games”"),
        ("as-of = 'yesterday'", 1, "invalid value for “as-of”"),
        ("limits = 3", 1, "invalid value for “limits”"),
        ("lang = pt", 1, "not TOML"),
        ("lang = 'pt'\nlang = 'zh'", 2, "not TOML"),
        ("x = '''\nvendor = 'no'\n'''\n", 1, "unknown key “x”"),
    ],
)
def test_a_fault_is_told_with_file_and_line(project, text, line, says):
    path = project(text)

    with pytest.raises(UsageError) as refused:
        read_settings(path)

    assert str(refused.value).startswith(f"{path}:{line}: {says}")


def test_the_line_is_that_of_the_table_of_ours(project):
    path = project("[tool.other]\nvendro = 1\n\n[tool.selo]\nvendro = 1\n", "pyproject.toml")

    with pytest.raises(UsageError, match=r"pyproject\.toml:5: unknown key “vendro”"):
        read_settings(path)


def test_a_misspelt_key_is_told_what_it_may_have_meant(project):
    with pytest.raises(UsageError, match="deviations"):
        read_settings(project("deviation = 'x'"))


# The command line.


def parsed(*words):
    return command_line.parse_arguments(words)


def test_what_is_not_typed_comes_from_the_settings(project, tmp_path):
    project(EVERYTHING)

    arguments = parsed("examine")

    assert arguments.vendor == "node adapter.mjs"
    assert arguments.folder == str(tmp_path / "game")
    assert arguments.game == ["craps", "bacara"]
    assert (arguments.budget, arguments.seed, arguments.lang) == ("standard", 7, "pt")
    assert arguments.as_of == dt.date(2009, 1, 1)
    assert arguments.text_as_stored is True
    assert (arguments.time_limit, arguments.total_limit, arguments.memory_limit) == (2.5, 600, 512)
    assert arguments.out == str(tmp_path / "out" / "run")
    assert arguments.processes == 2


def test_what_is_typed_prevails(project):
    project(EVERYTHING)

    arguments = parsed(
        "examine", "--vendor", "x", "--game", "pai-kao", "--game", "craps", "--budget", "full",
        "--seed", "1", "--lang", "zh", "--out", "here",
    )  # fmt: skip

    assert arguments.vendor == "x"
    assert arguments.game == ["pai-kao", "craps"]
    assert (arguments.budget, arguments.seed, arguments.lang) == ("full", 1, "zh")
    assert arguments.out == "here"


def test_without_settings_the_defaults_hold(project):
    del project

    arguments = parsed("examine", "--vendor", "x")

    assert (arguments.budget, arguments.seed, arguments.lang) == ("quick", 0, "en")
    assert (arguments.out, arguments.game, arguments.folder) == ("selo-run", None, None)


def test_nothing_that_stands_for_a_default_is_left_in_what_a_command_gets(project):
    project("")

    for words in (["examine", "--vendor", "x"], ["plan"], ["law", "list"], ["seal", "check", "x"]):
        arguments = vars(parsed(*words))
        assert not [one for one in arguments.values() if isinstance(one, defaults.Default)]


def test_the_vendor_of_a_project_runs_where_the_project_is_and_another_one_here(project, tmp_path):
    project("vendor = 'x'")

    assert parsed("smoke").folder == str(tmp_path)
    assert parsed("smoke", "--vendor", "y").folder is None


@pytest.mark.parametrize(
    ("environment", "words", "lang"),
    [
        ({}, [], "pt"),
        ({"SELO_LANG": "zh"}, [], "zh"),
        ({"SELO_LANG": "zh"}, ["--lang", "en"], "en"),
        ({"SELO_LANG": "??"}, [], "pt"),
        ({"SELO_CONFIG": "none"}, [], "en"),
    ],
)
def test_the_language_is_typed_or_in_the_environment_or_in_the_settings(
    project, monkeypatch, environment, words, lang
):
    project("lang = 'pt'")
    for name, given in environment.items():
        monkeypatch.setenv(name, given)

    assert parsed("plan", *words).lang == lang


def test_a_file_that_is_named_is_read_instead(project, tmp_path):
    project("lang = 'pt'")
    (tmp_path / "pyproject.toml").write_text("[tool.selo]\nlang = 'zh'\n")
    (tmp_path / "other.toml").write_text("lang = 'zh'\n")
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "selo.toml").write_text("lang = 'zh'\n")

    for name in ("ci/selo.toml", "other.toml", "pyproject.toml"):
        assert parsed("--config", name, "plan").lang == "zh"
    assert parsed("--config", "none", "plan").lang == "en"
    assert parsed("plan").lang == "pt"


def test_settings_that_are_wrong_stop_every_command_but_those_that_look_for_the_fault(
    project, capsys
):
    project("lang = 'pt'\nvendro = 'x'\n")

    with pytest.raises(SystemExit) as left:
        parsed("law", "list")

    assert left.value.code == 3
    assert "selo.toml:2: " in capsys.readouterr().err
    assert parsed("doctor").settings is None


@pytest.mark.parametrize(
    "text",
    [
        "budget = 'huge'", "seed = 'x'", "[limits]\ntime = 0", "seed = ", "seed 3", "games = ['a'",
        'vendor = "a\\d"', 'vendor = "a', "vendor = 'a", "seed = 1\nseed = 2", "[gate", "[[gate]",
        "[gate]\n[gate]", "= 3", "?", "seed = 1 2", "limits = {time = 1", "seed = 2030-13-45",
    ],
)  # fmt: skip
def test_no_fault_of_settings_is_told_in_another_language(project, text):
    project(text + "\n")

    with pytest.raises(UsageError) as refused:
        read_settings(Path("selo.toml"))

    told = refused.value.others
    words = re.findall(r"[A-Za-z]{4,}", told["en"].split("\n")[0].split(": ", 1)[1])
    english = {
        "expected", "invalid", "unclosed", "unterminated", "cannot", "after", "found", "illegal",
        "unescaped",
    }  # fmt: skip
    assert english & {one.lower() for one in words}
    for language in ("pt", "zh"):
        assert not english & {*re.findall(r"[a-z]{4,}", told[language].lower())}, told[language]


def test_config_shows_each_key_and_its_line(project, selo, tmp_path):
    project("lang = 'pt'\n\n[limits]\ntime = 3\n")

    shown = json.loads(selo("config", "--json", cwd=tmp_path).stdout)

    rows = {one["key"]: one for one in shown["settings"]}
    assert shown["file"] == str(tmp_path / "selo.toml")
    assert rows["limits.time"] == {
        "key": "limits.time", "value": 3.0, "from": "file", "where": f"{tmp_path}/selo.toml:4",
    }  # fmt: skip
    assert rows["budget"] == {
        "key": "budget", "value": "quick", "from": "default", "where": None,
    }  # fmt: skip
    assert list(rows) == setting_keys()


def test_the_published_schema_knows_what_the_program_knows():
    judge = jsonschema.Draft202012Validator(build_schema("settings"))

    assert judge.is_valid({"vendor": "x", "limits": {"time": 1}, "gate": {"fail-on": "violates"}})
    assert not judge.is_valid({"vendro": "x"})
    assert not judge.is_valid({"limits": {"time": 0}})


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("ci.toml", "vendr = 'x'\n", "ci.toml:1: unknown key “vendr”"),
        ("ci.toml", "[tool.selo]\nlang = 'zh'\n", "ci.toml:1: unknown key “tool”"),
        ("ci.toml", "", "ci.toml: it contains no settings of Selo"),
        ("pyproject.toml", "[project]\nname = 'x'\n", "pyproject.toml: it contains no settings"),
    ],
)
@pytest.mark.parametrize("variable", [False, True])
def test_a_file_that_is_named_and_says_nothing_to_selo_is_refused(
    project, capsys, monkeypatch, name, text, says, variable
):
    project(text, name)
    if variable:
        monkeypatch.setenv("SELO_CONFIG", name)

    with pytest.raises(SystemExit) as left:
        parsed(*([] if variable else ["--config", name]), "config")

    assert left.value.code == 3
    assert capsys.readouterr().err.startswith(says)
