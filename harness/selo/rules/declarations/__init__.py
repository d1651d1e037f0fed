"""What a vendor declares of its tables, checked against the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.declarations.authorisation import AMOUNTS, JACKPOT, PERCENTAGE, terms
    from selo.rules.declarations.declaration_phrases import asked
    from selo.rules.declarations.requirement_status import Judgement, Standing
else:
    __getattr__ = front_door(
        __name__,
        {
            "authorisation": ["AMOUNTS", "JACKPOT", "PERCENTAGE", "terms"],
            "declaration_phrases": ["asked"],
            "requirement_status": ["Judgement", "Standing"],
        },
    )

__all__ = [
    "AMOUNTS",
    "JACKPOT",
    "PERCENTAGE",
    "Judgement",
    "Standing",
    "asked",
    "declaration_checks",
    "randomness",
    "terms",
]
