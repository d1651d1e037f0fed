"""Findings: collected, shrunk to a minimal example, put to a vendor again."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.findings.finding import Finding, Ground
    from selo.examine.findings.finding_list import findings_of, origin_of
    from selo.examine.findings.finding_replay import asked_again
    from selo.examine.findings.requested_provisions import Outside, outside
else:
    __getattr__ = front_door(
        __name__,
        {
            "finding": ["Finding", "Ground"],
            "finding_list": ["findings_of", "origin_of"],
            "finding_replay": ["asked_again"],
            "requested_provisions": ["Outside", "outside"],
        },
    )

__all__ = [
    "Finding",
    "Ground",
    "Outside",
    "asked_again",
    "declaration_findings",
    "draw_findings",
    "findings_of",
    "origin_of",
    "outside",
]
