"""The decision of the gate: what failed, which failures are listed, and whether the list is sound.

1. Failures are the provisions whose verdict is as grave as the threshold, or graver.
2. Every wrong answer of the run is compared with what the entries state (`deviation_cover`).
3. Each entry of the list is in use, stale, expired, about a provision outside the run, without a
   scope, or contradicted by right answers.
4. A failure is unlisted if entries in use do not cover all of it; wrong answers that belong to no
   finding are a failure too.
5. The tables of ``docs/gate.md`` give the exit code; a test compares the program with them.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases import AnswerPart
from selo.gate.deviation_cover import Cover, ListedScope, cover_findings
from selo.gate.deviations import FAILURES, Deviation, DeviationEntry
from selo.gate.run_answers import BesideAnswers
from selo.verdict import Result, VerdictReason
from selo.verdict.overall import VENDOR_FAULT_EXIT

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from selo.examine.conclusion import ExaminationResult
    from selo.gate.run_answers import RunAnswers
    from selo.law import Law
    from selo.settings import FailOn
    from selo.verdict import Verdict


class EntryState(enum.StrEnum):
    """What has become of an entry."""

    IN_USE = "in-use"
    STALE = "stale"
    EXPIRED = "expired"
    #: Its provision was not part of this run.
    BESIDE = "beside"
    #: It states neither a cause nor what differs nor the readings, and so would cover anything.
    LOOSE = "loose"
    #: Right answers contradict the cause that it states.
    REFUTED = "refuted"


class EntryScope(enum.StrEnum):
    """What an entry states of the findings that it covers."""

    STATED = "stated"
    LOOSE = "loose"
    REFUTED = "refuted"


class Unlisted(enum.StrEnum):
    """The gravest failure that nobody has listed."""

    NONE = "none"
    OPEN = "open"
    VIOLATES = "violates"


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One thing for which the gate fails, unless it is listed."""

    provision: str
    game: str
    verdict: Result
    reason: str
    finding: str | None = None
    cause: str | None = None
    cause_code: str | None = None
    parts: list[AnswerPart] = []
    #: The readings that the answers follow on each open point, where these leave it in doubt.
    readings: dict[str, list[str]] = {}
    #: Answers of the finding that are beside the entries which cover others of it.
    beside: BesideAnswers | None = None


class WaivedFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that is let through, and by which entry."""

    failure: Failure
    deviation: Deviation
    where: str


class JudgedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry and what has become of it."""

    deviation: Deviation
    where: str
    state: EntryState


