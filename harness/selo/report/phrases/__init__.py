"""Sentences and labels of documents, in three languages."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.phrases.cause_phrases import misread
    from selo.report.phrases.labels import Names
    from selo.report.phrases.law_status_phrases import NAMES, standing_of, told
    from selo.report.phrases.offer_phrases import Offers
    from selo.report.phrases.round_phrases import Facts
else:
    __getattr__ = front_door(
        __name__,
        {
            "cause_phrases": ["misread"],
            "labels": ["Names"],
            "law_status_phrases": ["NAMES", "standing_of", "told"],
            "offer_phrases": ["Offers"],
            "round_phrases": ["Facts"],
        },
    )

__all__ = [
    "NAMES",
    "Facts",
    "Names",
    "Offers",
    "compose",
    "misread",
    "money_format",
    "standing_of",
    "told",
]
