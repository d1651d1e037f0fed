"""Where a registry is asked: its folder, a published copy, a status list, or the code of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from selo.registry.certificate_lookup import RegistryAnswer, look_up
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.log_storage import stored_address
from selo.registry.status.status_code import (
    MAX_CODE,
    PREFIX,
    StatusCode,
    look_up_in_code,
    parse_status_code,
)
from selo.registry.status.status_list import (
    SignedStatusList,
    look_up_in_list,
    read_status_list,
)
from selo.registry.tree_heads import parse_head
from selo.storage import read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead

RegistrySource: TypeAlias = CertificateRegistry | SignedStatusList | StatusCode
#: Where a published copy keeps the log.
PUBLISHED_LOG: Final = "registry"


def open_source(path: Path) -> RegistrySource:
    """Return the registry, the list or the code at a path."""
    if path.is_dir():
        copy = path / PUBLISHED_LOG
        if copy.is_dir() and stored_address(copy):
            # A copy is complete in itself: that of a stranger must not lead to a server.
            raise user_error("registry-copy-elsewhere", where=str(copy))
        return CertificateRegistry.at(copy if copy.is_dir() else path)
    if not path.exists():
        raise user_error("no-registry", where=str(path))
    if path.stat().st_size <= 2 * MAX_CODE:
        text = read_bounded(path).decode("utf-8", "replace")
        if text.startswith(PREFIX):
            return parse_status_code(text)
    return read_status_list(path)


def ask_registry(
    source: RegistrySource,
    policy: RegistryPolicy | None,
    *,
    numbers: Iterable[str] = (),
    digests: Iterable[str] = (),
) -> RegistryAnswer:
    """Return what a source says of certificates by number, or by digests of files.

    Without a policy a log is read under its own, and of lists and codes only the shape is checked:
    whoever asks must say that nobody is trusted.
    """
    if isinstance(source, StatusCode):
        return look_up_in_code(source, policy, numbers=numbers)
    if isinstance(source, SignedStatusList):
        return look_up_in_list(source, policy, numbers=numbers, digests=digests)
    return look_up(source, policy or source.first_policy(), numbers=numbers, digests=digests)


def tells_files(source: RegistrySource) -> bool:
    """Return whether a source says which files a certificate covers; a code does not."""
    if isinstance(source, SignedStatusList):
        rows = source.list.certificates
        return not rows or any(row.listed_files for row in rows)
    return isinstance(source, CertificateRegistry)


def read_kept_heads(path: Path) -> Iterator[SignedHead | SignedStatusList]:
    """Yield what somebody has kept of a registry: heads, one on each line, or a list."""
    lines = [line for line in read_bounded(path).splitlines() if line]
    if len(lines) == 1 and lines[0].startswith(b'{"list":'):
        yield read_status_list(path)
    else:
        yield from map(parse_head, lines)
