"""Scripts of live rounds: written, at random, for each prize line, and by a covering design."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.generate.covering_tables import generate_covering_tables
    from selo.rounds.generate.free_scripts import FREE_GROUP, generate_free_scripts
    from selo.rounds.generate.prize_line_scripts import generate_prize_lines
    from selo.rounds.generate.script_generator import find_table_model, generate_scripts
    from selo.rounds.generate.script_reader import (
        WRITTEN_GROUP,
        read_written_scripts,
    )
    from selo.rounds.generate.written_checks import check_written_rounds
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "FREE_GROUP",
    "WRITTEN_GROUP",
    "check_written_rounds",
    "find_table_model",
    "generate_covering_tables",
    "generate_free_scripts",
    "generate_prize_lines",
    "generate_scripts",
    "read_written_scripts",
]
