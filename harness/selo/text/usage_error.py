"""Usage errors with problem and hint in three languages."""

from __future__ import annotations

from selo.errors import UsageError
from selo.text.message_catalogue import say
from selo.text.multilingual import Words


def user_error(
    key: str, /, *, kind: type[UsageError] = UsageError, where: str = "", **slots: object
) -> UsageError:
    """Return the error with the messages ``wrong.KEY`` and ``wrong.KEY.hint``.

    `where` names the place, such as a file and its line. A slot of type `Words` is rendered in the
    language of the message.
    """
    named = {str(value) for value in slots.values()}
    slots = {name: _reason_without_number(value, named) for name, value in slots.items()}
    texts = {
        language: _problem_and_hint(key, where, language, slots) for language in ("pt", "zh", "en")
    }
    problem, hint = texts["en"]
    return kind(
        problem=problem,
        hint=hint,
        others={
            language: f"{problem_text}\n  {say('fault.hint', language, hint=remedy)}"
            for language, (problem_text, remedy) in texts.items()
        },
    )


def _problem_and_hint(
    key: str, where: str, language: str, slots: dict[str, object]
) -> tuple[str, str]:
    rendered = {
        name: value.get(language) if isinstance(value, Words) else value
        for name, value in slots.items()
    }
    problem = say(f"wrong.{key}", language, **rendered)
    return (
        f"{where}: {problem}" if where else problem,
        say(f"wrong.{key}.hint", language, **rendered),
    )


def _reason_without_number(value: object, named: set[str]) -> object:
    """Return the text of an OSError without its number; with its file unless a slot names that."""
    if not isinstance(value, OSError) or value.strerror is None:
        return value
    is_named = value.filename is None or str(value.filename) in named
    return value.strerror if is_named else f"{value.strerror} ({value.filename})"
