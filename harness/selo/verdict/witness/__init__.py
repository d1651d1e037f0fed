"""Witness forms for provisions that only a person can inspect: written, printed, checked."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.witness.form import Form, InspectedItem, all_games, blank_form, form_to_yaml
    from selo.verdict.witness.form_html import form_page
    from selo.verdict.witness.form_reader import CheckedForm, FlawWeight, check_form, form_exit_code
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CheckedForm",
    "FlawWeight",
    "Form",
    "InspectedItem",
    "all_games",
    "blank_form",
    "check_form",
    "form_exit_code",
    "form_page",
    "form_to_yaml",
]
