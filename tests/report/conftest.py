"""Small runs that the tests of reports share: nothing is examined twice."""

import datetime as dt
import sys
from pathlib import Path

import msgspec
import pytest

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.report.content.report_builder import build_report
from selo.report.model.dossier import read_dossier

ROOT = Path(__file__).resolve().parents[2]
# What tests of documents share stands beside them: synthetic.py and paper.py.
sys.path.insert(0, str(Path(__file__).resolve().parent))
VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"
#: The day of the law, and its text as stored: most of it was revoked by then.
DAY = ("--as-of", "2026-01-31", "--text-as-stored")
PLANTED = f"{sys.executable} fixtures/planted/vendor.py"


@pytest.fixture(scope="session")
def examined(tmp_path_factory):
    """Examine a vendor once for each set of arguments, and return the folder of the run."""
    done = {}

    def run(vendor, *more):
        if (vendor, more) not in done:
            folder = tmp_path_factory.mktemp("run") / "run"
            given = ["examine", "--vendor", vendor, "--folder", str(ROOT), "--out", str(folder)]
            run_command(parse_arguments([*given, *DAY, *more]))
            done[vendor, more] = folder
        return done[vendor, more]

    return run


@pytest.fixture(scope="session")
def small(examined):
    """A run of the smallest game, whose law leaves points open."""
    return examined(VENDOR, "--game", "pai-kao")


@pytest.fixture(scope="session")
def report(small, law):
    return build_report(small, law)


@pytest.fixture(scope="session")
def dossier(root):
    """Everything that a certificate needs from people, all of it made up."""
    made_up = read_dossier(root / "fixtures" / "demonstration" / "dossier.yaml")
    day = dt.datetime.now(made_up.zone()).date()
    item = msgspec.structs.replace(made_up.item, on=day)
    until = day + dt.timedelta(days=365)
    return msgspec.structs.replace(
        made_up,
        item=item,
        issued=day,
        valid_until=until,
        commitment_published="Demonstration gazette",
    )


@pytest.fixture(scope="session")
def sealed(examined, root, tmp_path_factory):
    """A run with a seed that was sealed before it, and every default adopted."""
    seal = tmp_path_factory.mktemp("seal") / "seal.json"
    given = ["--vendor", VENDOR, "--folder", str(root), "--game", "pai-kao"]
    run_command(parse_arguments(["seal", "new", *given, "--out", str(seal)]))
    return examined(VENDOR, "--game", "pai-kao", "--rulings", "defaults", "--seal", str(seal))


@pytest.fixture(scope="session")
def certifiable(sealed, law, dossier):
    """A report in whose way nothing stands, and its dossier."""
    return build_report(sealed, law, dossier), dossier


@pytest.fixture(scope="session")
def broken(examined):
    """A run of a vendor that breaks the law."""
    return examined(f"{PLANTED} pai-kao rank-98-counts-as-100", "--game", "pai-kao")


@pytest.fixture(scope="session")
def faulty(broken, law):
    """A report with findings: against the law, and open."""
    return build_report(broken, law)


@pytest.fixture(scope="session")
def planted():
    """The command of a vendor with a planted fault; game and fault follow."""
    return PLANTED
