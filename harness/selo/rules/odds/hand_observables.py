"""Observables of two hands: what the conditions of a bet can distinguish.

1. ``beats`` and ``ties`` observe the order of two hands, and no more.
2. A call with both hands, such as ``same(ranks(hand), ranks(banker))``, observes its value.
3. A function of one hand, such as ``points(hand)``, observes its value.
4. A hand that is used in any other way is observed card by card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language import parse_condition
from selo.rules.language.condition_tree import Call, Name, is_comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from selo.rules.language import Expression
    from selo.rules.language.condition_tree import Node
    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetRules

#: Functions by which a hand is observed suit by suit.
_SUIT_FUNCTIONS: Final = frozenset({"suits", "colours_of"})

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
    observer = _HandObserver(first, second)
    definitions, defined = {name for name, _, _ in game.defines}, set()
    for expression in (condition for rules in bets for condition in rules.conditions()):
        defined |= definitions & expression.tree.names
        observer.observe(expression.tree.root, expression)
    return HandObservables(
        first=dict(sorted(observer.of_hand[first].items())),
        second=dict(sorted(observer.of_hand[second].items())),
        both=dict(sorted(observer.both.items())),
        defined=tuple(sorted(defined)),
        compared=observer.compared,
    )


class _HandObserver:
    """Collects what conditions observe of two hands."""

    def __init__(self, first: str, second: str) -> None:
        self._hands = [first, second]
        self.of_hand: dict[str, dict[str, Callable[[Any], Any]]] = {first: {}, second: {}}
        self.both: dict[
            str, tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]]
        ] = {}
        self.compared = False

    def observe(self, node: Node, expression: Expression) -> None:
        """Collect what a part of a condition observes."""
        functions = expression.vocabulary.functions
        if is_comparison(node):
            self.compared = True
            return
        match node:
            case Call(
                function=joint,
                arguments=(
                    Call(function=of_first, arguments=(Name(name=mine),)),
                    Call(function=of_second, arguments=(Name(name=theirs),)),
                ),
            ) if [mine, theirs] == self._hands:
                names = (joint, of_first, of_second)
                question, of_mine, of_theirs = (functions[name].run for name in names)
                self.both[expression.tree.source(node)] = (question, of_mine, of_theirs)
            case Call(function=name, arguments=(Name(name=hand),)) if hand in self.of_hand:
                self.of_hand[hand][name] = functions[name].run
            case Name(name=hand) if hand in self.of_hand:
                self.of_hand[hand]["every card"] = tuple
            case _:
                for child in node.children:
                    self.observe(child, expression)


def observe(functions: dict[str, Callable[[Any], Any]], hand: Hand) -> Hashable:
    """Return the values of `functions` for a hand."""
    return tuple(as_key(function(list(hand))) for function in functions.values())


def sees_suits(texts: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether any condition depends on suits, or uses a hand of `names` as a whole."""
    hands = frozenset(names)
    trees = [parse_condition(text) for text in texts]
    return any(
        not _SUIT_FUNCTIONS.isdisjoint(tree.functions) or _uses_whole_hand(tree.root, hands)
        for tree in trees
    )


def _uses_whole_hand(node: Node, hands: frozenset[str]) -> bool:
    match node:
        case Name(name=name):
            return name in hands
        case Call(arguments=(Name(name=name),)) if name in hands:
            return False
    return not is_comparison(node) and any(
        _uses_whole_hand(child, hands) for child in node.children
    )


def as_key(value: Any) -> Hashable:
    """Return a value as a hashable key."""
    fixed: Hashable = tuple(value) if isinstance(value, list) else value
    return fixed
