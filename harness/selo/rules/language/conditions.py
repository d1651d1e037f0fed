"""Conditions of the law files: parsed, checked against a vocabulary, run as Python functions.

1. The text becomes a tree (`condition_tree`).
2. Its types are checked (`condition_types`): an unknown name or a wrong type is an error of the law
   file, before any case runs.
3. The tree becomes one Python expression over its variables.

Conditions are CEL: a test lets Google's engine judge the types, and the values, of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.condition_parser import parse_condition
from selo.rules.language.condition_tree import (
    AND,
    NOT,
    OR,
    BadExpression,
    Call,
    Choice,
    Joined,
    Listing,
    Literal,
    Name,
    Prefixed,
)
from selo.rules.language.condition_types import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from types import CodeType

    from selo.rules.language.condition_tree import ConditionTree, Node
    from selo.rules.language.vocabulary import ConditionVocabulary

_MAX_VOCABULARIES_CACHED: Final = 4096
_MAX_TEXTS_CACHED: Final = 32768
_PYTHON_SIGNS: Final = {OR: "or", AND: "and"}
_REMAINDER: Final = "%"
#: The name of the remainder in Python sources: Python's own has the sign of the divisor.
_REMAINDER_NAME: Final = "o_remainder"


@dataclass(frozen=True, kw_only=True, slots=True)
class Expression:
    """A checked condition: its text, the names it uses, and the function that evaluates it."""

    text: str
    tree: ConditionTree
    names: tuple[str, ...]
    #: The functions it calls.
    called: tuple[str, ...]
    function: Callable[..., Any]
    returns: str
    #: What it was checked against.
    vocabulary: ConditionVocabulary

    def on(self, facts: Mapping[str, Any]) -> Any:
        """Return the value of the expression for `facts`."""
        return self.function(*[facts[name] for name in self.names])

    def as_function_of(self, name: str) -> Callable[[Any], Any]:
        """Return the expression as a function of the only variable that it may use."""
        if self.names == (name,):
            return self.function
        return lambda value: self.on({name: value})


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownTexts:
    """What is known of texts that were checked with one set of names and types."""

    types: dict[str, str] = field(default_factory=dict)
    #: Those that call no function of one game.
    expressions: dict[str, Expression] = field(default_factory=dict)


def compile_expression(text: str, vocabulary: ConditionVocabulary, *, wanted: str) -> Expression:
    """Check the names and types of `text` against `vocabulary`, and compile it."""
    _, _, called, tree = _translate(text)
    # The type of an expression depends on names and types alone.
    known = list_known_texts(vocabulary.signature)
    if text not in known.types:
        known.types[text] = type_of(tree, vocabulary)
    returns = known.types[text]
    if returns != wanted:
        msg = f"'{text}' gives {returns}, and {wanted} is needed here"
        raise BadExpression(msg)
    if not vocabulary.knows_everywhere(called):
        return _build_expression(text, vocabulary, returns)
    # So does its value, where no function of one game is called: hundreds of mutants share it.
    if text not in known.expressions:
        known.expressions[text] = _build_expression(text, vocabulary, returns)
    return known.expressions[text]


def _build_expression(text: str, vocabulary: ConditionVocabulary, returns: str) -> Expression:
    code, names, called, tree = _translate(text)
    # The code holds only what `write_python` wrote: names with a prefix, literals and operators.
    function = eval(code, python_functions([tree], vocabulary))  # noqa: S307 - see above
    return Expression(
        text=text,
        tree=tree,
        names=names,
        called=called,
        function=function,
        returns=returns,
        vocabulary=vocabulary,
    )


def compile_parts(
    name: str, parts: Iterable[str], functions: Mapping[str, Any]
) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function of one variable that evaluates several parts of conditions.

    The parts are Python sources of `write_python`, and the functions those that they call.
    """
    source = f"lambda v_{name}: ({', '.join(parts)},)"
    function: Callable[[Any], tuple[Any, ...]] = eval(source, dict(functions))  # noqa: S307 - as above
    return function


def compile_together(
    expressions: Sequence[Expression],
) -> tuple[tuple[str, ...], Callable[..., tuple[Any, ...]]]:
    """Return one function for several conditions of one game, and the names that it takes."""
    names = tuple(sorted({name for expression in expressions for name in expression.names}))
    functions: dict[str, Any] = {"__builtins__": {}}
    for expression in expressions:
        functions |= python_functions([expression.tree], expression.vocabulary)
    parts = [f"{write_python(expression.tree.root)}, " for expression in expressions]
    arguments = ", ".join(f"v_{name}" for name in names)
    source = f"lambda {arguments}: ({''.join(parts)})"
    function: Callable[..., tuple[Any, ...]] = eval(source, functions)  # noqa: S307 - as above
    return names, function


def python_functions(
    trees: Iterable[ConditionTree], vocabulary: ConditionVocabulary
) -> dict[str, Any]:
    """Return what the Python sources of conditions may call, by name; no builtins."""
    functions: dict[str, Any] = {"__builtins__": {}}
    for tree in trees:
        for name in tree.functions:
            functions[f"f_{name}"] = vocabulary.functions[name].run
        if any(token.text == _REMAINDER for token in tree.tokens):
            functions[_REMAINDER_NAME] = _remainder
    return functions


def write_python(node: Node) -> str:
    """Return the Python source of a node: variables are ``v_NAME``, functions ``f_NAME``."""
    match node:
        case Literal(value=value):
            source = repr(value)
        case Name(name=name):
            source = f"v_{name}"
        case Call(function=function):
            source = f"f_{function}({_write_all(node)})"
        case Listing():
            source = f"[{_write_all(node)}]"
        case Prefixed(sign=sign, operand=operand):
            source = f"({'not ' if sign == NOT else sign}{write_python(operand)})"
        case Joined(sign=sign) if sign == _REMAINDER:
            source = f"{_REMAINDER_NAME}({_write_all(node)})"
        case Joined(sign=sign):
            source = f"({_write_all(node, f' {_PYTHON_SIGNS.get(sign, sign)} ')})"
        case Choice(test=test, yes=yes, no=no):
            source = f"({write_python(yes)} if {write_python(test)} else {write_python(no)})"
        case _:
            raise TypeError(node)
    return source


def _write_all(node: Node, between: str = ", ") -> str:
    return between.join([write_python(child) for child in node.children])


def _remainder(number: int, divisor: int) -> int:
    """Return the remainder with the sign of the number, as CEL has it."""
    rest = abs(number) % abs(divisor)
    return -rest if number < 0 else rest


@lru_cache(maxsize=_MAX_TEXTS_CACHED)
def _translate(text: str) -> tuple[CodeType, tuple[str, ...], tuple[str, ...], ConditionTree]:
    tree = parse_condition(text)
    names = tuple(sorted(tree.names))
    arguments = ", ".join(f"v_{name}" for name in names)
    code = compile(f"lambda {arguments}: {write_python(tree.root)}", "<law>", "eval")
    return code, names, tuple(sorted(tree.functions)), tree


@lru_cache(maxsize=_MAX_VOCABULARIES_CACHED)
def list_known_texts(signature: Hashable) -> KnownTexts:
    """Return what is known of texts that were checked with one set of names and types."""
    del signature
    return KnownTexts()
