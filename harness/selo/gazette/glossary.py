"""The glossary: every legal and game term, with each variant the gazette printed."""

from __future__ import annotations

import msgspec


class Term(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One concept. The first term of each language is the usual one, the rest are variants."""

    id: str
    en: str
    where: list[str]
    pt: list[str] = []
    zh: list[str] = []
    #: The word by which the files of a game call it, where another term has that id.
    called: dict[str, str] = {}
    note: str | None = None


class ForbiddenVariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A variant that our own words do not use, and what they use instead."""

    language: str
    variant: str
    use: str
    because: str
    #: Longer words that hold the variant and mean another thing.
    except_: list[str] = msgspec.field(default=[], name="except")


class ForbiddenVariants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All variants that our own words do not use."""

    forbidden: list[ForbiddenVariant]


class Glossary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All terms."""

    terms: list[Term]
