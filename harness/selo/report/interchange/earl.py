"""EARL 1.0 as JSON-LD: an assertion for each provision.

The context stands in the file, so that nothing is fetched to read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.law.files.provision_file import Way
from selo.report.interchange.export_formats import (
    derive_uuid,
    encode_json,
    id_namespace,
    is_assessed,
    is_failed,
    is_passed,
    one_line,
)
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from selo.report.model.report_model import ProvisionRecord, Report
    from selo.text import Text, Words

_CONTEXT: Final = {
    "earl": "http://www.w3.org/ns/earl#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
#: The tags of BCP 47; Chinese is that of Macau, in traditional characters.
_TAGS: Final = {"pt": "pt", "zh": "zh-Hant-MO", "en": "en"}
_UNDECIDED: Final = "earl:cantTell"
_UNTESTED: Final = frozenset({Result.NOT_EXAMINED, Result.TO_BE_WITNESSED})
_TOOL: Final = "urn:selo"


def render(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield the report in the Evaluation and Report Language."""
    ids = id_namespace(report)
    subject = f"urn:uuid:{derive_uuid(ids, 'product')}"
    issuer = f"urn:uuid:{derive_uuid(ids, 'issuer')}"
    graph = [
        {
            "@id": subject,
            "@type": ["earl:TestSubject", "earl:Software"],
            "dct:title": one_line(report.item.product),
            "dct:creator": one_line(report.item.vendor),
            "dct:hasVersion": one_line(report.item.version),
            "dct:identifier": [f"sha256:{file.sha256}" for file in report.item.files],
        },
        {
            "@id": _TOOL,
            "@type": ["earl:Assertor", "earl:Software"],
            "dct:title": "Selo",
            "dct:hasVersion": one_line(report.method.selo),
            "earl:mainAssertor": {"@id": issuer},
        },
        {
            "@id": issuer,
            "@type": ["earl:Assertor", "foaf:Organization"],
            "foaf:name": one_line(report.issuer.name),
        },
        {
            "@id": f"urn:uuid:{derive_uuid(ids, 'report')}",
            "dct:title": one_line(f"{report.kind} {report.number}: {report.overall}"),
            "dct:type": "demonstration" if report.demonstration else report.kind,
            "dct:conformsTo": report.method.spec_digest,
            "dct:provenance": report.evidence.root,
        },
        *(_assert(report, ids, one, subject) for one in report.provisions if is_assessed(one)),
    ]
    yield "report.earl.jsonld", encode_json({"@context": _CONTEXT, "@graph": graph})


def _assert(report: Report, ids: UUID, provision: ProvisionRecord, subject: str) -> dict[str, Any]:
    return {
        "@id": f"urn:uuid:{derive_uuid(ids, 'assertion', provision.id)}",
        "@type": "earl:Assertion",
        "earl:assertedBy": {"@id": _TOOL},
        "earl:subject": {"@id": subject},
        "earl:test": {
            "@id": f"urn:selo:law:{provision.id}",
            "@type": "earl:TestRequirement",
            "dct:title": _tag(provision.full_citation),
            "dct:description": _tag(provision.text),
        },
        "earl:mode": {"@id": _mode(provision)},
        "earl:result": {
            "@type": "earl:TestResult",
            "earl:outcome": {"@id": _outcome(provision)},
            "earl:info": _tag(provision.because),
            "dct:date": {"@type": "xsd:date", "@value": report.dates.last_day.isoformat()},
        },
    }


def _outcome(provision: ProvisionRecord) -> str:
    if is_passed(provision):
        return "earl:passed"
    if is_failed(provision):
        return "earl:failed"
    return "earl:untested" if provision.result in _UNTESTED else _UNDECIDED


def _mode(provision: ProvisionRecord) -> str:
    """Return how it was tested: by people where they look, else by the program."""
    by_people = Way.INSPECTION in provision.ways
    if by_people and len(provision.ways) > 1:
        return "earl:semiAuto"
    return "earl:manual" if by_people else "earl:automatic"


def _tag(text: Text | Words) -> list[dict[str, str]]:
    """Return a text in each language that it has, tagged."""
    return [
        {"@value": value, "@language": tag}
        for language, tag in _TAGS.items()
        if (value := getattr(text, language, None)) is not None
    ]
