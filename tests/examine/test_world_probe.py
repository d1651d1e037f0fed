"""A vendor that goes by its surroundings is found, with the sign that it goes by."""

import sys

import pytest
from tests.fixture_modules import load_fixture
from tests.often import often
from tests.vendors.hostile import needs_bubblewrap

from selo.examine.exchange import VendorEndpoint
from selo.examine.plan import terms_of
from selo.examine.run.world_probe import probe_worlds
from selo.examine.vendor_description import introduce_vendor
from selo.vendors.faults import FaultKind
from selo.vendors.resource_limits import Limits

GAME = "fish-prawn-crab"
MANNERS = load_fixture("recognition/manner_cheat.py").MANNERS
#: What names each sign in a fault.
TOLD = {
    "home-is-set": "HOME=", "home-is-not-set": "HOME=", "user-is-set": "USER=",
    "login-name-is-not-set": "LOGNAME=", "shell-is-set": "SHELL=", "time-zone-is-set": "TZ=",
    "time-zone-is-of-macau": "TZ=", "terminal-is-set": "TERM=",
    "started-by-the-system": "INVOCATION_ID=", "journal-is-set": "JOURNAL_STREAM=",
    "language-is-not-plain": "LANG=", "host-of-even-length": "host=", "host-is-a-table": "host=",
    "user-number-is-even": "uid=", "process-number-is-even": "earlier_processes=",
    "process-number-is-small": "earlier_processes=", "machine-is-up-for-a-month": "uptime=",
    "home-is-under-home": "HOME=",
}  # fmt: skip


@pytest.fixture
def probe(root, law):
    """Return what asks a vendor the same in several worlds."""

    def ask(program, seed):
        command = f"{sys.executable} {root}/fixtures/{program}"
        vendor = VendorEndpoint(command, Limits(start=60, request=60), root, worlds=seed)
        session = vendor.session()
        known = introduce_vendor(session, law, [GAME])
        session.kill()
        terms = terms_of(
            law,
            known.scope,
            as_of="2026-01-01",
            text_as_stored=True,
            rulings={},
            budget="quick",
            seed=3,
            provisions=[],
        )
        return probe_worlds(law, terms, vendor)

    return ask


@needs_bubblewrap
@pytest.mark.parametrize("manner", often(sorted(MANNERS), "asked-again"))
def test_a_vendor_that_goes_by_how_questions_come_is_found(probe, manner):
    (fault,) = probe(f"recognition/manner_cheat.py {manner}", f"seed of {manner}")

    assert fault.kind is FaultKind.WORLD_DEPENDENT
    assert "order=" in fault.slots["signs"]


def test_every_sign_of_the_cheat_is_named():
    assert TOLD.keys() == load_fixture("recognition/cheat.py").SIGNS.keys()


@needs_bubblewrap
@pytest.mark.parametrize("sign", often(list(TOLD), "home-is-set"))
def test_a_vendor_that_goes_by_a_sign_is_found_with_the_sign(probe, sign):
    (fault,) = probe(f"recognition/cheat.py {sign}", f"seed of {sign}")

    assert fault.kind is FaultKind.WORLD_DEPENDENT
    assert TOLD[sign] in fault.slots["signs"]
    assert fault.slots["signs"].count("=") == 1


@needs_bubblewrap
@pytest.mark.full
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_lawful_vendor_is_the_same_everywhere(probe, seed):
    assert probe("adapters/python/reference.py", seed) == []
