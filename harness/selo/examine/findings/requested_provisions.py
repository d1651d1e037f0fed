"""Separates the provisions named with ``--provision`` from what was found about others.

Cases that decide one provision depend on others too. Violations of those always count, but are
listed separately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.verdict import VerdictReason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.examine.findings.finding import Finding
    from selo.examine.plan import Terms
    from selo.verdict import Verdict


class UnrequestedFindings(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on the way, of provisions that were not asked for."""

    #: Other provisions with a violation, a doubt or a fault.
    provisions: list[str]
    #: Findings that blame none of the named provisions.
    findings: list[str]


def collect_unrequested(
    terms: Terms, verdicts: Iterable[Verdict], findings: Iterable[Finding]
) -> UnrequestedFindings | None:
    """Return what was found about provisions that were not named; none if none were named."""
    requested = set(terms.provisions)
    if not requested:
        return None
    return UnrequestedFindings(
        provisions=[
            verdict.provision
            for verdict in verdicts
            if verdict.provision not in requested and verdict.reason is not VerdictReason.LEFT_OUT
        ],
        # A breach of the protocol blames no provision and bears on all of them.
        findings=[
            finding.id
            for finding in findings
            if finding.provisions and requested.isdisjoint(finding.provisions)
        ],
    )
