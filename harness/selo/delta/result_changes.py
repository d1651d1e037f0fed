"""What changed between the results of two runs: verdicts by provision, new and fixed findings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from selo.examine.findings import Finding
from selo.verdict import Result, VerdictReason

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from selo.examine.conclusion import ExaminationResult


class VerdictChange(msgspec.Struct, frozen=True, kw_only=True):
    """A provision on which the two runs disagree; None where a run does not judge it."""

    provision: str
    before: Result | None
    after: Result | None
    before_reason: VerdictReason | None
    after_reason: VerdictReason | None


class ResultChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The difference between two results, in the order of the later one."""

    verdicts: list[VerdictChange]
    new: list[Finding]
    fixed: list[Finding]
    #: Findings of the later run that the earlier one had too.
    unchanged: list[Finding]

    @property
    def is_empty(self) -> bool:
        """Whether both runs judge alike and find the same."""
        return not (self.verdicts or self.new or self.fixed)


def compare_results(before: ExaminationResult, after: ExaminationResult) -> ResultChanges:
    """Return what changed from one result to another.

    A finding is the same if it accuses the same provisions of the same cause; numbers, counts and
    examples may differ.
    """
    new, unchanged = _split_known(after.findings, before.findings)
    fixed, _ = _split_known(before.findings, after.findings)
    return ResultChanges(
        verdicts=list(_compare_verdicts(before, after)), new=new, fixed=fixed, unchanged=unchanged
    )


def _compare_verdicts(before: ExaminationResult, after: ExaminationResult) -> list[VerdictChange]:
    earlier = {verdict.provision: verdict for verdict in before.summary.provisions}
    later = {verdict.provision: verdict for verdict in after.summary.provisions}
    changed = []
    for name in dict.fromkeys([*later, *earlier]):
        old, new = earlier.get(name), later.get(name)
        if old and new and (old.result, old.reason) == (new.result, new.reason):
            continue
        changed.append(
            VerdictChange(
                provision=name,
                before=old.result if old else None,
                after=new.result if new else None,
                before_reason=old.reason if old else None,
                after_reason=new.reason if new else None,
            )
        )
    return changed


def _split_known(
    findings: Sequence[Finding], others: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that `others` lack, and those that they have; each counts once."""
    left = Counter(map(_identity, others))
    unknown: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        identity = _identity(finding)
        (known if left[identity] > 0 else unknown).append(finding)
        left[identity] -= 1
    return unknown, known


def _identity(finding: Finding) -> Hashable:
    # Without a known cause the parts of the answer that differ tell findings apart.
    cause = finding.cause_code or (finding.cause, *finding.parts)
    points = tuple(point for point, _ in finding.readings)
    return (
        finding.verdict, finding.game, finding.method, tuple(sorted(finding.provisions)), cause,
        points,
    )  # fmt: skip
