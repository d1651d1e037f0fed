"""What was asked for with ``--provision``, and what was found on the way there.

Cases that decide one provision lean on others. What they show of those counts as it always does:
a breach that was seen is never passed over. But it is told apart from what was asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.verdict import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.examine.findings.finding import Finding
    from selo.examine.plan import Terms
    from selo.verdict import Verdict


class Outside(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on the way, of provisions that were not asked for."""

    #: Provisions that something is said of all the same: a breach, a doubt or a fault.
    provisions: list[str]
    #: Findings that blame none of the provisions asked for.
    findings: list[str]


def outside(
    terms: Terms, verdicts: Iterable[Verdict], findings: Iterable[Finding]
) -> Outside | None:
    """Return what lies outside of what was asked; nothing if everything was asked for."""
    asked = set(terms.provisions)
    if not asked:
        return None
    return Outside(
        provisions=[
            verdict.provision
            for verdict in verdicts
            if verdict.provision not in asked and verdict.reason is not Reason.LEFT_OUT
        ],
        # What breaks the protocol blames nothing, and bears on whatever was asked.
        findings=[
            finding.id
            for finding in findings
            if finding.provisions and asked.isdisjoint(finding.provisions)
        ],
    )
