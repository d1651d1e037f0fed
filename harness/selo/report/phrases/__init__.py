"""Sentences and labels of documents, in three languages."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.phrases.cause_phrases import phrase_cause
    from selo.report.phrases.labels import Labels, round_reason
    from selo.report.phrases.offer_phrases import OfferDescriber
    from selo.report.phrases.round_phrases import FactDescriber
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "FactDescriber",
    "Labels",
    "OfferDescriber",
    "composition",
    "money_format",
    "phrase_cause",
    "round_reason",
    "summary_phrases",
]
