"""Behaviour of a product: its answers to the canonical set, fact by fact and by provision."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.behaviour.answer_facts import AnswerFact, FactReader
    from selo.examine.behaviour.canonical_set import (
        CanonicalAnswers,
        CarriedProvision,
        Predecessor,
        canonical_terms,
        is_canonical,
    )
    from selo.examine.behaviour.fingerprints import compute_fingerprints
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "AnswerFact",
    "CanonicalAnswers",
    "CarriedProvision",
    "FactReader",
    "Predecessor",
    "canonical_terms",
    "compute_fingerprints",
    "is_canonical",
]
