"""One short examination that many tests look at; whoever changes something takes a copy."""

import shutil
import sys

import pytest

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"
GAME = "fish-prawn-crab"


@pytest.fixture(scope="session")
def examined(selo, tmp_path_factory):
    """Return the folder of an examination of one lawful game."""
    folder = tmp_path_factory.mktemp("examined") / "run"
    done = selo(
        "examine", "--vendor", VENDOR, "--game", GAME, "--rulings", "defaults", "--out", str(folder)
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert (folder / "result.json").is_file(), done.stderr
    return folder


@pytest.fixture
def run_folder(examined, tmp_path):
    """Return a copy of that folder."""
    return shutil.copytree(examined, tmp_path / "run")


#: A vendor that pays the numbers 7 and 14 at 14 to 1 instead of 12 to 1, on paper and at the table.
FAULTY = f"{sys.executable} fixtures/planted/vendor.py {GAME} pays-seven-fourteen-to-one"


@pytest.fixture(scope="session")
def faulty(selo, tmp_path_factory):
    """Return the folder of an examination of a vendor that pays one bet too much."""
    folder = tmp_path_factory.mktemp("faulty") / "run"
    done = selo("examine", "--vendor", FAULTY, "--rulings", "defaults", "--out", str(folder))
    assert done.returncode == 1, done.stderr
    return folder


@pytest.fixture(scope="session")
def lawful_vendor():
    return VENDOR


@pytest.fixture(scope="session")
def faulty_vendor():
    return FAULTY
