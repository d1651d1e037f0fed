"""Scripts of live rounds: written, generated, and one for each prize line."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.generate.prize_line_scripts import lines
    from selo.rounds.generate.script_generator import SKETCHES, generated
    from selo.rounds.generate.script_reader import GROUP, written
else:
    __getattr__ = front_door(
        __name__,
        {
            "prize_line_scripts": ["lines"],
            "script_generator": ["SKETCHES", "generated"],
            "script_reader": ["GROUP", "written"],
        },
    )

__all__ = ["GROUP", "SKETCHES", "generated", "lines", "written"]
