"""What the conditions of a bet can see of the hands: deals that look alike end alike.

1. ``beats`` and ``ties`` see which of two hands stands higher, and no more.
2. A question to both hands, such as ``same(ranks(hand), ranks(banker))``, sees its answer.
3. A function of one hand, such as ``points(hand)``, sees its value.
4. A hand that is named in any other way is seen card by card.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from selo.rules.language import Expression
    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Game

_COMPARED = re.compile(r"\b(?:beats|ties)\(\s*\w+\s*,\s*\w+\s*\)")
_BOTH = re.compile(r"\b(\w+)\(\s*(\w+)\(\s*(\w+)\s*\)\s*,\s*(\w+)\(\s*(\w+)\s*\)\s*\)")
_ASKED = re.compile(r"\b(\w+)\(\s*(\w+)\s*\)")
_QUOTED = re.compile(r'"[^"]*"')
_SUITS = re.compile(r"\b(?:suits|colours_of)\(")

Hand = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """What some conditions see of two hands."""

    #: Functions of the one hand and of the other, by their names.
    first: dict[str, Callable[[Any], Any]]
    second: dict[str, Callable[[Any], Any]]
    #: Questions to both, by their text: the question, and what it asks of each hand.
    both: dict[str, tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]]]
    #: What the law defines and the conditions name.
    defined: tuple[str, ...]
    #: Whether it matters which hand stands higher.
    compared: bool

    @property
    def name(self) -> Hashable:
        """What is seen, as a key: two sights of one name see the same."""
        return (tuple(self.first), tuple(self.second), tuple(self.both), self.defined,
                self.compared)  # fmt: skip


def sight(game: Game, bets: Iterable[BetRules], first: str, second: str) -> Sight:
    """Return what the conditions of `bets` see of the hands called `first` and `second`."""
    found: dict[str, dict[str, Callable[[Any], Any]]] = {first: {}, second: {}}
    both: dict[str, tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]]] = {}
    compared = False
    known, defined = {name for name, _, _ in game.defines}, set()
    for expression in (condition for rules in bets for condition in conditions(rules)):
        defined |= known & set(expression.names)
        functions = inspect.getclosurevars(expression.function).globals
        text, times = _COMPARED.subn(" ", expression.text)
        compared = compared or times > 0
        for match in _BOTH.finditer(text):
            asked, of_first, one, of_second, other = match.groups()
            if (one, other) == (first, second):
                names = (asked, of_first, of_second)
                question, mine, theirs = (functions[f"f_{name}"] for name in names)
                both[match[0]] = (question, mine, theirs)
                text = text.replace(match[0], " ")
        for asked, of in _ASKED.findall(text):
            if of in found:
                found[of][asked] = functions[f"f_{asked}"]
        rest = _ASKED.sub(lambda match: " " if match[2] in found else match[0], text)
        for name, seen in found.items():
            if re.search(rf"\b{name}\b", _QUOTED.sub(" ", rest)) is not None:
                seen["every card"] = tuple
    return Sight(
        first=dict(sorted(found[first].items())),
        second=dict(sorted(found[second].items())),
        both=dict(sorted(both.items())),
        defined=tuple(sorted(defined)),
        compared=compared,
    )


def conditions(rules: BetRules) -> Iterator[Expression]:
    """Yield every condition that speaks of a bet."""
    for found in (rules.results, rules.prizes, rules.commissions):
        for rule in found:
            if rule.condition is not None:
                yield rule.condition


def seen(functions: dict[str, Callable[[Any], Any]], hand: Hand) -> Hashable:
    """Return the values of `functions` for a hand."""
    return tuple(frozen(function(list(hand))) for function in functions.values())


def sees_suits(texts: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether any condition asks for suits, or takes one of the hands `names` as it is."""
    known = set(names)
    for text in texts:
        if _SUITS.search(text) is not None:
            return True
        rest = _COMPARED.sub(" ", text)
        rest = _ASKED.sub(lambda match: " " if match[2] in known else match[0], rest)
        if known & set(re.findall(r"\w+", _QUOTED.sub(" ", rest))):
            return True
    return False


def frozen(value: Any) -> Hashable:
    """Return a value that can be a key."""
    fixed: Hashable = tuple(value) if isinstance(value, list) else value
    return fixed
