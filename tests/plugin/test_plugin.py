"""The pytest plugin, in runs of pytest of its own."""

import sys

import pytest

# One worker tells the other what it found: both must be of one kind.
GAME = ("--selo-game", "pai-kao", "--selo-rulings", "defaults")
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


def test_the_first_failure_stops_and_the_last_failures_run_again(run):
    run("rank-98-counts-as-100", "-x").assert_outcomes(failed=1)

    again = run("rank-98-counts-as-100", "--lf")

    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(
        [
            "*portaria-96-85-m/annex/98: violates*",
            "*AGAINST THE LAW*",
            "*the law:*",
            "*the vendor:*",
            "*selo replay *F-00?.json*",
        ]
    )
    assert "Traceback" not in again.stdout.str()


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (("-k", "annex-98 or annex-106"), 2),
        (("-m", "pai_kao and annex"), COUNT),
        (("-m", "examination"), COUNT),
        (("-m", "inspection"), 0),
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
    done.stderr.fnmatch_lines(["*--selo-game: there is no game 'roulette'; games: *pai-kao*"])


def test_workers_examine_once(run, tmp_path):
    done = run("lawful", "-n", "2", "--selo-out", str(tmp_path / "run"))

    done.assert_outcomes(passed=COUNT)
    assert (tmp_path / "run" / "result.json").is_file()


@pytest.mark.full
def test_what_nobody_has_ruled_on_does_not_pass(pytester, root):
    done = pytester.runpytest_subprocess(
        "--selo-vendor", f"{sys.executable} fixtures/planted/vendor.py pai-kao lawful",
        f"--selo-folder={root}", "--selo-game", "pai-kao",
    )  # fmt: skip

    assert done.ret == 1
    done.stdout.fnmatch_lines(["*inconclusive*"])


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
