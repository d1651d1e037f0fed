"""Building blocks of JSON Schema for the descriptions of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import LARGEST_INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law import Law
    from selo.text import Words

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
#: Prefix of references to schemas of the description.
PLACE: Final = "#/components/schemas/"

TEXT: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 200}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}
STAKE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": LARGEST_INTEGER}


def ref(name: str) -> Schema:
    """Return a reference to the schema `name`."""
    return {"$ref": f"{PLACE}{name}"}


def closed_object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    """Return an object schema that refuses unknown fields."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def open_object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    """Return an object schema that ignores unknown fields."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": True,
    }


def list_schema(
    items: Schema, *, least: int | None = None, most: int | None = None, **more: Any
) -> Schema:
    """Return a list schema with bounds on its length."""
    bounds = {"minItems": least, "maxItems": most}
    return {
        "type": "array",
        "items": items,
        **{name: bound for name, bound in bounds.items() if bound is not None},
        **more,
    }


def one_of(names: Sequence[str]) -> Schema:
    """Return a schema that matches exactly one of the schemas `names`."""
    return {"oneOf": [ref(name) for name in names]}


def titled(words: Words | None, otherwise: str) -> Schema:
    """Return a title in English, with its translations into the languages of the law."""
    if words is None:
        return {"title": otherwise}
    return {"title": words.en, "x-words": {"pt": words.pt, "zh": words.zh, "en": words.en}}


def term(law: Law, name: str, provision: str | None = None) -> Schema:
    """Return the title of a concept from the glossary, in the words of `provision` if it can."""
    # Some terms are in the plural, and a word for a person may also name a group of cards.
    wanted = (name, f"{name}s", f"{name}-group")
    found = sorted(
        (term for term in law.glossary.terms if term.id in wanted),
        key=lambda term: (provision not in term.where, wanted.index(term.id)),
    )
    if not found:
        return {"title": name.replace("-", " ").replace("_", " ")}
    text = None if provision is None else law.find(provision).provision.text
    pt = _variant(found[0].pt, "" if text is None else text.pt)
    zh = _variant(found[0].zh, "" if text is None else text.zh)
    # A term without a word in one language of the law is not translated here.
    words = {"pt": pt, "zh": zh, "en": found[0].en}
    return {
        "title": found[0].en,
        "x-words": {language: word for language, word in words.items() if word is not None},
    }


def _variant(variants: Sequence[str], text: str | None) -> str | None:
    """Return the variant that occurs in a text, or the usual one."""
    printed = (variant for variant in variants if text and variant.casefold() in text.casefold())
    return next(printed, next(iter(variants), None))
