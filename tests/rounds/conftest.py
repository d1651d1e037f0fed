"""The reference vendor and spoiled ones, behind a session, for rounds to be played and judged."""

import itertools
import sys
import types

import pytest
from tests.fixture_modules import load_fixture

from selo.rounds.judge.round_judge import RoundJudge
from selo.vendors.vendor_address import connect

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def judge(law):
    return RoundJudge(law)


@pytest.fixture(scope="session")
def reference():
    """Return the module of the reference vendor."""
    return load_fixture("adapters/python/reference.py")


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
