"""The law: instruments, articles and provisions as data, with everything that proves them right."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.citation import cite, cited_article
    from selo.law.macau_date import macau_today
    from selo.law.status import LegalStanding, Status, status_on
else:
    __getattr__ = front_door(
        __name__,
        {
            "citation": ["cite", "cited_article"],
            "macau_date": ["macau_today"],
            "status": ["LegalStanding", "Status", "status_on"],
        },
    )

__all__ = [
    "LegalStanding",
    "Status",
    "cite",
    "cited_article",
    "file_schemas",
    "ledger",
    "loader",
    "macau_today",
    "spec_digest",
    "status_on",
]
