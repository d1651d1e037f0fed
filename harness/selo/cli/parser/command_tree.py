"""The tree of commands as argparse holds it: what commands are added to, and what they take."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    #: argparse keeps the name of this class to itself.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001


def below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands of a parser by name, in their order; none for a command itself."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            return dict(action.choices)
    return {}


def told(parser: argparse.ArgumentParser, name: str) -> str:
    """Return what was said of a command where it was added, if anything was."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            for choices_action in action._choices_actions:  # noqa: SLF001 - the same
                if choices_action.dest == name:
                    return choices_action.help or ""
    return ""


def taken(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return what a command takes, apart from commands below it and from what is not told."""
    return [
        action
        for action in parser._actions  # noqa: SLF001 - argparse has no other way to ask
        if not isinstance(action, argparse._SubParsersAction)  # noqa: SLF001 - the same
        and action.help != argparse.SUPPRESS
    ]


def typed(parser: argparse.ArgumentParser) -> str:
    """Return the words that are typed after ``selo`` for a command; nothing for Selo itself."""
    return parser.prog.partition(" ")[2]


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield every command that does something."""
    under = below(parser)
    if not under:
        yield parser
    for one in under.values():
        yield from leaves(one)
