"""Errors of commands: text for people, and with ``--json`` an object for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError
from selo.storage import FileFault

if TYPE_CHECKING:
    from selo.errors import SeloError

OPTION: Final = "--json"
#: Codes of failures that are not a `SeloError`.
USAGE: Final = "usage"
INTERRUPTED: Final = "interrupted"
DEFECT: Final = "defect"


def render_error(error: SeloError, language: str) -> str:
    """Return the error with its hint, in `language`."""
    from selo.text.sanitize import escape_unseen_lines  # noqa: PLC0415 - keeps start-up short

    if isinstance(error, SpecError | FileFault):
        from selo.text.error_translation import error_in_language  # noqa: PLC0415 - the same

        return escape_unseen_lines(error_in_language(error, language))
    # An error may quote a file or a vendor.
    return escape_unseen_lines(error.in_language(language))


def is_json_chosen(arguments: Any) -> bool:
    """Return whether the parsed command prints JSON."""
    return bool(getattr(arguments, "json", False))


def is_json_typed() -> bool:
    """Return whether a command line that cannot be parsed asks for JSON."""
    return OPTION in sys.argv[1:]


def split_hint(text: str, language: str) -> tuple[str, str | None]:
    """Return the message and the hint of a rendered error."""
    from selo.text import say  # noqa: PLC0415 - only where something fails

    before = say("fault.hint", language, hint="\0").partition("\0")[0]
    message, _, hint = text.partition(f"\n  {before}")
    return message, hint or None


def print_failure(code: str, message: str, hint: str | None, exit_code: int) -> None:
    """Print the error object that every command prints."""
    from selo.cli.output.console import print_json  # noqa: PLC0415 - only where something fails

    print_json({"error": {"code": code, "message": message, "hint": hint, "exit": exit_code}})
