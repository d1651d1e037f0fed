"""Fault localisation: which provision and which misreading explain wrong answers."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.blame.hypotheses import Right, Sample, derived
    from selo.examine.blame.kill_frequency import Often
    from selo.examine.blame.reading_inference import Shown, denied, shown
else:
    __getattr__ = front_door(
        __name__,
        {
            "hypotheses": ["Right", "Sample", "derived"],
            "kill_frequency": ["Often"],
            "reading_inference": ["Shown", "denied", "shown"],
        },
    )

__all__ = ["Often", "Right", "Sample", "Shown", "denied", "derived", "root_causes", "shown"]
