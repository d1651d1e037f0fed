"""Conditions in words: those that the law files say, and such conditions joined."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from selo.rules.language.condition_parser import parse_condition
from selo.rules.language.condition_tree import AND, OR, BadExpression, Joined, Literal, Name
from selo.text import Words
from selo.text.message_catalogue import message_words, read_condition_phrases

if TYPE_CHECKING:
    from selo.rules.language.condition_tree import Node
    from selo.text.message_catalogue import Condition

_SLOT: Final = re.compile(r"\{(\w+)\}")
#: How the name of a slot begins in the tree of a phrase.
_SLOT_NAME: Final = "slot_"
_JOINTS: Final = {AND: "condition.and", OR: "condition.or"}
_MAX_TEXTS_CACHED: Final = 4096


@lru_cache(maxsize=_MAX_TEXTS_CACHED)
def condition_in_words(condition: str) -> Words | None:
    """Return the phrase of a condition, or nothing if it has none."""
    try:
        return _phrase(parse_condition(condition).root)
    except BadExpression:
        return None


def _phrase(node: Node) -> Words | None:
    for pattern, phrase in _list_patterns():
        slots: dict[str, int] = {}
        if _match(pattern, node, slots):
            return Words(
                pt=phrase.pt.format(**slots),
                zh=phrase.zh.format(**slots),
                en=phrase.en.format(**slots),
            )
    joint = _JOINTS.get(node.sign) if isinstance(node, Joined) else None
    # Without brackets, words cannot say what belongs together.
    if joint is None or any(isinstance(each, Joined) and each.sign in _JOINTS
                            for each in node.children):  # fmt: skip
        return None
    phrases = [words for each in node.children if (words := _phrase(each)) is not None]
    if len(phrases) < len(node.children):
        return None
    joined = message_words(joint)
    return Words(
        pt=joined.pt.join([each.pt for each in phrases]),
        zh=joined.zh.join([each.zh for each in phrases]),
        en=joined.en.join([each.en for each in phrases]),
    )


def _match(pattern: Node, node: Node, slots: dict[str, int]) -> bool:
    """Return whether a node is what a pattern says, and fill in the numbers of its slots."""
    if isinstance(pattern, Name) and pattern.name.startswith(_SLOT_NAME):
        if not isinstance(node, Literal) or type(node.value) is not int:
            return False
        return slots.setdefault(pattern.name.removeprefix(_SLOT_NAME), node.value) == node.value
    return (
        pattern.content == node.content
        and len(pattern.children) == len(node.children)
        and all(_match(*pair, slots) for pair in zip(pattern.children, node.children, strict=True))
    )


@cache
def _list_patterns() -> tuple[tuple[Node, Condition], ...]:
    """Return the tree of each phrase; those with the fewest slots first."""
    patterns: list[tuple[Node, Condition]] = []
    for phrase in sorted(read_condition_phrases(), key=lambda each: len(_SLOT.findall(each.when))):
        try:
            tree = parse_condition(_SLOT.sub(rf"{_SLOT_NAME}\1", phrase.when))
        except BadExpression:
            # What is no condition is never asked for.
            continue
        patterns.append((tree.root, phrase))
    return tuple(patterns)
