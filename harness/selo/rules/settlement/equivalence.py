"""Equivalence classes of values that no condition of a game distinguishes.

1. Definitions are inlined, so that conditions use only variables of the equipment.
2. Each condition is split into its largest parts with a single variable: one hand, the dice.
3. Two values are equivalent if all parts with their variable give the same results. A variable
   that is combined with another one, such as a choice, must be equal.
4. Of hands that are compared with each other, only their order matters.
"""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language import to_python

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.rules.language import Expression
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.settlement_models import BetRules

#: Functions that use nothing of two hands but their order.
_COMPARING_FUNCTIONS: Final = frozenset({"f_beats", "f_ties"})
#: In the place of a variable: two hands are compared.
_HANDS_COMPARED: Final = ""
_VARIABLE: Final = "v_"
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
    defined: dict[str, ast.expr] = {}
    functions: dict[str, Any] = {}
    for name, _, expression in game.defines:
        defined[_VARIABLE + name] = _expand(expression, defined)
        functions |= _functions_of(expression)
    parts: dict[str, dict[str, None]] = {}
    compares = False
    for expression in chain.from_iterable(rules.conditions() for rules in bets):
        functions |= _functions_of(expression)
        for name, part in _split(_expand(expression, defined)):
            compares |= name == _HANDS_COMPARED
            if name in observable:
                parts.setdefault(name, {})[part] = None
    observers = {
        # The code holds only what the parser of conditions wrote.
        name: eval(  # noqa: S307 - see above
            f"lambda {_VARIABLE}{name}: ({', '.join(of)},)", {"__builtins__": {}, **functions}
        )
        for name, of in parts.items()
    }
    return observers, compares


def _functions_of(expression: Expression) -> dict[str, Any]:
    functions = expression.vocabulary.functions
    return {f"f_{name}": functions[name].run for name in expression.called}


def _expand(expression: Expression, defined: dict[str, ast.expr]) -> ast.expr:
    tree = ast.parse(to_python(expression), mode="eval").body
    expanded: ast.expr = _DefinitionInliner(defined).visit(tree)
    return expanded


class _DefinitionInliner(ast.NodeTransformer):
    """Replaces names by their definitions."""

    def __init__(self, defined: dict[str, ast.expr]) -> None:
        self._defined = defined

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the definition of a name, or the name."""
        return self._defined.get(node.id, node)


def _split(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the largest parts with a single variable, each with its variable."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        # A negation distinguishes as much as its operand.
        yield from _split(tree.operand)
        return
    names = _variables_of(tree)
    if len(names) == 1:
        yield names.pop().removeprefix(_VARIABLE), ast.unparse(tree)
    elif isinstance(tree, ast.Call) and _only_compares_hands(tree):
        yield _HANDS_COMPARED, ""
    elif names:
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.expr):
                yield from _split(child)


def _only_compares_hands(call: ast.Call) -> bool:
    """Return whether a call uses nothing but the order of two hands."""
    return (
        isinstance(call.func, ast.Name)
        and call.func.id in _COMPARING_FUNCTIONS
        and all(isinstance(argument, ast.Name) for argument in call.args)
    )


def _variables_of(tree: ast.expr) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id.startswith(_VARIABLE)
    }
