"""The order of a round: step clauses compiled to an automaton over logs of events."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.procedure.log_automaton import Seen, Steps, Walk
    from selo.rules.procedure.step_phrases import START, field_name
else:
    __getattr__ = front_door(
        __name__,
        {
            "log_automaton": ["Seen", "Steps", "Walk"],
            "step_phrases": ["START", "field_name"],
        },
    )

__all__ = ["START", "Seen", "Steps", "Walk", "field_name", "round_order", "step_reader"]
