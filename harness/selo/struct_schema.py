"""JSON Schemas of structs, with definitions under the names that were published for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    PublishedName = Callable[[str], str]

#: Where definitions stand in a schema.
DEFINITIONS = "#/$defs/{name}"


def schema_components(
    types: Iterable[Any], *, ref_template: str = DEFINITIONS, published: PublishedName
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the schemas of `types` and their definitions.

    `published` returns the name under which the schema of a class was published, so that a class
    can be renamed without changing a schema that others rely on.
    """
    bodies, definitions = msgspec.json.schema_components(list(types), ref_template=ref_template)
    places = {
        ref_template.format(name=name): ref_template.format(name=published(name))
        for name in definitions
    }

    def rename(value: Any) -> Any:
        if isinstance(value, list):
            return [rename(item) for item in value]
        if not isinstance(value, dict):
            return value
        renamed = {key: rename(item) for key, item in value.items()}
        if isinstance(renamed.get("$ref"), str):
            renamed["$ref"] = places.get(renamed["$ref"], renamed["$ref"])
        if isinstance(renamed.get("title"), str):
            renamed["title"] = published(renamed["title"])
        mapping = renamed.get("mapping")
        if isinstance(mapping, dict):
            renamed["mapping"] = {key: places.get(place, place) for key, place in mapping.items()}
        return renamed

    named = {published(name): rename(body) for name, body in definitions.items()}
    return [rename(body) for body in bodies], named


def schema(shape: Any, *, published: PublishedName) -> dict[str, Any]:
    """Return the schema of one type with its definitions inside."""
    (body,), definitions = schema_components([shape], published=published)
    return {**body, "$defs": definitions} if definitions else body
