"""Conditions of the rule language in the words of people."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files
from selo.text.multilingual import Words
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.yaml_file import Document

FILE: Final = "conditions.yaml"
_SLOT: Final = re.compile(r"\{(\w+)\}")
_NUMBER: Final = r"\d+"


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition as the law files write it, and as it is said; slots hold numbers."""

    when: str
    pt: str
    zh: str
    en: str


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every condition that has words."""

    conditions: list[Condition]


def in_words(condition: str) -> Words | None:
    """Return what a condition says, or nothing where it has no words."""
    bare = _bare(condition)
    for pattern, one in _patterns():
        found = pattern.fullmatch(bare)
        if found:
            slots = found.groupdict()
            return Words(
                pt=one.pt.format(**slots), zh=one.zh.format(**slots), en=one.en.format(**slots)
            )
    return None


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Condition], ...]:
    """Return how each condition is recognised; those without slots first."""
    held = read(data_files.folder("bilingual") / FILE).convert(Conditions).conditions
    found = [(_pattern(one.when), one) for one in held]
    return tuple(sorted(found, key=lambda one: one[0].groups))


def _pattern(when: str) -> re.Pattern[str]:
    parts = _SLOT.split(_bare(when))
    written = "".join(
        f"(?P<{part}>{_NUMBER})" if at % 2 else re.escape(part) for at, part in enumerate(parts)
    )
    return re.compile(written)


def _bare(condition: str) -> str:
    return "".join(condition.split())


def check(document: Document) -> Iterator[Problem]:
    """Yield every condition that is told twice, or whose slots differ between the languages."""
    seen: set[str] = set()
    for at, condition in enumerate(document.convert(Conditions).conditions):
        texts = (condition.when, condition.pt, condition.zh, condition.en)
        if len({frozenset(_SLOT.findall(text)) for text in texts}) > 1:
            yield document.problem(
                "conditions",
                at,
                problem=f"condition '{condition.when}' has different slots in its languages",
                hint="Use the same {names} in pt, zh and en.",
            )
        if _bare(condition.when) in seen:
            yield document.problem(
                "conditions",
                at,
                "when",
                problem=f"condition '{condition.when}' appears twice",
                hint="Join the two.",
            )
        seen.add(_bare(condition.when))
