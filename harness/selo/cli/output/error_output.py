"""How a command that comes to no result says so: for people, and with ``--json`` for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError

if TYPE_CHECKING:
    from selo.errors import SeloError

#: Asked for anywhere on a command line that may not be understood.
OPTION: Final = "--json"
#: The codes of what is no error of ours.
USAGE: Final = "usage"
INTERRUPTED: Final = "interrupted"
DEFECT: Final = "defect"


def render_error(error: SeloError, language: str) -> str:
    """Return what is wrong and what to do, in `language`."""
    if isinstance(error, SpecError):
        from selo.text.error_translation import error_in_language  # noqa: PLC0415 - keeps start-up short

        return error_in_language(error, language)
    return error.in_language(language)


def is_json_chosen(arguments: Any) -> bool:
    """Return whether a command that was understood is to print JSON."""
    return bool(getattr(arguments, "json", False))


def is_json_typed() -> bool:
    """Return whether JSON is asked for on a command line that could not be understood."""
    return OPTION in sys.argv[1:]


def split_hint(said: str, language: str) -> tuple[str, str | None]:
    """Return what is wrong and what to do, out of what is said of both."""
    from selo.text.message_catalogue import say  # noqa: PLC0415 - only where something fails

    before = say("fault.hint", language, hint="\0").partition("\0")[0]
    message, _, hint = said.partition(f"\n  {before}")
    return message, hint or None


def print_failure(code: str, message: str, hint: str | None, exit_code: int) -> None:
    """Print the failure in the shape that every command has."""
    from selo.cli.output.tables import print_json  # noqa: PLC0415 - only where something fails

    print_json({"error": {"code": code, "message": message, "hint": hint, "exit": exit_code}})
