"""SARIF 2.1.0: provisions are the rules, findings the results.

A finding is located in the vendor's adapter, by its path from where the gate was run, with related
locations in the law files. Paths that do not begin there have a URI base of their own, whose
location depends on the machine.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

from selo import __version__
from selo.text.message_catalogue import message_words
from selo.text.sanitize import escape_unseen, escape_unseen_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.report.model.report_model import CaseSheet, ProvisionRecord, Report

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
#: The rule of findings that break only the protocol.
PROTOCOL_RULE: Final = "selo/protocol"
#: Kind and level of SARIF for each verdict; an open finding is lawful under some reading.
_KINDS: Final = {
    "violates": {"kind": "fail", "level": "error"},
    "open": {"kind": "open", "level": "none"},
    "protocol": {"kind": "fail", "level": "warning"},
}
#: URI bases of paths that do not begin where the gate was run.
_LAW_BASE: Final = "SELO_LAW"
_VENDOR_BASE: Final = "VENDOR"
_BASES: Final = {
    _LAW_BASE: {"description": {"text": "The folder of Selo that holds specs/"}},
    _VENDOR_BASE: {"description": {"text": "The folder in which the vendor's adapter lives"}},
}


def render_sarif(report: Report) -> bytes:
    """Return `report` as SARIF in UTF-8."""
    rules = [_rule(provision) for provision in report.provisions]
    if any(not finding.provisions for finding in report.findings):
        rules.append(_protocol_rule())
    rule_indexes = {str(rule["id"]): index for index, rule in enumerate(rules)}
    by_id = {provision.id: provision for provision in report.provisions}
    plain = {
        "$schema": SARIF_SCHEMA,
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
                "results": [
                    _result(report, finding, rule_indexes, by_id) for finding in report.findings
                ],
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
                    "textAsStored": report.method.text_as_stored,
                    "texts": {
                        norm.instrument: {"isLaw": norm.is_law, "status": norm.status}
                        for norm in report.norms
                    },
                    "specDigest": report.method.spec_digest,
                    "plan": report.method.plan,
                    "evidenceRoot": report.evidence.root,
                    "rulingsRecordedNotExamined": report.method.recorded,
                },
            }
        ],
    }
    encoded = msgspec.json.encode(plain, order="deterministic")
    # Whatever a vendor calls itself, no character of it turns or hides the rest.
    return escape_unseen_json(msgspec.json.format(encoded, indent=1).decode()).encode() + b"\n"


def _rule(provision: ProvisionRecord) -> dict[str, Any]:
    texts = [text for text in (provision.text.pt, provision.text.zh) if text is not None]
    cited = " · ".join(filter(None, (provision.full_citation.pt, provision.full_citation.zh)))
    return {
        "id": provision.id,
        "name": provision.id,
        "shortDescription": {"text": cited},
        "fullDescription": {"text": "\n".join(texts)},
        "help": {"text": "\n\n".join([cited, *texts])},
        "properties": {
            "verdict": provision.result,
            "under": [
                {"point": ruled.divergence, "reading": ruled.reading, "verdict": ruled.result}
                for ruled in provision.under
            ],
            "reason": provision.reason,
            "counts": provision.counts,
            "cases": provision.cases,
            "decisive": provision.decisive,
            "verifiedBy": provision.ways,
            "law": {"file": provision.file, "line": provision.line},
        },
    }


def _protocol_rule() -> dict[str, Any]:
    return {
        "id": PROTOCOL_RULE,
        "name": PROTOCOL_RULE,
        "shortDescription": {"text": "The form of the vendor protocol"},
    }


def _result(
    report: Report,
    sheet: CaseSheet,
    rule_indexes: Mapping[str, int],
    by_id: Mapping[str, ProvisionRecord],
) -> dict[str, Any]:
    rule = next((name for name in sheet.provisions if name in rule_indexes), PROTOCOL_RULE)
    return {
        "ruleId": rule,
        **({"ruleIndex": rule_indexes[rule]} if rule in rule_indexes else {}),
        **_KINDS[sheet.verdict],
        "message": {"text": "\n".join(_message_lines(sheet))},
        "locations": [_adapter_location(report)],
        "relatedLocations": list(_law_locations(sheet, by_id)),
        "fingerprints": {"selo/1": sheet.fingerprint},
        "partialFingerprints": {"seloFinding/v1": sheet.fingerprint},
        "occurrenceCount": sheet.times,
        "properties": {
            "id": sheet.id,
            "verdict": sheet.verdict,
            "provisions": sheet.provisions,
            "game": sheet.game,
            "required": sheet.required,
            "seen": sheet.seen,
            "difference": sheet.difference,
            "perMillion": sheet.per_million,
            "perMillionIs": None if sheet.per_million is None else sheet.basis,
            "houseEdge": sheet.edge,
            "against": sheet.label,
            "readings": sheet.notes,
            "bets": sheet.bets,
            "judgedBet": sheet.bet,
            "parts": sheet.parts,
            "cases": sheet.cases,
            "outside": report.outside is not None and sheet.id in report.outside.findings,
            "evidenceLine": sheet.first,
            "replay": sheet.replay,
        },
    }


def _message_lines(sheet: CaseSheet) -> Iterator[str]:
    """Yield the title in all languages, and the command that replays the finding."""
    label = message_words(f"document.finding.{sheet.label}")
    yield escape_unseen(f"{sheet.id}: {sheet.title.en} ({label.en})")
    yield escape_unseen(f"{sheet.title.pt} ({label.pt})")
    yield escape_unseen(f"{sheet.title.zh}（{label.zh}）")
    for note in sheet.notes:
        yield from (escape_unseen(text) for text in (note.en, note.pt, note.zh))
    yield sheet.replay


def _adapter_location(report: Report) -> dict[str, Any]:
    """Return the location of the vendor's code, as far as it is known."""
    method = report.method
    declared = [file.path for file in (method.adapter, *report.item.files) if file is not None]
    file = next((path for path in (method.starts, *declared) if path is not None), "")
    place: dict[str, Any] = {"uri": quote(file) or "./", "uriBaseId": _VENDOR_BASE}
    if method.within is not None:
        place = {"uri": quote((PurePosixPath(method.within) / file).as_posix())}
        place["uri"] += "" if file else "/"
    return {"physicalLocation": {"artifactLocation": place, "region": {"startLine": 1}}}


def _law_locations(
    sheet: CaseSheet, by_id: Mapping[str, ProvisionRecord]
) -> Iterator[dict[str, Any]]:
    """Yield the lines of the law files on which a finding rests."""
    for number, ground in enumerate(sheet.law, 1):
        provision = by_id.get(ground.provision)
        if provision is not None:
            yield {
                "id": number,
                "message": {"text": ground.full_citation.pt or ground.provision},
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(provision.file), "uriBaseId": _LAW_BASE},
                    "region": {"startLine": provision.line},
                },
            }
