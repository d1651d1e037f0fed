"""What is said of a command line that cannot be understood, in the language that was asked for.

argparse speaks English only. What it says is recognised and said again; what is not recognised is
passed on as it is.
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
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

_ARGUMENT_ERROR: Final = re.compile(r"argument (?P<name>\S+): (?P<rest>.*)", re.DOTALL)
#: What argparse says, and the key under which we say it.
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
    """Return the usage, what is wrong, and what to do."""
    problem, hints = explain_usage_error(parser, message, language)
    told = "".join(f"  {say('fault.hint', language, hint=hint)}\n" for hint in hints)
    first = "\n".join(render_usage(parser, language, Emphasis(sys.stderr)))
    return f"{first}\n{problem}\n{told}"


def explain_usage_error(
    parser: argparse.ArgumentParser, message: str, language: str
) -> tuple[str, list[str]]:
    """Return what is wrong, and what to do."""
    about = _ARGUMENT_ERROR.fullmatch(message)
    name, rest = (about["name"], about["rest"]) if about else ("", message)
    problem, hint = rest, ""
    for pattern, key in _MESSAGE_KEYS:
        found = re.fullmatch(pattern, rest, re.DOTALL)
        if found:
            slots = {
                one: escape_unseen(value, _MAX_VALUE_LENGTH)
                for one, value in found.groupdict().items()
            }
            problem = say(key, language, **slots)
            hint = _suggest_correction(parser, name, slots.get("value", ""), language)
            hint = hint or _suggest_settings(parser, slots.get("names", ""), language)
            break
    where = f"{parser.prog} {name}" if name.startswith("-") else parser.prog
    more = say("usage.help", language, command=parser.prog)
    return f"{where}: {problem}", [one for one in (hint, more) if one]


def _suggest_correction(
    parser: argparse.ArgumentParser, name: str, value: str, language: str
) -> str:
    """Return what somebody may have wanted to type."""
    under = list(subcommands_of(parser))
    options = {
        option_string: action
        for action in arguments_of(parser)
        for option_string in action.option_strings
    }
    about = options.get(name.partition("/")[0])
    if about is not None:
        known = [str(choice) for choice in about.choices or ()]
        return say("usage.choices", language, choices=", ".join(known)) if known else ""
    first = value.partition(" ")[0].partition("=")[0]
    near = difflib.get_close_matches(first, [*under, *options], n=1)
    if near:
        return say("usage.meant", language, near=near[0])
    if name and under:
        return say("usage.choices", language, choices=", ".join(under))
    return ""


def _suggest_settings(parser: argparse.ArgumentParser, names: str, language: str) -> str:
    """Return that what is needed could also stand in the settings of the project."""
    keys = [
        action.default.key
        for action in arguments_of(parser)
        if isinstance(action.default, Default) and set(action.option_strings) & {*names.split(", ")}
    ]
    return say("usage.or-settings", language, keys=", ".join(keys)) if keys else ""
