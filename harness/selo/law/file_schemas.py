"""JSON Schemas of the law files, generated from the models that read them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from selo import struct_schema
from selo.gazette import ForbiddenVariants, Glossary, RepairLog
from selo.gazette.quantities import ConcordanceVocabulary
from selo.gazette.sources import OutOfScopeList, SourceList
from selo.law.files import DeclarationsFile
from selo.law.files.chance_file import ChanceFile
from selo.law.files.divergence_register import Register, RegisterOrder
from selo.law.files.equipment_file import EquipmentFile
from selo.law.files.events_file import EventsFile
from selo.law.files.provision_file import (
    Article,
    Instrument,
    MatterFile,
    MissingFile,
    Reconstruction,
)
from selo.law.files.round_file import RoundsFile
from selo.law.files.situation_file import SituationCases
from selo.law.ledger import Ledger
from selo.text.help_text import Manual
from selo.text.message_catalogue import Conditions, GameMessages, Messages

#: The model of each schema, by schema name.
SCHEMA_MODELS: Final[dict[str, Any]] = {
    "article": Article,
    "chance": ChanceFile,
    "concordance": ConcordanceVocabulary,
    "conditions": Conditions,
    "declarations": DeclarationsFile,
    "divergences": Register,
    "equipment": EquipmentFile,
    "events": EventsFile,
    "forbidden": ForbiddenVariants,
    "glossary": Glossary,
    "help": Manual,
    "instrument": Instrument,
    "ledger": Ledger,
    "matter": MatterFile,
    "messages": Messages,
    "missing": MissingFile,
    "out-of-scope": OutOfScopeList,
    "reconstructed": Reconstruction,
    "register-order": RegisterOrder,
    "repairs": RepairLog,
    "rounds": RoundsFile,
    "situations": SituationCases,
    "sources": SourceList,
    "words": GameMessages,
}

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def file_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema called `name`."""
    body = struct_schema.struct_schema(SCHEMA_MODELS[name])
    return {"$schema": _DIALECT, "title": f"selo {name}", **_allow_bare_scalars(body)}


def render_file_schema(name: str) -> str:
    """Return the schema called `name` as it is kept under ``specs/schema/``."""
    encoded = msgspec.json.encode(file_schema(name), order="sorted")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _allow_bare_scalars(node: Any) -> Any:
    """Allow unquoted numbers and dates in YAML, as the reader does."""
    if isinstance(node, list):
        return [_allow_bare_scalars(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _allow_bare_scalars(value) for key, value in node.items()}
    if schema.get("type") == "string" and "enum" not in schema and "format" not in schema:
        schema["type"] = ["string", "number", "boolean"]
    return schema
