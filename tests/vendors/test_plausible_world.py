"""No sign by which a vendor could recognise an examination is the same in every world of a run."""

import os
import socket
import sys
import time
from pathlib import Path

import pytest
from tests.fixture_modules import load_fixture

from selo.vendors.child_process import ChildTransport
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox.plausible_world import draw_world, mix_worlds, world_at

from .hostile import needs_bubblewrap

SIGNS = load_fixture("recognition/cheat.py").SIGNS
#: The number of a process that starts in a world in which no other process has run.
FIRST_PROCESS = 2


def shows(sign, world, monkeypatch):
    """Return whether a sign shows in a world."""
    with monkeypatch.context() as patch:
        for name in list(os.environ):
            patch.delenv(name)
        for name, value in world.environment().items():
            patch.setenv(name, value)
        patch.setattr(socket, "gethostname", lambda: world.host)
        patch.setattr(os, "getuid", lambda: world.uid)
        patch.setattr(os, "getpid", lambda: world.earlier_processes + FIRST_PROCESS)
        patch.setattr(time, "clock_gettime", lambda _: world.uptime)
        return SIGNS[sign]()


@pytest.mark.parametrize("sign", SIGNS)
def test_a_cheat_meets_worlds_with_its_sign_and_without_it(sign, monkeypatch):
    for seed in range(40):
        met = {shows(sign, world_at(str(seed), number), monkeypatch) for number in range(8)}

        assert met == {True, False}, seed


def test_the_worlds_of_a_seed_are_always_the_same():
    assert [world_at("a", at) for at in range(20)] == [world_at("a", at) for at in range(20)]


def test_the_worlds_of_two_seeds_differ():
    assert world_at("a", 0) != world_at("b", 0)
    assert draw_world() != draw_world()


def test_each_mixed_world_differs_in_one_sign_only():
    world, other = world_at("a", 0), world_at("a", 1)

    mixed = dict(mix_worlds(world, other))

    assert {"uid", "host", "uptime"} <= mixed.keys()
    for name, between in mixed.items():
        changed = [found for found, _ in mix_worlds(world, between)]
        assert changed == [name]


TELLS = """
import os, socket
print([socket.gethostname(), os.getuid(), os.environ.get("HOME"), os.environ.get("TZ"),
       os.path.expanduser("~"), open("/etc/hostname").read()], flush=True)
"""


@needs_bubblewrap
def test_a_vendor_finds_itself_in_the_world_that_was_drawn(tmp_path):
    world = world_at("a", 3)
    vendor = ChildTransport(
        [sys.executable, "-S", "-c", TELLS], Limits(), Path(tmp_path), world=world
    )

    told = vendor.receive(60).decode()
    vendor.kill()

    home, zone = world.variables.get("HOME"), world.variables.get("TZ")
    assert told == str([world.host, world.uid, home, zone, world.home, f"{world.host}\n"])
