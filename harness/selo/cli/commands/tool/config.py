"""``selo config``: which settings hold here, and where each of them comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit, language_choice
from selo.cli.output.tables import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.settings import setting_keys, setting_value
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen
from selo.vendors.resource_limits import DEFAULT_LIMITS as LIMITS

if TYPE_CHECKING:
    import argparse

    from selo.settings.settings_file import ProjectSettings

_MEBIBYTE: Final = 1 << 20
#: What holds if nobody says anything; where the commands have different defaults, nothing.
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
    found: ProjectSettings | None = arguments.settings
    rows = [_row(key, found) for key in setting_keys()]
    if arguments.json:
        print_json({"file": None if found is None else str(found.path), "settings": rows})
        return Exit.CONFORMS
    out = console()
    if found is None:
        out.print(say("config.none", arguments.lang))
    wide = max(len(row["key"]) for row in rows)
    for row in rows:
        if row["value"] is None:
            out.print(f"{row['key']:<{wide}}  –", style="dim")
            continue
        origin = say(f"config.from.{row['from']}", arguments.lang, where=row["where"])
        shown = escape_unseen(str(row["value"]))
        style = "dim" if row["from"] == "default" else None
        out.print(f"{row['key']:<{wide}}  {shown}  ({origin})", style=style, soft_wrap=True)
    return Exit.CONFORMS


def _row(key: str, found: ProjectSettings | None) -> dict[str, Any]:
    spoken = language_choice.environment_language() if key == "lang" else None
    if spoken is not None:
        return _record(key, spoken, "environment", language_choice.VARIABLE)
    given = None if found is None else setting_value(found.settings, key)
    if found is not None and given is not None:
        return _record(key, given, "file", found.where(key) or os.fspath(found.path))
    otherwise = _FALLBACKS.get(key)
    return _record(key, otherwise, "default", None)


def _record(key: str, given: Any, origin: str, where: str | None) -> dict[str, Any]:
    return {"key": key, "value": given, "from": origin, "where": where}
