"""Checks of the machine: interpreter, libraries, programs, disk space, clock."""

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
from selo.cli.doctor.doctor_check import DoctorCheck, report_absent, report_good, report_wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

_OLDEST_PYTHON: Final = (3, 11)
_GIBIBYTE: Final = 1 << 30
#: A full examination with its evidence needs less.
_NEEDED_GIBIBYTES: Final = 1
_TIMEOUT_SECONDS: Final = 10
_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)*")
#: Alternative commands of each program, by the name of the check.
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
#: The option that prints the version, where it is not --version.
_VERSION_OPTIONS: Final = {"openssl": "version", "pdfsig": "-v", "pdftoppm": "-v"}
#: System libraries for page layout.
_LIBRARIES: Final[dict[str, tuple[str, ...]]] = {
    "pango": ("pango-1.0", "pangoft2-1.0", "harfbuzz"),
    "harfbuzz-subset": ("harfbuzz-subset",),
}


def check_python() -> DoctorCheck:
    """Check the version of Python."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return (
        report_good("python", version)
        if sys.version_info >= _OLDEST_PYTHON
        else report_wrong("python", version)
    )


def check_encoding() -> DoctorCheck:
    """Check that Chinese can be printed."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return (
        report_good("letters", "UTF-8")
        if encoding == "utf8"
        else report_absent("letters", encoding)
    )


def check_libraries() -> Iterator[DoctorCheck]:
    """Check the libraries for page layout."""
    for name, needed in _LIBRARIES.items():
        missing = [library for library in needed if ctypes.util.find_library(library) is None]
        yield report_absent(name, ", ".join(missing)) if missing else report_good(name)


def check_programs() -> Iterator[DoctorCheck]:
    """Check the programs that some features need."""
    for name, commands in _PROGRAMS.items():
        path = next(filter(None, map(shutil.which, commands)), None)
        yield report_absent(name) if path is None else report_good(name, _read_version(path))


def _read_version(path: str) -> str:
    option = _VERSION_OPTIONS.get(Path(path).name, "--version")
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, asked for its version
            [path, option],
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return path
    version = _VERSION.search((done.stdout + done.stderr).decode(errors="replace"))
    return path if version is None else version[0]


def check_disk_space() -> DoctorCheck:
    """Check the free disk space in the working folder."""
    free = shutil.disk_usage(Path.cwd()).free
    size = f"{free / _GIBIBYTE:.1f} GiB"
    writable = os.access(Path.cwd(), os.W_OK)
    return (
        report_good("room", size)
        if free >= _NEEDED_GIBIBYTES * _GIBIBYTE and writable
        else report_absent("room", size)
    )


def check_clock() -> DoctorCheck:
    """Check that the clock is not behind the date of Selo's own files."""
    now = dt.datetime.now(dt.UTC)
    time = now.astimezone().isoformat(timespec="minutes")
    written = dt.datetime.fromtimestamp(Path(selo.__file__).stat().st_mtime, dt.UTC)
    return report_good("clock", time) if now >= written else report_wrong("clock", time)