class GateDecision(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate says."""

    passes: bool
    exit: int
    fail_on: str
    at_least: int
    verified: int
    broken: bool
    failures: list[Failure]
    waived: list[WaivedFailure]
    entries: list[JudgedEntry]
    #: Wrong answers that belong to no finding, where something is let through.
    unfound: BesideAnswers | None = None


#: The reason of a verdict that must be listed by itself.
_HIDDEN: Final = "hidden-behind"
#: The reasons of a verdict that depends on the readings which the answers follow.
_READING_REASONS: Final = frozenset({VerdictReason.READING_OPEN, VerdictReason.READINGS_MIXED})
#: The exit codes of the table; the command line has the same contract.
_PASSES: Final = 0
_VIOLATES: Final = 1
_OPEN: Final = 2
_LIST: Final = 3


def decide_gate(*, unlisted: Unlisted, broken: bool, enough: bool, sound: bool) -> tuple[bool, int]:
    """Return whether the gate opens, and the exit code."""
    if unlisted is Unlisted.VIOLATES:
        return False, _VIOLATES
    if broken:
        return False, VENDOR_FAULT_EXIT
    if unlisted is Unlisted.OPEN or not enough:
        return False, _OPEN
    return (True, _PASSES) if sound else (False, _LIST)


def entry_state(*, in_run: bool, expired: bool, occurs: bool, scope: EntryScope) -> EntryState:
    """Return what has become of an entry."""
    if expired:
        return EntryState.EXPIRED
    if not in_run:
        return EntryState.BESIDE
    if not occurs:
        return EntryState.STALE
    return EntryState.IN_USE if scope is EntryScope.STATED else EntryState(scope)


def fatal_results(fail_on: FailOn) -> frozenset[Result]:
    """Return the verdicts for which a gate with this threshold fails."""
    return frozenset(FAILURES[: FAILURES.index(Result(fail_on)) + 1])


def judge_gate(  # noqa: PLR0913 - each is a choice of its own
    outcome: ExaminationResult,
    answers: RunAnswers,
    entries: Sequence[DeviationEntry],
    *,
    fail_on: FailOn,
    at_least: int,
    day: dt.date,
) -> GateDecision:
    """Return what the gate says of an examination on a day; `answers` are those of its run."""
    examined = _examined_provisions(outcome)
    failures = [
        failure
        for failure in _collect_failures(outcome, answers.law)
        # What nobody asked about is not a failure, unless something was seen anyway.
        if failure.provision in examined
        or failure.verdict in {Result.VIOLATES, Result.INCONCLUSIVE}
    ]
    entries = [_with_draw_codes(entry, failures) for entry in entries]
    held = [entry for entry in entries if entry.deviation.expires >= day]
    cover = _cover(outcome, answers, [entry.scope for entry in held], failures)
    judged = [
        JudgedEntry(
            deviation=entry.deviation,
            where=entry.where,
            state=entry_state(
                in_run=not examined.isdisjoint(entry.deviation.provisions),
                expired=entry not in held,
                occurs=any(_concerns(entry, failure) for failure in failures)
                and (
                    not entry.states_scope
                    or held.index(entry) in cover.used | cover.refuted
                    or entry.deviation.verdict is not Result.VIOLATES
                )
                if entry in held
                else False,
                scope=_scope_of(entry, failures, held, cover),
            ),
        )
        for entry in entries
    ]
    in_use = [
        entry
        for entry, judgement in zip(entries, judged, strict=True)
        if judgement.state is EntryState.IN_USE
    ]
    fatal = fatal_results(fail_on)
    unlisted, waived = [], []
    for failure in failures:
        entry = _covering_entry(failure, in_use, held, cover)
        if entry is not None:
            waived.append(
                WaivedFailure(failure=failure, deviation=entry.deviation, where=entry.where)
            )
        elif failure.verdict in fatal:
            beside = cover.beside.get((failure.provision, failure.finding or ""))
            unlisted.append(msgspec.structs.replace(failure, beside=beside))
    counts = outcome.summary.overall.counts
    verified = counts[Result.CONFORMS] + counts[Result.WITNESSED]
    broken = outcome.summary.broken or outcome.exit == VENDOR_FAULT_EXIT
    unfound = cover.unfound if waived else None
    passes, code = decide_gate(
        unlisted=Unlisted.VIOLATES if unfound is not None else _gravest_unlisted(unlisted),
        broken=broken,
        enough=verified >= max(1, at_least),
        sound=all(one.state in {EntryState.IN_USE, EntryState.BESIDE} for one in judged),
    )
    return GateDecision(
        passes=passes,
        exit=code,
        fail_on=fail_on,
        at_least=max(1, at_least),
        verified=verified,
        broken=broken,
        failures=unlisted,
        waived=waived,
        entries=judged,
        unfound=unfound,
    )


def _cover(
    outcome: ExaminationResult,
    answers: RunAnswers,
    scopes: Sequence[ListedScope],
    failures: Sequence[Failure],
) -> Cover:
    """Return what the entries cover; nothing is read where no entry is about a breach."""
    broken = {failure.provision for failure in failures if failure.verdict is Result.VIOLATES}
    if all(broken.isdisjoint(scope.provisions) for scope in scopes):
        return Cover()
    return cover_findings(answers, outcome.findings, scopes)


def _concerns(entry: DeviationEntry, failure: Failure) -> bool:
    """Return whether an entry covers a failure: its provision, verdict and reason."""
    deviation = entry.deviation
    if failure.provision not in deviation.provisions or deviation.verdict is not failure.verdict:
        return False
    if deviation.because is not None and str(deviation.because) != failure.reason:
        return False
    if deviation.readings is not None and failure.readings != deviation.readings:
        # Another reading is followed than the one that was approved.
        return False
    if deviation.because is not None:
        return True
    # What is hidden may be broken as well, and nobody who listed a doubt knew of that.
    return failure.reason != _HIDDEN


def _scope_of(
    entry: DeviationEntry, failures: Sequence[Failure], held: Sequence[DeviationEntry], cover: Cover
) -> EntryScope:
    mine = [failure for failure in failures if _concerns(entry, failure)]
    if entry.deviation.readings is None and any(failure.readings for failure in mine):
        return EntryScope.LOOSE
    has_finding = any(failure.finding for failure in mine)
    if entry.deviation.verdict is not Result.VIOLATES or not has_finding:
        return EntryScope.STATED
    if not entry.states_scope:
        return EntryScope.LOOSE
    refuted = entry in held and held.index(entry) in cover.refuted
    return EntryScope.REFUTED if refuted else EntryScope.STATED


def _covering_entry(
    failure: Failure,
    in_use: Sequence[DeviationEntry],
    held: Sequence[DeviationEntry],
    cover: Cover,
) -> DeviationEntry | None:
    """Return the entry by which a failure is let through, if there is one."""
    if failure.finding is None or failure.verdict is not Result.VIOLATES:
        return next((entry for entry in in_use if _concerns(entry, failure)), None)
    at = cover.covered.get((failure.provision, failure.finding))
    return None if at is None else held[at]


def _with_draw_codes(entry: DeviationEntry, failures: Sequence[Failure]) -> DeviationEntry:
    """Return an entry on draws that gives a former sentence with the codes that this run found."""
    if entry.codes or not entry.is_former:
        return entry
    codes = frozenset(
        failure.cause_code
        for failure in failures
        if failure.cause_code is not None and failure.cause == entry.deviation.cause
    )
    return msgspec.structs.replace(entry, codes=codes)


def _collect_failures(outcome: ExaminationResult, law: Law) -> Iterator[Failure]:
    """Yield every provision that fails; of a breach, each finding by itself."""
    findings = {finding.id: finding for finding in outcome.findings}
    for provision in outcome.summary.provisions:
        if provision.result not in FAILURES or not provision.counts:
            continue
        game = law.find(provision.provision).instrument.game
        mine = [findings[name] for name in provision.findings if name in findings]
        for finding in mine if provision.result is Result.VIOLATES and mine else [None]:
            yield Failure(
                provision=provision.provision,
                game=game,
                verdict=provision.result,
                reason=str(provision.reason),
                finding=None if finding is None else finding.id,
                cause=None if finding is None else finding.cause,
                cause_code=None if finding is None else finding.cause_code,
                parts=[] if finding is None else finding.parts,
                readings=_followed_readings(provision),
            )


def _followed_readings(verdict: Verdict) -> dict[str, list[str]]:
    """Return the readings that leave a verdict open: of each point, all that some answer fits."""
    if verdict.reason not in _READING_REASONS:
        return {}
    points: dict[str, set[str]] = {
        point: set() for point in sorted(ruled.divergence for ruled in verdict.under)
    }
    for followed in verdict.followed:
        if followed.divergence in points:
            fitting = (name for name, times in followed.fits.items() if times)
            points[followed.divergence].update(
                followed.readings if followed.consistent else fitting
            )
    return {point: sorted(readings) for point, readings in points.items()}


def _examined_provisions(outcome: ExaminationResult) -> set[str]:
    """Return the provisions that this run examined."""
    wanted = set(outcome.header.terms.provisions)
    return {provision.provision for provision in outcome.summary.provisions} & (
        wanted or {provision.provision for provision in outcome.summary.provisions}
    )


def _gravest_unlisted(unlisted: Sequence[Failure]) -> Unlisted:
    if any(failure.verdict is Result.VIOLATES for failure in unlisted):
        return Unlisted.VIOLATES
    return Unlisted.OPEN if unlisted else Unlisted.NONE
