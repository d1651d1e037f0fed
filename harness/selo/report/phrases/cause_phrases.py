"""How the law seems to have been misread, in words and in each language.

The examination names a misreading in English, once and for good: deviations and fingerprints hold
on to that name. Here it is recognised and said again, with the names of bets and hands; what a
condition asks for is quoted as the law files write it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from selo.report.phrases.compose import joined, same, words
from selo.rules.clauses.clause_models import KINDS
from selo.rules.settlement.game import ALL
from selo.text import recognised
from selo.text.condition_phrases import in_words
from selo.text.message_catalogue import knows
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from selo.report.phrases.labels import Names

_CHANGES: Final = "misread.is."
#: The parts of a clause that are conditions.
_CONDITIONS: Final = frozenset({"when", "wins", "means"})
#: Clauses whose names are words of the law files only; one of the glossary may mean another thing.
_INNER: Final = frozenset({"define", "table", "manner"})
#: What stands in slots that hold the name of a thing, and of a result.
_THINGS: Final = frozenset({"bet", "thing", "other_thing"})
_RESULTS: Final = frozenset({"result", "was", "now"})
#: What stands in slots that hold a condition, or a piece of one.
_RULES: Final = frozenset({"when", "part", "was", "now"})
#: A piece of a condition may begin or end where it is joined to another.
_JOINED: Final = re.compile(r"^ *(&&|\|\|) *| *(&&|\|\|) *$")
_NAMED: Final = re.compile(r'"([\w-]*)"')
#: A clause that says the same as others of its provision is numbered.
_AGAIN: Final = re.compile(r" \(\d+\)$")
_EXPRESSION: Final = re.compile(r"[^\w\-.:%/ ]|_")


def misread(cause: str, game: str, names: Names) -> Words:
    """Return what the law would have to say for the vendor to be right."""
    head, _, rest = cause.partition(": ")
    point = names.reading(head, rest)
    if point is not None:
        title, says = point
        return words("misread.reading", title=title, says=says)
    kind, _, given = head.partition(" ")
    if kind not in KINDS or not rest:
        return same(cause)
    return _beside(
        _subject(kind, given, game, names), _change(_AGAIN.sub("", rest), kind, game, names)
    )


def _subject(kind: str, given: str, game: str, names: Names) -> Words:
    if kind in _INNER:
        return words(f"misread.{kind}", name=_quoted(given))
    told = [_thing(one, game, names) for one in given.split(", ")]
    return words(f"misread.{kind}", name=joined(told, ", ", "、"))


def _change(text: str, kind: str, game: str, names: Names) -> Words:
    before, colon, rest = text.partition(": ")
    if colon and kind != "manner":
        where = words("misread.condition") if before in _CONDITIONS else None
        where = where or _condition(before) or _thing(before, game, names)
        return _beside(where, _change(rest, kind, game, names))
    found = recognised(rest if colon else text, _CHANGES)
    if found is None:
        return _quoted(rest if colon else text)
    key, slots = found
    return words(key, **{name: _slot(name, value, game, names) for name, value in slots.items()})


def _slot(name: str, value: str, game: str, names: Names) -> Words:
    if name in _RESULTS and knows(f"report.result.{value}"):
        return words(f"report.result.{value}")
    if name in _THINGS:
        # A line of an order is named with the kind of clause before it.
        return _thing(value.rpartition(" ")[2], game, names)
    return (_condition(value) if name in _RULES else None) or _quoted(value)


def _condition(text: str) -> Words | None:
    """Return a condition in words, or marked as a rule where it has none; nothing if it is none."""
    said = in_words(_JOINED.sub("", text))
    if said is not None:
        return words("misread.if", when=said)
    if not _EXPRESSION.search(text) or _NAMED.fullmatch(text):
        return None
    return words("condition.rule", rule=text)


def _thing(name: str, game: str, names: Names) -> Words:
    """Return a bet, a hand or what else has a name; what has none is quoted."""
    if name == ALL:
        return words("misread.all")
    for known in (name, name.replace("_", "-")):
        found = names.term(game, known)
        if found != same(known):
            return found
    return _quoted(name)


def _quoted(text: str) -> Words:
    text = _NAMED.sub(r"\1", text)
    return same(text) if text.replace(":", "").replace("%", "").isdigit() else same(f"`{text}`")


def _beside(first: Words, then: Words) -> Words:
    return Words(
        pt=f"{first.pt}: {then.pt}", zh=f"{first.zh}：{then.zh}", en=f"{first.en}: {then.en}"
    )
