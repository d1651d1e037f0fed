"""The parser of one command: its options are added on first use, its errors are translated."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit, error_output
from selo.cli.output.language_choice import choose_language

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn, TextIO

    from selo.cli.parser.command_table import Command


class CommandParser(argparse.ArgumentParser):
    """A parser that prints help and errors in the chosen language."""

    def __init__(self, **settings: Any) -> None:
        # A shortened option would mean another one as soon as a new option is added.
        super().__init__(**{"allow_abbrev": False, **settings})
        #: The commands by group; only Selo itself has groups.
        self.groups: dict[str, list[str]] | None = None
        self._without_options: Command | None = None

    def hold(self, command: Command) -> None:
        """Become the parser of `command`, whose module is imported when its options are needed."""
        self.set_defaults(command=command)
        self._without_options = command

    def load_options(self) -> None:
        """Add the options of the command, unless they are there."""
        command, self._without_options = self._without_options, None
        if command is not None:
            command.add_options(self)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the words of a command with its options."""
        self.load_options()
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """Return the help as `selo.cli.parser.help_page` renders it."""
        return self._render_help(sys.stdout)

    def print_help(self, file: Any = None) -> None:
        """Print the help, with colour where that helps."""
        stream = file or sys.stdout
        stream.write(self._render_help(stream))

    def _render_help(self, stream: TextIO) -> str:
        from selo.cli.output.terminal import Emphasis  # noqa: PLC0415 - only help needs its colours
        from selo.cli.parser.help_page import render_help  # noqa: PLC0415 - only help needs its words

        return render_help(self, choose_language(), Emphasis(stream), self.groups)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong with the command line, and exit."""
        from selo.cli.parser.usage_errors import explain_usage_error, render_usage_error  # noqa: PLC0415 - only for errors

        if error_output.is_json_typed():
            problem, hints = explain_usage_error(self, message, choose_language())
            error_output.print_failure(
                error_output.USAGE, problem, " ".join(hints) or None, Exit.USAGE
            )
        self.exit(Exit.USAGE, render_usage_error(self, message, choose_language()))
