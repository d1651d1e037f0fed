"""The schemas of what a vendor answers, made from the structs that read it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from selo.protocol.messages import RESULTS, Answer, Fault, Request
from selo.protocol.protocol_text import FIELDS
from selo.protocol.schema.json_schema import PLACE, Schema

_TYPES: Final = (*dict.fromkeys(RESULTS.values()), Fault, Answer, Request)


def result_schemas() -> dict[str, Schema]:
    """Return the schema of every message, its fields explained, open or closed as it is read."""
    _, found = msgspec.json.schema_components(_TYPES, ref_template=PLACE + "{name}")
    schemas = {name: _explained(name, schema) for name, schema in found.items()}
    # An answer has a result or an error: the struct cannot say so, its reader does.
    schemas["Answer"]["oneOf"] = [{"required": ["result"]}, {"required": ["error"]}]
    return schemas


def _explained(name: str, schema: dict[str, Any]) -> Schema:
    fields = {
        field: {**_closed_below(shape), "description": FIELDS[name][field]}
        for field, shape in schema["properties"].items()
    }
    # What msgspec leaves unsaid, it ignores; that is said here.
    return {"additionalProperties": True, **schema, "properties": fields}


def _closed_below(shape: Schema) -> Schema:
    """Return a field as it is, an object of free form marked as one that its game closes."""
    if shape.get("items") == {"type": "object"}:
        return {**shape, "items": {"type": "object", "description": "As the game has it."}}
    return shape
