"""The syntax tree of a condition: frozen nodes, each with its place in the text.

1. A node spans the tokens from `begin` to `end`, brackets included.
2. ``&&`` and ``||`` join two operands or more; arithmetic and comparisons join two.
3. Whoever asks something of a condition visits the tree; nobody else looks into the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

OR, AND, NOT, IN = "||", "&&", "!", "in"
#: Signs that compare two values.
COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
#: Functions that use nothing of two hands but their order.
_COMPARING_FUNCTIONS: Final = frozenset({"beats", "ties"})


class BadExpression(ValueError):
    """A condition that does not parse or type-check."""


class Token(NamedTuple):
    """A token of a condition: its text, and where it begins."""

    text: str
    start: int
    kind: str


class Node(Struct, frozen=True):
    """A part of a condition, from the token `begin` to before the token `end`."""

    begin: int
    end: int

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts of this node, in the order of the text."""
        return ()

    @property
    def content(self) -> tuple[object, ...]:
        """What the node is, apart from its place and its parts; a truth is not a number."""
        values = [getattr(self, field) for field in self.__struct_fields__[2:]]
        return (type(self), *[(type(one), one) for one in values if isinstance(one, int | str)])


class Literal(Node, frozen=True):
    """A number, a text, or ``true`` or ``false``."""

    value: int | str | bool


class Name(Node, frozen=True):
    """A variable or a defined word."""

    name: str


class Call(Node, frozen=True):
    """A function of some values."""

    function: str
    arguments: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The arguments."""
        return self.arguments


class Listing(Node, frozen=True):
    """A list of values."""

    items: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The values."""
        return self.items


class Prefixed(Node, frozen=True):
    """An operand with ``!`` or ``-`` before it."""

    sign: str
    operand: Node

    @property
    def children(self) -> tuple[Node, ...]:
        """The operand."""
        return (self.operand,)


class Joined(Node, frozen=True):
    """Operands with a sign between them: two, or more of ``&&`` and ``||``."""

    sign: str
    operands: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands."""
        return self.operands


class Choice(Node, frozen=True):
    """One value or another, by a test: ``test ? yes : no``."""

    test: Node
    yes: Node
    no: Node

    @property
    def children(self) -> tuple[Node, ...]:
        """The test and both values."""
        return self.test, self.yes, self.no


class ConditionTree(Struct, frozen=True, eq=False):
    """A parsed condition: its text, its tokens, and the words that it uses."""

    text: str
    tokens: tuple[Token, ...]
    root: Node
    #: Variables, functions, and quoted texts.
    names: frozenset[str]
    functions: frozenset[str]
    quoted: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """The names, functions and named tables that the condition uses."""
        return self.names | self.functions | self.quoted

    def source(self, node: Node) -> str:
        """Return the text of a node as it was written, brackets included."""
        last = self.tokens[node.end - 1]
        return self.text[self.tokens[node.begin].start : last.start + len(last.text)]

    def error_at(self, node: Node, why: str) -> BadExpression:
        """Return the error that names the place of a node."""
        return error_in(self.text, self.tokens[node.begin].start, why)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and every node below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def names_in(node: Node) -> set[str]:
    """Return the variables and defined words that a node uses."""
    return {each.name for each in walk(node) if isinstance(each, Name)}


def is_comparison(node: Node) -> bool:
    """Return whether a node uses nothing of two hands but their order."""
    return (
        isinstance(node, Call)
        and node.function in _COMPARING_FUNCTIONS
        and all(isinstance(argument, Name) for argument in node.arguments)
    )


def replace_names(node: Node, meanings: dict[str, Node]) -> Node:
    """Return a node with names replaced by their meanings; places in the text are lost."""
    if isinstance(node, Name):
        return meanings.get(node.name, node)
    children = tuple([replace_names(child, meanings) for child in node.children])
    changed = node
    match node:
        case Call():
            changed = replace(node, arguments=children)
        case Listing():
            changed = replace(node, items=children)
        case Prefixed():
            changed = replace(node, operand=children[0])
        case Joined():
            changed = replace(node, operands=children)
        case Choice():
            changed = replace(node, test=children[0], yes=children[1], no=children[2])
    return changed


def error_in(text: str, at: int, why: str) -> BadExpression:
    """Return the error that names a place of a text."""
    return BadExpression(f"'{text}', character {at + 1}: {why}")
