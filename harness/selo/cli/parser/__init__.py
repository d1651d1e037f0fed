"""The parser of the command line: commands, help, usage errors, defaults."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.parser.command_line import build_parser, parse_arguments, run_command
    from selo.cli.parser.command_tree import arguments_of, command_words, subcommands_of
    from selo.cli.parser.defaults import Default
    from selo.cli.parser.help_page import describe_argument, describe_command
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Default",
    "arguments_of",
    "build_parser",
    "command_words",
    "describe_argument",
    "describe_command",
    "parse_arguments",
    "run_command",
    "shared_arguments",
    "subcommands_of",
]
