"""Cases to ask of every game, and what the law expects of each."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.case import Case, settlement_case
    from selo.cases.case_encoding import CaseEncoder, encode_name
    from selo.cases.scope import OfferedGame, Scope, offer_everything
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Case",
    "CaseEncoder",
    "OfferedGame",
    "Scope",
    "covering_array",
    "encode_name",
    "group",
    "offer_everything",
    "settlement_case",
]
