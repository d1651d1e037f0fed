"""Witness forms: what only a person can see, as YAML, as HTML, and read back."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.witness.form import Form, Item, all_games, blank, written
    from selo.verdict.witness.form_html import page
    from selo.verdict.witness.form_reader import Checked, Weight, check, exit_of
else:
    __getattr__ = front_door(
        __name__,
        {
            "form": ["Form", "Item", "all_games", "blank", "written"],
            "form_html": ["page"],
            "form_reader": ["Checked", "Weight", "check", "exit_of"],
        },
    )

__all__ = [
    "Checked",
    "Form",
    "Item",
    "Weight",
    "all_games",
    "blank",
    "check",
    "exit_of",
    "page",
    "written",
]
