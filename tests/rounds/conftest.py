"""The reference vendor and spoiled ones, behind a session, for rounds to be played and judged."""

import importlib.util
import itertools
import sys
import types

import pytest

from selo.rounds.judge.round_judge import Judge
from selo.vendors.vendor_address import connect

GAMES = (
    "fish-prawn-crab",
    "three-card-baccarat",
    "fortune-three-card-poker",
    "craps",
    "bacara",
)
_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def judge(law):
    return Judge(law)


@pytest.fixture(scope="session")
def reference(root):
    """Return the module of the reference vendor."""
    path = root / "fixtures" / "adapters" / "python" / "reference.py"
    spec = importlib.util.spec_from_file_location("reference_vendor_of_rounds", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def session(root):
    return connect("fixtures/adapters/python/reference.py:vendor", folder=root)


@pytest.fixture(scope="session")
def offers(session):
    return {one.game: one for one in session.ask("describe", {}).games}


@pytest.fixture(scope="session")
def serve():
    """Return how an object becomes a vendor in this process."""

    def served(vendor):
        name = f"vendor_of_rounds_{next(_NUMBERS)}"
        sys.modules[name] = types.SimpleNamespace(vendor=vendor)
        return connect(f"{name}:vendor")

    return served


@pytest.fixture(scope="session")
def spoiled(reference, serve):
    """Return how a lawful vendor is spoiled: its table of a game becomes another class."""

    def made(game, spoil):
        vendor = reference.ReferenceVendor([game])
        module = vendor._tables_of[game]  # noqa: SLF001 - the test takes the vendor apart
        table = spoil(module.Table, module)
        vendor._tables_of[game] = types.SimpleNamespace(Table=table, HAPPENS=module.HAPPENS)  # noqa: SLF001
        return serve(vendor)

    return made
