"""The content of a report, derived from evidence and law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.content.evidence_index import EvidenceIndex
    from selo.report.content.finding_sheets import FindingSheetWriter
    from selo.report.content.house_edge import ExactOdds
    from selo.report.content.report_builder import (
        BuiltDocument,
        build_document,
        build_report,
    )
    from selo.report.content.reproducible_content import (
        ContentSources,
        has_same_edges,
        rederive_content,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "BuiltDocument",
    "ContentSources",
    "EvidenceIndex",
    "ExactOdds",
    "FindingSheetWriter",
    "attachments",
    "build_document",
    "build_report",
    "has_same_edges",
    "rederive_content",
]
