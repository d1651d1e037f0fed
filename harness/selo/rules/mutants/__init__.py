"""Mutants: games in which the rule of one provision is changed in one small way."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.mutants.cause import Cause, Operator, cause_of_reading
    from selo.rules.mutants.known_causes import causes_of_provision, find_cause
    from selo.rules.mutants.mutant_games import (
        ANSWER_ERRORS,
        MUTANT_ERRORS,
        Mutant,
        generate_mutants,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ANSWER_ERRORS",
    "MUTANT_ERRORS",
    "Cause",
    "Mutant",
    "Operator",
    "cause_of_reading",
    "causes_of_provision",
    "find_cause",
    "generate_mutants",
    "word_dependence",
]
