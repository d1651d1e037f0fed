"""The jackpot of a table as an option: what may be declared for each of its modalities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.protocol.schema.json_schema import WHOLE, Schema, closed, listed, term
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.settlement.jackpot import shares_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.law.loader import Law
    from selo.rules.settlement.jackpot import Share

_MODALITY: Final = "modality"
_FIXED: Final = "fixed"
_PERCENTAGE: Final = "percentage"
#: A part and the whole.
_PART: Final[Schema] = listed(
    WHOLE,
    least=2,
    most=2,
    description="The approved part of what has accumulated, as part and whole: [1, 10].",
)


def jackpot_schema(law: Law, game: str, modalities: Sequence[str]) -> Schema:
    """Return the schema of the jackpot: one form for each modality, under every reading."""
    written = read_clauses(law, game)
    return {
        "oneOf": [
            _form(law, modality, shares_of(written, modality)) for modality in modalities
        ]
    }  # fmt: skip


def _form(law: Law, modality: str, shares: Sequence[Share]) -> Schema:
    # A combination has an amount wherever some reading gives it one.
    fixed = sorted({name for one in shares if _FIXED in one.terms for name in one.combinations})
    fields: dict[str, Schema] = {
        _MODALITY: {"const": modality, "description": "The modality."},
        "accumulated": {**WHOLE, "description": "What has accumulated in the jackpot."},
        _FIXED: {
            **closed({name: {**WHOLE, **term(law, name)} for name in fixed}, []),
            "description": "The approved amount of each combination that has one.",
        },
    }
    if any(_PERCENTAGE in one.terms for one in shares):
        fields[_PERCENTAGE] = _PART
    return {**term(law, f"jackpot-{modality.lower()}"), **closed(fields, [_MODALITY])}
