"""Takes a document apart: the report in it, and the files that are attached or lie beside it."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
import pikepdf

from selo.report.formats import as_json
from selo.report.model.report_model import REPORT_FORMAT, Report
from selo.signing.sign import BROKEN
from selo.verification.verification_report import Check, failed, holds, left_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPORT: Final = "report.json"
#: A file inside of a document larger than this is not unpacked.
_MOST: Final = 64 << 20


#: What a file that was made to break a reader may raise.
_BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)


#: How pikepdf names bytes that have no file; an address in memory tells nobody anything.
_STREAM: Final = re.compile(r"^stream <[^>]*>: ")


class Unreadable(ValueError):
    """A document that holds no report that can be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A document taken apart."""

    report: Report
    #: The report as it is attached, byte for byte.
    raw: bytes
    attached: dict[str, bytes]


def opened(document: bytes) -> Opened:
    """Return what is inside of `document`; raise `Unreadable` if it is no document of Selo."""
    try:
        with pikepdf.open(io.BytesIO(document)) as pdf:
            attached = {
                name: spec.get_file().read_bytes()
                for name, spec in pdf.attachments.items()
                if int(spec.get_file().size or 0) <= _MOST
            }
    except BROKEN as error:
        raise Unreadable(_STREAM.sub("", str(error))) from error
    raw = attached.pop(REPORT, None)
    if raw is None:
        raise Unreadable(REPORT)
    try:
        report = msgspec.json.decode(raw, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"{REPORT}: {error}") from error
    return Opened(report=report, raw=raw, attached=attached)


def report_checks(found: Opened) -> Iterator[Check]:
    """Yield whether the report is written in the one way in which reports are written."""
    if found.report.format != REPORT_FORMAT:
        yield left_open("report", "report.format", format=found.report.format)
    elif as_json(found.report) != found.raw:
        yield failed("report", "report.rewritten")
    else:
        yield holds("report", number=found.report.number)


def enclosed_checks(found: Opened, beside: Path | None) -> Iterator[tuple[Check, bytes | None]]:
    """Yield a check for each file that the report names, with its bytes if it is the right one."""
    named = {attachment.name for attachment in found.report.attachments}
    for attachment in found.report.attachments:
        data = found.attached.get(attachment.name)
        slots = {"file": attachment.name, "sha256": attachment.sha256}
        if data is None and attachment.attached:
            yield failed(f"attachment {attachment.name}", "attachment.gone", **slots), None
            continue
        if data is None:
            path = None if beside is None else beside / attachment.name
            if path is None or not path.is_file():
                yield left_open(f"attachment {attachment.name}", "attachment.beside", **slots), None
                continue
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != attachment.sha256:
            yield failed(f"attachment {attachment.name}", "attachment.differs", **slots), None
        else:
            yield holds(f"attachment {attachment.name}", "attachment", **slots), data
    for name in sorted(found.attached.keys() - named):
        yield failed(f"attachment {name}", "attachment.unknown", file=name), None
