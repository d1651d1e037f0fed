"""Programs of others by which tests judge, and the Debian packages that bring them.

Run as a script, this is ``make tools``: it installs what is missing where it may, and says loudly
what stays missing. It needs nothing but Python itself, because it runs beside ``pip``.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

#: Each program, and the packages that bring it.
PACKAGES = {
    "cc": "gcc libc6-dev",
    "chromium": "chromium",
    "fish": "fish",
    "java": "default-jdk-headless",
    "javac": "default-jdk-headless",
    "node": "nodejs",
    "openssl": "openssl",
    "initdb": "postgresql",
    "pdffonts": "poppler-utils",
    "pdfsig": "poppler-utils",
    "pdftotext": "poppler-utils",
    "qpdf": "qpdf",
    "rustc": "rustc",
    "softhsm2-util": "softhsm2",
    "zbarimg": "zbar-tools",
    "zsh": "zsh",
    "zstd": "zstd",
}
#: What only the slow proofs need: nobody installs it for them.
PROOFS = {"debootstrap": "debootstrap", "npm": "npm"}
#: Why a program cannot be had on this machine, as the last ``make tools`` found.
REFUSED = Path(__file__).resolve().parent.parent / ".venv" / "tools-refused.json"
APT = [
    "apt-get", "--yes", "-qq", "--no-install-recommends",
    "-o", "DPkg::Lock::Timeout=300", "-o", "APT::Update::Error-Mode=any",
]  # fmt: skip


def where(tool):
    """Return the path of a program, or nothing; Debian keeps those of PostgreSQL by version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(tool) or shutil.which(tool, path=os.pathsep.join(map(str, versions)))


@functools.cache
def have(tool):
    """Return whether a program is there and runs: rustc may stand there without its toolchain."""
    if where(tool) is None:
        return False
    return tool != "rustc" or not _run([tool, "--version"])


def refused():
    """Return why programs cannot be had here, each by its name."""
    return json.loads(REFUSED.read_text(encoding="utf-8")) if REFUSED.exists() else {}


def packages(tools):
    """Return the packages that bring some programs, each once."""
    return sorted({word for tool in tools for word in (PACKAGES | PROOFS)[tool].split()})


def install(missing):
    """Install programs, and return why those that stay missing cannot be had here."""
    if shutil.which("apt-get") is None:
        return dict.fromkeys(missing, "this machine has no apt-get")
    asked = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if asked and (shutil.which("sudo") is None or _run([*asked, "true"])):
        # They could be had: whoever runs the tests is told how, and a CI does not go on without.
        return {}
    apt = [*asked, "env", "DEBIAN_FRONTEND=noninteractive", *APT]
    if not _run([*apt, "install", *packages(missing)]):
        return {}
    if _run([*apt, "update"]):
        return dict.fromkeys(missing, "the package registry does not answer")
    unknown = [tool for tool in missing if _run(["apt-cache", "show", *packages([tool])])]
    known = [tool for tool in missing if tool not in unknown]
    if known:
        _run([*apt, "install", *packages(known)])
    return dict.fromkeys(unknown, "the package registry does not have it")


def _run(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode


def main():
    missing = [tool for tool in PACKAGES if not have(tool)]
    if missing:
        print(f"tools: tests judge by {', '.join(missing)}; apt-get install", *packages(missing))
        sys.stdout.flush()
    why = install(missing) if missing else {}
    REFUSED.parent.mkdir(exist_ok=True)
    REFUSED.write_text(json.dumps(why, indent=2) + "\n", encoding="utf-8")
    have.cache_clear()
    for tool in missing:
        if not have(tool):
            reason = why.get(tool, f"run as root: apt-get install {PACKAGES[tool]}")
            print(f"tools: *** NO {tool}, its tests will be skipped: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
