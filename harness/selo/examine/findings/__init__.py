"""Findings of cases, rounds, draws and declarations: collection, shrinking, replay."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.findings.finding import Finding, sort_by_harm
    from selo.examine.findings.finding_list import collect_findings, origin_of
    from selo.examine.findings.round_findings import parts_of_round
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Finding",
    "collect_findings",
    "declaration_findings",
    "draw_findings",
    "finding_replay",
    "origin_of",
    "par_findings",
    "parts_of_round",
    "requested_provisions",
    "sort_by_harm",
]
