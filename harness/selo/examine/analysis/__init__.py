"""Analysis of evidence: summaries of blocks, rechecked answers, causes, readings, draws."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.analysis.block_summary import BlockSummary
    from selo.examine.analysis.evidence_analysis import EvidenceAnalysis, MisjudgedAnswer
    from selo.examine.analysis.reading_adherence import (
        count_reading_fits,
        count_reading_fits_in_rounds,
        provisions_by_open_point,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "BlockSummary",
    "EvidenceAnalysis",
    "MisjudgedAnswer",
    "block_summary",
    "count_reading_fits",
    "count_reading_fits_in_rounds",
    "draw_record",
    "draw_results",
    "provisions_by_open_point",
    "recheck",
]
