"""The pieces of JSON Schema that the description of every game is put together from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import LARGEST_INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law.loader import Law
    from selo.text.multilingual import Words

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
#: Where every schema of the description stands, so that one can name another.
PLACE: Final = "#/components/schemas/"

TEXT: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 200}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}
STAKE: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": LARGEST_INTEGER}


def ref(name: str) -> Schema:
    """Return a schema that is the one called `name`."""
    return {"$ref": f"{PLACE}{name}"}


def closed_object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    """Return an object in which a field that we do not know is refused."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def open_object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    """Return an object in which a field that we do not know does no harm."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": True,
    }


def list_schema(
    items: Schema, *, least: int | None = None, most: int | None = None, **more: Any
) -> Schema:
    """Return a list of so many items."""
    bounds = {"minItems": least, "maxItems": most}
    return {
        "type": "array",
        "items": items,
        **{name: bound for name, bound in bounds.items() if bound is not None},
        **more,
    }


def one_of(names: Sequence[str]) -> Schema:
    """Return what is exactly one of the schemas called `names`."""
    return {"oneOf": [ref(name) for name in names]}


def titled(words: Words | None, otherwise: str) -> Schema:
    """Return a title in English and the same beside it in the languages of the law."""
    if words is None:
        return {"title": otherwise}
    return {"title": words.en, "x-words": {"pt": words.pt, "zh": words.zh, "en": words.en}}


def term(law: Law, name: str, provision: str | None = None) -> Schema:
    """Return the title of a concept from the glossary, in the words of `provision` if it can."""
    # Some terms stand in the plural, and a word for a person may also be one for a group of cards.
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
    # A word that one of the languages of the law does not have is not put into it here.
    words = {"pt": pt, "zh": zh, "en": found[0].en}
    return {
        "title": found[0].en,
        "x-words": {language: word for language, word in words.items() if word is not None},
    }


def _variant(variants: Sequence[str], text: str | None) -> str | None:
    """Return the variant that a text prints, or the usual one."""
    printed = (variant for variant in variants if text and variant.casefold() in text.casefold())
    return next(printed, next(iter(variants), None))
