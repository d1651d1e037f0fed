"""Whether the gate opens: what failed, what of it is known, and what is wrong with the list.

1. Failures are the provisions whose verdict is as grave as the threshold, or graver.
2. Each entry of the list is in use, stale, expired, or about something that was not looked at.
3. A failure that no entry in use covers is not listed.
4. The tables of ``docs/gate.md`` give the exit code; a test holds the program against them.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from selo.gate.deviations import FAILURES, Deviation, Entry
from selo.verdict import Result
from selo.verdict.overall import BROKEN

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from selo.examine.outcome import Outcome
    from selo.law.loader import Law
    from selo.settings import FailOn


class State(enum.StrEnum):
    """What has become of an entry."""

    IN_USE = "in-use"
    STALE = "stale"
    EXPIRED = "expired"
    #: Its provision was not part of this run.
    BESIDE = "beside"


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


class Waived(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that is let through, and by which entry."""

    failure: Failure
    deviation: Deviation
    where: str


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """An entry and what has become of it."""

    deviation: Deviation
    where: str
    state: State


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate says."""

    passes: bool
    exit: int
    fail_on: str
    at_least: int
    verified: int
    broken: bool
    failures: list[Failure]
    waived: list[Waived]
    entries: list[Judged]


#: The exit codes of the table; the command line has the same contract.
_PASSES: Final = 0
_VIOLATES: Final = 1
_OPEN: Final = 2
_LIST: Final = 3


def opens(*, unlisted: Unlisted, broken: bool, enough: bool, sound: bool) -> tuple[bool, int]:
    """Return whether the gate opens, and the exit code."""
    if unlisted is Unlisted.VIOLATES:
        return False, _VIOLATES
    if broken:
        return False, BROKEN
    if unlisted is Unlisted.OPEN or not enough:
        return False, _OPEN
    return (True, _PASSES) if sound else (False, _LIST)


def stands(*, in_run: bool, expired: bool, occurs: bool) -> State:
    """Return what has become of an entry."""
    if expired:
        return State.EXPIRED
    if not in_run:
        return State.BESIDE
    return State.IN_USE if occurs else State.STALE


def failing(fail_on: FailOn) -> frozenset[Result]:
    """Return the verdicts for which a gate with this threshold fails."""
    return frozenset(FAILURES[: FAILURES.index(Result(fail_on)) + 1])


def judge(  # noqa: PLR0913 - each is a choice of its own
    outcome: Outcome,
    law: Law,
    entries: Sequence[Entry],
    *,
    fail_on: FailOn,
    at_least: int,
    day: dt.date,
) -> Gate:
    """Return what the gate says of an examination on a day."""
    looked = _looked_at(outcome)
    happened = [
        one
        for one in _happened(outcome, law)
        # What nobody asked about is no failure; what was seen all the same is one.
        if one.provision in looked or one.verdict in {Result.VIOLATES, Result.INCONCLUSIVE}
    ]
    judged = [
        Judged(
            deviation=entry.deviation,
            where=entry.where,
            state=stands(
                in_run=entry.deviation.provision in looked,
                expired=entry.deviation.expires < day,
                occurs=any(covers(entry.deviation, failure) for failure in happened),
            ),
        )
        for entry in entries
    ]
    in_use = [one for one in judged if one.state is State.IN_USE]
    fatal = failing(fail_on)
    unlisted, waived = [], []
    for failure in happened:
        entry = next((one for one in in_use if covers(one.deviation, failure)), None)
        if entry is not None:
            waived.append(Waived(failure=failure, deviation=entry.deviation, where=entry.where))
        elif failure.verdict in fatal:
            unlisted.append(failure)
    counts = outcome.summary.overall.counts
    verified = counts[Result.CONFORMS] + counts[Result.WITNESSED]
    broken = outcome.summary.broken or outcome.exit == BROKEN
    passes, code = opens(
        unlisted=_gravest(unlisted),
        broken=broken,
        enough=verified >= max(1, at_least),
        sound=all(one.state in {State.IN_USE, State.BESIDE} for one in judged),
    )
    return Gate(
        passes=passes,
        exit=code,
        fail_on=fail_on,
        at_least=max(1, at_least),
        verified=verified,
        broken=broken,
        failures=unlisted,
        waived=waived,
        entries=judged,
    )


def covers(deviation: Deviation, failure: Failure) -> bool:
    """Return whether an entry speaks of a failure."""
    return (
        deviation.provision == failure.provision
        and deviation.verdict is failure.verdict
        and (deviation.cause is None or deviation.cause == failure.cause)
    )


def _happened(outcome: Outcome, law: Law) -> Iterator[Failure]:
    """Yield everything that is not as it should be; of a breach, each finding by itself."""
    causes = {finding.id: finding.cause for finding in outcome.findings}
    for provision in outcome.summary.provisions:
        if provision.result not in FAILURES or not provision.counts:
            continue
        game = law.find(provision.provision).instrument.game
        found = [name for name in provision.findings if name in causes]
        for finding in found if provision.result is Result.VIOLATES and found else [None]:
            yield Failure(
                provision=provision.provision,
                game=game,
                verdict=provision.result,
                reason=str(provision.reason),
                finding=finding,
                cause=causes[finding] if finding is not None else None,
            )


def _looked_at(outcome: Outcome) -> set[str]:
    """Return the provisions that this run could have said something about."""
    wanted = set(outcome.header.terms.provisions)
    return {provision.provision for provision in outcome.summary.provisions} & (
        wanted or {provision.provision for provision in outcome.summary.provisions}
    )


def _gravest(unlisted: Sequence[Failure]) -> Unlisted:
    if any(one.verdict is Result.VIOLATES for one in unlisted):
        return Unlisted.VIOLATES
    return Unlisted.OPEN if unlisted else Unlisted.NONE
