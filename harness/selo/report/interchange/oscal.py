"""OSCAL assessment results: a finding for each provision that the conclusion waits for.

A finding is *satisfied* only where the provision conforms or was witnessed; whatever is not
decided is *not satisfied*, with the reason ``other``.
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
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from selo.report.model.report_model import ProvisionRecord, Report

_VERSION: Final = "1.2.1"
#: The namespace of the properties that are ours.
_NAMESPACE: Final = "urn:selo:oscal"


def render(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield the assessment results."""
    assessed = [provision for provision in report.provisions if is_assessed(provision)]
    aside = [provision for provision in report.provisions if not is_assessed(provision)]
    ids = id_namespace(report)
    plan = derive_uuid(ids, "plan")
    result = {
        "uuid": derive_uuid(ids, "result"),
        "title": one_line(f"{report.item.product} {report.item.version}"),
        "description": (
            one_line(report.overall)
            if report.statement is None
            else in_all_languages(report.statement.verdict)
        ),
        "start": midnight(report, report.dates.first_day),
        "end": midnight(report, report.dates.last_day),
        "props": [
            _property(name, value)
            for name, value in {
                "kind": report.kind,
                "number": report.number,
                "overall": report.overall,
                "demonstration": str(report.demonstration).lower(),
                "law-edition": report.method.spec_digest,
                "text-as-stored": str(report.method.text_as_stored).lower(),
                "as-of": report.method.as_of.isoformat(),
                "evidence-root": report.evidence.root,
            }.items()
        ],
        "reviewed-controls": {"control-selections": [_selection(assessed, aside)]},
        "observations": [_observation(report, ids, provision) for provision in assessed],
        "findings": [_finding(ids, provision) for provision in assessed],
    }
    document = {
        "uuid": derive_uuid(ids, "document"),
        "metadata": {
            "title": one_line(f"Selo {report.kind} {report.number}"),
            "last-modified": midnight(report, report.dates.issued),
            "version": str(report.revision),
            "oscal-version": _VERSION,
            "parties": [
                {
                    "uuid": derive_uuid(ids, "issuer"),
                    "type": "organization",
                    "name": one_line(report.issuer.name),
                }
            ],
        },
        "import-ap": {"href": f"#{plan}"},
        "results": [result],
        "back-matter": {
            "resources": [
                {
                    "uuid": plan,
                    "title": "plan.json",
                    "rlinks": [
                        {
                            "href": "plan.json",
                            "hashes": [{"algorithm": "SHA-256", "value": report.method.plan}],
                        }
                    ],
                }
            ]
        },
    }
    yield "assessment-results.oscal.json", encode_json({"assessment-results": document})


def _property(name: str, value: str) -> dict[str, str]:
    return {"name": name, "ns": _NAMESPACE, "value": one_line(value)}


def _token(provision: str) -> str:
    """Return the id of a provision with characters that OSCAL allows."""
    return provision.replace("/", ".")


def _selection(assessed: list[ProvisionRecord], aside: list[ProvisionRecord]) -> dict[str, Any]:
    chosen = [{"control-id": _token(provision.id)} for provision in assessed]
    left = [{"control-id": _token(provision.id)} for provision in aside]
    return {
        **({"include-controls": chosen} if chosen else {}),
        **({"exclude-controls": left} if left else {}),
    }


def _observation(report: Report, ids: UUID, provision: ProvisionRecord) -> dict[str, Any]:
    return {
        "uuid": derive_uuid(ids, "observation", provision.id),
        "title": one_line(provision.full_citation.pt or provision.full_citation.zh),
        "description": in_all_languages(provision.because),
        "methods": ["EXAMINE" if provision.result is Result.WITNESSED else "TEST"],
        "collected": midnight(report, report.dates.last_day),
        "props": [
            _property("cases", str(provision.cases)),
            _property("decisive", str(provision.decisive)),
            *(_property("finding", finding) for finding in provision.findings),
        ],
    }


def _finding(ids: UUID, provision: ProvisionRecord) -> dict[str, Any]:
    reason = "pass" if is_passed(provision) else "fail" if is_failed(provision) else "other"
    return {
        "uuid": derive_uuid(ids, "finding", provision.id),
        "title": one_line(provision.id),
        "description": in_all_languages(provision.because),
        "props": [
            _property("result", provision.result),
            _property("reason", provision.reason),
        ],
        "target": {
            "type": "statement-id",
            "target-id": _token(provision.id),
            "status": {
                "state": "satisfied" if is_passed(provision) else "not-satisfied",
                "reason": reason,
            },
        },
        "related-observations": [
            {"observation-uuid": derive_uuid(ids, "observation", provision.id)}
        ],
    }
