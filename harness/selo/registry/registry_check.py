"""Checks a whole log, line by line, in one pass that is linear in its length.

1. Each line is the canonical form of an event with its signatures.
2. It names the registry, its own number, and the hash of the line before it; time does not go back.
3. Its signatures hold at its time; the signers may cause such an event under the policy in force;
   two people have signed where two are needed: two names, two keys.
4. The event is one that can happen to the certificate in its state.
5. Each head names a size and root that the log had, is signed by who may, and heads follow one
   another in size and time. A line after the last head is not vouched for yet.
6. Heads that others have kept are contained in the log.

Signatures are checked side by side in several processes; everything else depends on what stands
before it and is done here.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selo.evidence.merkle import Frontier, leaf_hash
from selo.registry.certificate_states import TWO_PERSON_KINDS, CertificateBook
from selo.registry.event_signature import BadSignature, SignatureChecker
from selo.registry.registry_events import NO_LINE, EventKind, UnreadableLine, parse_line
from selo.registry.registry_policy import HEAD
from selo.registry.tree_heads import parse_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from selo.registry.log_storage import LogStorage
    from selo.registry.registry_events import LogLine, RegistryEvent
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead, TreeHead
    from selo.signing import SignerIdentity

#: Clocks of two signers may differ by so much.
_CLOCK_TOLERANCE: Final = dt.timedelta(minutes=5)


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

    registry: str = ""
    size: int = 0
    root: str = ""
    last_hash: str = NO_LINE
    last_at: dt.datetime | None = None
    book: CertificateBook = field(default_factory=CertificateBook)
    policy: RegistryPolicy | None = None
    head: TreeHead | None = None
    problems: list[RegistryProblem] = field(default_factory=list)
    events: list[RegistryEvent] = field(default_factory=list)


def event_problems(
    line: LogLine, signers: Sequence[SignerIdentity], policy: RegistryPolicy
) -> Iterator[str]:
    """Yield what is wrong with who signed an event, as keys of messages."""
    event = line.event
    needed = 2 if event.kind in TWO_PERSON_KINDS else 1
    if len(signers) < needed:
        yield "signatures"
    elif len({signer.key for signer in signers}) < len(signers) or (
        needed > 1 and len({signer.name for signer in signers}) < needed
    ):
        yield "same-person"
    for signer in signers:
        if not policy.allows(signer, event.kind):
            yield "not-allowed"
    if signers and signers[0].name != event.by:
        yield "by-another"


def check_log(
    storage: LogStorage,
    policy: RegistryPolicy,
    *,
    policies: Callable[[str], RegistryPolicy | None] = lambda _: None,
    kept_heads: Iterable[SignedHead] = (),
    signatures: bool = True,
) -> CheckedLog:
    """Return what a log holds under the policy that is trusted, and everything wrong with it.

    `policies` finds a later policy by its digest. Without `signatures` only heads are checked for
    theirs: whoever trusts the registry itself to have checked its events may do so.
    """
    log = CheckedLog(policy=policy)
    heads = _HeadCheck(log, storage, kept_heads)
    frontier = Frontier()
    checker = SignatureChecker(policy)
    for raw in storage.lines():
        number = log.size
        log.size += 1
        frontier.add([leaf_hash(raw)])
        heads.at_size(log.size, frontier, checker)
        try:
            line = parse_line(raw)
            given = line.signature_bytes()
        except UnreadableLine as error:
            log.problems.append(_problem(number, "unreadable", problem=str(error)))
            log.last_hash = leaf_hash(raw).hex()
            continue
        event = line.event
        for key in _place_problems(log, event, number, checker.policy):
            log.problems.append(_problem(number, key))
        if signatures:
            signers = []
            for signature in given:
                try:
                    signers.append(checker.signer_of(event.encode(), signature, event.at))
                except BadSignature as error:
                    log.problems.append(_problem(number, "signature", problem=str(error)))
            for key in event_problems(line, signers, checker.policy):
                log.problems.append(_problem(number, key, kind=event.kind, by=event.by))
        problem = log.book.problem_with(event)
        if problem is not None:
            log.problems.append(
                _problem(number, problem, kind=event.kind, certificate=event.certificate)
            )
        else:
            log.book.take(event)
        if event.kind is EventKind.POLICY and event.policy is not None:
            checker = _next_checker(log, number, event.policy, policies) or checker
        log.events.append(event)
        log.last_hash, log.last_at = leaf_hash(raw).hex(), event.at
    log.root = frontier.root() if log.size else ""
    log.policy = checker.policy
    heads.finish()
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
    if log.last_at is not None and event.at + _CLOCK_TOLERANCE < log.last_at:
        yield "earlier"


def _next_checker(
    log: CheckedLog, number: int, digest: str, policies: Callable[[str], RegistryPolicy | None]
) -> SignatureChecker | None:
    policy = policies(digest)
    if policy is None or policy.digest != digest:
        log.problems.append(_problem(number, "policy-missing", digest=digest))
        return None
    return SignatureChecker(policy)


class _HeadCheck:
    """Compares heads with the tree as it grows."""

    def __init__(self, log: CheckedLog, storage: LogStorage, kept: Iterable[SignedHead]) -> None:
        self._log = log
        self._waiting: dict[int, list[tuple[SignedHead, bool]]] = {}
        before: TreeHead | None = None
        for number, raw in enumerate(storage.heads()):
            try:
                signed = parse_head(raw)
            except UnreadableLine as error:
                log.problems.append(_problem(None, "head-unreadable", head=number, problem=error))
                continue
            if before is not None and (
                signed.head.size < before.size or signed.head.at < before.at
            ):
                log.problems.append(_problem(None, "head-order", head=number))
            before = signed.head
            self._waiting.setdefault(signed.head.size, []).append((signed, True))
        for signed in kept:
            self._waiting.setdefault(signed.head.size, []).append((signed, False))

    def at_size(self, size: int, frontier: Frontier, checker: SignatureChecker) -> None:
        """Check the heads of a size."""
        for signed, own in self._waiting.pop(size, ()):
            head = signed.head
            slots = {"size": size, "root": head.root}
            if head.root != frontier.root():
                key = "head-root" if own else "kept-head"
                self._log.problems.append(_problem(None, key, **slots))
            elif (problem := head_problem(signed, checker)) is not None:
                self._log.problems.append(
                    _problem(None, "head-signature", problem=problem, **slots)
                )
            elif own:
                self._log.head = head

    def finish(self) -> None:
        """Report heads of a longer log, heads of another registry, and lines without a head."""
        log = self._log
        for size in self._waiting:
            log.problems.append(_problem(None, "rolled-back", size=size, lines=log.size))
        if log.head is not None and log.head.registry != log.registry:
            log.problems.append(_problem(None, "head-registry"))
        if log.size and (log.head is None or log.head.size < log.size):
            covered = 0 if log.head is None else log.head.size
            log.problems.append(_problem(None, "no-head", size=covered, lines=log.size))


def head_problem(signed: SignedHead, checker: SignatureChecker) -> str | None:
    """Return what is wrong with the signature of a head."""
    try:
        signer = checker.signer_of(signed.head.encode(), signed.signature_bytes, signed.head.at)
    except (BadSignature, UnreadableLine) as error:
        return str(error)
    return None if checker.policy.allows(signer, HEAD) else f"{signer.name} may not sign heads"
