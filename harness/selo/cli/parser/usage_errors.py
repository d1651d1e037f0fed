"""Usage errors in the chosen language.

argparse reports in English only: messages that are recognised are translated, others are printed
as they are.
"""

from __future__ import annotations

import difflib
import re
import sys
from typing import TYPE_CHECKING, Final

from selo.cli.output.terminal import Emphasis
from selo.cli.parser.command_tree import arguments_of, subcommands_of
from selo.cli.parser.defaults import Default
from selo.cli.parser.help_page import render_usage
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

_ARGUMENT_ERROR: Final = re.compile(r"argument (?P<name>\S+): (?P<rest>.*)", re.DOTALL)
#: Messages of argparse, each with the key of its translation.
_MESSAGE_KEYS: Final = (
    (r"the following arguments are required: (?P<names>.*)", "usage.required"),
    (r"one of the arguments (?P<names>.*) is required", "usage.one-required"),
    (r"invalid choice: '?(?P<value>.*?)'? \((?:choose from|maybe).*", "usage.choice"),
    (r"invalid (?:int|whole) value: '?(?P<value>.*?)'?", "usage.whole"),
    (r"'(?P<value>.*)' is not a day", "usage.day"),
    (r"invalid float value: '?(?P<value>.*?)'?", "usage.number"),
    (r"expected (?:one|at least one|\d+) arguments?", "usage.value-missing"),
    (r"not allowed with argument (?P<other>.*)", "usage.not-with"),
    (r"ignored explicit argument '?(?P<value>.*?)'?", "usage.no-value"),
    (r"unrecognized arguments: (?P<value>.*)", "usage.unrecognised"),
)
_MAX_VALUE_LENGTH: Final = 200


def render_usage_error(parser: argparse.ArgumentParser, message: str, language: str) -> str:
    """Return the usage line, the error and the hints."""
    problem, hints = explain_usage_error(parser, message, language)
    advice = "".join(f"  {say('fault.hint', language, hint=hint)}\n" for hint in hints)
    first = "\n".join(render_usage(parser, language, Emphasis(sys.stderr)))
    return f"{first}\n{problem}\n{advice}"


def explain_usage_error(
    parser: argparse.ArgumentParser, message: str, language: str
) -> tuple[str, list[str]]:
    """Return the error and the hints."""
    about = _ARGUMENT_ERROR.fullmatch(message)
    name, rest = (about["name"], about["rest"]) if about else ("", message)
    problem, hint = rest, ""
    for pattern, key in _MESSAGE_KEYS:
        match = re.fullmatch(pattern, rest, re.DOTALL)
        if match:
            slots = {
                slot: escape_unseen(value, _MAX_VALUE_LENGTH)
                for slot, value in match.groupdict().items()
            }
            problem = say(key, language, **slots)
            hint = _suggest_correction(parser, name, slots.get("value", ""), language)
            hint = hint or _suggest_settings(parser, slots.get("names", ""), language)
            break
    where = f"{parser.prog} {name}" if name.startswith("-") else parser.prog
    more = say("usage.help", language, command=parser.prog)
    return f"{where}: {problem}", [advice for advice in (hint, more) if advice]


def _suggest_correction(
    parser: argparse.ArgumentParser, name: str, value: str, language: str
) -> str:
    """Return a hint at what may have been meant."""
    commands = list(subcommands_of(parser))
    options = {
        option_string: action
        for action in arguments_of(parser)
        for option_string in action.option_strings
    }
    action_meant = options.get(name.partition("/")[0])
    if action_meant is not None:
        choices = [str(choice) for choice in action_meant.choices or ()]
        return say("usage.choices", language, choices=", ".join(choices)) if choices else ""
    first = value.partition(" ")[0].partition("=")[0]
    near = difflib.get_close_matches(first, [*commands, *options], n=1)
    if near:
        return say("usage.meant", language, near=near[0])
    if name and commands:
        return say("usage.choices", language, choices=", ".join(commands))
    return ""


def _suggest_settings(parser: argparse.ArgumentParser, names: str, language: str) -> str:
    """Return a hint at the keys of the settings that would supply the missing options."""
    keys = [
        action.default.key
        for action in arguments_of(parser)
        if isinstance(action.default, Default) and set(action.option_strings) & {*names.split(", ")}
    ]
    return say("usage.or-settings", language, keys=", ".join(keys)) if keys else ""
