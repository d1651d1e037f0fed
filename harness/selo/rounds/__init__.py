"""Live rounds as scripts: planned without a vendor, played at its tables, judged by the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.script import Script, describe_lacking, find_lacking, missing_stakes
    from selo.rounds.table_player import (
        OpenTable,
        PlayedScript,
        play_script,
        play_scripts,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "OpenTable",
    "PlayedScript",
    "Script",
    "describe_lacking",
    "find_lacking",
    "missing_stakes",
    "play_script",
    "play_scripts",
    "script",
    "table_player",
]
