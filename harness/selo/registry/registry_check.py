"""Checks a whole log, line by line, in one pass that is linear in its length.

1. Each line is the canonical form of an event with its signatures.
2. It names the registry, its own number, and the hash of the line before it; time does not go back.
3. Its signatures hold at its time; the signers may cause such an event under the policy in force;
   two people have signed where two are needed: two names, two keys.
4. The event is one that can happen to the certificate in its state.
5. Each head names a size and root that the log had, is signed by who may, and heads follow one
   another in size and time. A line after the last head is not vouched for yet.
6. Heads that others have kept are contained in the log.

Signatures of a long log are checked side by side in several processes; everything else depends on
what stands before it and is done here.
"""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selo.evidence.merkle import Frontier, leaf_hash
from selo.parallel import run_workers
from selo.registry.certificate_states import TWO_PERSON_KINDS, CertificateBook
from selo.registry.event_signature import SignatureChecker
from selo.registry.log_signers import find_head_faults, find_line_signers, head_problem
from selo.registry.registry_events import (
    NO_LINE,
    EventKind,
    RegistryTampered,
    UnreadableLine,
    fold_spelling,
    parse_line,
)
from selo.registry.tree_heads import parse_head
from selo.text import say, user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from selo.registry.log_signers import PolicyFinder
    from selo.registry.log_storage import LogStorage
    from selo.registry.registry_events import LogLine, RegistryEvent
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead, TreeHead
    from selo.signing import SignerIdentity

#: Longer logs are checked side by side.
_SIDE_BY_SIDE: Final = 4096
#: Clocks of two signers may differ by so much.
CLOCK_TOLERANCE: Final = dt.timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistryProblem:
    """Something that is wrong with a log: where, the key of its message, and its slots."""

    #: The number of a line; nothing where it is about a head or the whole.
    number: int | None
    key: str
    slots: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class CheckedLog:
    """A log that was read: what it holds, and what is wrong with it."""

    #: The policy in force after the last line.
    policy: RegistryPolicy
    registry: str = ""
    size: int = 0
    last_hash: str = NO_LINE
    last_at: dt.datetime | None = None
    book: CertificateBook = field(default_factory=CertificateBook)
    head: TreeHead | None = None
    #: How many heads were read.
    heads: int = 0
    problems: list[RegistryProblem] = field(default_factory=list)
    events: list[RegistryEvent] = field(default_factory=list)
    frontier: Frontier = field(default_factory=Frontier)

    @property
    def root(self) -> str:
        """The root over all lines; blank without any."""
        return self.frontier.root() if self.size else ""

    def refuse_broken(self, folder: Path) -> None:
        """Refuse a log that is not whole; one whose last line has no head yet is."""
        problem = next((one for one in self.problems if one.key != "no-head"), None)
        if problem is not None:
            raise user_error(
                "registry-not-whole", where=str(folder), kind=RegistryTampered,
                problem=say(f"registry.problem.{problem.key}", "en", **problem.slots),
            )  # fmt: skip

    def take_line(self, raw: bytes, event: RegistryEvent) -> None:
        """Grow by a line with an event that can happen."""
        self.skip_line(raw)
        self.registry = self.registry or event.registry
        self.last_at = event.at
        self.book.take(event)
        self.events.append(event)

    def skip_line(self, raw: bytes) -> None:
        """Grow by a line that nothing follows from."""
        leaf = leaf_hash(raw)
        self.frontier.add([leaf])
        self.size, self.last_hash = self.frontier.size, leaf.hex()


def event_problems(
    line: LogLine, signers: Sequence[SignerIdentity], policy: RegistryPolicy
) -> Iterator[str]:
    """Yield what is wrong with who signed an event, as keys of messages."""
    event = line.event
    needed = 2 if event.kind in TWO_PERSON_KINDS else 1
    if len(signers) < needed:
        yield "signatures"
    elif len({signer.key for signer in signers}) < len(signers) or (
        needed > 1 and any(_may_be_one(*pair) for pair in itertools.combinations(signers, 2))
    ):
        yield "same-person"
    for signer in signers:
        if not policy.allows(signer, event.kind):
            yield "not-allowed"
    if signers and signers[0].name != event.by:
        yield "by-another"


def _may_be_one(one: SignerIdentity, two: SignerIdentity) -> bool:
    """Return whether two signers bear one name, however it is spelt and in whatever order."""
    words = [fold_spelling(signer.name).split("-") for signer in (one, two)]
    first, second = ({"".join(name), "".join(sorted(name))} for name in words)
    return not first.isdisjoint(second)


