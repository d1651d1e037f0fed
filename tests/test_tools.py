"""A proof that needs a program of others is never lost in silence."""

import json
import os
import re
import stat

import pytest
from tests import debian, tools

REFUSED = "the package registry does not answer"


@pytest.fixture
def there(monkeypatch):
    """Let only some programs be there."""
    present = set()
    monkeypatch.setattr(tools, "have", lambda tool: tool in present)
    return present


@pytest.mark.parametrize(
    ("ci", "cannot", "end"),
    [
        (False, {}, pytest.skip),
        (False, {"qpdf": REFUSED}, pytest.skip),
        (True, {"qpdf": REFUSED}, pytest.skip),
        (True, {}, pytest.fail),
        (True, {"zstd": REFUSED}, pytest.fail),
    ],
)
def test_a_missing_program_fails_a_ci_unless_it_cannot_be_had(there, ci, cannot, end):
    there.add("zstd")

    found, why = tools.absence(["zstd", "qpdf"], ci=ci, cannot=cannot)

    assert found is end
    assert why.startswith("qpdf is missing")
    assert why.endswith("apt-get install qpdf")


def test_a_program_that_is_there_ends_nothing(there):
    there.add("qpdf")

    assert tools.absence(["qpdf"], ci=True, cannot={}) is None


def test_one_of_two_that_could_be_had_fails_a_ci(there):
    there.clear()

    end, _ = tools.absence(["zstd", "qpdf"], ci=True, cannot={"zstd": REFUSED})

    assert end is pytest.fail


def test_a_run_ends_with_what_it_did_not_show(pytester, there, monkeypatch):
    there.clear()
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(tools, "refused", dict)
    pytester.makepyfile("""
        from tests.tools import need, needs
        @needs("qpdf")
        def test_a(): raise AssertionError
        @needs("qpdf")
        def test_b(): raise AssertionError
        def test_c(): need("zstd"); raise AssertionError
    """)

    done = pytester.runpytest_inprocess("-p", "tests.tools", "-p", "no:cacheprovider")

    done.assert_outcomes(skipped=3)
    done.stdout.fnmatch_lines([
        "*NOT SHOWN BY THIS RUN*",
        "2 tests: qpdf is missing*apt-get install qpdf",
        "1 tests: zstd is missing*apt-get install zstd",
    ])  # fmt: skip


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Make a machine on which programs of the package manager end as they are told."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    log = tmp_path / "log"

    def put(name, body):
        path = tmp_path / "bin" / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {log}\n{body}\n')
        path.chmod(path.stat().st_mode | stat.S_IEXEC)

    put.log = log
    return put


def test_what_is_missing_is_installed_in_one_go(machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine("apt-get", "exit 0")

    why = debian.install(["pdfsig", "pdffonts", "qpdf"])

    assert why == {}
    assert machine.log.read_text().splitlines()[0].endswith(" install poppler-utils qpdf")


def test_a_registry_that_does_not_answer_is_named(machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine("apt-get", "exit 100")

    assert debian.install(["qpdf"]) == {"qpdf": REFUSED}


def test_a_package_that_nobody_has_does_not_take_the_others_with_it(machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine("apt-get", 'case "$*" in *update) exit 0;; *chromium*) exit 100;; esac')
    machine("apt-cache", 'test "$*" != "show chromium"')

    why = debian.install(["chromium", "qpdf"])

    assert why == {"chromium": "the package registry does not have it"}
    assert machine.log.read_text().splitlines()[-1].endswith(" install qpdf")


def test_whoever_may_not_install_is_told_how_and_nothing_is_excused(machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    machine("apt-get", "exit 0")
    machine("sudo", "exit 1")

    assert debian.install(["qpdf"]) == {}
    assert "apt-get" not in machine.log.read_text()


def test_what_stays_missing_is_said_loudly_and_kept(machine, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(debian, "PACKAGES", {"no-such-program": "no-such-package"})
    monkeypatch.setattr(debian, "REFUSED", tmp_path / ".venv" / "refused.json")
    machine("apt-get", "exit 100")

    debian.main()

    assert "*** NO no-such-program" in capsys.readouterr().err
    assert json.loads(debian.REFUSED.read_text()) == {"no-such-program": REFUSED}


def test_every_test_that_skips_for_a_program_says_so_in_the_one_way(root):
    own = {"tools.py", "debian.py", "test_tools.py"}
    for path in (root / "tests").rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        found = re.findall(r"skip.*which\(|which\(.*\n.*skip\(|importorskip", code)
        assert path.name in own or not found, (path, found)
