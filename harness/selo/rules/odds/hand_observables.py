"""Observables of two hands: what the conditions of a bet can distinguish.

1. ``beats`` and ``ties`` observe the order of two hands, and no more.
2. A call with both hands, such as ``same(ranks(hand), ranks(banker))``, observes its value.
3. A function of one hand, such as ``points(hand)``, observes its value.
4. A hand that is used in any other way is observed card by card.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetRules

_COMPARISON = re.compile(r"\b(?:beats|ties)\(\s*\w+\s*,\s*\w+\s*\)")
_JOINT_QUESTION = re.compile(r"\b(\w+)\(\s*(\w+)\(\s*(\w+)\s*\)\s*,\s*(\w+)\(\s*(\w+)\s*\)\s*\)")
_CALL = re.compile(r"\b(\w+)\(\s*(\w+)\s*\)")
_QUOTED = re.compile(r'"[^"]*"')
_SUITS = re.compile(r"\b(?:suits|colours_of)\(")

Hand = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HandObservables:
    """What some conditions observe of two hands."""

    #: Functions of the first hand and of the second, by name.
    first: dict[str, Callable[[Any], Any]]
    second: dict[str, Callable[[Any], Any]]
    #: Calls with both hands, by text: the function, and the functions of each hand.
    both: dict[str, tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]]]
    #: The definitions that conditions use.
    defined: tuple[str, ...]
    #: Whether conditions compare the hands.
    compared: bool

    @property
    def name(self) -> Hashable:
        """The observables as a key."""
        return (tuple(self.first), tuple(self.second), tuple(self.both), self.defined,
                self.compared)  # fmt: skip


def find_hand_observables(
    game: Game, bets: Iterable[BetRules], first: str, second: str
) -> HandObservables:
    """Return what the conditions of `bets` observe of the hands `first` and `second`."""
    functions_of: dict[str, dict[str, Callable[[Any], Any]]] = {first: {}, second: {}}
    both: dict[str, tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]]] = {}
    compared = False
    definitions, defined = {name for name, _, _ in game.defines}, set()
    for expression in (condition for rules in bets for condition in rules.conditions()):
        defined |= definitions & set(expression.names)
        functions = inspect.getclosurevars(expression.function).globals
        text, times = _COMPARISON.subn(" ", expression.text)
        compared = compared or times > 0
        for match in _JOINT_QUESTION.finditer(text):
            joint, of_first, mine_name, of_second, their_name = match.groups()
            if (mine_name, their_name) == (first, second):
                names = (joint, of_first, of_second)
                question, of_mine, of_theirs = (functions[f"f_{name}"] for name in names)
                both[match[0]] = (question, of_mine, of_theirs)
                text = text.replace(match[0], " ")
        for name, of in _CALL.findall(text):
            if of in functions_of:
                functions_of[of][name] = functions[f"f_{name}"]
        rest = _CALL.sub(lambda match: " " if match[2] in functions_of else match[0], text)
        for name, observed in functions_of.items():
            if re.search(rf"\b{name}\b", _QUOTED.sub(" ", rest)) is not None:
                observed["every card"] = tuple
    return HandObservables(
        first=dict(sorted(functions_of[first].items())),
        second=dict(sorted(functions_of[second].items())),
        both=dict(sorted(both.items())),
        defined=tuple(sorted(defined)),
        compared=compared,
    )


def observe(functions: dict[str, Callable[[Any], Any]], hand: Hand) -> Hashable:
    """Return the values of `functions` for a hand."""
    return tuple(as_key(function(list(hand))) for function in functions.values())


def sees_suits(texts: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether any condition depends on suits, or uses a hand of `names` as a whole."""
    hands = set(names)
    for text in texts:
        if _SUITS.search(text) is not None:
            return True
        rest = _COMPARISON.sub(" ", text)
        rest = _CALL.sub(lambda match: " " if match[2] in hands else match[0], rest)
        if hands & set(re.findall(r"\w+", _QUOTED.sub(" ", rest))):
            return True
    return False


def as_key(value: Any) -> Hashable:
    """Return a value as a hashable key."""
    fixed: Hashable = tuple(value) if isinstance(value, list) else value
    return fixed
