"""The type of every part of a condition; a word that nobody declared has none.

The rules of types are those of CEL, without conversions: a test lets Google's engine judge them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.rules.language.condition_tree import (
    AND,
    IN,
    NOT,
    OR,
    Call,
    Choice,
    Joined,
    Listing,
    Literal,
    Name,
    Prefixed,
)
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.rules.language.condition_tree import BadExpression, ConditionTree, Node
    from selo.rules.language.vocabulary import ConditionVocabulary

#: The type of an empty list, which is one of anything.
_EMPTY: Final = "list<dyn>"
_LIST_OF: Final = {INT: INTS, TEXT: TEXTS}
_EQUALITIES: Final = frozenset({"==", "!="})
#: What each other sign joins, and what it gives where that is another type.
_OPERANDS: Final = {
    OR: {BOOL},
    AND: {BOOL},
    "+": {INT, TEXT, INTS, TEXTS},
    "-": {INT},
    "*": {INT},
    "%": {INT},
}
_ORDERED: Final = {INT, TEXT}


def type_of(tree: ConditionTree, vocabulary: ConditionVocabulary) -> str:
    """Return the type of a condition, or raise what is wrong in it."""
    return _TypeCheck(tree, vocabulary).check(tree.root)


class _TypeCheck:
    """Checks one condition against one vocabulary."""

    def __init__(self, tree: ConditionTree, vocabulary: ConditionVocabulary) -> None:
        self._tree, self._vocabulary = tree, vocabulary

    def check(self, node: Node) -> str:
        """Return the type of a node."""
        match node:
            case Literal(value=value):
                kind = BOOL if isinstance(value, bool) else TEXT if isinstance(value, str) else INT
            case Name(name=name):
                kind = self._declared(node, name, self._vocabulary.variables.get(name))
            case Listing(items=items):
                kind = self._listing(node, items)
            case Prefixed(sign=sign, operand=operand):
                kind = BOOL if sign == NOT else INT
                self._need(node, sign, [self.check(operand)], fits={kind})
            case Joined(sign=sign, operands=operands):
                kind = self._joined(node, sign, [self.check(operand) for operand in operands])
            case Choice():
                kind = self._choice(node)
            case Call():
                kind = self._call(node)
            case _:
                raise TypeError(node)
        return kind

    def _declared(self, node: Node, word: str, kind: str | None) -> str:
        if kind is None:
            raise self._tree.error_at(node, f"undeclared reference to '{word}'")
        return kind

    def _listing(self, node: Node, items: Sequence[Node]) -> str:
        kinds = [self.check(item) for item in items]
        if not kinds:
            return _EMPTY
        if len(set(kinds)) > 1 or kinds[0] not in _LIST_OF:
            raise self._mismatch(node, "[]", kinds)
        return _LIST_OF[kinds[0]]

    def _joined(self, node: Node, sign: str, kinds: Sequence[str]) -> str:
        first, *others = kinds
        if sign == IN:
            if not _fits(others[0], _LIST_OF.get(first)):
                raise self._mismatch(node, sign, kinds)
            return BOOL
        if any(not (_fits(kind, first) or _fits(first, kind)) for kind in others):
            raise self._mismatch(node, sign, kinds)
        if sign in _OPERANDS:
            kind = others[0] if first == _EMPTY else first
            self._need(node, sign, kinds, fits=_OPERANDS[sign] | {_EMPTY} & set(kinds))
            return kind
        if sign not in _EQUALITIES:
            self._need(node, sign, kinds, fits=_ORDERED)
        return BOOL

    def _choice(self, node: Choice) -> str:
        kinds = [self.check(child) for child in node.children]
        test, yes, no = kinds
        if test != BOOL or not (_fits(yes, no) or _fits(no, yes)):
            raise self._mismatch(node, "?:", kinds)
        return no if yes == _EMPTY else yes

    def _call(self, node: Call) -> str:
        function = self._vocabulary.functions.get(node.function)
        gives = self._declared(node, node.function, None if function is None else function.gives)
        kinds = [self.check(argument) for argument in node.arguments]
        takes = () if function is None else function.takes
        if len(kinds) != len(takes) or not all(map(_fits, kinds, takes)):
            raise self._mismatch(node, node.function, kinds)
        return gives

    def _need(self, node: Node, sign: str, kinds: Sequence[str], *, fits: set[str]) -> None:
        if not set(kinds) <= fits:
            raise self._mismatch(node, sign, kinds)

    def _mismatch(self, node: Node, what: str, kinds: Sequence[str]) -> BadExpression:
        return self._tree.error_at(
            node, f"found no matching overload for '{what}' applied to ({', '.join(kinds)})"
        )


def _fits(kind: str, wanted: str | None) -> bool:
    return kind == wanted or (kind == _EMPTY and wanted in {INTS, TEXTS})
