"""SARIF 2.1.0: provisions are the rules, findings the results.

A finding points at the vendor's adapter, by its path from where the gate was run, and beside it at
the lines of the law files that it rests on. What lies elsewhere is told with a base of its own,
whose place depends on the machine.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

from selo import __version__
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.report.model.report_model import ProvisionRecord, Report, Sheet

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
#: The rule of findings that break the protocol and no law.
PROTOCOL: Final = "selo/protocol"
#: What SARIF calls a finding: the law can be read so that the vendor is right, or it cannot.
_KINDS: Final = {
    "violates": {"kind": "fail", "level": "error"},
    "open": {"kind": "open", "level": "none"},
    "protocol": {"kind": "fail", "level": "warning"},
}
#: The bases of paths that do not begin where the gate was run.
_LAW: Final = "SELO_LAW"
_VENDOR: Final = "VENDOR"
_BASES: Final = {
    _LAW: {"description": {"text": "The folder of Selo that holds specs/"}},
    _VENDOR: {"description": {"text": "The folder in which the vendor's adapter lives"}},
}


def as_sarif(report: Report) -> bytes:
    """Return `report` as SARIF in UTF-8."""
    rules = [_rule(provision) for provision in report.provisions]
    if any(not finding.provisions for finding in report.findings):
        rules.append(_protocol())
    places = {str(rule["id"]): at for at, rule in enumerate(rules)}
    by_id = {provision.id: provision for provision in report.provisions}
    plain = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Selo",
                        "version": report.method.selo,
                        "semanticVersion": __version__,
                        "rules": rules,
                    }
                },
                "automationDetails": {"id": f"selo/{quote(report.number)}"},
                "originalUriBaseIds": _BASES,
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "exitCode": report.exit}],
                "results": [_result(report, finding, places, by_id) for finding in report.findings],
                "properties": {
                    "kind": report.kind,
                    "number": report.number,
                    "demonstration": report.demonstration,
                    "overall": report.overall,
                    "games": {game.game: game.overall for game in report.games},
                    "vendor": report.item.vendor,
                    "product": report.item.product,
                    "version": report.item.version,
                    "asOf": report.method.as_of.isoformat(),
                    "specDigest": report.method.spec_digest,
                    "plan": report.method.plan,
                    "evidenceRoot": report.evidence.root,
                },
            }
        ],
    }
    encoded = msgspec.json.encode(plain, order="deterministic")
    return msgspec.json.format(encoded, indent=1) + b"\n"


def _rule(one: ProvisionRecord) -> dict[str, Any]:
    texts = [words for words in (one.text.pt, one.text.zh) if words is not None]
    cited = " · ".join(filter(None, (one.full_citation.pt, one.full_citation.zh)))
    return {
        "id": one.id,
        "name": one.id,
        "shortDescription": {"text": cited},
        "fullDescription": {"text": "\n".join(texts)},
        "help": {"text": "\n\n".join([cited, *texts])},
        "properties": {
            "verdict": one.result,
            "reason": one.reason,
            "counts": one.counts,
            "cases": one.cases,
            "decisive": one.decisive,
            "verifiedBy": one.ways,
            "law": {"file": one.file, "line": one.line},
        },
    }


def _protocol() -> dict[str, Any]:
    return {
        "id": PROTOCOL,
        "name": PROTOCOL,
        "shortDescription": {"text": "The form of the vendor protocol"},
    }


def _result(
    report: Report, one: Sheet, places: Mapping[str, int], by_id: Mapping[str, ProvisionRecord]
) -> dict[str, Any]:
    rule = next((name for name in one.provisions if name in places), PROTOCOL)
    return {
        "ruleId": rule,
        **({"ruleIndex": places[rule]} if rule in places else {}),
        **_KINDS[one.verdict],
        "message": {"text": "\n".join(_message(one))},
        "locations": [_adapter(report)],
        "relatedLocations": list(_law(one, by_id)),
        "fingerprints": {"selo/1": one.fingerprint},
        "partialFingerprints": {"seloFinding/v1": one.fingerprint},
        "occurrenceCount": one.times,
        "properties": {
            "id": one.id,
            "verdict": one.verdict,
            "provisions": one.provisions,
            "game": one.game,
            "required": one.required,
            "seen": one.seen,
            "difference": one.difference,
            "perMillion": one.per_million,
            "perMillionIs": None if one.per_million is None else one.basis,
            "outside": report.outside is not None and one.id in report.outside.findings,
            "evidenceLine": one.first,
            "replay": one.replay,
        },
    }


def _message(one: Sheet) -> Iterator[str]:
    """Yield what it is in all languages, and how to see it again."""
    yield visible(f"{one.id}: {one.title.en}")
    yield visible(one.title.pt)
    yield visible(one.title.zh)
    yield one.replay


def _adapter(report: Report) -> dict[str, Any]:
    """Return where the vendor's own code begins, as well as we know it."""
    how = report.method
    declared = [one.path for one in (how.adapter, *report.item.files) if one is not None]
    file = next((one for one in (how.starts, *declared) if one is not None), "")
    place: dict[str, Any] = {"uri": quote(file) or "./", "uriBaseId": _VENDOR}
    if how.within is not None:
        place = {"uri": quote((PurePosixPath(how.within) / file).as_posix())}
        place["uri"] += "" if file else "/"
    return {"physicalLocation": {"artifactLocation": place, "region": {"startLine": 1}}}


def _law(one: Sheet, by_id: Mapping[str, ProvisionRecord]) -> Iterator[dict[str, Any]]:
    """Yield the lines of the law that a finding rests on."""
    for number, ground in enumerate(one.law, 1):
        held = by_id.get(ground.provision)
        if held is not None:
            yield {
                "id": number,
                "message": {"text": ground.full_citation.pt or ground.provision},
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(held.file), "uriBaseId": _LAW},
                    "region": {"startLine": held.line},
                },
            }
