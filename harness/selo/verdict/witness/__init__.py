"""Witness forms for provisions that only a person can inspect: written, printed, checked."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.witness.form import all_games, blank_form, form_to_yaml
    from selo.verdict.witness.form_reader import (
        CheckedForm,
        FlawWeight,
        check_form,
        form_exit_code,
    )
    from selo.verdict.witness.photographs import find_photographs
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CheckedForm",
    "FlawWeight",
    "all_games",
    "blank_form",
    "check_form",
    "find_photographs",
    "form",
    "form_exit_code",
    "form_html",
    "form_to_yaml",
]
