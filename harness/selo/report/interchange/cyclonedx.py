"""CycloneDX declarations: the law as standards, provisions as requirements, results as claims.

A provision that conforms has a claim and the score 1, one that is violated a counter claim and the
score 0. What is not decided has neither, and says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.report.interchange.export_formats import (
    derive_uuid,
    encode_json,
    id_namespace,
    in_all_languages,
    is_assessed,
    is_failed,
    is_passed,
    midnight,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.report.model.report_model import FileRecord, Norm, ProvisionRecord, Report

_VERSION: Final = "1.6"
_PRODUCT: Final = "product"
_ASSESSOR: Final = "issuer"
_EVIDENCE: Final = "evidence"


def render(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield the bill of materials with its declarations."""
    assessed = [provision for provision in report.provisions if is_assessed(provision)]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": _VERSION,
        "serialNumber": f"urn:uuid:{derive_uuid(id_namespace(report), 'bom')}",
        "version": max(report.revision, 1),
        "metadata": {
            "timestamp": midnight(report, report.dates.issued),
            "tools": {
                "components": [
                    {"type": "application", "name": "Selo", "version": one_line(report.method.selo)}
                ]
            },
            "component": _describe_product(report),
            "properties": [
                {"name": f"selo:{name}", "value": one_line(value)}
                for name, value in {
                    "kind": report.kind,
                    "number": report.number,
                    "overall": report.overall,
                    "demonstration": str(report.demonstration).lower(),
                    "as-of": report.method.as_of.isoformat(),
                    "text-as-stored": str(report.method.text_as_stored).lower(),
                    "law-edition": report.method.spec_digest,
                }.items()
            ],
        },
        "components": [_describe_part(index, file) for index, file in enumerate(report.item.files)],
        "declarations": {
            "assessors": [
                {
                    "bom-ref": _ASSESSOR,
                    "thirdParty": report.issuer.name != report.client.name,
                    "organization": {"name": one_line(report.issuer.name)},
                }
            ],
            "attestations": [
                {
                    "summary": one_line(f"{report.kind} {report.number}: {report.overall}"),
                    "assessor": _ASSESSOR,
                    "map": [_attest(provision) for provision in assessed],
                }
            ],
            "claims": [
                _claim(provision)
                for provision in assessed
                if is_passed(provision) or is_failed(provision)
            ],
            "evidence": [
                {
                    "bom-ref": _EVIDENCE,
                    "propertyName": "selo:evidence-root",
                    "description": one_line(report.evidence.file.name),
                    "data": [{"name": "root", "contents": {"url": f"urn:{report.evidence.root}"}}],
                }
            ],
        },
        "definitions": {
            "standards": [
                _define(norm, [one for one in assessed if one.instrument == norm.instrument])
                for norm in report.norms
            ]
        },
    }
    yield "declarations.cdx.json", encode_json(document)


def _describe_product(report: Report) -> dict[str, Any]:
    return {
        "type": "application",
        "bom-ref": _PRODUCT,
        "name": one_line(report.item.product),
        "version": one_line(report.item.version),
        "supplier": {"name": one_line(report.item.vendor)},
    }


def _describe_part(index: int, file: FileRecord) -> dict[str, Any]:
    hashes = [{"alg": "SHA-256", "content": file.sha256}]
    hashes += [] if file.sha1 is None else [{"alg": "SHA-1", "content": file.sha1}]
    name = one_line(file.path)
    return {"type": "file", "bom-ref": f"file:{index}", "name": name, "hashes": hashes}


def _attest(provision: ProvisionRecord) -> dict[str, Any]:
    conformance: dict[str, Any] = {"rationale": in_all_languages(provision.because)}
    entry: dict[str, Any] = {"requirement": provision.id, "conformance": conformance}
    if is_passed(provision):
        conformance["score"] = 1
        entry["claims"] = [f"claim:{provision.id}"]
    elif is_failed(provision):
        conformance["score"] = 0
        entry["counterClaims"] = [f"claim:{provision.id}"]
    return entry


def _claim(provision: ProvisionRecord) -> dict[str, Any]:
    return {
        "bom-ref": f"claim:{provision.id}",
        "target": _PRODUCT,
        "predicate": f"{provision.result}: {one_line(provision.full_citation.pt)}",
        "reasoning": in_all_languages(provision.because),
        "evidence": [_EVIDENCE],
    }


def _define(norm: Norm, provisions: list[ProvisionRecord]) -> dict[str, Any]:
    return {
        "bom-ref": norm.instrument,
        "name": one_line(norm.citation.pt),
        "description": one_line(norm.regulation.pt),
        "version": norm.digest,
        "requirements": [
            {
                "bom-ref": provision.id,
                "identifier": provision.id,
                "title": one_line(provision.full_citation.pt or provision.full_citation.zh),
                "text": "\n".join(filter(None, (provision.text.pt, provision.text.zh))),
            }
            for provision in provisions
        ],
    }
