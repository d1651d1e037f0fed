"""What is wrong and what to do about it, said in all three languages at once."""

from __future__ import annotations

from selo.errors import UsageError
from selo.text.message_catalogue import say
from selo.text.multilingual import Words


def user_error(
    key: str, /, *, kind: type[UsageError] = UsageError, where: str = "", **slots: object
) -> UsageError:
    """Return the error whose words stand under ``wrong.KEY`` and ``wrong.KEY.hint``.

    `where` names the place, such as a file and its line. A slot that is words itself is said in
    the language of the sentence.
    """
    slots = {name: _reason_without_number(value) for name, value in slots.items()}
    told = {language: _message(key, where, language, slots) for language in ("pt", "zh", "en")}
    problem, hint = told["en"]
    return kind(
        problem=problem,
        hint=hint,
        others={
            language: f"{what}\n  {say('fault.hint', language, hint=remedy)}"
            for language, (what, remedy) in told.items()
        },
    )


def _message(key: str, where: str, language: str, slots: dict[str, object]) -> tuple[str, str]:
    said = {
        name: value.get(language) if isinstance(value, Words) else value
        for name, value in slots.items()
    }
    what = say(f"wrong.{key}", language, **said)
    return (
        f"{where}: {what}" if where else what,
        say(f"wrong.{key}.hint", language, **said),
    )


def _reason_without_number(value: object) -> object:
    """Return what the system says of a file, with its name and without the number of the error."""
    if not isinstance(value, OSError) or value.strerror is None:
        return value
    return f"{value.strerror} ({value.filename})" if value.filename else value.strerror
