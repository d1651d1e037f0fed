"""Selects the provisions that become tests, by command line and settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from selo.cli.output.project_settings import find_settings
from selo.errors import SeloError
from selo.plugin.plugin_options import GAME_OPTION, PROVISION_OPTION
from selo.text import say

if TYPE_CHECKING:
    from selo.law import Law, LocatedProvision

#: Separates the parts of a test id.
_ID_SEPARATOR: Final = "::"


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """The provisions selected for this run."""

    provisions: list[LocatedProvision]
    #: The settings file, and the games that it leaves out.
    settings: str
    left_out: list[str]


def select_provisions(config: pytest.Config, law: Law, language: str) -> Selection:
    """Return the requested provisions; their test ids are removed from the arguments."""
    games = [folder.instrument.game for folder in law.folders]
    for name in config.getoption(GAME_OPTION) or ():
        if name not in games:
            slots = {"option": GAME_OPTION, "name": name, "known": ", ".join(games)}
            raise pytest.UsageError(say("plugin.no-game", language, **slots))
    for name in config.getoption(PROVISION_OPTION) or ():
        if name not in law.provisions:
            raise pytest.UsageError(say("plugin.no-provision", language, name=name))
    try:
        settings = find_settings([])
    except SeloError as error:
        raise pytest.UsageError(error.in_language(language)) from error
    configured = None if settings is None else settings.settings.games
    wanted = config.getoption(GAME_OPTION) or configured or games
    left_out = (
        [] if config.getoption(GAME_OPTION) else [game for game in games if game not in wanted]
    )
    provisions = config.getoption(PROVISION_OPTION) or law.provisions
    named, explicit = _named_provisions(config, law, language)
    return Selection(
        # A provision named by id is never dropped silently: its test says why it is skipped.
        provisions=[
            located
            for located in law.provisions.values()
            if (located.id in named)
            or (not explicit and located.instrument.game in wanted and located.id in provisions)
        ],
        settings="" if settings is None else settings.path.name,
        left_out=left_out,
    )


def _named_provisions(config: pytest.Config, law: Law, language: str) -> tuple[set[str], bool]:
    """Return the provisions named by arguments, and whether arguments name single tests."""
    instruments = {folder.instrument.id for folder in law.folders}
    by_id = {
        f"{located.instrument.id}{_ID_SEPARATOR}{item_name(located)}": located.id
        for located in law.provisions.values()
    }
    named: set[str] = set()
    others: list[str] = []
    explicit = False
    for argument in config.args:
        first, separator, _ = argument.partition(_ID_SEPARATOR)
        if first not in instruments or Path(first).exists():
            others.append(argument)
            explicit = explicit or bool(separator)
        elif not separator:
            named.update(
                located.id
                for located in law.provisions.values()
                if located.instrument.id == argument
            )
        elif argument in by_id:
            named.add(by_id[argument])
        else:
            raise pytest.UsageError(say("plugin.no-provision", language, name=argument))
    # pytest would look for files with these names.
    config.args[:] = others
    return named, explicit or bool(named)


def item_name(located: LocatedProvision) -> str:
    """Return the name of the test of a provision within its instrument: ``art-5-d``."""
    path = located.provision.id.replace("/", "-")
    return path if path[:1].isalpha() else f"art-{path}"
