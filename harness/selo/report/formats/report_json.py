"""``report.json``: the report as canonical JSON, and its published schema."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import struct_schema
from selo.evidence.canonical_json import encode
from selo.report.model.dossier import Dossier
from selo.report.model.report_model import Report
from selo.text import wrong

if TYPE_CHECKING:
    from pathlib import Path

#: The name of each schema of documents, and the model it describes.
MODELS: Final[dict[str, Any]] = {"report": Report, "dossier": Dossier}
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def as_json(report: Report) -> bytes:
    """Return the one way in which `report` is written (RFC 8785), with a line feed."""
    return encode(msgspec.to_builtins(report)) + b"\n"


def read_report(path: Path) -> Report:
    """Return the report in a file, or refuse what is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Report)
    except (OSError, msgspec.DecodeError) as error:
        raise wrong("report", path=path, error=error) from error


#: Classes whose schema was published under another name.
_PUBLISHED: Final[dict[str, str]] = {}


def _published_name(name: str) -> str:
    return _PUBLISHED.get(name, name)


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a report or of a dossier."""
    return {
        "$schema": _DIALECT,
        "title": f"selo {name}",
        **struct_schema.schema(MODELS[name], published=_published_name),
    }


def written(name: str) -> str:
    """Return the schema as it is kept under ``specs/schema/``."""
    encoded = msgspec.json.encode(schema(name), order="sorted")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


if __name__ == "__main__":
    # Only `make schemas` asks for this.
    sys.stdout.write(written(sys.argv[1]))
