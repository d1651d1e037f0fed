"""Builds the parser, parses a command line, runs the command, and decides how it ends.

The words of the help stand in ``bilingual/help.yaml``: see `selo.cli.parser.help_page`.
"""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import TYPE_CHECKING

from selo import __version__
from selo.cli.output import Exit, error_output
from selo.cli.output.language_choice import DEFAULT, choose_language
from selo.cli.output.output_streams import (
    READER_GONE,
    OutputLost,
    flush_output,
    report_lost_output,
    say_at_end,
)
from selo.cli.output.project_settings import OPTION, find_settings
from selo.cli.parser import shared_arguments as shared
from selo.cli.parser.command_parser import CommandParser
from selo.cli.parser.command_table import list_commands
from selo.cli.parser.command_tree import subcommands_of
from selo.cli.parser.defaults import resolve_defaults
from selo.errors import SeloError
from selo.storage.bounded_read import as_file_fault

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

#: The exit code of an error that is not one of usage, by its own code.
_EXITS = {
    "vendor": Exit.VENDOR,
    "suite": Exit.SUITE,
    "tampered": Exit.TAMPERED,
    "unfinished": Exit.OPEN,
}
#: What shells use for a command that was interrupted.
_INTERRUPTED = 130


def build_parser() -> CommandParser:
    """Return the parser of the whole command line; options of commands are added on first use."""
    top = CommandParser(prog="selo")
    shared.add_language(top)
    top.add_argument(OPTION, metavar="FILE")
    top.add_argument("--version", action="version", version=f"selo {__version__}")
    commands = top.add_subparsers(metavar="COMMAND")
    families: dict[str, argparse._SubParsersAction[CommandParser]] = {}
    top.groups = {}
    for command in list_commands():
        name, _, subcommand = command.words.partition(" ")
        names = top.groups.setdefault(command.group, [])
        if name not in names:
            names.append(name)
        if not subcommand:
            commands.add_parser(name).hold(command)
            continue
        if name not in families:
            family = commands.add_parser(name)
            families[name] = family.add_subparsers(metavar="COMMAND")
        families[name].add_parser(subcommand).hold(command)
    return top


def parse_arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed command line, or exit with the usage error of the command it names."""
    words = sys.argv[1:] if given is None else given
    top = build_parser()
    arguments, unknown = top.parse_known_args(words)
    if unknown:
        _find_parser(top, words).error(f"unrecognized arguments: {' '.join(unknown)}")
    if not hasattr(arguments, "command"):
        _find_parser(top, words).print_help()
        top.exit()
    arguments.lang = getattr(arguments, "lang", None) or choose_language(words)
    try:
        arguments.settings = find_settings(words)
    except SeloError as error:
        # `selo doctor` reports the fault itself.
        arguments.settings = None
        if not getattr(arguments, "any_settings", False):
            message = error_output.render_error(error, arguments.lang)
            if error_output.is_json_chosen(arguments):
                parts = error_output.split_hint(message, arguments.lang)
                error_output.print_failure(error.code, *parts, Exit.USAGE)
            top.exit(Exit.USAGE, f"{message}\n")
    missing = resolve_defaults(arguments, arguments.settings)
    if missing:
        _find_parser(top, words).error(
            f"the following arguments are required: {', '.join(missing)}"
        )
    return arguments


def _find_parser(parser: argparse.ArgumentParser, words: Iterable[str]) -> argparse.ArgumentParser:
    for word in words:
        parser = subcommands_of(parser).get(word, parser)
    return parser


def run_command(arguments: argparse.Namespace) -> int:
    """Run the command that was parsed and return its exit code."""
    language = getattr(arguments, "lang", DEFAULT)
    try:
        code, failed = _run_or_explain(arguments, language)
    except OutputLost as error:
        return report_lost_output(error, language)
    except BrokenPipeError:
        code, failed = READER_GONE, False
    return flush_output(code, language, failed=failed)


def _run_or_explain(arguments: argparse.Namespace, language: str) -> tuple[int, bool]:
    """Run the command; if it fails, print why; return the exit code, and whether it failed."""
    try:
        return int(arguments.command.run(arguments)), False
    except (OutputLost, BrokenPipeError):
        raise
    except SeloError as error:
        kind, code = error.code, int(_EXITS.get(error.code, Exit.USAGE))
        message = error_output.render_error(error, language)
        print(message, file=sys.stderr)
    except OSError as error:
        # A full disk, a folder that is not there: about the machine, not a defect of Selo.
        fault = as_file_fault(error)
        kind, code = fault.code, int(Exit.USAGE)
        message = error_output.render_error(fault, language)
        print(message, file=sys.stderr)
    except KeyboardInterrupt as error:
        kind, code = error_output.INTERRUPTED, _INTERRUPTED
        message = say_at_end("end.interrupted", language)
        if error.args:
            message += f"\n  {say_at_end('end.go-on', language, command=error.args[0])}"
        print(f"\n{message}", file=sys.stderr)
    except Exception:  # noqa: BLE001 - whatever it is, it must not look like a verdict
        traceback.print_exc()
        kind, code = error_output.DEFECT, Exit.SUITE
        message = say_at_end("end.defect", language)
        print(message, file=sys.stderr)
    if error_output.is_json_chosen(arguments):
        with contextlib.suppress(BrokenPipeError):
            error_output.print_failure(kind, *error_output.split_hint(message, language), code)
    return code, True
