"""The world that a vendor's process finds: user, host, language, time zone, numbers of processes.

It looks like the start of a program on a server, and nothing in it is the same in every run.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

_USERS: Final = ("dealer", "games", "casino", "svc-table", "app", "tables", "floor", "operator")
_HOSTS: Final = ("table", "game", "floor", "pit", "srv", "node", "app", "gs")
#: Languages that may not be installed leave the character set to one that always is.
_LANGUAGES: Final = (
    {"LANG": "C.UTF-8"},
    {"LC_ALL": "C.UTF-8"},
    *(
        {"LANG": f"{name}.UTF-8", "LC_CTYPE": "C.UTF-8"}
        for name in ("pt_PT", "zh_HK", "zh_TW", "en_US")
    ),
)
_ZONES: Final = ("Asia/Macau", "Asia/Hong_Kong", "UTC", "Europe/Lisbon", "Asia/Shanghai", None)
_SHELLS: Final = ("/bin/bash", "/bin/sh", "/usr/sbin/nologin")
_SYSTEM_PATH: Final = (
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
)
_HOMES: Final = ("/home/{user}", "/srv/{user}", "/var/lib/{user}")
_FIRST_UID, _LAST_UID = 990, 1020
_MOST_EARLIER_PROCESSES: Final = 24
_MOST_HOSTS: Final = 60
_MOST_DAYS: Final = 90
_DAY_SECONDS: Final = 86_400
#: How many worlds have a variable that some servers have and others lack.
_OFTEN: Final = 0.5


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
    #: Seconds by which the machine seems to have been up longer, where that can be arranged.
    uptime: int

    def environment(self, program_folders: Sequence[str] = ()) -> dict[str, str]:
        """Return the environment of a process in this world."""
        path = [*program_folders, *(name for name in _SYSTEM_PATH if name not in program_folders)]
        return {"PATH": ":".join(path), **self.variables}

    def account_files(self) -> dict[str, str]:
        """Return the files of accounts and host names, by path."""
        account = f"{self.user}:x:{self.uid}:{self.uid}::{self.home}:{self.shell}\n"
        return {
            "/etc/passwd": f"root:x:0:0:root:/root:/bin/bash\n{account}",
            "/etc/group": f"root:x:0:\n{self.user}:x:{self.uid}:\n",
            "/etc/hostname": f"{self.host}\n",
            "/etc/hosts": f"127.0.0.1 localhost\n127.0.1.1 {self.host}\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
        }


def draw_world(source: random.Random | None = None) -> World:
    """Return a world, at random or from a source of chance."""
    chance = source or random.SystemRandom()
    user = chance.choice(_USERS)
    home = chance.choice(_HOMES).format(user=user)
    shell = chance.choice(_SHELLS)
    variables = dict(chance.choice(_LANGUAGES))
    zone = chance.choice(_ZONES)
    if zone is not None:
        variables["TZ"] = zone
    optional = {
        "HOME": home,
        "USER": user,
        "LOGNAME": user,
        "SHELL": shell,
        "INVOCATION_ID": f"{chance.getrandbits(128):032x}",
        "JOURNAL_STREAM": f"8:{chance.randrange(10_000, 99_999)}",
        "TERM": "xterm",
    }
    variables |= {name: value for name, value in optional.items() if chance.random() < _OFTEN}
    return World(
        user=user,
        uid=chance.randint(_FIRST_UID, _LAST_UID),
        home=home,
        host=f"{chance.choice(_HOSTS)}-{chance.randint(1, _MOST_HOSTS):02d}",
        shell=shell,
        variables=variables,
        earlier_processes=chance.randint(0, _MOST_EARLIER_PROCESSES),
        uptime=chance.randint(0, _MOST_DAYS * _DAY_SECONDS),
    )
