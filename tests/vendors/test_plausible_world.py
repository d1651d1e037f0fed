"""No sign by which a vendor could recognise an examination is the same in every world of a run."""

import os
import shlex
import socket
import sys
import time
from pathlib import Path

import pytest
from tests.fixture_modules import load_fixture

from selo.vendors.child_process import ChildTransport
from selo.vendors.resource_limits import Limits
from selo.vendors.sandbox.plausible_world import (
    LARGEST_PIPE,
    draw_world,
    mix_worlds,
    world_at,
)

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


#: What a vendor can ask of a world that no variable tells.
OF_A_WORLD = {
    "host has a number": lambda world: any(map(str.isdigit, world.host)),
    "machine has an identity": lambda world: world.machine,
    "started by the first process": lambda world: not world.is_nested,
    "working folder is told": lambda world: world.tells_folder,
    "a shell waits for its status": lambda world: "$?" in world.launch("x"),
    "clock of the machine is shifted": lambda world: world.uptime,
    "pipes are large": lambda world: world.pipe_bytes == LARGEST_PIPE,
    "first question comes late": lambda world: world.idle,
    "somebody waits now and again": lambda world: world.pauses,
    "number is even": lambda world: (world.earlier_processes + world.is_nested) % 2,
}


@pytest.mark.parametrize("sign", OF_A_WORLD)
def test_every_eight_worlds_have_each_sign_and_lack_it(sign):
    for seed in range(40):
        met = {bool(OF_A_WORLD[sign](world_at(str(seed), number))) for number in range(8)}

        assert met == {True, False}, seed


#: What a process of a server has: signals that it minds, no limit of its time or of its files,
#: accounts that only root may write, a name of the system, and its folders.
AS_ON_A_SERVER = """
set -- $(grep SigIgn /proc/self/status) $(ulimit -t) $(ulimit -f) $(ulimit -n)
test -e /etc/os-release && set -- "$@" release
test -L /etc/localtime && set -- "$@" zone
echo "$* $(stat -c %a /etc/passwd) $(ls -d /opt /var/log)"
"""


@needs_bubblewrap
def test_a_process_has_nothing_that_only_an_examination_sets(tmp_path):
    vendor = ChildTransport(["sh", "-c", AS_ON_A_SERVER], Limits(), Path(tmp_path))

    told = b" ".join(vendor.receive(60) for _ in range(2)).decode()
    vendor.kill()

    zone = "zone " if Path("/etc/localtime").is_symlink() else ""
    assert told == f"SigIgn: {0:016x} unlimited unlimited 1024 release {zone}644 /opt /var/log"


FIRST = """
import os
print(open("/proc/1/cmdline").read().split(chr(0)), os.getppid() == 1, "PWD" in os.environ)
"""


@needs_bubblewrap
@pytest.mark.parametrize("number", [0, 1])
def test_nothing_of_selo_is_read_of_the_process_that_starts_a_vendor(tmp_path, number):
    world = world_at("b", number)
    command = [sys.executable, "-S", "-c", FIRST]
    vendor = ChildTransport(command, Limits(), Path(tmp_path), world=world)

    told = vendor.receive(60).decode()
    vendor.kill()

    first = ["/bin/sh", "-c", world.launch(shlex.join(command)), ""]
    assert told == f"{first} {not world.is_nested} {world.tells_folder}"
    assert world.is_nested is not world_at("b", 1 - number).is_nested


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
