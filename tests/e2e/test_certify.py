"""``make certify``: the whole road, from a sealed seed to a certificate with two signatures."""

import subprocess
import sys

import pytest
from tests.tools import needs

from selo.report.plain import read_report
from selo.verdict.verdicts import Result

pytestmark = pytest.mark.full
MADE_UP = "Demonstration examiner"


@pytest.fixture(scope="module")
def certified(root, tmp_path_factory):
    out = tmp_path_factory.mktemp("certify") / "out"
    done = subprocess.run(
        [sys.executable, "-m", "selo.cli.demonstration", str(out)],
        cwd=root, capture_output=True, text=True, encoding="utf-8", check=False, timeout=900,
    )  # fmt: skip
    return done, out


@pytest.fixture(scope="module")
def told(certified):
    return read_report(certified[1] / "report.json")


def test_it_ends_with_a_certificate(certified, told):
    done, _ = certified

    assert (done.returncode, told.kind, told.missing) == (0, "certificate", []), done.stderr


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
