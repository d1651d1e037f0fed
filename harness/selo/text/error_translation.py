"""Translates error messages about YAML files.

Readers report errors in English, because the message files themselves may be unreadable. The
English is matched against the message catalogue; unmatched text is passed on unchanged.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from selo.errors import SpecError
from selo.text.message_catalogue import message_keys, message_words, say
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from selo.errors import Problem
    from selo.storage import FileFault

#: Doubled braces are literal; a name in single braces is a slot.
_BRACES: Final = re.compile(r"\{\{|\}\}|\{(?P<slot>\w+)\}")


def match_message(english: str, family: str) -> tuple[str, dict[str, str]] | None:
    """Return key and slot values of the message of `family` that matches `english`."""
    for pattern, key in _message_patterns(family):
        match = pattern.fullmatch(english)
        if match:
            return key, match.groupdict()
    return None


@cache
def _message_patterns(family: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the pattern of each message; those with the fewest slots first."""
    patterns = [
        (_compile_message(message_words(key).en), key)
        for key in message_keys()
        if key.startswith(family)
    ]
    return tuple(sorted(patterns, key=lambda entry: (entry[0].groups, -len(entry[0].pattern))))


def _compile_message(english: str) -> re.Pattern[str]:
    pattern, position = "", 0
    for part in _BRACES.finditer(english):
        pattern += re.escape(english[position : part.start()])
        slot = part["slot"]
        pattern += f"(?P<{slot}>.+?)" if slot else re.escape(part[0][0])
        position = part.end()
    return re.compile(pattern + re.escape(english[position:]), re.DOTALL)


_ENGLISH: Final = "en"
_FLAW_FAMILY: Final = "flaw."


def problem_in_language(problem: Problem, language: str) -> str:
    """Return path, problem and hint in `language`."""
    hint = say("fault.hint", language, hint=translate_message(problem.hint, language))
    return f"{problem.where}: {translate_message(problem.problem, language)}\n  {hint}"


def error_in_language(error: SpecError | FileFault, language: str) -> str:
    """Return the error in `language`, or in English if the messages cannot be read."""
    if language == _ENGLISH:
        return str(error)
    try:
        return problem_in_language(error.problem, language)
    except SpecError:
        return str(error)


def translate_flaw(english: str) -> Words:
    """Return the message of a parser or validator in every language."""
    plain = english[:1].lower() + english[1:]
    return Words(pt=translate_message(plain, "pt"), zh=translate_message(plain, "zh"), en=plain)


def translate_message(english: str, language: str) -> str:
    """Return `english` translated to `language`; a prefix such as an id stays."""
    if language == _ENGLISH:
        return english
    match = match_message(english, _FLAW_FAMILY)
    if match is not None:
        key, slots = match
        translated = {name: translate_message(value, language) for name, value in slots.items()}
        return say(key, language, **translated)
    name, colon, rest = english.partition(": ")
    return f"{name}{colon}{translate_message(rest, language)}" if colon else english
