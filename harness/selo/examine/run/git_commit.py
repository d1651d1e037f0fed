"""The commit of the checkout from which Selo runs, read from the files of git.

The tool digest identifies the program; the commit only says where to find its source. Two commits
may hold the same program, and an installed package has no commit, so the commit stands in the log
of a run and neither in the plan nor in the evidence.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import selo

_HASH: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
#: Where the package lies in a checkout.
_SOURCE: Final = "harness"


@cache
def read_commit() -> str | None:
    """Return the commit of the checkout that holds this program; none if it is installed."""
    package = Path(selo.__file__).resolve().parent
    if package.parent.name != _SOURCE:
        return None
    return commit_of_checkout(package.parent.parent)


def commit_of_checkout(checkout: Path) -> str | None:
    """Return the commit that is checked out in a folder; none if that cannot be read."""
    try:
        return _read_head(checkout)
    except (OSError, UnicodeDecodeError):
        return None


def _read_head(checkout: Path) -> str | None:
    git = checkout / ".git"
    if git.is_file():
        # In a linked worktree, .git is a file that names the worktree's own folder.
        git = checkout / _read_text(git).removeprefix("gitdir:").strip()
    head = _read_text(git / "HEAD")
    name = head.removeprefix("ref:").strip()
    if name == head:
        return _as_hash(head)
    common = git / _read_text(git / "commondir") if (git / "commondir").is_file() else git
    for folder in (git, common):
        if (folder / name).is_file():
            return _as_hash(_read_text(folder / name))
    packed = common / "packed-refs"
    lines = _read_text(packed).splitlines() if packed.is_file() else []
    hashes = (line.removesuffix(name).strip() for line in lines if line.endswith(f" {name}"))
    return next(map(_as_hash, hashes), None)


def _read_text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def _as_hash(text: str) -> str | None:
    return text if _HASH.fullmatch(text) else None
