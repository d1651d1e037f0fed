"""The system calls that a vendor's process may not make, as a seccomp program for bubblewrap.

1. A call of another architecture ends the process; one of the x32 table does not exist.
2. A refused call fails with its error number: EPERM where a program can only give up, ENOSYS where
   its libraries have an older way (`clone3`, `memfd_create`).
3. Calls that are refused for some arguments only come last, because looking at an argument loses
   the number of the call: sockets of families that a network namespace does not hold, pairs of
   datagram sockets, each of which can still send to any name, namespaces, typing into a terminal,
   and keeping pages in a socket.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOAD: Final = 0x20
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_RETURN: Final = 0x06
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
#: Offsets in the data of a call: its number, its architecture, the low half of its arguments.
_NUMBER, _ARCHITECTURE = 0, 4
_ARGUMENTS: Final = (16, 24, 32)
_X32_BIT: Final = 0x40000000
#: Values of AUDIT_ARCH by machine.
_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_MACHINES: Final = tuple(_ARCHITECTURES)

#: The numbers of each refused call on x86_64 and aarch64; None where a machine has no such call.
FORBIDDEN_CALLS: Final[dict[str, tuple[int | None, int | None]]] = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "setns": (308, 268), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "syslog": (103, 116), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "fanotify_init": (300, 262),
    "iopl": (172, None), "ioperm": (173, None), "vhangup": (153, 58),
    # A list of access rights is 64 KiB beside a file without content.
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
}  # fmt: skip
#: Calls whose callers fall back on another that is inspected or counted.
ABSENT_CALLS: Final[dict[str, tuple[int | None, int | None]]] = {
    "clone3": (435, 435), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # What the kernel keeps for them is counted nowhere: 32,000 semaphores are two megabytes.
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
    # A byte in a pipe, or in a socket by SO_ZEROCOPY, keeps two megabytes that are unmapped.
    "vmsplice": (278, 75),
    # A rule for each file of the system is memory as well.
    "landlock_create_ruleset": (444, 444),
}  # fmt: skip
SOCKET, CLONE, UNSHARE, IOCTL = (41, 198), (56, 220), (272, 97), (16, 29)
SOCKET_PAIR, SET_OPTION = (53, 199), (54, 208)
#: AF_INET, AF_INET6 and AF_NETLINK belong to the network namespace. UNIX sockets may be pairs only.
_SOCKET_FAMILIES: Final = (2, 10, 16)
#: SOCK_DGRAM and SOCK_RAW have this bit, SOCK_STREAM and SOCK_SEQPACKET do not.
_DATAGRAMS: Final = 0x2
#: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
_NEW_NAMESPACES: Final = 0x7E020000
#: CLONE_NEWTIME, which for clone(2) is a part of the signal number.
_NEW_TIME: Final = 0x80
#: TIOCSTI and TIOCLINUX type into a terminal.
_TERMINAL_INPUT: Final = (0x5412, 0x541C)
#: SO_ZEROCOPY.
_KEPT_PAGES: Final = (60,)


def compile_filter(machine: str | None = None) -> bytes | None:
    """Return the filter as BPF instructions, or None for a machine whose calls are not listed."""
    name = machine or platform.machine()
    if name not in _ARCHITECTURES:
        return None
    column = _MACHINES.index(name)
    parts = [
        _step(_LOAD, _ARCHITECTURE), *_unless_equal(_ARCHITECTURES[name], _KILL),
        _step(_LOAD, _NUMBER),
        *_when(_AT_LEAST, _X32_BIT, _FAIL | errno.ENOSYS),
    ]  # fmt: skip
    for table, error in ((FORBIDDEN_CALLS, errno.EPERM), (ABSENT_CALLS, errno.ENOSYS)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                parts += _when(_EQUAL, number, _FAIL | error)
    checks = (
        (SOCKET, _check_families()),
        (SOCKET_PAIR, _check_bits(_DATAGRAMS, argument=1)),
        (CLONE, _check_bits(_NEW_NAMESPACES)),
        (UNSHARE, _check_bits(_NEW_NAMESPACES | _NEW_TIME)),
        (IOCTL, _check_values(_TERMINAL_INPUT, argument=1)),
        (SET_OPTION, _check_values(_KEPT_PAGES, argument=2)),
    )
    for numbers, body in checks:
        parts += [_step(_EQUAL, numbers[column], 0, len(body)), *body]
    return b"".join([*parts, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _when(test: int, value: int, result: int) -> list[bytes]:
    """Return `result` where the loaded value passes a test."""
    return [_step(test, value, 0, 1), _step(_RETURN, result)]


def _unless_equal(value: int, result: int) -> list[bytes]:
    return [_step(_EQUAL, value, 1, 0), _step(_RETURN, result)]


def _check_families() -> list[bytes]:
    allowed = [part for family in _SOCKET_FAMILIES for part in _when(_EQUAL, family, _ALLOW)]
    return [_step(_LOAD, _ARGUMENTS[0]), *allowed, _step(_RETURN, _FAIL | errno.EACCES)]


def _check_bits(bits: int, *, argument: int = 0) -> list[bytes]:
    refused = _when(_ANY_BIT, bits, _FAIL | errno.EPERM)
    return [_step(_LOAD, _ARGUMENTS[argument]), *refused, _step(_RETURN, _ALLOW)]


def _check_values(values: Sequence[int], *, argument: int) -> list[bytes]:
    refused = [part for value in values for part in _when(_EQUAL, value, _FAIL | errno.EPERM)]
    return [_step(_LOAD, _ARGUMENTS[argument]), *refused, _step(_RETURN, _ALLOW)]
