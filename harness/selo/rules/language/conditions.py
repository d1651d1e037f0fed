"""Conditions of the law files: CEL, checked by Google's engine, run as plain Python functions.

1. The engine checks the expression against the declared vocabulary: an unknown name or a wrong type
   is an error of the law file, before any case runs.
2. The same text is parsed here into a small tree. What the tree cannot hold (member access, macros,
   maps, division, floating numbers) is refused, so nothing of Python can be reached.
3. The tree becomes one Python expression over its variables. A test lets the engine judge it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from types import CodeType

    from selo.rules.language.vocabulary import ConditionVocabulary

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<text>\"[^\"\\]*\")|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>&&|\|\||==|!=|<=|>=|[-+*%<>!?:(),\[\]]))"
)
#: Binary operators by how loosely they bind, as CEL has it; comparisons do not chain.
_LEVELS: Final = (
    {"||": "or"},
    {"&&": "and"},
    {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "in"},
    {"+": "+", "-": "-"},
    {"*": "*", "%": "%"},
)
_WORDS: Final = {"true": "True", "false": "False"}
_COMPARISONS = 2
_MAX_VOCABULARIES_CACHED = 4096
#: No condition of the law is longer or deeper; the limits bound the work of the parser.
_MAX_TOKENS = 400
_MAX_DEPTH = 40


class BadExpression(ValueError):
    """A condition that does not parse or type-check."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expression:
    """A checked condition: its text, the names it uses, and the function that evaluates it."""

    text: str
    names: tuple[str, ...]
    #: The functions it calls.
    called: tuple[str, ...]
    function: Callable[..., Any]
    returns: str
    #: What it was checked against; a test lets the engine evaluate it again.
    vocabulary: ConditionVocabulary

    def on(self, facts: Mapping[str, Any]) -> Any:
        """Return the value of the expression for `facts`."""
        return self.function(*[facts[name] for name in self.names])

    def as_function_of(self, name: str) -> Callable[[Any], Any]:
        """Return the expression as a function of the only variable that it may use."""
        if self.names == (name,):
            return self.function
        return lambda value: self.on({name: value})


def compile_expression(text: str, vocabulary: ConditionVocabulary, *, wanted: str) -> Expression:
    """Check the names and types of `text` against `vocabulary`, and compile it."""
    returns = _check_type(text, vocabulary)
    if returns != wanted:
        msg = f"'{text}' gives {returns}, and {wanted} is needed here"
        raise BadExpression(msg)
    translations = _memo_of(vocabulary.signature).translations
    if text not in translations:
        translations[text] = _translate(text, vocabulary)
    code, names, called = translations[text]
    functions = {f"f_{name}": vocabulary.functions[name].run for name in called}
    # The code holds only what the parser wrote: names with a prefix, literals and operators.
    function = eval(code, {"__builtins__": {}, **functions})  # noqa: S307 - see above
    return Expression(
        text=text,
        names=names,
        called=called,
        function=function,
        returns=returns,
        vocabulary=vocabulary,
    )


def to_python(expression: Expression) -> str:
    """Return the Python source of a condition: variables are ``v_NAME``, functions ``f_NAME``."""
    return _ConditionParser(expression.text, expression.vocabulary).parse()


@dataclass(frozen=True, kw_only=True, slots=True)
class _VocabularyMemo:
    """Types and translations of the texts that were compiled with one set of names and types."""

    types: dict[str, str] = field(default_factory=dict)
    translations: dict[str, tuple[CodeType, tuple[str, ...], tuple[str, ...]]] = field(
        default_factory=dict
    )


@lru_cache(maxsize=_MAX_VOCABULARIES_CACHED)
def _memo_of(signature: Hashable) -> _VocabularyMemo:
    del signature
    return _VocabularyMemo()


def _translate(
    text: str, vocabulary: ConditionVocabulary
) -> tuple[CodeType, tuple[str, ...], tuple[str, ...]]:
    parser = _ConditionParser(text, vocabulary)
    source = parser.parse()
    names = tuple(sorted(parser.names))
    arguments = ", ".join(f"v_{name}" for name in names)
    code = compile(f"lambda {arguments}: {source}", "<law>", "eval")
    return code, names, tuple(sorted(parser.called))


