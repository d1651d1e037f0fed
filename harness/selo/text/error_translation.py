"""Says in other languages what is wrong in a YAML file.

Whoever finds it writes it in English, also when the file of messages itself is the one that cannot
be read. It is recognised by its English, which stands beside the other languages; what is not
recognised is passed on as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.errors import SpecError
from selo.text.message_catalogue import say
from selo.text.message_matching import match_message
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from selo.errors import Problem

_ENGLISH: Final = "en"
_FAMILY: Final = "flaw."


def problem_in_language(problem: Problem, language: str) -> str:
    """Return where, what and what to do, in `language`."""
    hint = say("fault.hint", language, hint=translate_message(problem.hint, language))
    return f"{problem.where}: {translate_message(problem.problem, language)}\n  {hint}"


def error_in_language(error: SpecError, language: str) -> str:
    """Return what is wrong; in English if the words of the others are what is wrong."""
    if language == _ENGLISH:
        return str(error)
    try:
        return problem_in_language(error.problem, language)
    except SpecError:
        return str(error)


def translate_flaw(english: str) -> Words:
    """Return what another program says of a file or a value, in every language."""
    plain = english[:1].lower() + english[1:]
    return Words(pt=translate_message(plain, "pt"), zh=translate_message(plain, "zh"), en=plain)


def translate_message(english: str, language: str) -> str:
    """Return what `english` says in `language`; names before it, such as an id, stay."""
    if language == _ENGLISH:
        return english
    found = match_message(english, _FAMILY)
    if found is not None:
        key, slots = found
        told = {name: translate_message(value, language) for name, value in slots.items()}
        return say(key, language, **told)
    name, colon, rest = english.partition(": ")
    return f"{name}{colon}{translate_message(rest, language)}" if colon else english
