"""Heads of the Merkle tree over a log, and proofs that one tree contains another (RFC 9162).

A head says: at this time the log had so many lines, with this root. It is signed, may carry a time
stamp, and expires. Two heads of one registry that contradict each other prove that its log was
rewritten, or that two people were shown two logs.
"""

from __future__ import annotations

import base64
import datetime as dt
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.merkle import node_hash
from selo.registry.registry_events import Sha256, UnreadableLine, decode_signature, require_utc

if TYPE_CHECKING:
    from collections.abc import Sequence


class TreeHead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is signed of a log at one moment."""

    registry: Sha256
    size: Annotated[int, Meta(ge=1)]
    root: Sha256
    at: dt.datetime
    #: From then on nobody may rely on it.
    expires: dt.datetime

    def __post_init__(self) -> None:
        """Refuse times that cannot be those of a registry."""
        require_utc(self.at, self.expires)

    def encode(self) -> bytes:
        """Return the canonical form, over which the registry signs."""
        return encode_canonical(self)


class SignedHead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A head with its signature and, if an authority gave one, a time stamp over the signature."""

    head: TreeHead
    signature: str
    stamp: str = ""

    def encode(self) -> bytes:
        """Return the line that holds the head."""
        return encode_canonical(self)

    @property
    def signature_bytes(self) -> bytes:
        """The signature in DER."""
        return decode_signature(self.signature)


def make_signed_head(head: TreeHead, signature: bytes, stamp: bytes = b"") -> SignedHead:
    """Return a head with its signature and stamp."""
    return SignedHead(
        head=head,
        signature=base64.b64encode(signature).decode("ascii"),
        stamp=base64.b64encode(stamp).decode("ascii"),
    )


def parse_head(raw: bytes) -> SignedHead:
    """Return the head in `raw`; only its one canonical form is accepted."""
    raw = raw.rstrip(b"\n")
    try:
        head = msgspec.convert(decode_canonical(raw), SignedHead)
    except (NotCanonical, msgspec.ValidationError) as error:
        raise UnreadableLine(str(error)) from error
    if head.encode() != raw:
        raise UnreadableLine("the same head is written otherwise in canonical form")
    return head


def consistency_path(hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """Return the proof that the tree over `hashes` contains the tree over its first leaves.

    RFC 9162, section 2.1.4.1; both sizes are at least one.
    """
    return _subproof(hashes, old_size, complete=True)


def _subproof(hashes: Sequence[bytes], old_size: int, *, complete: bool) -> list[bytes]:
    size = len(hashes)
    if old_size == size:
        return [] if complete else [tree_hash(hashes)]
    split = _largest_power_below(size)
    if old_size <= split:
        return [
            *_subproof(hashes[:split], old_size, complete=complete),
            tree_hash(hashes[split:]),
        ]
    return [
        *_subproof(hashes[split:], old_size - split, complete=False),
        tree_hash(hashes[:split]),
    ]


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes; there is at least one."""
    if len(hashes) == 1:
        return hashes[0]
    split = _largest_power_below(len(hashes))
    return node_hash(tree_hash(hashes[:split]), tree_hash(hashes[split:]))


def _largest_power_below(size: int) -> int:
    return 1 << ((size - 1).bit_length() - 1)


def verify_consistency(
    old: tuple[int, bytes], new: tuple[int, bytes], path: Sequence[bytes]
) -> bool:
    """Return whether `path` proves that the tree `new` contains the tree `old`.

    Each tree is its size and root. RFC 9162, section 2.1.4.2:

    1. If the sizes are equal, the roots are, and the path is empty.
    2. If the old size is a power of two, its root is put before the path.
    3. fn is the old size less one, sn the new one less one; both are shifted while fn is odd.
    4. fr and sr are the first node. For each further c: if sn is 0, fail. If fn is odd or equals
       sn, fr and sr are hashed with c at the left, and while fn is even and not 0 both are shifted;
       else sr is hashed with c at the right. Then both are shifted once.
    5. fr must be the old root, sr the new one, and sn 0.
    """
    (old_size, old_root), (new_size, new_root) = old, new
    if old_size == new_size:  # 1
        return not path and old_root == new_root
    if not 0 < old_size < new_size or not path:
        return False
    nodes = [old_root, *path] if old_size & (old_size - 1) == 0 else list(path)  # 2
    fn, sn = old_size - 1, new_size - 1  # 3
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = nodes[0]  # 4
    for c in nodes[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(c, fr), node_hash(c, sr)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node_hash(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return fr == old_root and sr == new_root and sn == 0  # 5
