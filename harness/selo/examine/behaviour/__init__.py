"""Behaviour of a product: its answers to the canonical set, fact by fact and by provision."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.behaviour.answer_facts import FactReader
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
    "CanonicalAnswers",
    "CarriedProvision",
    "FactReader",
    "Predecessor",
    "answer_facts",
    "canonical_set",
    "canonical_terms",
    "compute_fingerprints",
    "fingerprints",
    "is_canonical",
]
