"""Merkle tree over lines (RFC 9162, section 2.1) in logarithmic memory."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: The hash at the top of the tree, in 64 lower-case hexadecimal digits.
Root = NewType("Root", str)

HASH_BYTES: Final = 32
_INDEX_BYTES: Final = 8
#: Copying a started hash is cheaper than prefixing every line.
_LEAF_PREFIX_HASH: Final = hashlib.sha256(b"\x00")
#: The hash of an empty tree (section 2.1.1).
_EMPTY_TREE_HASH: Final = hashlib.sha256(b"").digest()


def leaf_hash(line: bytes) -> bytes:
    """Return the hash of a leaf."""
    state = _LEAF_PREFIX_HASH.copy()
    state.update(line)
    return state.digest()


def leaf_hashes(lines: Iterable[bytes]) -> list[bytes]:
    """Return the hash of each line: `leaf_hash` without a call for each."""
    new_state = _LEAF_PREFIX_HASH.copy
    hashes = []
    for line in lines:
        state = new_state()
        state.update(line)
        hashes.append(state.digest())
    return hashes


def salt_of(secret: bytes, index: int) -> bytes:
    """Return the salt of a leaf: without the secret nobody can work it out from other salts."""
    return hmac.digest(secret, index.to_bytes(_INDEX_BYTES), "sha256")


def salted_leaf_hash(line: bytes, salt: bytes | None) -> bytes:
    """Return the hash of a leaf whose content is a salt, if there is one, and a line."""
    return leaf_hash(line if salt is None else salt + line)


def salted_leaf_hashes(lines: Iterable[bytes], secret: bytes | None, first: int) -> list[bytes]:
    """Return the hash of each line from number `first` on, salted if there is a secret."""
    if secret is None:
        return leaf_hashes(lines)
    new_mac, new_state = hmac.new(secret, digestmod="sha256").copy, _LEAF_PREFIX_HASH.copy
    hashes = []
    for index, line in enumerate(lines, first):
        mac = new_mac()
        mac.update(index.to_bytes(_INDEX_BYTES))
        state = new_state()
        state.update(mac.digest())
        state.update(line)
        hashes.append(state.digest())
    return hashes


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The roots of the complete subtrees so far: one hash for each binary digit of the size.

    For a leaf that is `watched` before it is added, the inclusion path is collected too.
    """

    __slots__ = ("_beside", "_tops", "size", "watched")

    def __init__(self, *, watched: int | None = None) -> None:
        self.size = 0
        #: By height; None where the size has a binary zero.
        self._tops: list[bytes | None] = []
        self.watched = watched
        #: By height, the siblings on the path from the watched leaf.
        self._beside: dict[int, bytes] = {}

    def add(self, hashes: Sequence[bytes]) -> None:
        """Append leaves, level by level."""
        sha256 = hashlib.sha256
        before = self.size
        self.size += len(hashes)
        level, height = list(hashes), 0
        while level:
            if height == len(self._tops):
                self._tops.append(None)
            waiting = self._tops[height]
            first = before >> height
            if waiting is not None:
                level.insert(0, waiting)
                first -= 1
            if self.watched is not None:
                self._keep_sibling(self.watched, height, first, level)
            self._tops[height] = level[-1] if len(level) % 2 else None
            pairs = iter(level)
            # An odd node remains as the root of its height.
            level = [
                sha256(b"\x01" + left + right).digest()
                for left, right in zip(pairs, pairs, strict=False)
            ]
            height += 1

    def _keep_sibling(self, watched: int, height: int, first: int, level: list[bytes]) -> None:
        sibling = ((watched >> height) ^ 1) - first
        if 0 <= sibling < len(level):
            self._beside[height] = level[sibling]

    def digest(self) -> bytes:
        """Return the hash over all leaves so far."""
        return _combine_tops(self._tops) if self.size else _EMPTY_TREE_HASH

    def root(self) -> Root:
        """Return the hash over all leaves so far, in hexadecimal digits."""
        return Root(self.digest().hex())

    def path(self) -> list[bytes]:
        """Return the inclusion path of the watched leaf: the sibling hashes up to the root."""
        if self.watched is None or self.watched >= self.size:
            raise IndexError(self.watched)
        height = self._height_over(self.watched)
        path = [self._beside[below] for below in range(height)]
        lower = self._tops[:height]
        if any(lower):
            path.append(_combine_tops(lower))
        path.extend(top for top in self._tops[height + 1 :] if top is not None)
        return path

    def _height_over(self, index: int) -> int:
        """Return the height of the complete subtree that contains leaf `index`."""
        passed = 0
        for height in reversed(range(len(self._tops))):
            if self._tops[height] is not None:
                passed += 1 << height
                if index < passed:
                    return height
        raise IndexError(index)


def _combine_tops(tops: Iterable[bytes | None]) -> bytes:
    """Return the hash over subtrees of growing height, the largest leftmost."""
    combined: bytes | None = None
    for top in tops:
        if top is not None:
            combined = top if combined is None else node_hash(top, combined)
    return combined or _EMPTY_TREE_HASH


def verify_path(root: bytes, *, index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bool:
    """Return whether `path` leads from a leaf to `root` (RFC 9162, section 2.1.3.2).

    1. The index must be less than the size.
    2. fn is the index, sn is the size less one.
    3. r is the hash of the leaf.
    4. For each p of the path: if sn is 0, fail. If fn is odd or equals sn, r is the hash of p and
       r, and if fn is even both are shifted right until fn is odd or 0; else r is the hash of r
       and p. Then both are shifted right once.
    5. sn must be 0 and r must be the root.
    """
    if not 0 <= index < size:  # 1
        return False
    fn, sn = index, size - 1  # 2
    r = leaf  # 3
    for p in path:  # 4
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = node_hash(p, r)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node_hash(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == root  # 5
