"""The parser of conditions: a text becomes a syntax tree, or what is wrong with it is named.

The grammar is a part of CEL: what the tree cannot hold (member access, macros, maps, division,
floating numbers) is refused, so nothing of Python can be reached. Comparisons do not chain.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NoReturn

from msgspec.structs import replace

from selo.rules.language.condition_tree import (
    AND,
    COMPARISONS,
    IN,
    NOT,
    OR,
    BadExpression,
    Call,
    Choice,
    ConditionTree,
    Joined,
    Listing,
    Literal,
    Name,
    Node,
    Prefixed,
    Token,
    error_in,
    names_in,
    walk,
)

_TOKEN: Final = re.compile(
    r"[ \t\r\n\f]*(?:(?P<digits>\d+)|(?P<text>\"[^\"\\\r\n]*\")|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>&&|\|\||[=!<>]=|[-+*%<>!?:(),\[\]]))",
    re.ASCII,
)
_BLANKS: Final = " \t\r\n\f"
#: Binary operators by how loosely they bind, as CEL has it.
_LEVELS: Final = (
    frozenset({OR}),
    frozenset({AND}),
    COMPARISONS | {IN},
    frozenset({"+", "-"}),
    frozenset({"*", "%"}),
)
_COMPARISON_LEVEL: Final = 2
#: Words that CEL keeps for itself.
_RESERVED: Final = frozenset(
    (
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "in"),
        *("let", "loop", "namespace", "null", "package", "return", "var", "void", "while"),
    )
)
_BOOLS: Final = {"true": True, "false": False}
#: No condition of the law is longer or deeper; the limits bound the work of the parser.
_MAX_TOKENS: Final = 400
_MAX_DEPTH: Final = 40
#: CEL counts in 64 bits.
_MAX_NUMBER: Final = 2**63 - 1
#: Enough for the conditions of all games and their mutants.
_MAX_TEXTS_CACHED: Final = 32768


@lru_cache(maxsize=_MAX_TEXTS_CACHED)
def parse_condition(text: str) -> ConditionTree:
    """Return the tree of a condition, or raise what is wrong with it."""
    tokens = _split(text)
    root = _ConditionParser(text, tokens).parse()
    nodes = list(walk(root))
    return ConditionTree(
        text=text,
        tokens=tokens,
        root=root,
        names=frozenset(names_in(root)),
        functions=frozenset(node.function for node in nodes if isinstance(node, Call)),
        quoted=frozenset(
            node.value
            for node in nodes
            if isinstance(node, Literal) and isinstance(node.value, str)
        ),
    )


def _split(text: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    at, end = 0, len(text.rstrip(_BLANKS))
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip(_BLANKS))
            raise error_in(text, at, f"'{text[at]}' is not used here")
        kind = match.lastgroup
        tokens.append(Token(match[kind], match.start(kind), kind))
        at = match.end()
    if len(tokens) > _MAX_TOKENS:
        msg = f"an expression of {len(tokens)} parts is too long"
        raise BadExpression(msg)
    return tuple(tokens)


class _ConditionParser:
    """Turns tokens into a tree."""

    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self._text, self._tokens = text, tokens
        self._at = 0
        self._depth = 0

    def parse(self) -> Node:
        root = self._choice()
        if self._at < len(self._tokens):
            self._refuse(f"'{self._tokens[self._at].text}' is too much")
        return root

    def _choice(self) -> Node:
        begin = self._at
        self._deepen()
        node = self._binary(0)
        if self._take("?"):
            yes = self._binary(0)
            self._need(":")
            no = self._choice()
            node = Choice(begin, self._at, node, yes, no)
        self._depth -= 1
        return node

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        begin = self._at
        operands = [self._binary(level + 1)]
        sign = self._peek()
        node = operands[0]
        while (following := self._peek()) in _LEVELS[level]:
            if level == _COMPARISON_LEVEL and len(operands) > 1:
                self._refuse("comparisons do not chain; join them with &&")
            if level > _COMPARISON_LEVEL and len(operands) > _MAX_DEPTH:
                self._refuse("it is nested too deeply")
            self._at += 1
            operands.append(self._binary(level + 1))
            if level > _COMPARISON_LEVEL:
                # Arithmetic is computed from the left, two by two.
                node = Joined(begin, self._at, following, (node, operands[-1]))
        if level <= _COMPARISON_LEVEL and len(operands) > 1:
            node = Joined(begin, self._at, sign, tuple(operands))
        return node

    def _unary(self) -> Node:
        begin = self._at
        for sign in (NOT, "-"):
            if self._take(sign):
                self._deepen()
                operand = self._unary()
                self._depth -= 1
                return Prefixed(begin, self._at, sign, operand)
        return self._primary()

    def _primary(self) -> Node:
        begin = self._at
        if self._take("("):
            inner = self._choice()
            self._need(")")
            return replace(inner, begin=begin, end=self._at)
        if self._take("["):
            items = self._list("]")
            return Listing(begin, self._at, items)
        if self._at >= len(self._tokens):
            self._refuse("it ends too soon")
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "digits" and _is_counted(token.text):
            return Literal(begin, self._at, int(token.text))
        if token.kind == "text":
            return Literal(begin, self._at, token.text[1:-1])
        if token.kind == "name" and token.text not in _RESERVED:
            return self._name(token.text)
        self._at = begin
        return self._refuse(f"'{token.text}' is not expected here")

    def _name(self, name: str) -> Node:
        begin = self._at - 1
        if name in _BOOLS:
            return Literal(begin, self._at, _BOOLS[name])
        if self._take("("):
            arguments = self._list(")")
            return Call(begin, self._at, name, arguments)
        return Name(begin, self._at, name)

    def _list(self, close: str) -> tuple[Node, ...]:
        items: list[Node] = []
        while not self._take(close):
            if items:
                self._need(",")
            items.append(self._choice())
        return tuple(items)

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _take(self, sign: str) -> bool:
        if self._peek() == sign:
            self._at += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            self._refuse(f"'{sign}' is missing")

    def _deepen(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._refuse("it is nested too deeply")

    def _refuse(self, why: str) -> NoReturn:
        at = len(self._text)
        if self._at < len(self._tokens):
            at = self._tokens[self._at].start
        raise error_in(self._text, at, f"Syntax error: {why}")


def _is_counted(digits: str) -> bool:
    return len(digits) <= len(str(_MAX_NUMBER)) and int(digits) <= _MAX_NUMBER
