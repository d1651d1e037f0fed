"""Findings of cases, rounds, draws and declarations: collection, shrinking, replay."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.findings.finding import Finding, FindingGround
    from selo.examine.findings.finding_list import collect_findings, origin_of
    from selo.examine.findings.finding_replay import replay_finding
    from selo.examine.findings.requested_provisions import UnrequestedFindings, collect_unrequested
    from selo.examine.findings.round_findings import parts_of_round
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Finding",
    "FindingGround",
    "UnrequestedFindings",
    "collect_findings",
    "collect_unrequested",
    "declaration_findings",
    "draw_findings",
    "origin_of",
    "parts_of_round",
    "replay_finding",
]
