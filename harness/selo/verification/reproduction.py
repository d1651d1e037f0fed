"""Runs the exact plan of a document again, against a build, and compares the verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from selo.examine.conclusion import phases, run_phases
from selo.examine.run import Examination
from selo.examine.run.evidence_header import Header, build_header, is_current
from selo.examine.run.run_log import begin_run_log
from selo.examine.vendor_description import introduce_vendor, processes_for
from selo.text import user_error
from selo.vendors.faults import VendorBroken
from selo.vendors.vendor_address import measure_address
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from selo.examine.conclusion import ExaminationResult
    from selo.examine.exchange import VendorEndpoint
    from selo.law import Law
    from selo.report.model.report_model import Report


#: Results that rest on witnesses, which running a plan cannot reproduce.
_WITNESS_RESULTS = frozenset({Result.WITNESSED, Result.TO_BE_WITNESSED})


class ChangedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A provision whose verdict is another now."""

    provision: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReproductionResult:
    """The result of running a plan again, compared with the document."""

    examination: ExaminationResult
    same: int
    changed: list[ChangedVerdict]
    #: How many provisions were witnessed; running a plan says nothing about them.
    witnessed: int
    #: Whether the build is the one of the document, file by file.
    same_build: bool

    @property
    def exit(self) -> int:
        """The exit code: 0 if the same, 1 if a provision is now violated, 2 for other changes."""
        if any(verdict.after == Result.VIOLATES for verdict in self.changed):
            return 1
        return 2 if self.changed else 0


def reproduce_examination(  # noqa: PLR0913 - each is a choice of its own
    report: Report,
    header: Header,
    law: Law,
    vendor: VendorEndpoint,
    folder: Path,
    *,
    cores: int,
    games: Collection[str] | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> ReproductionResult:
    """Examine `vendor` by the plan of `header`, into `folder`, and compare with `report`.

    With `games`, only these games of the plan are run and compared.
    """
    terms = header.terms
    if games is not None:
        chosen = [game for game in terms.games if game.game in games]
        if len(chosen) < len(set(games)):
            known = ", ".join(game.game for game in terms.games)
            raise user_error("game", name=", ".join(games), known=known)
        terms = msgspec.structs.replace(terms, games=chosen)
    if not is_current(header, law):
        raise user_error("document-other", engine=terms.engine_number)
    session = vendor.session()
    try:
        vendor_facts = introduce_vendor(session, law, [game.game for game in terms.games])
        if vendor_facts.faults:
            raise VendorBroken(vendor_facts.faults[0])
        new_header = build_header(
            terms,
            vendor_facts.description,
            adopted=header.adopted,
            commitment=None,
            isolation=measure_address(vendor.address, vendor.folder, vendor.room),
            # What the authority permitted then is part of the plan that is run again.
            permissions=header.permissions,
            not_offered=header.not_offered,
        )
    finally:
        session.kill()
    log = begin_run_log(vendor, processes_for(vendor_facts.description.processes, None, cores))
    examination = Examination.begin(folder, law, log, new_header)
    result = run_phases(examination, law, _CountingObserver(on_progress))
    instruments = {norm.instrument for norm in report.norms if games is None or norm.game in games}
    return _compare_verdicts(report, result, instruments)


class _CountingObserver(phases.SilentObserver):
    """Passes the progress on, and nothing else."""

    def __init__(self, on_progress: Callable[[int], None]) -> None:
        self._on_progress = on_progress

    def progressed(self, count: int) -> None:
        """Pass the number of cases, rounds or outcomes on."""
        self._on_progress(count)


def _compare_verdicts(
    report: Report, examined: ExaminationResult, instruments: Collection[str]
) -> ReproductionResult:
    after = {provision.provision: provision.result for provision in examined.summary.provisions}
    same, witnessed, changed = 0, 0, []
    for provision in report.provisions:
        if provision.instrument not in instruments:
            continue
        result = after.get(provision.id)
        if result == provision.result:
            same += 1
        elif result is Result.TO_BE_WITNESSED and _needs_witnesses(
            provision.witnesses, provision.result
        ):
            witnessed += 1
        else:
            changed.append(
                ChangedVerdict(
                    provision=provision.id, before=str(provision.result), after=str(result or "–")
                )
            )
    described = examined.header.description.files
    return ReproductionResult(
        examination=examined,
        same=same,
        changed=changed,
        witnessed=witnessed,
        same_build={file.path: file.sha256 for file in described}
        == {file.path: file.sha256 for file in report.item.files},
    )


def _needs_witnesses(witnesses: Sequence[object], before: Result) -> bool:
    """Return whether the former verdict on a provision rested on witnesses."""
    return bool(witnesses) and before in {Result.CONFORMS, *_WITNESS_RESULTS}
