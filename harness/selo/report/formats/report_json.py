"""``report.json``: the report as canonical JSON, and its published schema."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import struct_schema
from selo.evidence.canonical_json import encode_canonical
from selo.report.model.dossier import Dossier
from selo.report.model.report_model import Report
from selo.storage import read_json
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

#: The model of each schema of documents, by the name of the schema.
MODELS: Final[dict[str, Any]] = {"report": Report, "dossier": Dossier}
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def encode_report(report: Report) -> bytes:
    """Return `report` as canonical JSON (RFC 8785), with a line feed."""
    return encode_canonical(msgspec.to_builtins(report)) + b"\n"


def read_report(path: Path) -> Report:
    """Return the report in a file, or raise if the file is not a report."""
    try:
        return read_json(path, Report)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("report", path=path, error=error) from error


def document_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a report or of a dossier."""
    return {
        "$schema": _DIALECT,
        "title": f"selo {name}",
        **struct_schema.struct_schema(MODELS[name]),
    }


def render_schema(name: str) -> str:
    """Return the schema as it is kept under ``specs/schema/``."""
    encoded = msgspec.json.encode(document_schema(name), order="sorted")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


if __name__ == "__main__":
    # Used by `make schemas`.
    sys.stdout.write(render_schema(sys.argv[1]))
