"""Which provisions a round shows something of: nothing is proved after a table went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.rounds.analysis.step_coverage import decided_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.rounds.judge.round_difference import RoundDifference
    from selo.rounds.judge.round_judge import Judge
    from selo.rounds.script import Script
    from selo.rounds.table_player import Played


def looked_at(
    judge: Judge, script: Script, played: Played, found: Sequence[RoundDifference]
) -> frozenset[str]:
    """Return those provisions of a script that were looked at in the round that was played.

    Up to the first act that no reading allows a round shows what it would show by itself. What came
    after it was judged, but whoever did that act might have done otherwise without it; so only what
    was decided before counts. Nothing counts for a provision that something seems to break.
    """
    wrong = [one.act for one in found if not one.open]
    set_aside = {name for one in found if one.consequence for name in one.provisions}
    if not wrong:
        return frozenset(script.provisions) - set_aside
    log = judge.log(script, played)
    before = [event for event, act in zip(log.events, log.acts, strict=True) if act < min(wrong)]
    procedure = judge.procedures(script.game).of(script.options)
    other = {one.key for one in procedure.constraints if one.provision not in script.provisions}
    decided = decided_by(procedure, before, other)
    return (
        frozenset(one.provision for one in procedure.constraints if one.key in decided) - set_aside
    )
