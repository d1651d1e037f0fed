"""``selo config``: the settings that apply, and where each of them comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit, language_choice
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.settings import setting_keys, setting_value
from selo.text import say
from selo.text.sanitize import escape_unseen
from selo.vendors.resource_limits import DEFAULT_LIMITS as LIMITS

if TYPE_CHECKING:
    import argparse

    from selo.settings import ProjectSettings

_MEBIBYTE: Final = 1 << 20
#: Defaults without settings; keys are missing where commands have different defaults.
_FALLBACKS: Final[dict[str, Any]] = {
    "budget": "quick",
    "seed": 0,
    "lang": language_choice.DEFAULT,
    "out": "selo-run",
    "limits.time": LIMITS.request,
    "limits.memory": LIMITS.memory // _MEBIBYTE,
    "gate.fail-on": "inconclusive",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo config``."""
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List every key with its value and where that comes from."""
    settings: ProjectSettings | None = arguments.settings
    rows = [_row(key, settings) for key in setting_keys()]
    if arguments.json:
        print_json({"file": None if settings is None else str(settings.path), "settings": rows})
        return Exit.CONFORMS
    out = console()
    if settings is None:
        out.print(say("config.none", arguments.lang))
    wide = max(len(row["key"]) for row in rows)
    for row in rows:
        if row["value"] is None:
            out.print(f"{row['key']:<{wide}}  –", style="dim")
            continue
        origin = say(f"config.from.{row['from']}", arguments.lang, where=row["where"])
        value = escape_unseen(str(row["value"]))
        style = "dim" if row["from"] == "default" else None
        out.print(f"{row['key']:<{wide}}  {value}  ({origin})", style=style, soft_wrap=True)
    return Exit.CONFORMS


def _row(key: str, settings: ProjectSettings | None) -> dict[str, Any]:
    spoken = language_choice.environment_language() if key == "lang" else None
    if spoken is not None:
        return _record(key, spoken, "environment", language_choice.VARIABLE)
    value = None if settings is None else setting_value(settings.settings, key)
    if settings is not None and value is not None:
        return _record(key, value, "file", settings.where(key) or os.fspath(settings.path))
    return _record(key, _FALLBACKS.get(key), "default", None)


def _record(key: str, value: Any, origin: str, where: str | None) -> dict[str, Any]:
    return {"key": key, "value": value, "from": origin, "where": where}
