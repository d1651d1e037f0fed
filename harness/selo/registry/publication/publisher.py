"""Publishes a registry into a folder: the same bytes for the same log, and only what changed.

1. The log is checked whole.
2. Pages of certificates, and lists that name them, are made anew for those that events since the
   last time touch, or whose state another day has changed; all of them if the pages look otherwise
   now, or if the log is not a continuation of the one that was published.
3. Everything that is written replaces only what differs. A copy of the log itself stands beside
   the pages, so that whoever reads them can check it.
4. What was published is noted last; after a crash the next time begins where this one did.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.evidence.merkle import Frontier, leaf_hashes
from selo.law import compute_spec_digest
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.log_storage import read_batches
from selo.registry.publication.registry_pages import RegistryPages
from selo.registry.publication.registry_tables import (
    PublishedRegistry,
    draw_badge,
    encode_csv,
    encode_feed,
    encode_json,
    file_name,
    publish_certificates,
    registry_schema,
)
from selo.registry.registry_copy import copy_registry
from selo.registry.registry_events import Sha256
from selo.registry.status.registry_source import PUBLISHED_LOG
from selo.storage import read_bounded, write_file
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.law import Law
    from selo.registry.certificate_states import CertificateRecord
    from selo.registry.registry_check import CheckedLog
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import TreeHead

_NOTE: Final = "published.json"


class PublicationNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published last."""

    registry: Sha256
    size: int
    root: Sha256
    day: dt.date
    #: Over everything of ours that the pages consist of, and the edition of the law.
    templates: Sha256
    law: Sha256


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """What was published."""

    certificates: int
    #: How many pages of certificates were made anew.
    rendered: int
    #: The files that are new or changed.
    written: list[str]
    head: TreeHead


def publish_registry(
    registry: CertificateRegistry, out: Path, law: Law, policy: RegistryPolicy | None = None
) -> Publication:
    """Bring the published copy of a registry up to date."""
    log, signed = registry.check_whole(policy)  # 1
    head = signed.head
    pages = RegistryPages(law, log, head)
    note = PublicationNote(
        registry=log.registry, size=log.size, root=log.root, day=pages.day,
        templates=pages.template_digest(), law=compute_spec_digest(law),
    )  # fmt: skip
    _make_folders(out)
    touched = _touched(registry, log, _read_note(out), note)  # 2
    written = [name for name, raw in _files(log, pages, head, touched) if _write(out, name, raw)]
    copy = out / PUBLISHED_LOG
    target = (
        CertificateRegistry.at(copy)
        if copy.is_dir() and any(copy.iterdir())
        else CertificateRegistry.prepare(copy)
    )
    copy_registry(registry, target, policy, log=log)  # 3
    _write(out, _NOTE, encode_json(note))  # 4
    certificates = len(log.book.certificates)
    return Publication(certificates=certificates, rendered=len(touched), written=written, head=head)


def _files(
    log: CheckedLog, pages: RegistryPages, head: TreeHead, touched: list[CertificateRecord]
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of every file that may have changed."""
    for record in touched:
        name = file_name(record.number)
        yield f"certificates/{name}.html", pages.certificate_page(record)
        yield f"badges/{name}.svg", draw_badge(record, pages.day)
    yield from pages.shared_files({record.number for record in touched})
    certificates = list(publish_certificates(log.book.certificates.values(), pages.day))
    whole = PublishedRegistry(registry=log.registry, head=head, certificates=certificates)
    yield "certificates.json", encode_json(whole)
    yield "certificates.schema.json", registry_schema()
    yield "certificates.csv", encode_csv(certificates)
    yield "feed.atom", encode_feed(log.registry, head, log.events)


def _touched(
    registry: CertificateRegistry, log: CheckedLog, before: PublicationNote | None,
    now: PublicationNote,
) -> list[CertificateRecord]:  # fmt: skip
    """Return the certificates whose pages have to be made anew."""
    records = log.book.certificates
    if before is None or not _continues(registry, before, now):
        return list(records.values())
    later = [event for event in log.events if event.number >= before.size]
    names = {name for event in later for name in (event.certificate, event.successor)}
    return [
        record
        for number, record in records.items()
        if number in names or record.state_on(before.day) != record.state_on(now.day)
    ]


def _continues(
    registry: CertificateRegistry, before: PublicationNote, now: PublicationNote
) -> bool:
    """Return whether what was published is the beginning of this log, in the same dress."""
    alike = ("registry", "templates", "law")
    if any(getattr(before, name) != getattr(now, name) for name in alike):
        return False
    frontier = Frontier()
    for batch in read_batches(registry.storage.lines(), before.size):
        frontier.add(leaf_hashes(batch))
    return (frontier.size, frontier.root()) == (before.size, before.root)


def _read_note(out: Path) -> PublicationNote | None:
    path = out / _NOTE
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(read_bounded(path), type=PublicationNote)
    except msgspec.MsgspecError:
        return None


def _make_folders(out: Path) -> None:
    for folder in (out, out / "certificates", out / "badges", out / PUBLISHED_LOG):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason: Any = error.strerror
            raise user_error("folder-unmade", folder=folder, error=reason) from error


def _write(out: Path, name: str, content: bytes) -> bool:
    return write_file(out / name, content, replace=True)
