"""The pytest plugin, in runs of pytest of its own."""

import sys

import pytest

# One worker tells the other what it found: both must be of one kind.
GAME = ("--selo-game", "pai-kao", "--selo-rulings", "defaults", "--selo-text-as-stored")
COUNT = 9


@pytest.fixture
def run(pytester, root):
    """Run pytest on a vendor of one small game."""

    def of(fault, *more, within=False):
        vendor = f"{sys.executable} fixtures/planted/vendor.py pai-kao {fault}"
        start = pytester.runpytest_inprocess if within else pytester.runpytest_subprocess
        return start(
            # Written apart, a path would be taken for the root of the tests.
            "--selo-vendor", vendor, f"--selo-folder={root}", *GAME, *more,
        )  # fmt: skip

    return of


@pytest.mark.full
def test_each_provision_is_a_test_and_a_lawful_vendor_passes_them(run):
    done = run("lawful", "-v")

    done.assert_outcomes(passed=COUNT)
    done.stdout.fnmatch_lines(["*portaria-96-85-m::annex-98 PASSED*"])


@pytest.mark.full
def test_the_first_failure_stops_and_the_last_failures_run_again(run):
    run("rank-98-counts-as-100", "-x").assert_outcomes(failed=1)

    again = run("rank-98-counts-as-100", "--lf")

    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(
        [
            "*portaria-96-85-m/annex/98: violates*",
            "*AGAINST THE LAW*",
            "*the law*the vendor*",
            "*first hand*higher*lower*",
            "*selo replay *F-00?.json*",
        ]
    )
    assert "Traceback" not in again.stdout.str()


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (("-k", "annex-98 or annex-106"), 2),
        (("-m", "pai_kao and annex"), COUNT),
        pytest.param(("-m", "examination"), COUNT, marks=pytest.mark.full),
        pytest.param(("-m", "inspection"), 0, marks=pytest.mark.full),
    ],
)
def test_provisions_are_chosen_by_name_game_article_and_way(run, given, count):
    done = run("lawful", "--collect-only", "-q", "--strict-markers", *given, within=True)

    assert done.stdout.str().count("portaria-96-85-m::") == count


def test_what_is_collected_and_what_is_left_out_is_counted(run):
    done = run("lawful", "--collect-only", "-k", "annex-98", within=True)

    done.stdout.fnmatch_lines([f"collected {COUNT} items / {COUNT - 1} deselected / 1 selected"])


def test_a_game_that_there_is_not_is_refused(run):
    done = run("lawful", "--selo-game", "roulette", within=True)

    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*--selo-game: there is no game “roulette”; games: *pai-kao*"])


@pytest.mark.full
def test_workers_examine_once(run, tmp_path):
    done = run("lawful", "-n", "2", "--selo-out", str(tmp_path / "run"))

    done.assert_outcomes(passed=COUNT)
    assert (tmp_path / "run" / "result.json").is_file()


@pytest.mark.full
def test_what_nobody_has_ruled_on_does_not_pass(pytester, root):
    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/planted/vendor.py pai-kao lawful",
        f"--selo-folder={root}", "--selo-game", "pai-kao", "--selo-text-as-stored",
    )  # fmt: skip

    assert done.ret == 1
    done.stdout.fnmatch_lines(["*inconclusive*"])


@pytest.mark.full
@pytest.mark.parametrize(("words", "passed"), [((), 0), (("--selo-text-as-stored",), COUNT)])
def test_nothing_passes_on_a_day_without_that_law_unless_it_is_asked_for(
    pytester, root, words, passed
):
    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/planted/vendor.py pai-kao lawful",
        f"--selo-folder={root}", "--selo-game", "pai-kao", "--selo-rulings", "defaults",
        "--selo-as-of", "1980-01-01", *words,
    )  # fmt: skip

    done.assert_outcomes(passed=passed, failed=COUNT - passed)
    done.stdout.fnmatch_lines(["selo: Portaria n.º 96/85/M*1980-01-01*"])
    if not passed:
        done.stdout.fnmatch_lines(["*not law on that day*"])


@pytest.mark.full
def test_a_vendor_that_cannot_be_reached_fails_every_test(pytester, root):
    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/hostile/dies_at_start.py",
        f"--selo-folder={root}", *GAME,
    )  # fmt: skip

    done.assert_outcomes(failed=COUNT)
    done.stdout.fnmatch_lines(["*selo examine ended with 4*"])


def test_without_a_vendor_nothing_is_collected(pytester):
    done = pytester.runpytest_subprocess()

    assert done.ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.full
def test_tests_of_the_project_run_beside(pytester, run):
    pytester.makepyfile("def test_own(): pass")

    run("lawful").assert_outcomes(passed=COUNT + 1)


@pytest.mark.full
@pytest.mark.parametrize("more", [(), ("-n", "2")])
def test_an_id_that_was_printed_can_be_given_as_an_argument(pytester, run, more):
    pytester.makepyfile("def test_own(): pass")

    done = run("lawful", "portaria-96-85-m::annex-98", *more)

    done.assert_outcomes(passed=1)


def test_an_instrument_can_be_given_as_an_argument(run):
    done = run("lawful", "--collect-only", "-q", "portaria-96-85-m", within=True)

    assert done.stdout.str().count("portaria-96-85-m::") == COUNT


def test_an_id_of_no_provision_is_refused(run):
    done = run("lawful", "portaria-96-85-m::art-99", within=True)

    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*there is no provision “portaria-96-85-m::art-99”*"])


