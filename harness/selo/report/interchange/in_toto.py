"""in-toto test-result attestation in a signed DSSE envelope.

The subject is the product, file by file; what is attested is the conclusion, and which provisions
passed, failed, or are not decided. The signature is over the pre-authentication encoding of DSSE,
with the key of the signer's certificate.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final

from selo.evidence.canonical_json import encode_canonical
from selo.report.formats import encode_report
from selo.report.interchange.export_formats import (
    encode_json,
    is_assessed,
    is_failed,
    is_passed,
    one_line,
)
from selo.signing.keys.certificates import key_digest
from selo.text import user_error
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.report.model.report_model import FileRecord, Report
    from selo.signing.keys import SigningKey

_PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_STATEMENT: Final = "https://in-toto.io/Statement/v1"
_PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"
#: What the predicate knows as a result; only a conclusion that everything conforms is a pass.
_RESULTS: Final = {Overall.CONFORMS: "PASSED", Overall.VIOLATES: "FAILED"}
_UNDECIDED: Final = "WARNED"


def render(report: Report, key: SigningKey) -> Iterator[tuple[str, bytes]]:
    """Yield the signed envelope."""
    if not report.item.files:
        raise user_error("export-no-files")
    payload = encode_canonical(_state(report))
    signature = key.sign_raw(encode_payload(payload))
    envelope = {
        "payloadType": _PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [
            {"keyid": key_digest(key.certificate), "sig": base64.b64encode(signature).decode()}
        ],
    }
    yield "test-result.intoto.json", encode_json(envelope)


def encode_payload(payload: bytes) -> bytes:
    """Return the bytes that are signed: the pre-authentication encoding of DSSE 1.0."""
    kind = _PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def _state(report: Report) -> dict[str, Any]:
    assessed = [provision for provision in report.provisions if is_assessed(provision)]
    return {
        "_type": _STATEMENT,
        "subject": [_describe_file(file) for file in report.item.files],
        "predicateType": _PREDICATE,
        "predicate": {
            "result": _RESULTS.get(report.overall, _UNDECIDED),
            "configuration": list(_describe_configuration(report)),
            "passedTests": [one.id for one in assessed if is_passed(one)],
            "warnedTests": [one.id for one in assessed if not (is_passed(one) or is_failed(one))],
            "failedTests": [one.id for one in assessed if is_failed(one)],
        },
    }


def _describe_file(file: FileRecord) -> dict[str, Any]:
    digest = {"sha256": file.sha256} | ({} if file.sha1 is None else {"sha1": file.sha1})
    return {"name": one_line(file.path), "digest": digest}


def _describe_configuration(report: Report) -> Iterator[dict[str, Any]]:
    """Yield what was applied: the report with its standing, the law, the plan, the evidence."""
    yield {
        "name": "report.json",
        "digest": {"sha256": hashlib.sha256(encode_report(report)).hexdigest()},
        "annotations": {
            "number": one_line(report.number),
            "kind": report.kind,
            "overall": report.overall,
            "demonstration": report.demonstration,
        },
    }
    yield {
        "name": "law",
        "digest": {"sha256": report.method.spec_digest},
        "annotations": {
            "asOf": report.method.as_of.isoformat(),
            "textAsStored": report.method.text_as_stored,
        },
    }
    yield {"name": "plan", "digest": {"sha256": report.method.plan}}
    yield {
        "name": one_line(report.evidence.file.name),
        "digest": {"sha256": report.evidence.file.sha256},
        "annotations": {"root": report.evidence.root},
    }
