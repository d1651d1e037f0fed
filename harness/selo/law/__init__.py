"""The law: instruments, articles and provisions as data, with everything that proves them right."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.citation import cite, cited_article
    from selo.law.macau_date import today
    from selo.law.status import Standing, Status, on
else:
    __getattr__ = front_door(
        __name__,
        {
            "citation": ["cite", "cited_article"],
            "macau_date": ["today"],
            "status": ["Standing", "Status", "on"],
        },
    )

__all__ = [
    "Standing",
    "Status",
    "cite",
    "cited_article",
    "file_schemas",
    "ledger",
    "loader",
    "on",
    "spec_digest",
    "today",
]
