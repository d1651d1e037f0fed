"""Live rounds of an examination: which scripts are played, their evidence, and what it shows."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.live_rounds.round_lines import (
        ROUND,
        PlayedRound,
        RoundsLeftOut,
        play_rounds,
        round_line,
    )
    from selo.examine.live_rounds.round_plan import (
        plan_all_scripts,
        plan_scripts,
        scripts_for_offers,
    )
    from selo.examine.live_rounds.round_tally import RoundBreach, RoundTally
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ROUND",
    "PlayedRound",
    "RoundBreach",
    "RoundTally",
    "RoundsLeftOut",
    "plan_all_scripts",
    "plan_scripts",
    "play_rounds",
    "round_line",
    "scripts_for_offers",
]
