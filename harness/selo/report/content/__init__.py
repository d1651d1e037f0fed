"""The content of a report, derived from evidence and law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.content.attachments import Enclosure
    from selo.report.content.case_sheets import CaseSheetWriter
    from selo.report.content.evidence_index import EvidenceIndex
    from selo.report.content.house_edge import ExactOdds
    from selo.report.content.report_builder import build_report, collect_enclosures
    from selo.report.content.reproducible_content import (
        ContentSources,
        has_same_edges,
        rederive_content,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CaseSheetWriter",
    "ContentSources",
    "Enclosure",
    "EvidenceIndex",
    "ExactOdds",
    "build_report",
    "collect_enclosures",
    "has_same_edges",
    "rederive_content",
]
