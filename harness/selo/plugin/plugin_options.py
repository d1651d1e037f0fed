"""The options of the plugin: those of ``selo examine`` with the prefix ``selo-``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

VENDOR_OPTION: Final = "--selo-vendor"
OUT_OPTION: Final = "--selo-out"
LANG_OPTION: Final = "--selo-lang"
GAME_OPTION: Final = "--selo-game"
PROVISION_OPTION: Final = "--selo-provision"
AT_LEAST_OPTION: Final = "--selo-at-least"
#: Options passed on to ``selo examine``: single ones, and repeatable ones.
SINGLE_OPTIONS: Final = (
    *("folder", "budget", "rulings", "as-of", "edition", "seed", "seal", "processes"),
    *("time-limit", "total-limit", "memory-limit", "grace-limit"),
    *("draws", "rounds", "cluster", "cluster-keys", "since", "signers"),
    *("submission", "registry", "registry-policy"),
)
REPEATABLE_OPTIONS: Final = (
    *("game", "provision", "ruling", "witness", "permission", "trust", "crl", "visible", "par"),
)
#: Options without a value.
FLAG_OPTIONS: Final = ("text-as-stored",)
_HELP_FLAGS: Final = frozenset({"-h", "--help"})


def add_options(parser: pytest.Parser) -> None:
    """Add all options."""
    group = parser.getgroup("selo", _option_help("group"))
    group.addoption(VENDOR_OPTION, metavar="VENDOR", help=_option_help("vendor"))
    group.addoption(OUT_OPTION, metavar="DIR", help=_option_help("out"))
    group.addoption(LANG_OPTION, choices=["pt", "zh", "en"], help=_option_help("lang"))
    group.addoption(
        AT_LEAST_OPTION, type=int, default=1, metavar="N", help=_option_help("at-least")
    )
    for name in SINGLE_OPTIONS:
        group.addoption(f"--selo-{name}", metavar="VALUE", help=_option_help("as", name))
    for name in FLAG_OPTIONS:
        group.addoption(f"--selo-{name}", action="store_true", help=_option_help("as", name))
    for name in REPEATABLE_OPTIONS:
        group.addoption(
            f"--selo-{name}", action="append", metavar="VALUE", help=_option_help("as", name)
        )


def examine_arguments(config: pytest.Config) -> list[str]:
    """Return the given options as arguments of ``selo examine``."""
    arguments = []
    for name in SINGLE_OPTIONS:
        value = config.getoption(f"--selo-{name}")
        arguments += [f"--{name}", value] if value else []
    arguments += [f"--{name}" for name in FLAG_OPTIONS if config.getoption(f"--selo-{name}")]
    for name in REPEATABLE_OPTIONS:
        for value in config.getoption(f"--selo-{name}") or []:
            arguments += [f"--{name}", value]
    return arguments


def _option_help(key: str, option: str = "") -> str:
    """Return the help of an option; messages are read only if help is requested."""
    if not _HELP_FLAGS & set(sys.argv):
        return ""
    from selo.cli.output.language_choice import DEFAULT, environment_language  # noqa: PLC0415 - only for the help
    from selo.text import say  # noqa: PLC0415 - the same

    return say(f"plugin.help.{key}", environment_language() or DEFAULT, option=option)
