"""Who signed the lines and heads of a log: work for several processes, each with every nth chunk.

A worker reads everything and checks its own chunks, so it knows which policy is in force where.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Final

from selo.parallel import END_OF_CHUNK
from selo.registry.event_signature import BadSignature, SignatureChecker
from selo.registry.log_storage import read_batches
from selo.registry.registry_events import EventKind, UnreadableLine, parse_line
from selo.registry.registry_policy import HEAD
from selo.registry.tree_heads import parse_head
from selo.signing.verify import inspect_stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selo.registry.log_storage import LogStorage
    from selo.registry.registry_events import LogLine
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead
    from selo.signing import SignerIdentity

    #: Finds a policy by its digest.
    PolicyFinder = Callable[[str], RegistryPolicy | None]
    #: Those whose signatures hold, and why others do not.
    SignersOfLine = tuple[list[SignerIdentity], list[str]]

#: The clocks of a registry and of a time authority may differ by so much.
_STAMP_TOLERANCE: Final = dt.timedelta(minutes=5)
#: Lines that change who may sign contain this.
POLICY_MARK: Final = f'"kind":"{EventKind.POLICY}"'.encode()


def find_line_signers(
    storage: LogStorage, policy: RegistryPolicy, policies: PolicyFinder, worker: int, workers: int
) -> Iterator[SignersOfLine | None]:
    """Yield who signed each line of every nth chunk; a line that cannot be read has nobody."""
    checker = SignatureChecker(policy)
    for number, batch in enumerate(read_batches(storage.lines())):
        mine = number % workers == worker
        for raw in batch:
            if not mine and POLICY_MARK not in raw:
                continue
            try:
                line = parse_line(raw)
            except UnreadableLine:
                line = None
            if mine:
                yield ([], []) if line is None else signers_of(line, checker)
            if line is not None and line.event.kind is EventKind.POLICY:
                later = policies(line.event.policy or "")
                checker = checker if later is None else SignatureChecker(later)
        if mine:
            yield END_OF_CHUNK


def signers_of(line: LogLine, checker: SignatureChecker) -> SignersOfLine:
    """Return who signed a line, and what is wrong with the signatures that do not hold."""
    signers, faults = [], []
    content = line.event.encode()
    try:
        signatures = line.signature_bytes()
    except UnreadableLine as error:
        return [], [str(error)]
    for signature in signatures:
        try:
            signers.append(checker.signer_of(content, signature, line.event.at))
        except BadSignature as error:
            faults.append(str(error))
    return signers, faults


def find_head_faults(
    storage: LogStorage, changes: Sequence[tuple[int, RegistryPolicy]], worker: int, workers: int
) -> Iterator[tuple[int, str] | None]:
    """Yield the number of each head of every nth chunk whose signature does not hold, and why.

    `changes` are the policies, each with the number of lines from which on it is in force.
    """
    checkers = [(size, SignatureChecker(policy)) for size, policy in changes]
    at = 0
    for number, batch in enumerate(read_batches(storage.heads())):
        if number % workers == worker:
            for place, raw in enumerate(batch, at):
                fault = _head_fault(raw, checkers)
                if fault is not None:
                    yield place, fault
            yield END_OF_CHUNK
        at += len(batch)


def _head_fault(raw: bytes, checkers: Sequence[tuple[int, SignatureChecker]]) -> str | None:
    try:
        signed = parse_head(raw)
    except UnreadableLine:
        # Reported where the heads are compared with the tree.
        return None
    return head_problem(signed, _checker_at(signed.head.size, checkers))


def _checker_at(size: int, checkers: Sequence[tuple[int, SignatureChecker]]) -> SignatureChecker:
    return [checker for start, checker in checkers if start <= size][-1]


def head_problem(signed: SignedHead, checker: SignatureChecker) -> str | None:
    """Return what is wrong with the signature of a head."""
    try:
        signer = checker.signer_of(signed.head.encode(), signed.signature_bytes, signed.head.at)
    except (BadSignature, UnreadableLine) as error:
        return str(error)
    if not checker.policy.allows(signer, HEAD):
        return f"{signer.name} may not sign heads"
    if not checker.policy.allows_span(signed.head.at, signed.head.expires):
        return f"the head is good for longer than {checker.policy.days} days"
    return _stamp_problem(signed, checker.policy)


def _stamp_problem(signed: SignedHead, policy: RegistryPolicy) -> str | None:
    """Return what is wrong with the time stamp of a head, or with its absence."""
    if not signed.stamp:
        return "the head has no time stamp" if policy.stamps else None
    digest = hashlib.sha256(signed.signature_bytes).hexdigest()
    stamp = inspect_stamp(signed.stamp, digest, policy.roots, policy.revocations, at=signed.head.at)
    if stamp.at is None or not stamp.is_intact:
        return "the time stamp is not one of this head"
    if not stamp.is_trusted:
        return f"the time authority {stamp.authority} is not trusted"
    if abs(stamp.at - signed.head.at) > _STAMP_TOLERANCE:
        return f"the head says {signed.head.at.isoformat()}, its stamp {stamp.at.isoformat()}"
    return None
