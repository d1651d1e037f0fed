"""Intake: pages of the gazette become the folder of an instrument, every rule still missing."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.intake.law_folder import IntakeOrder, IntakeResult, take_in
    from selo.law.intake.page_intake import Page, read_intake
    from selo.law.intake.page_text import read_page
    from selo.law.intake.paragraphs import written_places
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "IntakeOrder",
    "IntakeResult",
    "Page",
    "read_intake",
    "read_page",
    "take_in",
    "written_places",
]
