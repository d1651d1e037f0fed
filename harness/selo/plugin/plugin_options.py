"""The options of the plugin; each means what that of ``selo examine`` means, without ``selo-``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

VENDOR: Final = "--selo-vendor"
OUT: Final = "--selo-out"
LANG: Final = "--selo-lang"
GAME: Final = "--selo-game"
PROVISION: Final = "--selo-provision"
#: Options that are handed on to ``selo examine`` as they are, once or as often as they are given.
ONE: Final = (
    *("folder", "budget", "rulings", "as-of", "seed", "seal", "processes"),
    *("time-limit", "total-limit", "memory-limit", "grace-limit"),
)
MANY: Final = ("game", "provision", "ruling", "witness", "permission", "trust", "crl")
_HELP: Final = frozenset({"-h", "--help"})


def add_options(parser: pytest.Parser) -> None:
    """Add them all."""
    group = parser.getgroup("selo", _help("group"))
    group.addoption(VENDOR, metavar="VENDOR", help=_help("vendor"))
    group.addoption(OUT, metavar="DIR", help=_help("out"))
    group.addoption(LANG, choices=["pt", "zh", "en"], help=_help("lang"))
    for name in ONE:
        group.addoption(f"--selo-{name}", metavar="VALUE", help=_help("as", name))
    for name in MANY:
        group.addoption(f"--selo-{name}", action="append", metavar="VALUE", help=_help("as", name))


def given_options(config: pytest.Config) -> list[str]:
    """Return what was given, as ``selo examine`` takes it."""
    words = []
    for name in ONE:
        value = config.getoption(f"--selo-{name}")
        words += [f"--{name}", value] if value else []
    for name in MANY:
        for value in config.getoption(f"--selo-{name}") or []:
            words += [f"--{name}", value]
    return words


def _help(key: str, option: str = "") -> str:
    """Return what an option is for; its words are read only where somebody asks for the help."""
    if not _HELP & set(sys.argv):
        return ""
    from selo.cli.output.language_choice import DEFAULT, environment_language  # noqa: PLC0415 - only for the help
    from selo.text.message_catalogue import say  # noqa: PLC0415 - the same

    return say(f"plugin.help.{key}", environment_language() or DEFAULT, option=option)
