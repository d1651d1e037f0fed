"""Writes ``docs/formats.md``, the reference of file formats and outputs, from the schemas."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from selo.cli.schemas.schema_files import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The folders of schemas, each with what its files describe.
_CHAPTERS: Final = (
    ("", "Law files, messages, dossier and report"),
    ("file", "Files of a project"),
    ("output", "What `--json` prints"),
)


def render_page(schemas: Path) -> Iterator[str]:
    """Yield the lines of the page, from the published schemas."""
    yield "# File formats and outputs"
    yield ""
    yield "Written by `make schemas` from `specs/schema/`; do not edit it here."
    yield "Each shape is closed: a field that is not listed is refused."
    yield "`?` marks what may be left out; the schema beside each name holds everything else."
    yield "A name in bold is a shape that a field names; those that several name come last."
    yield "[Evidence](evidence-format.md) and the [protocol](protocol.md) have their own pages."
    shared = _shared_definitions(schemas)
    for folder, title in _CHAPTERS:
        yield ""
        yield f"## {title}"
        for path in sorted((schemas / folder).glob(f"*{SUFFIX}")):
            name = path.name.removesuffix(SUFFIX)
            place = path.relative_to(schemas).as_posix()
            yield ""
            yield f"### {name}"
            yield ""
            yield f"`specs/schema/{place}`"
            yield ""
            yield from _render_schema(_read_schema(path), shared)
    yield ""
    yield "## Shapes that several of these name"
    for name, body in sorted(shared.items()):
        yield from _render_definition(name, body)


def _read_schema(path: Path) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def _shared_definitions(schemas: Path) -> dict[str, Any]:
    """Return the definitions that occur in several schemas and are equal in all of them."""
    definitions: dict[str, list[Any]] = {}
    for folder, _ in _CHAPTERS:
        for path in sorted((schemas / folder).glob(f"*{SUFFIX}")):
            for name, body in _read_schema(path).get("$defs", {}).items():
                definitions.setdefault(name, []).append(body)
    return {
        name: bodies[0]
        for name, bodies in definitions.items()
        if len(bodies) > 1 and all(body == bodies[0] for body in bodies)
    }


def _render_schema(schema: dict[str, Any], shared: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of a schema, then its own definitions."""
    defined = schema.get("$defs", {})
    tops = schema.get("anyOf", [schema])
    for body in tops:
        yield from _render_fields(_resolve(body, defined))
    printed = {_referenced_name(body) for body in tops}
    for name, body in sorted(defined.items()):
        if name not in printed and name not in shared:
            yield from _render_definition(name, body)


def _render_definition(name: str, body: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"**{name}**"
    yield ""
    yield from _render_fields(body)


def _render_fields(schema: dict[str, Any]) -> Iterator[str]:
    if schema.get("description"):
        yield f"{schema['description']}"
        yield ""
    fields = schema.get("properties", {})
    if not fields:
        yield f"- {_describe_type(schema)}"
    for name, field in fields.items():
        mark = "" if name in schema.get("required", []) else "?"
        yield f"- `{name}`{mark}: {_describe_type(field)}"


def _referenced_name(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "").rpartition("/")[2])


def _resolve(schema: dict[str, Any], defined: dict[str, Any]) -> dict[str, Any]:
    name = _referenced_name(schema)
    return dict(defined[name]) if name else schema


def _describe_type(schema: dict[str, Any]) -> str:  # noqa: PLR0911 - one answer for each kind of field
    """Return the type of a field in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_describe_type(item) for item in schema["anyOf"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if "prefixItems" in schema:
        return f"list of {', then '.join(_describe_type(item) for item in schema['prefixItems'])}"
    if kind == "array":
        return f"list of {_describe_type(schema['items'])}" if "items" in schema else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_describe_type(schema['additionalProperties'])} by name"
    if kind == "string" and schema.get("format") == "date":
        return "day"
    return str(kind)


if __name__ == "__main__":
    # Run by `make schemas`.
    sys.stdout.write("\n".join(render_page(Path(sys.argv[1]))) + "\n")
