"""The content of a report, derived from evidence and law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.content.attachments import Enclosure
    from selo.report.content.case_sheets import ROUND, Sheets
    from selo.report.content.evidence_index import Lines
    from selo.report.content.observed_edge import Observed
    from selo.report.content.report_builder import build, enclosed_in
else:
    __getattr__ = front_door(
        __name__,
        {
            "attachments": ["Enclosure"],
            "case_sheets": ["ROUND", "Sheets"],
            "evidence_index": ["Lines"],
            "observed_edge": ["Observed"],
            "report_builder": ["build", "enclosed_in"],
        },
    )

__all__ = [
    "ROUND",
    "Enclosure",
    "Lines",
    "Observed",
    "Sheets",
    "build",
    "enclosed_in",
    "house_edge",
    "reproducible_content",
    "test_method",
]
