"""Live rounds as scripts: planned without a vendor, played at its tables, judged by the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.script import Script, lacking, missing
    from selo.rounds.table_player import Played, Table, play, play_all
else:
    __getattr__ = front_door(
        __name__,
        {
            "script": ["Script", "lacking", "missing"],
            "table_player": ["Played", "Table", "play", "play_all"],
        },
    )

__all__ = ["Played", "Script", "Table", "lacking", "missing", "play", "play_all"]