@pytest.mark.parametrize(
    ("given", "own", "ours"),
    [
        (("test_own.py::test_own",), 1, 0),
        (("test_own.py::test_own", "portaria-96-85-m::annex-98"), 1, 1),
        pytest.param(("test_own.py",), 1, COUNT, marks=pytest.mark.full),
        pytest.param(
            ("portaria-96-85-m::annex-98", "portaria-96-85-m::annex-106"),
            0,
            2,
            marks=pytest.mark.full,
        ),
        pytest.param((), 1, COUNT, marks=pytest.mark.full),
    ],
)
def test_whoever_names_tests_one_by_one_gets_no_others(pytester, run, given, own, ours):
    pytester.makepyfile(test_own="def test_own(): pass")

    done = run("lawful", "--collect-only", "-q", *given, within=True)

    said = done.stdout.str()
    assert (said.count("test_own.py::test_own"), said.count("portaria-96-85-m::")) == (own, ours)


def test_a_provision_that_is_asked_for_alone_is_the_only_test(run):
    only = ("--selo-provision", "portaria-96-85-m/annex/98")

    done = run("lawful", "--collect-only", "-q", *only, within=True)

    assert done.stdout.str().count("portaria-96-85-m::") == 1


@pytest.mark.full
def test_a_game_that_the_settings_leave_out_is_not_said_to_be_unoffered(pytester, root):
    pytester.path.joinpath("selo.toml").write_text("games = ['pai-kao']\nrulings = 'defaults'\n")

    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/adapters/python/reference.py",
        f"--selo-folder={root}", "--selo-text-as-stored",
        "-rs", "portaria-21-96-m::art-7", "portaria-96-85-m::annex-98",
    )  # fmt: skip

    done.assert_outcomes(passed=1, skipped=1)
    done.stdout.fnmatch_lines(["selo: left out by selo.toml: *fish-prawn-crab*", "SKIPPED*"])
    done.stdout.fnmatch_lines(["SKIPPED*left out by selo.toml"])


def test_only_games_of_the_settings_are_collected(pytester, root):
    pytester.path.joinpath("selo.toml").write_text("games = ['pai-kao']\n")

    done = pytester.runpytest_inprocess(
        "--selo-vendor", "x", f"--selo-folder={root}", "--collect-only", "-q"
    )

    lines = [one for one in done.outlines if "::" in one]
    assert len(lines) == COUNT
    assert all(one.startswith("portaria-96-85-m::") for one in lines)


@pytest.mark.full
@pytest.mark.parametrize("by", ["option", pytest.param("environment", marks=pytest.mark.full)])
def test_a_failure_is_told_in_the_language_that_was_asked_for(run, monkeypatch, by):
    if by == "environment":
        monkeypatch.setenv("SELO_LANG", "zh")
    else:
        monkeypatch.setenv("SELO_LANG", "pt")
    more = () if by == "environment" else ("--selo-lang", "zh")

    done = run("rank-98-counts-as-100", "portaria-96-85-m::annex-98", *more)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["selo：法律 *", "*portaria-96-85-m/annex/98: 違反*"])
    assert "AGAINST THE LAW" not in done.stdout.str()


def test_the_help_speaks_the_language_of_the_surroundings(pytester, monkeypatch):
    monkeypatch.setenv("SELO_LANG", "pt")

    done = pytester.runpytest_subprocess("--help")

    done.stdout.fnmatch_lines(["*a lei de Macau, um teste por disposição*"])


@pytest.mark.full
def test_what_a_run_leaves_lies_where_pytest_clears_it(run, tmp_path, monkeypatch):
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setenv("TMPDIR", str(passing))

    run("lawful", "portaria-96-85-m::annex-98").assert_outcomes(passed=1)

    left = {one.relative_to(passing).parts[0] for one in passing.iterdir()}
    assert not [one for one in left if not one.startswith("pytest-")], left


@pytest.mark.full
def test_a_second_run_into_the_same_folder_takes_the_next_number(run, tmp_path):
    out = ("--selo-out", str(tmp_path / "kept"), "portaria-96-85-m::annex-98")

    for _ in range(2):
        run("lawful", *out).assert_outcomes(passed=1)

    found = sorted(one.parent.name for one in tmp_path.glob("*/result.json"))
    assert found == ["kept", "kept-2"]


def test_the_plugin_takes_every_option_of_an_examination():
    from selo.cli.parser import command_line as parser  # noqa: PLC0415 - only here
    from selo.cli.parser.command_tree import arguments_of, subcommands_of  # noqa: PLC0415
    from selo.plugin.plugin_options import (  # noqa: PLC0415
        FLAG_OPTIONS,
        REPEATABLE_OPTIONS,
        SINGLE_OPTIONS,
    )

    examine = subcommands_of(parser.build_parser())["examine"]
    every = {name for action in arguments_of(examine) for name in action.option_strings}

    named = (*SINGLE_OPTIONS, *FLAG_OPTIONS, *REPEATABLE_OPTIONS, "vendor", "out", "lang")
    ours = {f"--{name}" for name in named}
    assert ours == every - {"--json", "--help", "-h"}


def test_a_run_that_verifies_nothing_fails(run):
    done = run("lawful", "-k", "no-such-provision", within=True)

    assert done.ret != pytest.ExitCode.OK


def test_a_run_that_only_skips_fails(pytester, root):
    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/planted/vendor.py pai-kao lawful",
        f"--selo-folder={root}", "--selo-game", "fish-prawn-crab", "-k", "art-7",
    )  # fmt: skip

    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines(["*only 0 provisions are verified; 1 are required*"])


@pytest.mark.full
def test_fewer_provisions_than_asked_for_fail(run):
    done = run("lawful", "--selo-at-least", str(COUNT + 1))

    done.assert_outcomes(passed=COUNT)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
