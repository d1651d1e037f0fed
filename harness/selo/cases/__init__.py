"""Cases to ask of every game, and what the law expects of each."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.case import LARGEST_JSON_INTEGER, Case, settlement_case
    from selo.cases.case_encoding import CaseEncoder, encode_name
    from selo.cases.scope import OfferedGame, Scope, offer_everything
else:
    __getattr__ = front_door(
        __name__,
        {
            "case": ["Case", "LARGEST_JSON_INTEGER", "settlement_case"],
            "case_encoding": ["CaseEncoder", "encode_name"],
            "scope": ["OfferedGame", "Scope", "offer_everything"],
        },
    )

__all__ = [
    "LARGEST_JSON_INTEGER",
    "Case",
    "OfferedGame",
    "Scope",
    "CaseEncoder",
    "offer_everything",
    "group",
    "encode_name",
    "settlement_case",
]
