"""From a clone in an empty home to a certificate with two signatures, by the README's commands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tools import needs

from selo.report.formats.report_json import read_report
from selo.verdict.provision_verdict import Result

pytestmark = pytest.mark.full
MADE_UP = "Demonstration examiner"


@pytest.fixture(scope="module")
def stranger(root, tmp_path_factory):
    """Return a clone in an empty home, and how somebody with little else types a command there."""
    home = tmp_path_factory.mktemp("home")
    # Of this machine nobody has more than the way to its package index.
    ways = ("PIP_", "SSL_CERT", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
    known = {name: value for name, value in os.environ.items() if name.upper().startswith(ways)}
    python = Path(sys.base_prefix) / "bin"
    known |= {"HOME": str(home), "PATH": f"{python}:/usr/bin:/bin", "LANG": "C.UTF-8"}
    for name in (".config/pip", ".pip"):
        if (Path.home() / name).is_dir():
            shutil.copytree(Path.home() / name, home / name)

    def typed(command, folder=home / "selo"):
        return subprocess.run(
            ["sh", "-c", command], cwd=folder, env=known, check=False,
            capture_output=True, text=True, encoding="utf-8", timeout=1200,
        )  # fmt: skip

    cloned = typed(f"git clone --quiet {root} selo", home)
    assert cloned.returncode == 0, cloned.stderr
    return home / "selo", typed


@pytest.fixture(scope="module")
def certified(stranger):
    clone, typed = stranger
    return typed("make certify"), clone / "out"


@pytest.fixture(scope="module")
def told(certified):
    return read_report(certified[1] / "report.json")


def test_it_ends_with_a_certificate(certified, told):
    done, _ = certified

    assert (done.returncode, told.kind, told.missing) == (0, "certificate", []), done.stderr


def test_nothing_that_only_tests_need_was_installed(stranger, certified):
    clone, _ = stranger
    done, _ = certified

    assert done.returncode == 0
    assert not list(clone.glob(".venv/lib/python*/site-packages/pytest"))


def test_the_certificate_is_verified_as_the_readme_says(root, stranger, certified):
    _, typed = stranger
    (command,) = re.findall(r"`(\S*selo verify [^`]+)`", (root / "README.md").read_text("utf-8"))

    done = typed(command)

    assert (certified[0].returncode, done.returncode) == (0, 0), done.stderr
    assert done.stdout.splitlines()[-1] == "Genuine."


def test_every_format_is_left_behind(certified):
    _, out = certified

    for name in ("txt", "json", "junit.xml", "sarif", "html", "pdf"):
        assert (out / f"report.{name}").stat().st_size


def test_all_six_instruments_conform(told):
    assert len(told.norms) == 6
    assert {one.overall for one in told.games} == {"conforms"}


def test_witnesses_are_two_people_who_do_not_exist(told):
    witnessed = [one for one in told.provisions if one.result is Result.WITNESSED]

    assert witnessed
    for provision in witnessed:
        for one in provision.witnesses:
            assert one.examiner.name.startswith(MADE_UP)
            assert one.second.name.startswith(MADE_UP)
            assert one.examiner.name != one.second.name


def test_the_seed_was_committed_to_and_is_revealed(told):
    assert told.method.seed.commitment
    assert told.method.seed.revealed


@needs("pdfsig")
def test_both_signatures_are_valid_in_the_eyes_of_another_program(certified):
    _, out = certified

    done = subprocess.run(
        ["pdfsig", str(out / "signed.pdf")], capture_output=True, text=True, check=False
    )

    assert done.stdout.count("Signature Validation: Signature is Valid.") == 2
    assert done.stdout.count("- Total document signed") == 1


@needs("pdftotext")
def test_every_page_says_that_it_is_a_demonstration(certified):
    _, out = certified

    done = subprocess.run(
        ["pdftotext", "-layout", str(out / "signed.pdf"), "-"], capture_output=True, check=True
    )

    pages = done.stdout.decode().rstrip("\f").split("\f")
    assert len(pages) > 10
    assert all("DEMONSTRAÇÃO" in page and "示範" in page for page in pages)