def check_log(
    storage: LogStorage,
    policy: RegistryPolicy,
    *,
    policies: PolicyFinder = lambda _: None,
    kept_heads: Iterable[SignedHead] = (),
    signatures: bool = True,
) -> CheckedLog:
    """Return what a log holds under the policy that is trusted, and everything wrong with it.

    `policies` finds a later policy by its digest. Without `signatures` only that of the newest head
    is checked: whoever trusts the registry itself to have checked the others may do so.
    """
    log = CheckedLog(policy=policy)
    heads = _HeadCheck(log, storage, kept_heads)
    cores = os.cpu_count() or 1 if heads.largest > _SIDE_BY_SIDE else 1
    signers_of_lines = run_workers(
        functools.partial(find_line_signers, storage, policy, policies), cores if signatures else 1
    )
    for raw in storage.lines():
        number = log.size
        outcome = next(signers_of_lines, None) if signatures else None
        if signatures and outcome is None:
            # A worker saw fewer lines: somebody is writing. The heads tell that lines are missing.
            break
        try:
            line = parse_line(raw)
        except UnreadableLine as error:
            log.problems.append(_problem(number, "unreadable", problem=str(error)))
            log.skip_line(raw)
            heads.at_size(log)
            continue
        event = line.event
        for key in _place_problems(log, event, number, policy):
            log.problems.append(_problem(number, key))
        if outcome is not None:
            signers, faults = outcome
            log.problems += [_problem(number, "signature", problem=fault) for fault in faults]
            for key in event_problems(line, signers, log.policy):
                log.problems.append(_problem(number, key, kind=event.kind, by=event.by))
        problem = log.book.problem_with(event)
        if problem is not None:
            log.problems.append(
                _problem(number, problem, kind=event.kind, certificate=event.certificate)
            )
            log.skip_line(raw)
        else:
            log.take_line(raw, event)
        if event.kind is EventKind.POLICY and event.policy is not None:
            later = policies(event.policy)
            if later is None or later.digest != event.policy:
                log.problems.append(_problem(number, "policy-missing", digest=event.policy))
            else:
                log.policy = later
                heads.changes.append((log.size, later))
        log.last_at = event.at
        heads.at_size(log)
    heads.finish(cores if signatures else 0)
    return log


def _problem(number: int | None, key: str, /, **slots: object) -> RegistryProblem:
    return RegistryProblem(
        number=number, key=key, slots={name: str(value) for name, value in slots.items()}
    )


def _place_problems(
    log: CheckedLog, event: RegistryEvent, number: int, policy: RegistryPolicy
) -> Iterator[str]:
    """Yield what is wrong with the place of an event in the log."""
    if number == 0:
        log.registry = event.registry
        if event.policy != policy.digest:
            yield "other-policy"
    if event.registry != log.registry:
        yield "other-registry"
    if event.number != number:
        yield "line-number"
    if event.previous != log.last_hash:
        yield "previous"
    if log.last_at is not None and event.at + CLOCK_TOLERANCE < log.last_at:
        yield "earlier"


class _HeadCheck:
    """Compares heads with the tree as it grows, and keeps of each no more than that needs."""

    def __init__(self, log: CheckedLog, storage: LogStorage, kept: Iterable[SignedHead]) -> None:
        self._log = log
        self._storage = storage
        self._kept = list(kept)
        #: By size, the heads of the log.
        self._waiting: dict[int, list[TreeHead]] = {}
        #: The policies, each with the number of lines from which on it is in force.
        self.changes = [(0, log.policy)]
        self._last: SignedHead | None = None
        for raw in storage.heads():
            number = log.heads
            log.heads += 1
            try:
                signed = parse_head(raw)
            except UnreadableLine as error:
                log.problems.append(_problem(None, "head-unreadable", head=number, problem=error))
                continue
            head = signed.head
            last: TreeHead | None = None if self._last is None else self._last.head
            if last is not None and (head.size < last.size or head.at < last.at):
                log.problems.append(_problem(None, "head-order", head=number))
            self._last = signed
            self._waiting.setdefault(head.size, []).append(head)

    @property
    def largest(self) -> int:
        """How many lines the newest head knows."""
        return 0 if self._last is None else self._last.head.size

    def at_size(self, log: CheckedLog) -> None:
        """Compare the heads of a size with the root that the log had then."""
        for head in self._waiting.pop(log.size, ()):
            if head.root != log.root:
                log.problems.append(_problem(None, "head-root", size=log.size, root=head.root))
            elif head.registry != log.registry:
                log.problems.append(_problem(None, "head-registry"))
            elif log.last_at is not None and head.at + CLOCK_TOLERANCE < log.last_at:
                log.problems.append(_problem(None, "head-early", size=log.size))
            else:
                log.head = head
        for signed in self._kept:
            head = signed.head
            if head.size == log.size and head.registry != log.registry:
                log.problems.append(_problem(None, "head-registry"))
            elif head.size == log.size and head.root != log.root:
                log.problems.append(_problem(None, "kept-head", size=log.size, root=head.root))

    def finish(self, processes: int) -> None:
        """Check signatures, and report heads of a longer log and lines without a head."""
        log = self._log
        if processes:
            work = functools.partial(find_head_faults, self._storage, self.changes)
            faults = [fault for _, fault in run_workers(work, processes)]
        else:
            faults = self._faults_of([] if self._last is None else [self._last])
        kept = [signed for signed in self._kept if signed.head.size <= log.size]
        for problem in (*faults, *self._faults_of(kept)):
            log.problems.append(_problem(None, "head-signature", problem=problem))
            log.head = None
        longer = {signed.head.size for signed in self._kept if signed.head.size > log.size}
        for size in sorted({*self._waiting, *longer}):
            log.problems.append(_problem(None, "rolled-back", size=size, lines=log.size))
        if log.size and (log.head is None or log.head.size < log.size):
            covered = 0 if log.head is None else log.head.size
            log.problems.append(_problem(None, "no-head", size=covered, lines=log.size))

    def _faults_of(self, heads: Sequence[SignedHead]) -> list[str]:
        """Return what is wrong with the signatures of single heads, under the policy of each."""
        faults = []
        for signed in heads:
            policy = [one for start, one in self.changes if start <= signed.head.size][-1]
            faults.append(head_problem(signed, SignatureChecker(policy)))
        return [fault for fault in faults if fault is not None]
