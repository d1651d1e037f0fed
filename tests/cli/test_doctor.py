"""What the doctor finds, on machines that lack this or that."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.tools import needs

from selo.cli.doctor import installation, machine
from selo.cli.doctor.doctor_check import DoctorState
from selo.text.message_catalogue import say


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """Run the doctor with nothing on the PATH but what is named."""

    def run(*tools, lang="en", **environment):
        folder = tmp_path_factory.mktemp("bin")
        for name in tools:
            (folder / name).symlink_to(shutil.which(name))
        done = subprocess.run(
            [str(Path(sys.executable).with_name("selo")), "doctor", "--json", "--lang", lang],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            cwd=folder,
            env={"PATH": str(folder), "HOME": str(folder), **environment},
        )
        checks = json.loads(done.stdout)["checks"]
        return done.returncode, {one["check"]: one for one in checks}

    return run


def test_what_is_optional_is_told_with_its_cost_and_remedy_and_is_no_error(bare):
    code, checks = bare()

    assert code == 0
    for name in ("bubblewrap", "qpdf", "node", "chromium", "openssl"):
        assert checks[name]["state"] == "absent"
        assert checks[name]["cost"]
        assert checks[name]["mend"]
    assert checks["qpdf"]["mend"] == "apt-get install qpdf"


@needs("openssl")
def test_what_is_there_is_told_with_its_version(bare):
    said = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True)

    _, checks = bare("openssl")

    assert checks["openssl"]["state"] == "good"
    assert f" {checks['openssl']['found']} " in said.stdout


def test_the_law_is_named_by_its_digest(bare, law, selo):
    proven = json.loads(selo("law", "check", "--json").stdout)["spec_digest"]

    _, checks = bare()

    assert checks["law"]["found"] == f"{len(law.provisions)}, sha256:{proven}"


def test_settings_that_are_wrong_are_an_error_with_file_and_line(bare, tmp_path):
    path = tmp_path / "selo.toml"
    path.write_text("vendro = 'x'\n")

    code, checks = bare(SELO_CONFIG=str(path))

    assert code == 3
    assert checks["settings"]["state"] == "wrong"
    assert checks["settings"]["found"].startswith(f"{path}:1: ")


def test_the_doctor_speaks_three_languages(bare):
    assert bare(lang="zh")[1]["clock"]["title"] == "時鐘"


def test_a_clock_behind_our_own_files_is_wrong(monkeypatch, tmp_path):
    future = tmp_path / "__init__.py"
    future.touch()
    os.utime(future, (2**32, 2**32))
    monkeypatch.setattr(machine.selo, "__file__", str(future))

    assert machine.check_clock().state is DoctorState.WRONG


def test_little_room_is_told(monkeypatch):
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))

    assert machine.check_disk_space().state is DoctorState.ABSENT


def test_a_package_of_another_version_is_wrong(monkeypatch):
    monkeypatch.setattr(installation.importlib.metadata, "requires", lambda _: ["msgspec==0.1.*"])

    (check,) = installation.check_packages()

    assert check.state is DoctorState.WRONG
    assert "msgspec" in check.found


def test_a_package_that_is_missing_is_wrong(monkeypatch):
    monkeypatch.setattr(installation.importlib.metadata, "requires", lambda _: ["no-such-thing>=1"])

    (check,) = installation.check_packages()

    assert (check.state, check.found) == (DoctorState.WRONG, "no-such-thing")


@pytest.mark.parametrize(
    ("version", "bounds", "good"),
    [
        ("6.0.2", "==6.0.*", True),
        ("6.1.0", "==6.0.*", False),
        ("2.4.6", ">=2.2,<3", True),
        ("3.0", "<3,>=2.2", False),
        ("2.1.9", ">=2.2", False),
        ("70.0", "==70.0", True),
        ("70.1", "==70.0", False),
        ("1", "", True),
    ],
)
def test_versions_are_compared_as_numbers(version, bounds, good):
    assert installation.is_within_bounds(version, bounds) is good


def test_every_check_has_its_words():
    checks = [
        machine.check_python(),
        machine.check_encoding(),
        *machine.check_libraries(),
        *machine.check_programs(),
        machine.check_disk_space(),
        machine.check_clock(),
        *installation.check_packages(),
        installation.check_fonts(),
        installation.check_settings(),
        installation.check_sandbox(),
    ]

    for check in checks:
        for part in ("", ".cost", ".mend"):
            assert say(f"doctor.{check.name}{part}", "pt")
