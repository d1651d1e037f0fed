"""The filter of system calls, run on calls: what it refuses, and that it refuses nothing else."""

import errno
import re
import struct
from pathlib import Path

import pytest

from selo.vendors.sandbox import seccomp_filter
from selo.vendors.sandbox.seccomp_filter import compile_filter

#: The kernel's own lists of numbers, by machine.
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = sorted(HEADERS)


def judge(program, number, *arguments, architecture):
    """Run a filter as the kernel does, and return its decision."""
    words = [value & 0xFFFFFFFFFFFFFFFF for value in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number, architecture, 0, *words)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = loaded = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return value
        else:
            passed = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}
            at += if_true if passed[code] else if_false


def decide(machine, number, *arguments):
    program = compile_filter(machine)
    return judge(program, number, *arguments, architecture=ARCHITECTURES[machine])


def numbers_of_kernel(machine):
    path = HEADERS[machine]
    if not path.is_file():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"#define __NR3?_?(?:264_)?(\w+)\s+(\d+)", path.read_text())
    return {name: int(number) for name, number in found}


def refused_calls():
    return {**seccomp_filter.FORBIDDEN_CALLS, **seccomp_filter.ABSENT_CALLS}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_refused_call_has_the_number_that_the_kernel_gives_it(machine):
    known = numbers_of_kernel(machine)
    column = ["x86_64", "aarch64"].index(machine)

    ours = {name: numbers[column] for name, numbers in refused_calls().items()}

    assert {name: number for name, number in ours.items() if name in known} == {
        name: known[name] for name in ours if name in known
    }
    assert len(ours.keys() & known.keys()) > 40


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_refused_that_is_not_listed(machine):
    column = ["x86_64", "aarch64"].index(machine)
    listed = {numbers[column] for numbers in refused_calls().values()}
    some = {numbers[column] for numbers in (
        seccomp_filter.SOCKET, seccomp_filter.CLONE, seccomp_filter.UNSHARE,
        seccomp_filter.IOCTL, seccomp_filter.SOCKET_PAIR, seccomp_filter.SET_OPTION,
    )}  # fmt: skip

    refused = {number for number in range(600) if decide(machine, number) != ALLOW}

    assert refused - some == listed - {None}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_another_architecture_ends_the_process(machine):
    assert judge(compile_filter(machine), 0, architecture=0x40000003) == KILL


def test_calls_of_the_x32_table_do_not_exist():
    assert decide("x86_64", 0x40000000 | 41, 1) == 0x50000 | errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_only_sockets_that_a_network_namespace_holds_can_be_made(machine):
    number = seccomp_filter.SOCKET[["x86_64", "aarch64"].index(machine)]

    allowed = {family for family in range(64) if decide(machine, number, family) == ALLOW}

    assert allowed == {2, 10, 16}


@pytest.mark.parametrize("machine", MACHINES)
def test_no_pair_of_sockets_can_send_to_a_name(machine):
    number = seccomp_filter.SOCKET_PAIR[["x86_64", "aarch64"].index(machine)]
    flags = 0o2004000

    allowed = {one for one in range(6) if decide(machine, number, 1, one | flags) == ALLOW}

    assert allowed == {0, 1, 4, 5}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_socket_copies_what_it_sends(machine):
    number = seccomp_filter.SET_OPTION[["x86_64", "aarch64"].index(machine)]

    refused = {one for one in range(80) if decide(machine, number, 3, 1, one) != ALLOW}

    assert refused == {60}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("bit", range(32))
def test_no_flag_makes_a_namespace(machine, bit):
    clone = seccomp_filter.CLONE[["x86_64", "aarch64"].index(machine)]
    is_namespace = bit in {17, 25, 26, 27, 28, 29, 30}

    assert (decide(machine, clone, 1 << bit) != ALLOW) is is_namespace


def test_a_machine_whose_calls_are_not_listed_has_no_filter():
    assert compile_filter("vax") is None
