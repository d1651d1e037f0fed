"""Gazette text: sources as received, logged repairs, page rules, quantities, glossary."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.gazette.glossary import Glossary, Term
    from selo.gazette.repairs import RepairLog
    from selo.gazette.source_places import written_places
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Glossary",
    "RepairLog",
    "Term",
    "number_words",
    "page_rules",
    "quantities",
    "sources",
    "written_places",
]
