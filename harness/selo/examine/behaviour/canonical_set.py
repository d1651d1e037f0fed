"""The canonical set: the cases and forced rounds of the smallest plan with the default seed.

It depends on law, offer, day and readings, and on nothing that changes from run to run, so two
builds can be compared by their answers to it. Anybody can know it beforehand: what rests on it
needs a fresh sample with a sealed seed as well.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases.generate.case_stream import DEFAULT_SEED
from selo.cases.group import BUDGETS

if TYPE_CHECKING:
    from selo.examine.plan import Terms

#: The folder of the canonical answers within that of a run.
CANONICAL_FOLDER: Final = "canonical"
#: The certificate from which provisions are carried over, beside the evidence.
PREDECESSOR_FILE: Final = "predecessor.pdf"


class CanonicalAnswers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers of a product to the canonical set, kept beside the evidence of a run."""

    #: The root over the lines of the answers.
    root: str
    #: The fingerprint of each provision; a game stands for answers that no provision accounts for.
    fingerprints: dict[str, str]
    #: How many answers are wrong, or faults. Nothing is certified while there is one.
    wrong: int


class CarriedProvision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a provision that is carried over was examined in full."""

    certificate: str
    #: The first day of that examination.
    examined_on: dt.date
    #: How many certificates in a row have carried it over, this one included.
    times: int


class Predecessor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The certificate from which provisions are carried over."""

    certificate: str
    #: SHA-256 of the document.
    sha256: str
    evidence_root: str
    carried: dict[str, CarriedProvision]


def canonical_terms(terms: Terms) -> Terms:
    """Return the terms of the canonical set for the offer, law and readings of `terms`."""
    return msgspec.structs.replace(
        terms, seed=DEFAULT_SEED, budget=BUDGETS[0], provisions=[], carried=[]
    )


def is_canonical(terms: Terms) -> bool:
    """Return whether a plan is the canonical set itself."""
    return terms.digest == canonical_terms(terms).digest
