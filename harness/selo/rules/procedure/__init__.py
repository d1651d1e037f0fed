"""The order of a round: step clauses compiled to an automaton over logs of events."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.procedure.procedure_rules import (
        ActRuling,
        Breach,
        BreachCause,
        Procedure,
        compile_procedure,
        complete_options,
        select_procedure,
    )
    from selo.rules.procedure.step_phrases import field_name_of
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ActRuling",
    "Breach",
    "BreachCause",
    "Procedure",
    "compile_procedure",
    "complete_options",
    "field_name_of",
    "log_automaton",
    "select_procedure",
    "step_reader",
]
