"""Where the law and the words lie: inside the installed package, or in the checkout beside it."""

from __future__ import annotations

from pathlib import Path

from selo.errors import DataMissing

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the data folder `name`, such as ``specs`` or ``bilingual``."""
    packaged = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent.parent / name
    for candidate in (packaged, checkout):
        if candidate.is_dir():
            return candidate
    raise DataMissing(folder=name, looked_in=(packaged, checkout))
