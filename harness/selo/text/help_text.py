"""The manual of the command line: what ``--help`` says, in Portuguese, Chinese and English."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from selo import data_files
from selo.errors import SpecError
from selo.text.multilingual import Words
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.errors import Problem

FILE = "help.yaml"


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
    #: The headings under which some of its options stand, in their order.
    sections: list[str] = []
    #: What this command says of its own arguments; the rest are said once for all commands.
    arguments: dict[str, Words] = {}
    examples: list[HelpExample] = []
    #: The exit codes with which it can end, besides 0 and 3; each has a general meaning.
    exits: list[int] = []
    #: Where a code means something particular here.
    means: dict[str, Words] = {}


class Section(_ClosedHelp, frozen=True):
    """Options that belong together, where a command has many."""

    title: Words
    options: list[str]


class Manual(_ClosedHelp, frozen=True):
    """Everything that the help says."""

    #: Headings and the few words around them.
    words: dict[str, Words]
    #: The groups in which the commands stand, by the name of the module that declares them.
    groups: dict[str, Words]
    sections: dict[str, Section]
    exits: dict[str, Words]
    arguments: dict[str, Words]
    #: By the words that are typed: ``law check``; ``selo`` is the command by itself.
    commands: dict[str, HelpEntry]


@cache
def load_manual() -> Manual:
    """Return the manual that ships."""
    return read(data_files.folder("bilingual") / FILE).convert(Manual)


def check_manual(bilingual: Path | None = None) -> Iterator[Problem]:
    """Yield what is wrong with the manual in the folder of words."""
    try:
        read((bilingual or data_files.folder("bilingual")) / FILE).convert(Manual)
    except SpecError as error:
        yield error.problem
