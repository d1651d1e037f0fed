"""Equivalence classes of values that no condition of a game distinguishes.

1. Definitions are inlined, so that conditions use only variables of the equipment.
2. Each condition is split into its largest parts with a single variable: one hand, the dice.
3. Two values are equivalent if all parts with their variable give the same results. A variable
   that is combined with another one, such as a choice, must be equal.
4. Of hands that are compared with each other, only their order matters.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.condition_tree import (
    NOT,
    Prefixed,
    is_comparison,
    names_in,
    replace_names,
)
from selo.rules.language.conditions import compile_parts, python_functions, write_python

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.rules.language.condition_tree import Node
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.settlement_models import BetRules

#: In the place of a variable: two hands are compared.
_HANDS_COMPARED: Final = ""
#: Per variable.
_MAX_VALUES_CACHED: Final = 100_000


class EquivalenceClasses:
    """Numbers of equivalence classes with respect to some bets of a game."""

    def __init__(self, game: Game, bets: Iterable[str]) -> None:
        self._observers, self.compares = _observers(game, [game.bets[name] for name in bets])
        self._order = game.order
        self._class_memo: dict[str, dict[Hashable, int]] = {name: {} for name in self._observers}
        self._class_numbers: dict[Hashable, int] = {}

    @property
    def names(self) -> Sequence[str]:
        """The variables that the bets depend on."""
        return tuple(self._observers)

    def class_of(self, name: str, value: Any) -> int:
        """Return the class of a value of the variable `name`."""
        at = tuple(value) if isinstance(value, list) else value
        memo = self._class_memo[name]
        number = memo.get(at)
        if number is None:
            if len(memo) >= _MAX_VALUES_CACHED:
                memo.clear()
            observed = (name, self._observe(name, value, at))
            number = memo[at] = self._class_numbers.setdefault(observed, len(self._class_numbers))
        return number

    def classes_of(self, facts: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the classes of all values in `facts` on which the bets depend."""
        return tuple(
            [self.class_of(name, facts[name]) for name in self._observers if name in facts]
        )

    def rank_of(self, hand: Sequence[str]) -> tuple[int, ...] | None:
        """Return the sort key of a hand, or nothing for what is not a hand."""
        try:
            return None if self._order is None else self._order(hand)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def _observe(self, name: str, value: Any, itself: Hashable) -> Hashable:
        try:
            answers = self._observers[name](value)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            # A value that cannot be evaluated, such as a misdealt hand, is a class of its own.
            return "itself", itself
        return tuple(tuple(answer) if isinstance(answer, list) else answer for answer in answers)


def _observers(
    game: Game, bets: list[BetRules]
) -> tuple[dict[str, Callable[[Any], tuple[Any, ...]]], bool]:
    """Return for each variable the function that evaluates all parts of conditions with it.

    The second value is whether hands are compared with each other.
    """
    # Variables of a bet and of the bets around it are not part of the outcome.
    observable = set(game.kit.variables).union(*game.kit.places.values())
    defined: dict[str, Node] = {}
    functions: dict[str, Any] = {}
    for name, _, expression in game.defines:
        defined[name] = replace_names(expression.tree.root, defined)
        functions |= python_functions([expression.tree], expression.vocabulary)
    parts: dict[str, dict[str, None]] = {}
    compares = False
    for expression in chain.from_iterable(rules.conditions() for rules in bets):
        functions |= python_functions([expression.tree], expression.vocabulary)
        for name, part in _split(replace_names(expression.tree.root, defined)):
            compares |= name == _HANDS_COMPARED
            if name in observable:
                parts.setdefault(name, {})[part] = None
    return {name: compile_parts(name, of, functions) for name, of in parts.items()}, compares


def _split(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the Python sources of the largest parts with a single variable, each with it."""
    if isinstance(node, Prefixed) and node.sign == NOT:
        # A negation distinguishes as much as its operand.
        yield from _split(node.operand)
        return
    names = names_in(node)
    if len(names) == 1:
        yield names.pop(), write_python(node)
    elif is_comparison(node):
        yield _HANDS_COMPARED, ""
    elif names:
        for child in node.children:
            yield from _split(child)
