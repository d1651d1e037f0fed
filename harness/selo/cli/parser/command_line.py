"""The tree of commands, how it is read, and how a command ends.

The words of the help stand in ``bilingual/help.yaml``: see `selo.cli.parser.help_page`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from typing import TYPE_CHECKING, Any

from selo import __version__
from selo.cli.output import Exit, error_output
from selo.cli.output.language_choice import DEFAULT, spoken
from selo.cli.output.output_streams import UNREAD, OutputLost, delivered, lost, say
from selo.cli.output.project_settings import OPTION, found
from selo.cli.parser import (
    document_parsers,
    examination_parsers,
    gate_parsers,
    law_parsers,
    proof_parsers,
    tool_parsers,
    vendor_parsers,
)
from selo.cli.parser import shared_arguments as shared
from selo.cli.parser.command_tree import below
from selo.cli.parser.defaults import settle
from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn, TextIO

#: The groups of commands, in the order in which people meet them; each has a heading in the help.
_GROUPS = (
    law_parsers,
    vendor_parsers,
    examination_parsers,
    gate_parsers,
    proof_parsers,
    document_parsers,
    tool_parsers,
)
#: The exit code of an error that is not one of usage, by its own code.
_EXITS = {
    "vendor": Exit.VENDOR,
    "suite": Exit.SUITE,
    "tampered": Exit.TAMPERED,
    "unfinished": Exit.OPEN,
}
#: What shells use for a command that was interrupted.
_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """A parser that speaks the language that was asked for."""

    def __init__(self, **settings: Any) -> None:
        # A shortened option would mean another one as soon as a new option is added.
        super().__init__(**{"allow_abbrev": False, **settings})
        #: The commands by group; only Selo itself has groups.
        self.groups: dict[str, list[str]] | None = None

    def format_help(self) -> str:
        """Return the help as `selo.cli.parser.help_page` sets it."""
        return self._help(sys.stdout)

    def print_help(self, file: Any = None) -> None:
        """Print the help, with colour where that helps."""
        where = file or sys.stdout
        where.write(self._help(where))

    def _help(self, stream: TextIO) -> str:
        from selo.cli.output.terminal import Ink  # noqa: PLC0415 - the same
        from selo.cli.parser.help_page import rendered  # noqa: PLC0415 - only whoever asks pays for the words

        return rendered(self, spoken(), Ink(stream), self.groups)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and leave."""
        from selo.cli.parser.usage_errors import complaint, faulted  # noqa: PLC0415 - only where it is wrong

        if error_output.typed():
            problem, hints = faulted(self, message, spoken())
            error_output.print_failure(
                error_output.USAGE, problem, " ".join(hints) or None, Exit.USAGE
            )
        self.exit(Exit.USAGE, complaint(self, message, spoken()))


def build() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = _Parser(prog="selo")
    shared.language(top)
    top.add_argument(OPTION, metavar="FILE")
    top.add_argument("--version", action="version", version=f"selo {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    top.groups = {}
    known: set[str] = set()
    for group in _GROUPS:
        group.add(commands)
        added = [name for name in commands.choices if name not in known]
        top.groups[group.__name__.rpartition(".")[2].removesuffix("_parsers")] = added
        known.update(added)
    return top


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what was typed, or leave with a complaint by the command that it was meant for."""
    words = sys.argv[1:] if given is None else given
    top = build()
    arguments, strange = top.parse_known_args(words)
    if strange:
        _meant(top, words).error(f"unrecognized arguments: {' '.join(strange)}")
    arguments.lang = getattr(arguments, "lang", None) or spoken(words)
    try:
        arguments.settings = found(words)
    except SeloError as error:
        # Whoever looks for the fault must be able to.
        arguments.settings = None
        if not getattr(arguments, "any_settings", False):
            said = error_output.told(error, arguments.lang)
            if error_output.wanted(arguments):
                parts = error_output.parted(said, arguments.lang)
                error_output.print_failure(error.code, *parts, Exit.USAGE)
            top.exit(Exit.USAGE, f"{said}\n")
    missing = settle(arguments, arguments.settings)
    if missing:
        _meant(top, words).error(f"the following arguments are required: {', '.join(missing)}")
    return arguments


def _meant(parser: argparse.ArgumentParser, words: Iterable[str]) -> argparse.ArgumentParser:
    for word in words:
        parser = below(parser).get(word, parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was parsed and return its exit code."""
    language = getattr(arguments, "lang", DEFAULT)
    try:
        code = _run(arguments, language)
    except OutputLost as error:
        return lost(error, language)
    except BrokenPipeError:
        code = UNREAD
    return delivered(code, language)


def _run(arguments: argparse.Namespace, language: str) -> int:
    """Run the command; say why it came to no result, if it came to none."""
    command = importlib.import_module(f"selo.cli.commands.{arguments.module}")
    try:
        return int(command.run(arguments))
    except (OutputLost, BrokenPipeError):
        raise
    except SeloError as error:
        kind, code = error.code, int(_EXITS.get(error.code, Exit.USAGE))
        said = error_output.told(error, language)
        print(said, file=sys.stderr)
    except KeyboardInterrupt:
        kind, code = error_output.INTERRUPTED, _INTERRUPTED
        said = say("end.interrupted", language)
        print(f"\n{said}", file=sys.stderr)
    except Exception:  # noqa: BLE001 - whatever it is, it must not look like a verdict
        traceback.print_exc()
        kind, code = error_output.DEFECT, Exit.SUITE
        said = say("end.defect", language)
        print(said, file=sys.stderr)
    if error_output.wanted(arguments):
        error_output.print_failure(kind, *error_output.parted(said, language), code)
    return code
