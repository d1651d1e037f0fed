"""What the machine has: programs, libraries, room, time."""

from __future__ import annotations

import ctypes.util
import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import selo
from selo.cli.doctor.doctor_check import Check, absent, good, lacking

if TYPE_CHECKING:
    from collections.abc import Iterator

_OLDEST: Final = (3, 11)
_GIBIBYTE: Final = 1 << 30
#: An examination in full with its evidence stays below this.
_ROOM: Final = 1
_SECONDS: Final = 10
_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)*")
#: Programs, by the name of the check: any of the commands will do.
_PROGRAMS: Final[dict[str, tuple[str, ...]]] = {
    "poppler": ("pdfsig", "pdftoppm"),
    "qpdf": ("qpdf",),
    "openssl": ("openssl",),
    "java": ("java",),
    "verapdf": ("verapdf",),
    "softhsm": ("softhsm2-util",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "node": ("node",),
    "cc": ("cc", "gcc", "clang"),
    "rust": ("rustc",),
}
#: How each program is asked for its version, if not by --version.
_ASKED: Final = {"openssl": "version", "pdfsig": "-v", "pdftoppm": "-v"}
#: Libraries of the system that lay out documents.
_LIBRARIES: Final[dict[str, tuple[str, ...]]] = {
    "pango": ("pango-1.0", "pangoft2-1.0", "harfbuzz"),
    "harfbuzz-subset": ("harfbuzz-subset",),
}


def python() -> Check:
    """Look at the interpreter."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return good("python", version) if sys.version_info >= _OLDEST else lacking("python", version)


def letters() -> Check:
    """Look whether Chinese can be printed."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return good("letters", "UTF-8") if encoding == "utf8" else absent("letters", encoding)


def libraries() -> Iterator[Check]:
    """Look for the libraries that lay out documents."""
    for name, needed in _LIBRARIES.items():
        missing = [one for one in needed if ctypes.util.find_library(one) is None]
        yield absent(name, ", ".join(missing)) if missing else good(name)


def programs() -> Iterator[Check]:
    """Look for the programs that some things need."""
    for name, commands in _PROGRAMS.items():
        path = next(filter(None, map(shutil.which, commands)), None)
        yield absent(name) if path is None else good(name, _version(path))


def _version(path: str) -> str:
    asked = _ASKED.get(Path(path).name, "--version")
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, asked for its version
            [path, asked],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return path
    found = _VERSION.search((done.stdout + done.stderr).decode(errors="replace"))
    return path if found is None else found[0]


def room() -> Check:
    """Look at the free space where commands leave their evidence."""
    free = shutil.disk_usage(Path.cwd()).free
    found = f"{free / _GIBIBYTE:.1f} GiB"
    writable = os.access(Path.cwd(), os.W_OK)
    return good("room", found) if free >= _ROOM * _GIBIBYTE and writable else absent("room", found)


def clock() -> Check:
    """Look whether the clock can be right: no file of ours was written in the future."""
    now = dt.datetime.now(dt.UTC)
    found = now.astimezone().isoformat(timespec="minutes")
    written = dt.datetime.fromtimestamp(Path(selo.__file__).stat().st_mtime, dt.UTC)
    return good("clock", found) if now >= written else lacking("clock", found)
