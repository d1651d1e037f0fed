"""The whole protocol as one OpenRPC document, generated from the law files and the structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import structs

from selo.protocol.description.methods import describe_methods, params_schemas
from selo.protocol.field_text import FIELDS
from selo.protocol.messages import (
    AMOUNT_TYPES,
    FRACTION_PATTERN,
    MOST_DRAWN,
    MOST_IN_BATCH,
    RESULTS,
    VERSION,
    Answer,
    Fault,
    NetSettlement,
    Request,
    ResultAndNetSettlement,
    Settlement,
    Skipped,
    TicketSettlement,
)
from selo.protocol.protocol_text import (
    BETTORS,
    COMPATIBILITY,
    ERRORS,
    IDS,
    LEVELS,
    MONEY,
    SKIPPING,
    TITLE,
    TRANSPORTS,
    UNKNOWN,
    VIA,
    description,
)
from selo.protocol.schema import CARD, card_schema, game_words
from selo.protocol.schema.json_schema import DIALECT, PLACE, Schema
from selo.rules.checks import list_games
from selo.rules.procedure.step_reader import read_constraints
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law


_TYPES: Final = (*dict.fromkeys(RESULTS.values()), Skipped, Fault, Answer, Request)


#: The amounts that may be written as a text, by the object that holds them.
_FRACTIONS: Final = {
    struct.__name__: [field.name for field in structs.fields(struct) if field.type in AMOUNT_TYPES]
    for struct in (Settlement, NetSettlement, ResultAndNetSettlement, TicketSettlement)
}


def result_schemas() -> dict[str, Schema]:
    """Return the schema of every message with descriptions of its fields."""
    _, found = msgspec.json.schema_components(_TYPES, ref_template=PLACE + "{name}")
    schemas = {name: _describe_fields(name, schema) for name, schema in found.items()}
    # An answer has a result or an error; the struct cannot express that, the reader checks it.
    # A fraction may be a text, which the reader turns into numbers before it decodes a struct.
    for name, fields in _FRACTIONS.items():
        for field in fields:
            schemas[name]["properties"][field]["anyOf"].append(
                {"type": "string", "pattern": FRACTION_PATTERN}
            )
    schemas["Answer"]["oneOf"] = [{"required": ["result"]}, {"required": ["error"]}]
    return schemas


def _describe_fields(name: str, schema: dict[str, Any]) -> Schema:
    fields = {
        field: {**_close_nested(shape), "description": FIELDS[name][field]}
        for field, shape in schema["properties"].items()
    }
    # msgspec ignores unknown fields by default; the schema states it.
    return {"additionalProperties": True, **schema, "properties": fields}


def _close_nested(shape: Schema) -> Schema:
    """Return a field's schema, with free-form objects marked as closed by their game."""
    if shape.get("items") == {"type": "object"}:
        return {**shape, "items": {"type": "object", "description": "As the game has it."}}
    return shape


OPENRPC: Final = "1.3.2"


def openrpc_document(law: Law, only: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the protocol for all games, or only for those named."""
    words = [game_words(law, game) for game in only or list_games(law)]
    schemas: dict[str, Schema] = {**result_schemas(), CARD: card_schema()}
    for word in words:
        schemas |= word.schemas
    schemas |= params_schemas(words)
    return {
        "openrpc": OPENRPC,
        "info": {
            "title": TITLE,
            "version": VERSION,
            "description": description(),
            "x-transports": TRANSPORTS,
            "x-ids": IDS,
            "x-money": MONEY,
            "x-unknown-fields": UNKNOWN,
            "x-bettors": BETTORS,
            "x-levels": LEVELS,
            "x-via": VIA,
            "x-skipping": SKIPPING,
            "x-compatibility": COMPATIBILITY,
            "x-limits": {"batch": MOST_IN_BATCH, "draw": MOST_DRAWN},
            "x-schema-dialect": DIALECT,
        },
        "methods": describe_methods(law, words),
        "components": {
            "schemas": schemas,
            "errors": {
                name: {"code": code, "message": message}
                for code, (name, message) in ERRORS.items()
            },
        },
        "x-games": {
            word.game: {
                **{key: word.schemas[f"{word.game}.offer"][key] for key in ("title", "x-words")},
                "abilities": word.abilities,
                "bets": word.bets,
                "acts": word.acts,
                "events": word.happenings,
                "steps": _steps(law, word.game),
            }
            for word in words
        },
    }  # fmt: skip


def _steps(law: Law, game: str) -> list[dict[str, Any]]:
    """Return the steps of a round that the law requires, under all readings."""
    return [
        {
            "step": constraint.key,
            "provision": constraint.provision,
            "events": sorted(constraint.mentioned),
            "x-words": {
                "pt": constraint.required.pt,
                "zh": constraint.required.zh,
                "en": constraint.required.en,
            },
            "under": dict(constraint.under),
        }
        for constraint in read_constraints(law, game)
    ]


def standalone_schema(whole: dict[str, Any], name: str) -> Schema:
    """Return one schema of a document with all schemas it references."""
    known = whole["components"]["schemas"]
    if name not in known:
        raise user_error("protocol-schema", name=name, example=next(iter(known)))
    reached: dict[str, Schema] = {}
    left = [name]
    while left:
        one = left.pop()
        if one not in reached:
            reached[one] = known[one]
            left += [found.removeprefix(PLACE) for found in references(known[one])]
    ordered = {one: known[one] for one in known if one in reached}
    return {"$schema": DIALECT, "$ref": f"{PLACE}{name}", "components": {"schemas": ordered}}


def references(node: Any) -> Iterator[str]:
    """Yield every reference below `node`."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def render_document(value: Any) -> str:
    """Return the text of a document as stored under ``specs/schema/``."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
