"""The manual of the command line: the texts of ``--help`` in three languages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from selo import data_files
from selo.errors import SpecError
from selo.text.multilingual import Words
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.errors import Problem

HELP_FILE = "help.yaml"


class _ClosedHelp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class HelpExample(_ClosedHelp, frozen=True):
    """A command that somebody would type, and what it is for."""

    run: str
    words: Words


class HelpEntry(_ClosedHelp, frozen=True):
    """What is said of one command."""

    short: Words
    about: Words | None = None
    #: Headings that group some of its options, in order.
    sections: list[str] = []
    #: Help of its own arguments; the help of shared arguments stands once in the manual.
    arguments: dict[str, Words] = {}
    examples: list[HelpExample] = []
    #: Its exit codes besides 0 and 3; each has a general meaning.
    exits: list[int] = []
    #: Exit codes with a special meaning here.
    means: dict[str, Words] = {}


class Section(_ClosedHelp, frozen=True):
    """Options that belong together, where a command has many."""

    title: Words
    options: list[str]


class Manual(_ClosedHelp, frozen=True):
    """Everything that the help says."""

    #: Headings and connecting words.
    words: dict[str, Words]
    #: The groups of commands, by the name of the module that declares them.
    groups: dict[str, Words]
    sections: dict[str, Section]
    exits: dict[str, Words]
    arguments: dict[str, Words]
    #: By the command as typed: ``law check``; ``selo`` for the bare program.
    commands: dict[str, HelpEntry]


@cache
def load_manual() -> Manual:
    """Return the bundled manual."""
    return read_yaml(data_files.data_folder("bilingual") / HELP_FILE).convert(Manual)


def check_manual(bilingual: Path | None = None) -> Iterator[Problem]:
    """Yield the problem of the manual in `bilingual`, if any."""
    try:
        read_yaml((bilingual or data_files.data_folder("bilingual")) / HELP_FILE).convert(Manual)
    except SpecError as error:
        yield from error.problems
