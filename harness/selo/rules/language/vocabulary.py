"""The variables and functions that a condition may use, with their types."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

#: The types of values, as the law files and the checking engine both call them.
INT: Final = "int"
BOOL: Final = "bool"
TEXT: Final = "string"
INTS: Final = "list<int>"
TEXTS: Final = "list<string>"
_MAX_SIGNATURES_SHARED: Final = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """A function that a condition may call: pure, total, and bounded."""

    name: str
    takes: tuple[str, ...]
    gives: str
    run: Callable[..., Any]
    says: str


def _sum(numbers: Sequence[int]) -> int:
    return sum(numbers)


def _count(items: Sequence[Any], item: Any) -> int:
    return list(items).count(item)


def _distinct(items: Sequence[Any]) -> int:
    return len(set(items))


def _odd(number: int) -> bool:
    return number % 2 == 1


def _even(number: int) -> bool:
    return number % 2 == 0


def _all_same(items: Sequence[Any]) -> bool:
    return len(set(items)) == 1


def _all_are(items: Sequence[Any], item: Any) -> bool:
    return bool(items) and set(items) == {item}


def _size(items: Sequence[Any]) -> int:
    return len(items)


def _first(items: Sequence[str], most: int) -> list[str]:
    return list(items[:most])


def _most_alike(items: Sequence[str]) -> int:
    return max((list(items).count(item) for item in set(items)), default=0)


def _alike_groups(items: Sequence[str], size: int) -> int:
    return sum(1 for item in set(items) if list(items).count(item) >= size)


def _same(items: Sequence[str], others: Sequence[str]) -> bool:
    return sorted(items) == sorted(others)


def define_function(
    name: str, takes: tuple[str, ...], gives: str, run: Callable[..., Any], *, says: str
) -> Function:
    """Return a function; one line for each makes a readable table."""
    return Function(name=name, takes=takes, gives=gives, run=run, says=says)


#: Functions that every game may use.
COMMON_FUNCTIONS: Final = (
    define_function("sum", (INTS,), INT, _sum, says="the sum of numbers"),
    define_function("count", (TEXTS, TEXT), INT, _count, says="how often a list holds a thing"),
    define_function("distinct", (TEXTS,), INT, _distinct, says="how many different things"),
    define_function("all_same", (TEXTS,), BOOL, _all_same, says="whether all are equal"),
    define_function("all_are", (TEXTS, TEXT), BOOL, _all_are, says="whether all are that thing"),
    define_function("odd", (INT,), BOOL, _odd, says="whether a number is odd"),
    define_function("even", (INT,), BOOL, _even, says="whether a number is even"),
    define_function("amount", (TEXTS,), INT, _size, says="how many things a list holds"),
    define_function("first", (TEXTS, INT), TEXTS, _first, says="the first so many of a list"),
    define_function(
        "most_alike", (TEXTS,), INT, _most_alike, says="the largest group of equal things"
    ),
    define_function(
        "groups", (TEXTS, INT), INT, _alike_groups, says="groups of so many equal things"
    ),
    define_function(
        "same", (TEXTS, TEXTS), BOOL, _same, says="whether two lists hold the same things"
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionVocabulary:
    """The names that the conditions of one scope may use."""

    variables: Mapping[str, str]
    functions: Mapping[str, Function]
    _signature: list[Hashable] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(
        cls, variables: Mapping[str, str], functions: Sequence[Function] = ()
    ) -> ConditionVocabulary:
        """Return a vocabulary with `variables`, the common functions and `functions`."""
        return cls(
            variables=dict(variables),
            functions={function.name: function for function in (*COMMON_FUNCTIONS, *functions)},
        )

    def with_variable(self, name: str, kind: str) -> ConditionVocabulary:
        """Return this vocabulary with one more variable."""
        return ConditionVocabulary(
            variables={**self.variables, name: kind}, functions=self.functions
        )

    @property
    def signature(self) -> Hashable:
        """The names and types, as a key of cached checks."""
        if not self._signature:
            names = frozenset(self.variables.items())
            calls = frozenset(
                (function.name, function.takes, function.gives)
                for function in self.functions.values()
            )
            self._signature.append(_share_signature((names, calls)))
        return self._signature[0]

    def knows_everywhere(self, names: Iterable[str]) -> bool:
        """Return whether all of these functions are the same in every game."""
        return all(self.functions.get(name) is _COMMON_BY_NAME.get(name, self) for name in names)


_COMMON_BY_NAME: Final = {function.name: function for function in COMMON_FUNCTIONS}


@lru_cache(maxsize=_MAX_SIGNATURES_SHARED)
def _share_signature(signature: Hashable) -> Hashable:
    """Return a signature as one object: the vocabularies of hundreds of mutants have few."""
    return signature
