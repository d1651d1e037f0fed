"""The wheel holds the law, installs in an empty environment, and works from any directory."""

import subprocess
import sys
import sysconfig
import zipfile

import pytest

from selo.law.spec_digest import compute_spec_digest


def test_the_only_name_at_the_top_is_selo(wheel):
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"selo"}


def test_the_wheel_is_typed_and_holds_every_law_file(wheel, root):
    names = set(zipfile.ZipFile(wheel).namelist())

    assert "selo/py.typed" in names
    for folder in ("specs", "bilingual"):
        for path in (root / folder).rglob("*"):
            if path.is_file():
                assert f"selo/_data/{path.relative_to(root).as_posix()}" in names


@pytest.fixture
def checked(wheel, tmp_path):
    """Run ``selo law check`` of a wheel that is installed in a new environment, from elsewhere."""

    def run(*options, beside=None):
        home = tmp_path / "environment"
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, timeout=120
        )
        if beside is not None:
            place = next(home.glob("lib/python*/site-packages"))
            (place / "beside.pth").write_text(f"{beside}\n", encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", *options,
             str(wheel)],
            check=True, capture_output=True, timeout=300,
        )  # fmt: skip
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        return subprocess.run(
            [str(home / "bin" / "selo"), "law", "check"],
            cwd=elsewhere, capture_output=True, text=True, check=False, timeout=60,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )  # fmt: skip

    return run


def test_an_installed_wheel_checks_the_law_from_elsewhere(checked, law):
    # What it depends on is lent: the path file that makes the checkout importable is not read.
    done = checked("--no-deps", "--no-index", beside=sysconfig.get_path("platlib"))

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"sha256:{compute_spec_digest(law)}\n")


@pytest.mark.full
def test_a_wheel_brings_everything_it_needs(checked, law):
    done = checked()

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"sha256:{compute_spec_digest(law)}\n")
