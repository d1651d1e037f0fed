"""The reference of file formats and outputs, as a page; ``docs/formats.md`` is written by it."""

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
    """Yield the lines of the page, out of the schemas that are published."""
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
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _shared_definitions(schemas: Path) -> dict[str, Any]:
    """Return the shapes that stand in more than one schema, and are the same in all of them."""
    found: dict[str, list[Any]] = {}
    for folder, _ in _CHAPTERS:
        for path in sorted((schemas / folder).glob(f"*{SUFFIX}")):
            for name, body in _read_schema(path).get("$defs", {}).items():
                found.setdefault(name, []).append(body)
    return {
        name: bodies[0]
        for name, bodies in found.items()
        if len(bodies) > 1 and all(body == bodies[0] for body in bodies)
    }


def _render_schema(schema: dict[str, Any], shared: dict[str, Any]) -> Iterator[str]:
    """Yield the shape itself, and then each shape that only it names."""
    defined = schema.get("$defs", {})
    tops = schema.get("anyOf", [schema])
    for body in tops:
        yield from _render_fields(_resolve(body, defined))
    told = {_referenced_name(body) for body in tops}
    for name, body in sorted(defined.items()):
        if name not in told and name not in shared:
            yield from _render_definition(name, body)


def _render_definition(name: str, body: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"**{name}**"
    yield ""
    yield from _render_fields(body)


def _render_fields(one: dict[str, Any]) -> Iterator[str]:
    if one.get("description"):
        yield f"{one['description']}"
        yield ""
    fields = one.get("properties", {})
    if not fields:
        yield f"- {_describe_type(one)}"
    for name, field in fields.items():
        mark = "" if name in one.get("required", []) else "?"
        yield f"- `{name}`{mark}: {_describe_type(field)}"


def _referenced_name(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "").rpartition("/")[2])


def _resolve(schema: dict[str, Any], defined: dict[str, Any]) -> dict[str, Any]:
    name = _referenced_name(schema)
    return dict(defined[name]) if name else schema


def _describe_type(schema: dict[str, Any]) -> str:  # noqa: PLR0911 - one answer for each kind of field
    """Return in a few words what a field may be."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_describe_type(one) for one in schema["anyOf"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if "prefixItems" in schema:
        return f"list of {', then '.join(_describe_type(one) for one in schema['prefixItems'])}"
    if kind == "array":
        return f"list of {_describe_type(schema['items'])}" if "items" in schema else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_describe_type(schema['additionalProperties'])} by name"
    if kind == "string" and schema.get("format") == "date":
        return "day"
    return str(kind)


if __name__ == "__main__":
    # Only `make schemas` asks for this.
    sys.stdout.write("\n".join(render_page(Path(sys.argv[1]))) + "\n")
