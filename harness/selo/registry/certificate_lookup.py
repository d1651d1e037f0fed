"""Looks up single certificates in a long log without reading every event.

1. Every line is hashed, and the root over the lines of the newest head must be the one it names.
2. That head must be signed by who may sign heads, under the policy that the reader trusts.
3. Lines of the certificates that are looked for are read, and their signatures checked as in a
   whole check.
4. A line that no head knows yet is not vouched for: what it is about cannot be relied on.
5. A head past its last day vouches for nothing, and neither does a log without one.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from selo.evidence.merkle import Frontier, leaf_hash, leaf_hashes
from selo.law.status import macau_today
from selo.registry.certificate_states import CertificateBook, CertificateState, next_state
from selo.registry.event_signature import SignatureChecker
from selo.registry.log_signers import POLICY_MARK, head_problem, signers_of
from selo.registry.log_storage import read_batches
from selo.registry.registry_check import CLOCK_TOLERANCE, event_problems
from selo.registry.registry_events import EventKind, UnreadableLine, parse_line
from selo.text import user_error

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.certificate_states import KnownCertificate
    from selo.registry.registry_events import LogLine
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead, TreeHead

#: What stands between the event of a line and its signatures, in canonical form.
_SIGNATURES: Final = b',"signatures":['
_CERTIFICATE: Final = re.compile(rb'"certificate":"((?:[^"\\]|\\.)*)"')
_DIGEST: Final = re.compile(rb'"(?:sha256|sha1|commitment)":"([0-9a-f]+)"')


class ListFreshness(enum.StrEnum):
    """Whether a head, or a list made from it, may be relied on at a time."""

    CURRENT = "current"
    EXPIRED = "expired"
    #: Made later than it is now: a clock is wrong, or somebody turned it back.
    FUTURE = "future"


def head_freshness(head: TreeHead | None, at: dt.datetime) -> ListFreshness:
    """Return whether a head may be relied on at a time."""
    if head is None or at > head.expires:
        return ListFreshness.EXPIRED
    return ListFreshness.FUTURE if at + CLOCK_TOLERANCE < head.at else ListFreshness.CURRENT


@dataclass(slots=True)
class RegistryAnswer:
    """What a registry says of the certificates that were looked for."""

    head: TreeHead | None = None
    records: list[KnownCertificate] = field(default_factory=list)
    #: When commitments that were looked for were published.
    commitments: dict[str, dt.datetime] = field(default_factory=dict)
    #: Why nothing of it can be relied on, as keys of messages; nothing if it can.
    problems: list[str] = field(default_factory=list)

    def freshness(self, at: dt.datetime) -> ListFreshness:
        """Return whether the newest head may be relied on at a time."""
        return head_freshness(self.head, at)

    def state_of(self, number: str, at: dt.datetime) -> CertificateState:
        """Return the state of a certificate at a time; unknown if nothing can be relied on."""
        current = self.freshness(at) is ListFreshness.CURRENT
        if self.problems or self.head is None or not current:
            return CertificateState.UNKNOWN
        record = next((one for one in self.records if one.number == number), None)
        # Clocks differ: what the head knows has happened, although it is still yesterday here.
        day = macau_today(max(at, self.head.at))
        return CertificateState.UNKNOWN if record is None else record.state_on(day)


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
    wanted, sought = set(numbers), set(digests)
    answer = RegistryAnswer()
    signed = registry.newest_head()
    if signed is None:
        answer.problems.append("no-head")
        return answer
    answer.head = signed.head
    index = _index_lines(registry, signed.head.size, {digest.encode() for digest in sought})
    if (index.frontier.size, index.frontier.root()) != (signed.head.size, signed.head.root):
        answer.problems.append("head-root" if index.frontier.size else "rolled-back")
        return answer
    names = {msgspec.json.encode(number)[1:-1] for number in wanted} | index.found
    if names & index.beyond:
        answer.problems.append("no-head")
    kept = index.always | {place for name in names for place in index.places.get(name, ())}
    book = CertificateBook()
    for line in _checked_lines(registry, policy, _lines_at(registry, kept, index), signed, answer):
        event = line.event
        record = book.certificates.get(event.certificate)
        state = CertificateState.UNKNOWN if record is None else record.state
        if next_state(state, event.kind) is not None or event.kind is EventKind.COMMIT:
            book.take(event)
    answer.records = list(book.certificates.values())
    answer.commitments = {name: at for name, at in book.commitments.items() if name in sought}
    return answer


@dataclass(slots=True)
class _LineIndex:
    """Where in a log the lines of each certificate are."""

    frontier: Frontier = field(default_factory=Frontier)
    leaves: list[bytes] = field(default_factory=list)
    places: dict[bytes, list[int]] = field(default_factory=dict)
    #: The certificates with a digest that was sought.
    found: set[bytes] = field(default_factory=set)
    #: Lines that are read in any case: policies, and commitments that were sought.
    always: set[int] = field(default_factory=set)
    #: The certificates of lines that no head knows yet.
    beyond: set[bytes] = field(default_factory=set)


def _index_lines(registry: CertificateRegistry, size: int, digests: set[bytes]) -> _LineIndex:
    """Hash every line that a head of that size knows, and note which certificate a line names."""
    index = _LineIndex()
    lines = registry.storage.lines()
    for batch in read_batches(lines, size):
        number = len(index.leaves)
        leaves = leaf_hashes(batch)
        index.frontier.add(leaves)
        index.leaves += leaves
        for place, raw in enumerate(batch, number):
            event = raw.partition(_SIGNATURES)[0]
            named = _CERTIFICATE.search(event)
            sought = bool(digests) and not digests.isdisjoint(_DIGEST.findall(event))
            if named is not None:
                index.places.setdefault(named[1], []).append(place)
                if sought:
                    index.found.add(named[1])
            elif sought:
                index.always.add(place)
            if POLICY_MARK in event:
                index.always.add(place)
    for raw in lines:
        named = _CERTIFICATE.search(raw.partition(_SIGNATURES)[0])
        index.beyond.add(b"" if named is None else named[1])
    return index


def _lines_at(registry: CertificateRegistry, places: set[int], index: _LineIndex) -> list[bytes]:
    """Return the lines at some places; each must still be what was hashed."""
    if not places:
        return []
    last = max(places)
    lines = [
        (place, raw)
        for place, raw in zip(range(last + 1), registry.storage.lines(), strict=False)
        if place in places
    ]
    if any(leaf_hash(raw) != index.leaves[place] for place, raw in lines):
        raise user_error("registry-moved", where=str(registry.folder), number="–", size="–")
    return [raw for _, raw in lines]


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
        except UnreadableLine:
            answer.problems.append("signature")
            continue
        event = line.event
        signers, faults = signers_of(line, checker)
        if faults:
            answer.problems.append("signature")
            continue
        answer.problems += event_problems(line, signers, checker.policy)
        if signed.head.at + CLOCK_TOLERANCE < event.at:
            answer.problems.append("head-early")
        if event.kind is EventKind.POLICY:
            later = registry.policy(event.policy or "")
            if later is None or later.digest != event.policy:
                answer.problems.append("policy-missing")
            else:
                checker = SignatureChecker(later)
        yield line
    if head_problem(signed, checker) is not None:
        answer.problems.append("head-signature")
