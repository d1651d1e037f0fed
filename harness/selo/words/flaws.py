"""Says in other languages what is wrong in a YAML file.

Whoever finds it writes it in English, also when the file of messages itself is the one that cannot
be read. It is recognised by its English, which stands beside the other languages; what is not
recognised is passed on as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from selo.errors import SpecError
from selo.words.messages import keys, say, sentence

if TYPE_CHECKING:
    from selo.errors import Problem

_ENGLISH: Final = "en"
_FAMILY: Final = "flaw."
#: Doubled braces are braces; a name between single ones is a slot.
_PART: Final = re.compile(r"\{\{|\}\}|\{(?P<slot>\w+)\}")


def told(problem: Problem, language: str) -> str:
    """Return where, what and what to do, in `language`."""
    hint = say("fault.hint", language, hint=in_words(problem.hint, language))
    return f"{problem.where}: {in_words(problem.problem, language)}\n  {hint}"


def error_told(error: SpecError, language: str) -> str:
    """Return what is wrong; in English if the words of the others are what is wrong."""
    if language == _ENGLISH:
        return str(error)
    try:
        return told(error.problem, language)
    except SpecError:
        return str(error)


def in_words(english: str, language: str) -> str:
    """Return what `english` says in `language`; names before it, such as an id, stay."""
    if language == _ENGLISH:
        return english
    for pattern, key in _patterns():
        found = pattern.fullmatch(english)
        if found:
            slots = {name: in_words(value, language) for name, value in found.groupdict().items()}
            return say(key, language, **slots)
    name, colon, rest = english.partition(": ")
    return f"{name}{colon}{in_words(rest, language)}" if colon else english


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how each flaw is recognised; those with the fewest slots first."""
    found = [(_pattern(sentence(key).en), key) for key in keys() if key.startswith(_FAMILY)]
    return tuple(sorted(found, key=lambda one: (one[0].groups, -len(one[0].pattern))))


def _pattern(english: str) -> re.Pattern[str]:
    written, at = "", 0
    for part in _PART.finditer(english):
        written += re.escape(english[at : part.start()])
        slot = part["slot"]
        written += f"(?P<{slot}>.+?)" if slot else re.escape(part[0][0])
        at = part.end()
    return re.compile(written + re.escape(english[at:]), re.DOTALL)
