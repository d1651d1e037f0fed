"""The command line: parsers, help, usage errors, defaults."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.parser.command_line import build, parse, run
    from selo.cli.parser.command_tree import below, taken, typed
    from selo.cli.parser.help_page import said_of, short
else:
    __getattr__ = front_door(
        __name__,
        {
            "command_line": ["build", "parse", "run"],
            "command_tree": ["below", "taken", "typed"],
            "help_page": ["said_of", "short"],
        },
    )

__all__ = ["below", "build", "parse", "run", "said_of", "short", "taken", "typed"]
