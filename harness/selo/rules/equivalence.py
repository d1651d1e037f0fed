"""What no condition of a game can tell apart, so that one answer serves all that is alike.

1. Definitions are put in the place of their names: conditions then speak of what is shown.
2. Each condition is cut into the largest parts that ask of one thing only: one hand, the dice.
3. Two hands are alike if every part that is asked of them comes out alike. What is asked of
   together with something else, such as a choice, must be equal.
4. Of hands that are compared with each other it matters only which of them stands higher.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language import python_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.rules.language import Expression
    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Game

#: What asks of two hands nothing but where they stand in the order.
_COMPARE: Final = frozenset({"f_beats", "f_ties"})
#: In the place of a thing that is asked of: two hands, compared.
_COMPARED: Final = ""
_VARIABLE: Final = "v_"
#: So many things are remembered of each kind.
_MOST: Final = 100_000


class Sameness:
    """Numbers for what is shown: two things with one number are alike to some bets of a game."""

    def __init__(self, game: Game, bets: Iterable[str]) -> None:
        self._asked, self.compares = _asked(game, [game.bets[name] for name in bets])
        self._order = game.order
        self._known: dict[str, dict[Hashable, int]] = {name: {} for name in self._asked}
        self._numbers: dict[Hashable, int] = {}

    @property
    def names(self) -> Sequence[str]:
        """The things that are asked of at all."""
        return tuple(self._asked)

    def number(self, name: str, value: Any) -> int:
        """Return the number of what `name` shows; nothing but alike things have the same."""
        at = tuple(value) if isinstance(value, list) else value
        known = self._known[name]
        number = known.get(at)
        if number is None:
            if len(known) >= _MOST:
                known.clear()
            found = (name, self._answers(name, value, at))
            number = known[at] = self._numbers.setdefault(found, len(self._numbers))
        return number

    def numbers(self, facts: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the numbers of everything in `facts` that is asked of."""
        return tuple([self.number(name, facts[name]) for name in self._asked if name in facts])

    def standing(self, hand: Sequence[str]) -> tuple[int, ...] | None:
        """Return where a hand stands in the order; nothing for what is no hand."""
        try:
            return None if self._order is None else self._order(hand)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def _answers(self, name: str, value: Any, itself: Hashable) -> Hashable:
        try:
            answers = self._asked[name](value)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            # What cannot be asked all of this, such as a misdealt hand, is like nothing else.
            return "itself", itself
        return tuple(tuple(answer) if isinstance(answer, list) else answer for answer in answers)


def _asked(
    game: Game, bets: list[BetRules]
) -> tuple[dict[str, Callable[[Any], tuple[Any, ...]]], bool]:
    """Return for each thing that is shown the function that answers all that is asked of it.

    The second is whether hands are compared with each other.
    """
    # What a bet says of itself, and what lies around it, is no part of what is shown.
    shown = set(game.kit.variables).union(*game.kit.places.values())
    defined: dict[str, ast.expr] = {}
    functions: dict[str, Any] = {}
    for name, _, expression in game.defines:
        defined[_VARIABLE + name] = _tree(expression, defined)
        functions |= _functions(expression)
    parts: dict[str, dict[str, None]] = {}
    compares = False
    for expression in _conditions(bets):
        functions |= _functions(expression)
        for name, part in _cut(_tree(expression, defined)):
            compares |= name == _COMPARED
            if name in shown:
                parts.setdefault(name, {})[part] = None
    asked = {
        # The code holds only what the parser of conditions wrote.
        name: eval(  # noqa: S307 - see above
            f"lambda {_VARIABLE}{name}: ({', '.join(of)},)", {"__builtins__": {}, **functions}
        )
        for name, of in parts.items()
    }
    return asked, compares


def _conditions(bets: list[BetRules]) -> Iterator[Expression]:
    for rules in bets:
        found = [rule.condition for rule in rules.results]
        found += [rule.condition for rule in rules.prizes]
        found += [rule.condition for rule in rules.commissions]
        yield from (one for one in found if one is not None)


def _functions(expression: Expression) -> dict[str, Any]:
    known = expression.vocabulary.functions
    return {f"f_{name}": known[name].run for name in expression.called}


def _tree(expression: Expression, defined: dict[str, ast.expr]) -> ast.expr:
    tree = ast.parse(python_of(expression), mode="eval").body
    whole: ast.expr = _Defining(defined).visit(tree)
    return whole


class _Defining(ast.NodeTransformer):
    """Puts definitions in the place of their names."""

    def __init__(self, defined: dict[str, ast.expr]) -> None:
        self._defined = defined

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what a name stands for."""
        return self._defined.get(node.id, node)


def _cut(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the largest parts that speak of one thing, each with the thing."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        # Whether something is not so says as much as whether it is.
        yield from _cut(tree.operand)
        return
    names = _names(tree)
    if len(names) == 1:
        yield names.pop().removeprefix(_VARIABLE), ast.unparse(tree)
    elif isinstance(tree, ast.Call) and _compares(tree):
        yield _COMPARED, ""
    elif names:
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.expr):
                yield from _cut(child)


def _compares(call: ast.Call) -> bool:
    """Return whether two hands are asked for nothing but which of them stands higher."""
    return (
        isinstance(call.func, ast.Name)
        and call.func.id in _COMPARE
        and all(isinstance(one, ast.Name) for one in call.args)
    )


def _names(tree: ast.expr) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id.startswith(_VARIABLE)
    }
