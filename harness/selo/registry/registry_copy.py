"""Copies a registry: into a database, out of one, or to where it is published.

1. The source is checked whole, under the policy that is trusted; nothing else is copied.
2. What the target already has must be what the source begins with; else one of them was rewritten.
3. The missing lines and heads are added, so a copy that was interrupted is continued.
4. The target is read again, and must have the root of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.evidence.merkle import Frontier, leaf_hashes
from selo.registry.log_storage import read_batches, stored_address
from selo.registry.registry_events import RegistryTampered
from selo.registry.registry_policy import read_registry_policy
from selo.text import user_error

__all__ = ["copy_registry", "stored_address"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.registry_check import CheckedLog
    from selo.registry.registry_policy import RegistryPolicy


def copy_registry(
    source: CertificateRegistry,
    target: CertificateRegistry,
    policy: RegistryPolicy | None = None,
    *,
    log: CheckedLog | None = None,
) -> int:
    """Bring `target` to the state of `source`, and return how many lines were added.

    Whoever has checked the source gives what that found.
    """
    log = log or source.check(policy)  # 1
    log.refuse_broken(source.folder)
    for path in source.policy_files():
        target.keep_policy(path, read_registry_policy(path))
    with target.storage.exclusive():
        lines = _Continuation(source.storage.lines(), target.storage.lines())
        heads = _Continuation(source.storage.heads(), target.storage.heads())
        if lines.forked or heads.forked:  # 2
            raise user_error("registry-forked", kind=RegistryTampered, where=str(target.folder))
        added = lines.add(target.storage.extend, until=log.size)  # 3
        heads.add(lambda _, batch: target.storage.extend_heads(batch), until=log.heads)
        copied = Frontier()
        for batch in read_batches(target.storage.lines()):
            copied.add(leaf_hashes(batch))
        if (copied.size, copied.root()) != (log.size, log.root):  # 4
            raise user_error("registry-forked", kind=RegistryTampered, where=str(target.folder))
    return added


class _Continuation:
    """The lines that a target lacks of a source, unless it has others."""

    def __init__(self, source: Iterator[bytes], target: Iterator[bytes]) -> None:
        self._source = source
        self.size = 0
        self.forked = False
        for mine in target:
            if next(source, None) != mine:
                self.forked = True
                return
            self.size += 1

    def add(self, write: Callable[[int, Sequence[bytes]], None], *, until: int) -> int:
        """Write the missing lines in batches, up to a size; return how many there were."""
        before = self.size
        for batch in read_batches(self._source, until - before):
            write(self.size, batch)
            self.size += len(batch)
        return self.size - before
