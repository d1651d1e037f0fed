"""Cases to ask of every game, and what the law expects of each."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.case import AnswerPart, Case, settlement_case
    from selo.cases.scope import OfferedGame, Scope, offer_everything
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "AnswerPart",
    "Case",
    "OfferedGame",
    "Scope",
    "case_encoding",
    "case_numbers",
    "covering_array",
    "group",
    "offer_everything",
    "settlement_case",
]
