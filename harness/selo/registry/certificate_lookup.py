"""Looks up single certificates in a long log without reading every event.

1. Every line is hashed, and the root over the lines of the newest head must be the one it names.
2. That head must be signed by who may sign heads, under the policy that the reader trusts.
3. Lines that contain what is looked for are read, their signatures checked as in a whole check.
4. A head past its last day vouches for nothing, and neither does a log without one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from selo.evidence.merkle import Frontier, leaf_hashes
from selo.registry.certificate_states import CertificateBook, CertificateState, next_state
from selo.registry.event_signature import BadSignature, SignatureChecker
from selo.registry.log_signers import POLICY_MARK, head_problem
from selo.registry.log_storage import read_batches
from selo.registry.registry_check import event_problems
from selo.registry.registry_events import EventKind, UnreadableLine, parse_line
from selo.registry.tree_heads import parse_head

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.certificate_states import CertificateRecord
    from selo.registry.registry_events import LogLine
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead, TreeHead


@dataclass(slots=True)
class RegistryAnswer:
    """What a registry says of the certificates that were looked for."""

    head: TreeHead | None = None
    records: list[CertificateRecord] = field(default_factory=list)
    #: When commitments that were looked for were published.
    commitments: dict[str, dt.datetime] = field(default_factory=dict)
    #: Why nothing of it can be relied on, as keys of messages; nothing if it can.
    problems: list[str] = field(default_factory=list)

    def state_of(self, number: str, at: dt.datetime) -> CertificateState:
        """Return the state of a certificate at a time; unknown if nothing can be relied on."""
        if self.problems or self.head is None or at > self.head.expires:
            return CertificateState.UNKNOWN
        record = next((one for one in self.records if one.number == number), None)
        return CertificateState.UNKNOWN if record is None else record.state_on(at.date())


def look_up(
    registry: CertificateRegistry,
    policy: RegistryPolicy,
    *,
    numbers: Iterable[str] = (),
    digests: Iterable[str] = (),
) -> RegistryAnswer:
    """Return what a registry says of certificates by number, or by digests that their events hold.

    A certificate that is found by a digest is read whole: with all of its events.
    """
    digests = list(digests)
    first, answer = _read(registry, policy, [digest.encode() for digest in digests])
    found = {line.event.certificate for line in first if line.event.kind is EventKind.ISSUE}
    wanted = sorted({*numbers, *found})
    if wanted:
        names = [f'"certificate":{json.dumps(name, ensure_ascii=False)}' for name in wanted]
        first, answer = _read(registry, policy, [needle.encode() for needle in (*digests, *names)])
    book = CertificateBook()
    for line in first:
        event = line.event
        record = book.certificates.get(event.certificate)
        state = CertificateState.UNKNOWN if record is None else record.state
        lawful = next_state(state, event.kind) is not None and event.certificate in wanted
        if lawful or event.kind is EventKind.COMMIT:
            book.take(event)
    answer.records = list(book.certificates.values())
    answer.commitments = {name: at for name, at in book.commitments.items() if name in set(digests)}
    return answer


def _read(
    registry: CertificateRegistry, policy: RegistryPolicy, needles: Sequence[bytes]
) -> tuple[list[LogLine], RegistryAnswer]:
    """Return the lines that contain a needle and hold, and an answer without its certificates."""
    answer = RegistryAnswer()
    signed = _newest_head(registry, answer)
    if signed is None:
        return [], answer
    frontier, kept = Frontier(), []
    for batch in read_batches(registry.storage.lines(), signed.head.size):
        frontier.add(leaf_hashes(batch))
        kept += [
            raw for raw in batch if POLICY_MARK in raw or any(needle in raw for needle in needles)
        ]
    if (frontier.size, frontier.root()) != (signed.head.size, signed.head.root):
        answer.problems.append("head-root" if frontier.size else "rolled-back")
        return [], answer
    lines = list(_checked_lines(registry, policy, kept, signed, answer))
    return lines, answer


def _newest_head(registry: CertificateRegistry, answer: RegistryAnswer) -> SignedHead | None:
    last = registry.storage.last_head()
    try:
        signed = None if last is None else parse_head(last)
    except UnreadableLine:
        signed = None
    if signed is None:
        answer.problems.append("no-head")
    else:
        answer.head = signed.head
    return signed


def _checked_lines(
    registry: CertificateRegistry,
    policy: RegistryPolicy,
    kept: list[bytes],
    signed: SignedHead,
    answer: RegistryAnswer,
) -> Iterator[LogLine]:
    """Yield the lines that hold under the policy in force at their place; note others."""
    checker = SignatureChecker(policy)
    first = next(registry.storage.lines(), b"")
    if f'"policy":"{policy.digest}"'.encode() not in first:
        answer.problems.append("other-policy")
    for raw in kept:
        try:
            line = parse_line(raw)
            event = line.event
            signers = [
                checker.signer_of(event.encode(), signature, event.at)
                for signature in line.signature_bytes()
            ]
        except (UnreadableLine, BadSignature):
            answer.problems.append("signature")
            continue
        answer.problems += event_problems(line, signers, checker.policy)
        if event.kind is EventKind.POLICY:
            later = registry.policy(event.policy or "")
            if later is None or later.digest != event.policy:
                answer.problems.append("policy-missing")
            else:
                checker = SignatureChecker(later)
        yield line
    if head_problem(signed, checker) is not None:
        answer.problems.append("head-signature")
