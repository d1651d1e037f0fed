"""Which provisions become tests: by what is named on the command line, and by the settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from selo.cli.output.project_settings import find_settings
from selo.errors import SeloError
from selo.plugin.plugin_options import GAME, PROVISION

if TYPE_CHECKING:
    from selo.law.loader import LocatedProvision
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from selo.law.loader import Law, LocatedProvision

#: What stands between the parts of the id of a test.
_BETWEEN: Final = "::"


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """The provisions that are tests of this run."""

    provisions: list[LocatedProvision]
    #: The file of settings, and the games that it leaves out.
    settings: str
    left_out: list[str]


def select_provisions(config: pytest.Config, law: Law, language: str) -> Selection:
    """Return the provisions that are asked for; ids of theirs are taken from the arguments."""
    games = [folder.instrument.game for folder in law.folders]
    for name in config.getoption(GAME) or ():
        if name not in games:
            slots = {"option": GAME, "name": name, "known": ", ".join(games)}
            raise pytest.UsageError(say("plugin.no-game", language, **slots))
    for name in config.getoption(PROVISION) or ():
        if name not in law.provisions:
            raise pytest.UsageError(say("plugin.no-provision", language, name=name))
    try:
        settings = find_settings([])
    except SeloError as error:
        raise pytest.UsageError(error.in_language(language)) from error
    settled = None if settings is None else settings.settings.games
    wanted = config.getoption(GAME) or settled or games
    left_out = [] if config.getoption(GAME) else [game for game in games if game not in wanted]
    provisions = config.getoption(PROVISION) or law.provisions
    named, explicit = _named_provisions(config, law, language)
    return Selection(
        # What is named one by one is never silently left out: its test says why it is skipped.
        provisions=[
            held
            for held in law.provisions.values()
            if (held.id in named)
            or (not explicit and held.instrument.game in wanted and held.id in provisions)
        ],
        settings="" if settings is None else settings.path.name,
        left_out=left_out,
    )


def _named_provisions(config: pytest.Config, law: Law, language: str) -> tuple[set[str], bool]:
    """Return the provisions that arguments name, and whether arguments name tests one by one."""
    instruments = {folder.instrument.id for folder in law.folders}
    by_id = {
        f"{held.instrument.id}{_BETWEEN}{item_name(held)}": held.id
        for held in law.provisions.values()
    }
    named: set[str] = set()
    others: list[str] = []
    explicit = False
    for one in config.args:
        first, between, _ = one.partition(_BETWEEN)
        if first not in instruments or Path(first).exists():
            others.append(one)
            explicit = explicit or bool(between)
        elif not between:
            named.update(held.id for held in law.provisions.values() if held.instrument.id == one)
        elif one in by_id:
            named.add(by_id[one])
        else:
            raise pytest.UsageError(say("plugin.no-provision", language, name=one))
    # pytest itself would look for files of these names.
    config.args[:] = others
    return named, explicit or bool(named)


def item_name(held: LocatedProvision) -> str:
    """Return the name of the test of a provision within its instrument: ``art-5-d``."""
    path = held.provision.id.replace("/", "-")
    return path if path[:1].isalpha() else f"art-{path}"
