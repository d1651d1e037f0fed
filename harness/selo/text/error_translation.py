"""Says in other languages what is wrong in a YAML file.

Whoever finds it writes it in English, also when the file of messages itself is the one that cannot
be read. It is recognised by its English, which stands beside the other languages; what is not
recognised is passed on as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.errors import SpecError
from selo.text.message_catalogue import say
from selo.text.message_matching import recognised
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from selo.errors import Problem

_ENGLISH: Final = "en"
_FAMILY: Final = "flaw."


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


def flaw(english: str) -> Words:
    """Return what another program says of a file or a value, in every language."""
    plain = english[:1].lower() + english[1:]
    return Words(pt=in_words(plain, "pt"), zh=in_words(plain, "zh"), en=plain)


def in_words(english: str, language: str) -> str:
    """Return what `english` says in `language`; names before it, such as an id, stay."""
    if language == _ENGLISH:
        return english
    found = recognised(english, _FAMILY)
    if found is not None:
        key, slots = found
        told = {name: in_words(value, language) for name, value in slots.items()}
        return say(key, language, **told)
    name, colon, rest = english.partition(": ")
    return f"{name}{colon}{in_words(rest, language)}" if colon else english
