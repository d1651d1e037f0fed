"""Points on which the law can be read in two ways and that bear on this result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.report.model.report_model import Open

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.outcome.result import Outcome
    from selo.law.loader import Law
    from selo.verdict.observations import Followed


def open_points(law: Law, outcome: Outcome) -> Iterator[Open]:
    """Yield every point that an answer or a finding touches, in the order of the register."""
    shown: dict[str, Followed] = {
        one.divergence: one for verdict in outcome.summary.provisions for one in verdict.followed
    }
    touched = {name for finding in outcome.findings for name, _ in finding.readings}
    rulings = outcome.header.terms.rulings
    for point in law.divergences:
        if point.id not in shown and point.id not in touched:
            continue
        seen = shown.get(point.id)
        followed = () if seen is None else seen.readings
        yield Open(
            divergence=point.id,
            provisions=point.provisions,
            question=point.title,
            readings={one.id: one.says for one in point.readings},
            default=point.default,
            follows=followed[0] if len(followed) == 1 else None,
            times=0 if seen is None else seen.times,
            cases=0 if seen is None else seen.cases,
            ruled=rulings.get(point.id),
        )
