"""The formats of others: their names, and what each makes of the result of a provision.

``docs/exchange.md`` says which field of which format holds what. No format has a model of its own:
each is rendered from the report.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import importlib
import uuid
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.report.formats import encode_report
from selo.report.model.dossier import Dossier
from selo.text import Words, user_error
from selo.text.sanitize import escape_unseen, escape_unseen_json
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from selo.law import Law
    from selo.report.model.report_model import ProvisionRecord, Report
    from selo.signing.keys import SigningKey

#: The module that renders each format; every one has a function ``render``.
EXPORT_FORMATS: Final[Mapping[str, str]] = {
    "oscal": "oscal",
    "in-toto": "in_toto",
    "cyclonedx": "cyclonedx",
    "earl": "earl",
    "akoma-ntoso": "akoma_ntoso",
    "csv": "requirement_table",
}
#: Results that count as passed. Everything else that is not a violation is undecided.
_PASSED: Final = frozenset({Result.CONFORMS, Result.WITNESSED})
#: The address under which ids are derived; nothing is fetched from it.
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "urn:selo:export")
#: What stands where a text is required and there is none.
_NO_TEXT: Final = "–"


def render_export(
    report: Report, name: str, law: Law, key: SigningKey | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file of a format."""
    module = importlib.import_module(f"selo.report.interchange.{EXPORT_FORMATS[name]}")
    render = cast("Callable[..., Iterator[tuple[str, bytes]]]", module.render)
    if name == "akoma-ntoso":
        yield from render(report, law)
    elif name == "in-toto":
        if key is None:
            raise user_error("export-key")
        yield from render(report, key)
    else:
        yield from render(report)


def is_passed(provision: ProvisionRecord) -> bool:
    """Return whether a provision was examined or witnessed, and met."""
    return provision.result in _PASSED


def is_failed(provision: ProvisionRecord) -> bool:
    """Return whether a provision is violated."""
    return provision.result is Result.VIOLATES


def is_assessed(provision: ProvisionRecord) -> bool:
    """Return whether the conclusion waits for a provision, or something is known of it."""
    return provision.counts or is_passed(provision) or is_failed(provision)


def id_namespace(report: Report) -> uuid.UUID:
    """Return the namespace of the ids in exports of a report: the same report, the same ids."""
    return uuid.uuid5(_NAMESPACE, hashlib.sha256(encode_report(report)).hexdigest())


def derive_uuid(namespace: uuid.UUID, *parts: str) -> str:
    """Return the id of a part of a report."""
    return str(uuid.uuid5(namespace, "\n".join(parts)))


def midnight(report: Report, day: dt.date) -> str:
    """Return the beginning of a day in the time zone of the report; reports state days only."""
    zone = Dossier(time_zone=report.dates.time_zone).zone()
    return dt.datetime.combine(day, dt.time(), zone).isoformat()


def one_line(text: str | None) -> str:
    """Return a text of anybody on one line, never empty, with nothing unseen in it."""
    return " ".join(escape_unseen(text or "").split()) or _NO_TEXT


def in_all_languages(*texts: Words) -> str:
    """Return sentences in Portuguese, Chinese and English, a paragraph for each language."""
    return "\n\n".join(
        " ".join(one_line(text.get(language)) for text in texts) for language in ("pt", "zh", "en")
    )


def encode_json(value: Any) -> bytes:
    """Return a JSON file that people can read, the same bytes for the same value."""
    encoded = msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1)
    return escape_unseen_json(encoded.decode()).encode() + b"\n"
