"""Proofs about a log that fit in a file: that a line is in it, and that it contains an older one.

Whoever has a proof and a policy needs nothing of the registry: the head in it is signed, and the
path leads to its root (RFC 9162, sections 2.1.3 and 2.1.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.merkle import Frontier, leaf_hash, verify_path
from selo.registry.event_signature import SignatureChecker
from selo.registry.log_signers import head_problem, signers_of
from selo.registry.registry_check import event_problems
from selo.registry.registry_events import (
    LogLine,
    RegistryTampered,
    Sha256,
    UnreadableLine,
    parse_line,
)
from selo.registry.tree_heads import SignedHead, consistency_path, verify_consistency
from selo.storage import read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.registry_policy import RegistryPolicy


class LogProof(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A proof of a line, or of an older head; exactly one of the two is there."""

    head: SignedHead
    path: list[Sha256]
    line: LogLine | None = None
    #: The head that somebody kept.
    old: SignedHead | None = None
    format: Annotated[int, Meta(ge=1, le=1)] = 1

    def encode(self) -> bytes:
        """Return the file."""
        return encode_canonical(self) + b"\n"


def prove_line(registry: CertificateRegistry, number: int) -> LogProof:
    """Return the proof that a line is in the log, under its newest head."""
    head = _newest_head(registry)
    if not 0 <= number < head.head.size:
        raise user_error("registry-line", number=number, size=head.head.size)
    frontier, line = Frontier(watched=number), None
    for at, raw in zip(range(head.head.size), registry.storage.lines(), strict=False):
        frontier.add([leaf_hash(raw)])
        line = raw if at == number else line
    path = [one.hex() for one in frontier.path()]
    return LogProof(head=head, path=path, line=_parse(line or b""))


def prove_older(registry: CertificateRegistry, old: SignedHead) -> LogProof:
    """Return the proof that the log contains the one of a head that somebody kept."""
    head = _newest_head(registry)
    if old.head.size > head.head.size:
        raise user_error("registry-line", number=old.head.size, size=head.head.size)
    lines = zip(range(head.head.size), registry.storage.lines(), strict=False)
    hashes = [leaf_hash(raw) for _, raw in lines]
    path = [one.hex() for one in consistency_path(hashes, old.head.size)]
    return LogProof(head=head, path=path, old=old)


def read_proof(path: Path) -> LogProof:
    """Return the proof in a file; only its one canonical form is accepted."""
    raw = read_bounded(path).rstrip(b"\n")
    try:
        proof = msgspec.convert(decode_canonical(raw), LogProof)
    except (NotCanonical, msgspec.ValidationError) as error:
        raise user_error("registry-proof", kind=RegistryTampered, path=path, error=error) from error
    if proof.encode().rstrip(b"\n") != raw or (proof.line is None) == (proof.old is None):
        raise user_error("registry-proof", kind=RegistryTampered, path=path, error="form")
    return proof


def find_proof_faults(proof: LogProof, policy: RegistryPolicy) -> Iterator[str]:
    """Yield what is wrong with a proof under a policy that its reader trusts."""
    checker = SignatureChecker(policy)
    for signed in (proof.head, proof.old):
        problem = None if signed is None else head_problem(signed, checker)
        if problem is not None:
            yield problem
    head = proof.head.head
    root, path = bytes.fromhex(head.root), [bytes.fromhex(one) for one in proof.path]
    if proof.line is not None:
        event = proof.line.event
        leaf = leaf_hash(proof.line.encode())
        if event.registry != head.registry or not verify_path(
            root, index=event.number, size=head.size, leaf=leaf, path=path
        ):
            yield "the line is not in the log of this head"
        signers, faults = signers_of(proof.line, checker)
        yield from faults
        yield from event_problems(proof.line, signers, policy)
    if proof.old is not None:
        old = proof.old.head
        before, after = (old.size, bytes.fromhex(old.root)), (head.size, root)
        if old.registry != head.registry or not verify_consistency(before, after, path):
            yield "the log of the newer head does not contain that of the older one"


def _newest_head(registry: CertificateRegistry) -> SignedHead:
    head = registry.newest_head()
    if head is None:
        raise user_error("no-registry", where=str(registry.folder))
    return head


def _parse(raw: bytes) -> LogLine:
    try:
        return parse_line(raw)
    except UnreadableLine as error:
        raise user_error(
            "registry-proof", kind=RegistryTampered, path="log", error=error
        ) from error
