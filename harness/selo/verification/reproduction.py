"""Runs the exact plan of a document again, against a build, and compares verdict by verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo import __version__
from selo.examine.exchange.describe_check import introduced
from selo.examine.exchange.workers import processes_for
from selo.examine.outcome import Nobody, run
from selo.examine.run import commit
from selo.examine.run.examination import Examination, Header, Run, environment, header_of, now
from selo.law.spec_digest import spec_digest
from selo.text import wrong
from selo.vendors.faults import VendorBroken
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from selo.examine.exchange.workers import Reached
    from selo.examine.outcome import Outcome
    from selo.law.loader import Law
    from selo.report.model.report_model import Report

#: What people see is not seen again by running a plan.
_SEEN_BY_PEOPLE = frozenset({Result.WITNESSED, Result.TO_BE_WITNESSED})


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A provision whose verdict is another now."""

    provision: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reproduced:
    """What came of running a plan again."""

    outcome: Outcome
    same: int
    changed: list[Changed]
    #: Provisions that people witnessed; running a plan says nothing of them.
    witnessed: int
    #: Whether the build is the one of the document, file by file.
    same_build: bool

    @property
    def exit(self) -> int:
        """The exit code: the same, now against the law, or otherwise different."""
        if any(one.after == Result.VIOLATES for one in self.changed):
            return 1
        return 2 if self.changed else 0


def reproduce(  # noqa: PLR0913 - each is a choice of its own
    report: Report,
    header: Header,
    law: Law,
    vendor: Reached,
    folder: Path,
    *,
    cores: int,
    told: Callable[[int], None] = lambda _: None,
) -> Reproduced:
    """Examine `vendor` by the plan of `header`, into `folder`, and compare with `report`."""
    terms = header.terms
    if terms.spec_digest != spec_digest(law) or terms.selo != __version__:
        raise wrong("document-other", selo=terms.selo)
    session = vendor.session()
    try:
        known = introduced(session, law, [game.game for game in terms.games])
        if known.faults:
            raise VendorBroken(known.faults[0])
        begun = header_of(
            terms,
            known.description,
            adopted=header.adopted,
            commitment=None,
            session=session,
            # What the authority permitted then is part of the plan that is run again.
            permissions=header.permissions,
            not_offered=header.not_offered,
        )
    finally:
        session.kill()
    note = Run(
        vendor=vendor.address,
        folder=str(vendor.folder),
        limits=vendor.limits,
        processes=processes_for(known.description.processes, None, cores),
        started=now(),
        environment=environment(),
        commit=commit(),
    )
    outcome = run(Examination.begin(folder, law, note, begun), law, _Told(told))
    return _compared(report, outcome)


class _Told(Nobody):
    """Tells how many more are done, and nothing else."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told = told

    def told(self, many: int) -> None:
        """Learn that so many more are done."""
        self._told(many)


def _compared(report: Report, outcome: Outcome) -> Reproduced:
    after = {provision.provision: provision.result for provision in outcome.summary.provisions}
    same, witnessed, changed = 0, 0, []
    for provision in report.provisions:
        now_is = after.get(provision.id)
        if now_is == provision.result:
            same += 1
        elif now_is is Result.TO_BE_WITNESSED and _by_people(provision.witnesses, provision.result):
            witnessed += 1
        else:
            changed.append(
                Changed(
                    provision=provision.id, before=str(provision.result), after=str(now_is or "–")
                )
            )
    described = outcome.header.description.files
    return Reproduced(
        outcome=outcome,
        same=same,
        changed=changed,
        witnessed=witnessed,
        same_build={one.path: one.sha256 for one in described}
        == {file.path: file.sha256 for file in report.item.files},
    )


def _by_people(witnesses: Sequence[object], before: Result) -> bool:
    """Return whether people had to see a provision before it was said to conform."""
    return bool(witnesses) and before in {Result.CONFORMS, *_SEEN_BY_PEOPLE}
