"""The tree of commands as argparse holds it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator


@runtime_checkable
class _LoadsOptions(Protocol):
    """A parser whose options are added on first use."""

    def load_options(self) -> None:
        """Add the options."""


def subcommands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands of a parser by name, in their order; none for a command itself."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public accessor
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            return dict(action.choices)
    return {}


def arguments_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options and arguments of a command, apart from subcommands and hidden ones."""
    if isinstance(parser, _LoadsOptions):
        parser.load_options()
    return [
        action
        for action in parser._actions  # noqa: SLF001 - argparse has no public accessor
        if not isinstance(action, argparse._SubParsersAction)  # noqa: SLF001 - the same
        and action.help != argparse.SUPPRESS
    ]


def command_words(parser: argparse.ArgumentParser) -> str:
    """Return the words that are typed after ``selo`` for a command; nothing for Selo itself."""
    return parser.prog.partition(" ")[2]


def leaf_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of every command that does something."""
    subcommands = subcommands_of(parser)
    if not subcommands:
        yield parser
    for subcommand in subcommands.values():
        yield from leaf_parsers(subcommand)
