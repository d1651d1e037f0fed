"""Options that name a vendor, its limits, its games and the readings, resolved to values."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.examine.exchange import VendorEndpoint
from selo.rules.checks import list_games
from selo.text import user_error
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.sandbox import Room
from selo.vendors.vendor_address import connect
from selo.verdict.rulings import RulingSource, adopt_rulings, list_recorded

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from selo.law import Law
    from selo.vendors.resource_limits import Limits
    from selo.vendors.session import Session
    from selo.verdict.rulings import Ruling, Rulings

_MEBIBYTE: Final = 1 << 20
#: Options that name what no vendor may read: evidence, seal, keys and passphrases.
_SECRET_OPTIONS: Final = ("out", "seal", "p12", "passphrase_file")
#: Typed in place of a file of rulings: adopt the register's defaults.
_DEFAULTS: Final = "defaults"


def limits_of(arguments: argparse.Namespace) -> Limits:
    """Return the resource limits."""
    wanted: dict[str, Any] = {}
    if arguments.time_limit is not None:
        wanted |= {"request": arguments.time_limit, "start": arguments.time_limit}
    if arguments.total_limit is not None:
        wanted["total"] = arguments.total_limit
    if arguments.grace_limit is not None:
        wanted["grace"] = arguments.grace_limit
    if arguments.memory_limit is not None:
        wanted["memory"] = arguments.memory_limit * _MEBIBYTE
    if any(value <= 0 for value in wanted.values()):
        raise user_error("limit")
    return msgspec.structs.replace(DEFAULT_LIMITS, **wanted)


def open_session(arguments: argparse.Namespace) -> Session:
    """Start the vendor and return a session with it."""
    return connect(
        arguments.vendor, limits_of(arguments), folder_of(arguments), room=room_of(arguments)
    )


def endpoint_of(arguments: argparse.Namespace) -> VendorEndpoint:
    """Return the vendor as the command line names it."""
    return VendorEndpoint(
        arguments.vendor, limits_of(arguments), folder_of(arguments), room=room_of(arguments)
    )


def room_of(arguments: argparse.Namespace) -> Room:
    """Return what the vendor's process may see, and what of ours lies where it could."""
    visible = [Path(name).absolute() for name in getattr(arguments, "visible", None) or []]
    for path in visible:
        if not path.exists():
            raise user_error("visible", path=path)
    hidden = [getattr(arguments, name, None) for name in _SECRET_OPTIONS]
    return Room(
        whole_folder=arguments.folder is not None,
        visible=tuple(map(str, visible)),
        hidden=tuple(str(Path(name).absolute()) for name in hidden if isinstance(name, str)),
    )


def folder_of(arguments: argparse.Namespace) -> Path:
    """Return the folder of the vendor."""
    folder = Path.cwd() if arguments.folder is None else Path(arguments.folder).absolute()
    if not folder.is_dir():
        raise user_error("folder", folder=folder)
    return folder


def games_of(arguments: argparse.Namespace, law: Law) -> list[str] | None:
    """Return the games that are typed, or None for all."""
    if arguments.game is None:
        return None
    for name in arguments.game:
        if name not in list_games(law):
            raise user_error("game", name=name, known=", ".join(list_games(law)))
    return list(arguments.game)


def choose_rulings(
    arguments: argparse.Namespace, law: Law, permitted: Iterable[Ruling] = ()
) -> Rulings:
    """Return the readings adopted: typed, from a file, the defaults, or permitted by signature.

    Rulings by which nothing is examined are told on the error stream.
    """
    rulings = read_rulings(arguments, law, permitted)
    games = getattr(arguments, "game", None)
    chosen = [games] if isinstance(games, str) else games
    for recorded in list_recorded(law, rulings, chosen):
        if recorded.source is not RulingSource.DEFAULTS:
            print(recorded.describe(arguments.lang), file=sys.stderr)
    return rulings


def read_rulings(
    arguments: argparse.Namespace, law: Law, permitted: Iterable[Ruling] = ()
) -> Rulings:
    """Return the readings adopted, as `choose_rulings` does, and tell nothing."""
    given = {}
    for written in arguments.ruling or []:
        name, equals, reading = written.partition("=")
        if not equals:
            raise user_error("ruling", given=written)
        given[name] = reading
    if arguments.rulings == _DEFAULTS:
        return adopt_rulings(law, given, defaults=True, permitted=permitted)
    path = None if arguments.rulings is None else Path(arguments.rulings)
    return adopt_rulings(law, given, path=path, permitted=permitted)
