"""Requirements as CSV (RFC 4180), and what its columns are as CSV on the Web (CSVW) says it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

from selo.report.interchange.export_formats import encode_json
from selo.text.sanitize import escape_formula, escape_unseen, escape_unseen_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.report.model.report_model import ProvisionRecord, Report

_FILE: Final = "requirements.csv"
#: The columns, and the type of each as CSVW names it.
_COLUMNS: Final[Mapping[str, str]] = {
    "id": "string",
    "instrument": "string",
    "citation_pt": "string",
    "citation_zh": "string",
    "text_pt": "string",
    "text_zh": "string",
    "force": "string",
    "verified_by": "string",
    "result": "string",
    "reason": "string",
    "because_en": "string",
    "counts": "boolean",
    "cases": "nonNegativeInteger",
    "decisive": "nonNegativeInteger",
    "findings": "string",
    "open_points": "string",
    "carried_over_from": "string",
    "file": "string",
    "line": "positiveInteger",
}
_SEVERAL: Final = frozenset({"force", "verified_by", "findings", "open_points"})
_SEPARATOR: Final = " "


def render(report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield the table and its description."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    writer.writerows(
        [escape_formula(cell) for cell in _cells(provision)] for provision in report.provisions
    )
    yield _FILE, text.getvalue().encode()
    yield f"{_FILE}-metadata.json", encode_json(_describe(report))


def _cells(provision: ProvisionRecord) -> Iterator[str]:
    yield provision.id
    yield provision.instrument
    yield provision.full_citation.pt or ""
    yield provision.full_citation.zh or ""
    yield escape_unseen_lines(provision.text.pt or "")
    yield escape_unseen_lines(provision.text.zh or "")
    yield _SEPARATOR.join(force.force for force in provision.force)
    yield _SEPARATOR.join(provision.ways)
    yield provision.result
    yield provision.reason
    yield escape_unseen(provision.because.en)
    yield str(provision.counts).lower()
    yield str(provision.cases)
    yield str(provision.decisive)
    yield _SEPARATOR.join(provision.findings)
    yield _SEPARATOR.join(provision.divergences)
    yield "" if provision.carried is None else escape_unseen(provision.carried.certificate)
    yield provision.file
    yield str(provision.line)


def _describe(report: Report) -> dict[str, Any]:
    return {
        "@context": "http://www.w3.org/ns/csvw",
        "url": _FILE,
        "dc:title": escape_unseen(f"{report.kind} {report.number}"),
        "dc:description": f"{report.overall}; {report.method.spec_digest}",
        "dialect": {"header": True, "encoding": "utf-8"},
        "tableSchema": {
            "primaryKey": "id",
            "columns": [
                {
                    "name": name,
                    "titles": name,
                    "datatype": kind,
                    "required": name in {"id", "instrument", "result", "reason"},
                    **({"separator": _SEPARATOR} if name in _SEVERAL else {}),
                }
                for name, kind in _COLUMNS.items()
            ],
        },
    }
