"""Evidence analysed: blocks summarised, answers judged again, draws tested."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.replay.block_summary import Gist, Unreadable, gists
    from selo.examine.replay.evidence_analysis import Conclusion, Misjudged
    from selo.examine.replay.reading_adherence import followed, followed_in_rounds, touched
else:
    __getattr__ = front_door(
        __name__,
        {
            "block_summary": ["Gist", "Unreadable", "gists"],
            "evidence_analysis": ["Conclusion", "Misjudged"],
            "reading_adherence": ["followed", "followed_in_rounds", "touched"],
        },
    )

__all__ = [
    "Conclusion",
    "Gist",
    "Misjudged",
    "Unreadable",
    "draw_results",
    "followed",
    "followed_in_rounds",
    "gists",
    "touched",
]
