"""The world that a vendor's process finds: user, host, language, time zone, numbers of processes.

It looks like the start of a program on a server, and nothing in it is the same in every run, nor
is the way in which requests are written.
"""

from __future__ import annotations

import random
import shlex
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol.request_spelling import NAME_FORMS, RequestSpelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Each list has an even length, and opposite to each value stands one of another kind.
_USERS: Final = ("dealer", "games", "casino", "svc-table", "app", "tables", "floor", "operator")
_HOSTS: Final = ("table", "game", "floor", "pit", "host", "node", "app", "gs")
#: Languages that may not be installed leave the character set to one that always is.
_LANGUAGES: Final = (
    *({name: "C.UTF-8"} for name in ("LANG", "LC_ALL", "LANG", "LC_ALL")),
    *(
        {"LANG": f"{name}.UTF-8", "LC_CTYPE": "C.UTF-8"}
        for name in ("pt_PT", "zh_HK", "zh_TW", "en_US")
    ),
)
_ZONES: Final = ("Asia/Macau", "Asia/Hong_Kong", "UTC", "Europe/Lisbon")
_TERMINALS: Final = ("xterm", "linux", "dumb", "xterm-256color")
_SHELLS: Final = ("/bin/bash", "/bin/sh", "/usr/sbin/nologin", "/bin/false")
_SYSTEM_PATH: Final = (
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
)  # fmt: skip
_HOMES: Final = ("/home/{user}", "/home/{user}", "/srv/{user}", "/var/lib/{user}")
# The sum of two opposite numbers is odd, so that one of them is even, and one is small.
_UIDS: Final = range(990, 1020)
_HOST_NUMBERS: Final = range(1, 61)
_EARLIER_PROCESSES: Final = (*range(8), *range(32, 40))
#: Minutes and hours, and then months.
_UPTIMES: Final = (
    *(180 * 2**doubled for doubled in range(8)),
    *(86_400 * days for days in range(60, 180, 15)),
)
_IDENTIFIERS: Final = range(1 << 62)
#: Accounts of a system, by number.
_SYSTEM_ACCOUNTS: Final = {"root": 0, "daemon": 1, "bin": 2, "nobody": 65534}
#: Sizes of pipes: the largest that anybody may have, and the usual one.
LARGEST_PIPE: Final = 1 << 20
_PIPES: Final = (LARGEST_PIPE, 1 << 16)
#: Seconds from the start of a process to the first question, in one world of each eight.
_IDLE_SECONDS: Final = 0.8
#: How often it is let wait at most, in a session.
_PAUSES: Final = (0, 4)
#: How a shell starts the vendor; each hands its exit status on.
_LAUNCHERS: Final = (
    "{}; exit $?", "umask 022; {} || exit $?", "{} || exit", "set -e; {}; true",
)  # fmt: skip
_STREAMS: Final = range(10_000, 100_000)
_YES_OR_NO: Final = (True, False)
_HOUR_SECONDS: Final = 3600
#: How many worlds have a variable that some servers have and others lack.
_OFTEN: Final = 0.5
#: Signs are balanced over this many worlds.
_WORLDS_OF_A_SET: Final = 8


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What a vendor's process can see of the machine and user that run it."""

    user: str
    uid: int
    home: str
    host: str
    shell: str
    #: Environment variables besides those that follow from the other fields.
    variables: dict[str, str]
    #: Processes that have come and gone before the vendor's, so that its number varies.
    earlier_processes: int
    #: Seconds by which the machine seems to have been up longer, where that can be arranged. In
    #: half of the worlds it is as long as it is, since the kernel tells whoever asks of a shift.
    uptime: int
    #: The command line of the shell that starts it, and whether another shell stands between.
    launcher: str = _LAUNCHERS[0]
    is_nested: bool = False
    #: Whether a variable tells the working folder.
    tells_folder: bool = True
    #: The identity of the machine; nothing if it has none.
    machine: str = ""
    spelling: RequestSpelling = RequestSpelling()
    pipe_bytes: int = LARGEST_PIPE
    idle: float = 0.0
    pauses: int = 0
    #: Whether it is asked who it is before anything else.
    described_first: bool = True

    def environment(self, program_folders: Sequence[str] = ()) -> dict[str, str]:
        """Return the environment of a process in this world."""
        path = [*program_folders, *(name for name in _SYSTEM_PATH if name not in program_folders)]
        return {"PATH": ":".join(path), **self.variables}

    def launch(self, command: str) -> str:
        """Return what the shell runs that starts a command."""
        kept = command if self.tells_folder else f"unset PWD; {command}"
        inner = self.launcher.replace("{}", kept)
        return f"/bin/sh -c {shlex.quote(inner)} || exit" if self.is_nested else inner

    def account_files(self) -> dict[str, str]:
        """Return the files of accounts and host names, by path."""
        accounts = {**_SYSTEM_ACCOUNTS, self.user: self.uid}
        places = {"root": "/root:/bin/bash", self.user: f"{self.home}:{self.shell}"}
        return {
            "/etc/passwd": "".join(
                f"{name}:x:{uid}:{uid}::{places.get(name, '/:/usr/sbin/nologin')}\n"
                for name, uid in accounts.items()
            ),
            "/etc/group": "".join(f"{name}:x:{gid}:\n" for name, gid in accounts.items()),
            "/etc/hostname": f"{self.host}\n",
            "/etc/hosts": f"127.0.0.1 localhost\n127.0.1.1 {self.host}\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
            **({"/etc/machine-id": f"{self.machine}\n"} if self.machine else {}),
        }