def _check_type(text: str, vocabulary: ConditionVocabulary) -> str:
    # The type of an expression depends on names and types alone.
    types = _memo_of(vocabulary.signature).types
    if text not in types:
        try:
            compiled = vocabulary.engine().compile(text)
        except RuntimeError as error:
            raise BadExpression(_first_line(str(error), text)) from error
        types[text] = str(compiled.return_type().name()).lower()
    return types[text]


def _first_line(message: str, text: str) -> str:
    line = message.split("\n", maxsplit=1)[0]
    match = re.search(r"<input>:\d+:(\d+): (.*?)(?: \(in container.*)?$", line)
    if not match:
        return f"'{text}': {line}"
    return f"'{text}', character {match[1]}: {match[2]}"


@cache
def _tokens(text: str) -> tuple[tuple[str, str], ...]:
    tokens: list[tuple[str, str]] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if not match or match.lastgroup is None:
            msg = f"'{text}', character {at + 1}: '{stripped[at:].lstrip()[:1]}' is not used here"
            raise BadExpression(msg)
        tokens.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    if len(tokens) > _MAX_TOKENS:
        msg = f"an expression of {len(tokens)} parts is too long"
        raise BadExpression(msg)
    return tuple(tokens)


class _ConditionParser:
    """Turns tokens into one Python expression."""

    def __init__(self, text: str, vocabulary: ConditionVocabulary) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._vocabulary = vocabulary
        self.names: set[str] = set()
        self.called: set[str] = set()

    def parse(self) -> str:
        source = self._choice()
        if self._at < len(self._tokens):
            raise self._wrong(f"'{self._tokens[self._at][1]}' is too much")
        return source

    def _choice(self) -> str:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._wrong("it is nested too deeply")
        condition = self._binary(0)
        if self._take("?"):
            first = self._choice()
            self._need(":")
            second = self._choice()
            condition = f"({first} if {condition} else {second})"
        self._depth -= 1
        return condition

    def _binary(self, level: int) -> str:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        operators = _LEVELS[level]
        first = True
        while (sign := self._peek()) in operators:
            if level == _COMPARISONS and not first:
                raise self._wrong("comparisons do not chain; join them with &&")
            self._at += 1
            left = f"({left} {operators[sign]} {self._binary(level + 1)})"
            first = False
        return left

    def _unary(self) -> str:
        if self._take("!"):
            return f"(not {self._unary()})"
        if self._take("-"):
            return f"(-{self._unary()})"
        return self._primary()

    def _primary(self) -> str:
        if self._take("("):
            inner = self._choice()
            self._need(")")
            return f"({inner})"
        if self._take("["):
            return f"[{self._list(']')}]"
        if self._at >= len(self._tokens):
            raise self._wrong("it ends too soon")
        kind, value = self._tokens[self._at]
        self._at += 1
        if kind == "number":
            return str(int(value))
        if kind == "text":
            return repr(value[1:-1])
        if kind == "name":
            return self._name(value)
        raise self._wrong(f"'{value}' is not expected here")

    def _name(self, name: str) -> str:
        if name in _WORDS:
            return _WORDS[name]
        if self._take("("):
            if name not in self._vocabulary.functions:
                raise self._wrong(f"there is no function '{name}'")
            self.called.add(name)
            return f"f_{name}({self._list(')')})"
        if name not in self._vocabulary.variables:
            raise self._wrong(f"there is no '{name}'")
        self.names.add(name)
        return f"v_{name}"

    def _list(self, close: str) -> str:
        items: list[str] = []
        while not self._take(close):
            if items:
                self._need(",")
            items.append(self._choice())
        return ", ".join(items)

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _take(self, sign: str) -> bool:
        if self._peek() == sign and self._tokens[self._at][0] == "sign":
            self._at += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise self._wrong(f"'{sign}' is missing")

    def _wrong(self, why: str) -> BadExpression:
        return BadExpression(f"'{self._text}': {why}")
