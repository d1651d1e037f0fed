"""Closing acts: a script lets its table go on once more, so that what is due comes or is missed.

The law gives most duties a deadline: prizes are paid before the dome is covered again. A table that
is closed right after a round never comes to the deadline, and nobody could say that it was missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol.schema import GO_ON
from selo.rules.clauses import clause_models

if TYPE_CHECKING:
    from selo.law import Law
    from selo.rounds.script import Script

#: Kinds of steps that make an event a duty of the table.
_DUTIES: Final = frozenset({"follows", "exactly", "at-least"})


def add_closing_acts(law: Law, game: str, scripts: list[Script]) -> list[Script]:
    """Return scripts of `game` with closing acts, if something there is due before something."""
    if not any(map(_has_deadline, _step_clauses(law, game))):
        return scripts
    return [
        msgspec.structs.replace(script, acts=[*script.acts, {"act": GO_ON}]) for script in scripts
    ]


def _has_deadline(clause: dict[str, Any]) -> bool:
    return clause["step"] in _DUTIES and bool(clause.get("before"))


def _step_clauses(law: Law, game: str) -> list[dict[str, Any]]:
    return [
        plain
        for held in law.provisions.values()
        if held.instrument.game == game
        for _, plain in clause_models.raw_clauses_of(held)
        if "step" in plain
    ]
