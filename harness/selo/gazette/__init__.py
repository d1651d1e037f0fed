"""Gazette text: sources as received, logged repairs, page rules, quantities, glossary."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.gazette.glossary import ForbiddenVariants, Glossary, Term
    from selo.gazette.repairs import RepairLog
    from selo.gazette.source_places import written_places
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ForbiddenVariants",
    "Glossary",
    "RepairLog",
    "Term",
    "force_words",
    "number_words",
    "page_rules",
    "quantities",
    "sources",
    "written_places",
]