def draw_world() -> World:
    """Return a world at random, in which nobody waits."""
    world = world_at(f"{random.SystemRandom().getrandbits(128)}", 0)
    return msgspec.structs.replace(world, pipe_bytes=LARGEST_PIPE, idle=0.0, pauses=0)


def world_at(seed: str, number: int) -> World:
    """Return one of the worlds of a run.

    In each eight of them every variable is there and is not, and it has two values and no more,
    each of them in worlds with every other sign this way and that: a vendor that goes by one sign,
    or by a variable and its value, meets worlds of either kind.
    """
    chance = random.Random(f"{seed}/{number // _WORLDS_OF_A_SET}")  # noqa: S311 - to be drawn again
    mirrored, other_presence, other_half = (bool(number & 1 << bit) for bit in range(3))

    def pick(values: Sequence[Any]) -> Any:
        """Return one of two values that lie opposite to each other."""
        at = chance.randrange(len(values))
        return values[at if mirrored is other_half else len(values) - 1 - at]

    def decide() -> bool:
        """Return yes or no, in worlds with every picked value."""
        return (chance.random() < _OFTEN) is (mirrored is other_presence)

    user = pick(_USERS)
    home = pick(_HOMES).format(user=user)
    shell = pick(_SHELLS)
    optional = {
        "HOME": home,
        "USER": user,
        "LOGNAME": user,
        "SHELL": shell,
        "TZ": pick(_ZONES),
        "INVOCATION_ID": f"{pick(_IDENTIFIERS):016x}{pick(_IDENTIFIERS):016x}",
        "JOURNAL_STREAM": f"8:{pick(_STREAMS)}",
        "TERM": pick(_TERMINALS),
    }
    present = {name for name in optional if decide()}
    machine = f"{pick(_IDENTIFIERS):016x}{pick(_IDENTIFIERS):016x}"
    number_of_host = f"-{pick(_HOST_NUMBERS):02d}"
    return World(
        user=user,
        uid=pick(_UIDS),
        home=home,
        host=pick(_HOSTS) + (number_of_host if decide() else ""),
        shell=shell,
        variables={
            **pick(_LANGUAGES),
            **{name: value for name, value in optional.items() if name in present},
        },
        earlier_processes=pick(_EARLIER_PROCESSES),
        uptime=(pick(_UPTIMES) + chance.randrange(_HOUR_SECONDS)) * decide(),
        launcher=pick(_LAUNCHERS),
        is_nested=decide(),
        tells_folder=decide(),
        machine=machine if decide() else "",
        spelling=RequestSpelling(
            names=pick(NAME_FORMS),
            spaced=pick(_YES_OR_NO),
            turned=pick(_YES_OR_NO),
            order=number % _WORLDS_OF_A_SET // 2,
        ),
        described_first=pick(_YES_OR_NO),
        pipe_bytes=pick(_PIPES),
        idle=_IDLE_SECONDS * (chance.randrange(_WORLDS_OF_A_SET) == number % _WORLDS_OF_A_SET),
        pauses=pick(_PAUSES) * decide(),
    )


def opposite_world(number: int) -> int:
    """Return the number of the world in which every sign has its other value."""
    return number ^ 1


def mix_worlds(world: World, other: World) -> Iterator[tuple[str, World]]:
    """Yield, for each sign in which two worlds differ, the first with that sign of the second."""
    for name in World.__struct_fields__:
        if name != "variables" and getattr(world, name) != getattr(other, name):
            yield name, msgspec.structs.replace(world, **{name: getattr(other, name)})
    for name in sorted(world.variables.keys() | other.variables.keys()):
        if world.variables.get(name) != other.variables.get(name):
            mixed = {key: value for key, value in world.variables.items() if key != name}
            if name in other.variables:
                mixed[name] = other.variables[name]
            yield name, msgspec.structs.replace(world, variables=mixed)
