"""A registry as tables for programs: JSON with a schema, CSV, an Atom feed; and badges in SVG."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import re
import uuid
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import msgspec
from markupsafe import Markup, escape

from selo.registry.certificate_states import CertificateState
from selo.registry.registry_events import (
    RegisteredFile,
    RegisteredInstrument,
    RegisteredProduct,
    RegistryEvent,
    Sha256,
)
from selo.registry.tree_heads import TreeHead
from selo.struct_schema import struct_schema
from selo.text import say
from selo.text.sanitize import escape_formula, escape_unseen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.registry.certificate_states import CertificateRecord

ATOM: Final = "http://www.w3.org/2005/Atom"
#: A feed tells of this many events, the newest ones.
_FEED_EVENTS: Final = 100
#: Names of files that are one on every file system; other numbers are named by their digest.
_PLAIN_NUMBER: Final = re.compile(r"[A-Z0-9][A-Z0-9.-]{0,80}")
_BADGE_COLOURS: Final = {CertificateState.VALID: "#14603a", CertificateState.SUSPENDED: "#7a4b00"}
#: From this code point on, nearly all characters are as wide as high.
_FIRST_WIDE: Final = 0x2E80
_ENDED_COLOUR: Final = "#a1160f"


class PublishedCertificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A certificate on the day of the head from which it was published."""

    certificate: str
    state: CertificateState
    issued_at: dt.datetime
    valid_until: dt.date | None
    successor: str
    product: RegisteredProduct | None
    document: Sha256 | None
    evidence_root: Sha256 | None
    instruments: list[RegisteredInstrument]
    readings: dict[str, str]
    files: list[RegisteredFile]
    #: The page of the certificate.
    page: str


class PublishedRegistry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All certificates of a registry; past ``head.expires`` nobody may rely on them."""

    registry: Sha256
    head: TreeHead
    certificates: list[PublishedCertificate]


def file_name(number: str) -> str:
    """Return the name, without its end, of the files about a certificate."""
    if _PLAIN_NUMBER.fullmatch(number):
        return number
    return f"x-{hashlib.sha256(number.encode()).hexdigest()[:32]}"


def publish_certificates(
    records: Iterable[CertificateRecord], day: dt.date
) -> Iterator[PublishedCertificate]:
    """Yield the certificates as they were on a day."""
    for record in records:
        yield PublishedCertificate(
            certificate=record.number,
            state=record.state_on(day),
            issued_at=record.since,
            valid_until=record.valid_until,
            successor=record.successor,
            product=record.product,
            document=record.document,
            evidence_root=record.issued.evidence_root,
            instruments=record.issued.instruments,
            readings=record.issued.readings,
            files=list(record.files),
            page=f"certificates/{file_name(record.number)}.html",
        )


def encode_json(value: Any) -> bytes:
    """Return JSON for people and programs, the same for the same value."""
    return msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=1) + b"\n"


def registry_schema() -> bytes:
    """Return the schema of the published JSON."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return encode_json({"$schema": dialect, **struct_schema(PublishedRegistry)})


def encode_csv(certificates: Sequence[PublishedCertificate]) -> bytes:
    """Return a table (RFC 4180) in which nothing is taken for a formula."""
    columns = (
        "certificate", "state", "issued_at", "valid_until", "successor", "vendor", "name",
        "version", "document", "evidence_root", "instruments", "page",
    )  # fmt: skip
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    for one in certificates:
        product = one.product
        cells = (
            one.certificate, one.state, one.issued_at.isoformat(), one.valid_until or "",
            one.successor, *(("", "", "") if product is None else
                             (product.vendor, product.name, product.version)),
            one.document or "", one.evidence_root or "",
            " ".join(instrument.id for instrument in one.instruments), one.page,
        )  # fmt: skip
        writer.writerow([escape_formula(escape_unseen(str(cell))) for cell in cells])
    return text.getvalue().encode()


def encode_feed(registry: str, head: TreeHead, events: Sequence[RegistryEvent]) -> bytes:
    """Return the newest events as an Atom feed (RFC 4287)."""
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed")
    _add(feed, "id", _urn(registry))
    _add(feed, "title", " · ".join(say("publish.title", language) for language in ("pt", "zh")))
    _add(feed, "updated", _stamp(events[-1].at if events else head.at))
    author = ET.SubElement(feed, f"{{{ATOM}}}author")
    _add(author, "name", "Selo")
    ET.SubElement(feed, f"{{{ATOM}}}link", rel="self", href="feed.atom")
    told = [event for event in events if event.certificate][-_FEED_EVENTS:]
    for event in reversed(told):
        entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
        _add(entry, "id", _urn(f"{registry}/{event.number}"))
        kinds = " · ".join(say(f"registry.kind.{event.kind}", one) for one in ("pt", "zh", "en"))
        _add(entry, "title", _xml_text(f"{event.certificate}: {kinds}"))
        _add(entry, "updated", _stamp(event.at))
        page = f"certificates/{file_name(event.certificate)}.html"
        ET.SubElement(entry, f"{{{ATOM}}}link", rel="alternate", href=page)
        reason = event.reason
        if reason is not None:
            _add(entry, "summary", _xml_text(f"{reason.pt}\n{reason.zh}"))
        else:
            _add(entry, "summary", kinds)
    ET.indent(feed, " ")
    text: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = text


def _urn(name: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"selo:{name}").urn


def _stamp(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _xml_text(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    return "".join(one if one in "\t\n" or one.isprintable() else "�" for one in text)


def draw_badge(record: CertificateRecord, day: dt.date) -> bytes:
    """Return a badge of a certificate: its state and, while it is valid, its last day."""
    state = record.state_on(day)
    words = " · ".join(say(f"registry.state.{state}", language) for language in ("pt", "zh"))
    if state is CertificateState.VALID and record.valid_until is not None:
        words += f" → {record.valid_until.isoformat()}"
    label = f"Selo {record.number}"
    left, right = _text_width(label), _text_width(words)
    colour = _BADGE_COLOURS.get(state, _ENDED_COLOUR)
    width = left + right
    # Only the number comes from elsewhere, and it is escaped.
    drawn = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="22" role="img" '
        'aria-label="{label}: {words}"><title>{label}: {words}</title>'
        '<rect width="{left}" height="22" fill="#3a3733"/>'
        '<rect x="{left}" width="{right}" height="22" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12">'
        '<text x="7" y="15">{label}</text><text x="{start}" y="15">{words}</text></g></svg>\n'
    ).format(
        width=width, left=left, right=right, start=left + 7, colour=colour,
        label=escape(label), words=escape(words),
    )  # fmt: skip
    return str(drawn).encode()


def _text_width(text: str) -> int:
    """Return about how wide a text of 12 pixels is; Chinese characters are square."""
    return 14 + sum(12 if ord(one) >= _FIRST_WIDE else 8 for one in text)
