"""From which provisions the words of a condition take their meaning.

A condition such as ``total >= 4`` rests on the provision that says what the total is, one such as
``beats(hand, banker)`` on the lines of the order on which the two hands stand. Both belong to the
derivation of a result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.rules.settlement.bet_rules import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from selo.rules.language import Expression

#: Functions that look up the order of hands.
_COMPARES = frozenset({"beats", "ties", "line"})
#: Names under which a round knows its hands.
_HANDS = ("hand", "banker", "croupier")


@dataclass(kw_only=True, slots=True)
class Meanings:
    """What each defined name, table and condition rests on."""

    _names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _conditions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _comparing: set[str] = field(default_factory=set)
    _lines: dict[int, tuple[str, str]] = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)

    def table(self, name: str, provision: str) -> None:
        """Learn that `provision` has rows of a table."""
        self._tables[name] = tuple(dict.fromkeys([*self._tables.get(name, ()), provision]))

    def line(self, number: int, provision: str, condition: str) -> None:
        """Learn that `provision` is a line of the order of hands, and when a hand stands on it."""
        self._lines[number] = provision, condition

    def order_said_in(self, provision: str) -> None:
        """Learn that `provision` says in which direction the lines run."""
        self._order.append(provision)

    def define(self, name: str, provision: str, expression: Expression) -> None:
        """Learn that `provision` says what `name` is."""
        self._names[name] = tuple(dict.fromkeys([provision, *self._rests_on(expression)]))
        if expression.text in self._comparing:
            self._comparing.add(name)

    def note(self, expression: Expression) -> Expression:
        """Remember what a condition rests on, and return it."""
        self._conditions[expression.text] = tuple(dict.fromkeys(self._rests_on(expression)))
        words = {*expression.called, *expression.names}
        if words & (_COMPARES | self._comparing):
            self._comparing.add(expression.text)
        return expression

    def _rests_on(self, expression: Expression) -> Iterator[str]:
        for word in (*expression.names, *expression.called):
            yield from self._names.get(word, ())
        for name, provisions in self._tables.items():
            if f'"{name}"' in expression.text:
                yield from provisions

    def told(
        self,
        reasons: Sequence[Reason],
        known: Mapping[str, Any],
        order: Callable[[Sequence[str]], tuple[int, ...]] | None,
    ) -> tuple[Reason, ...]:
        """Return `reasons` with what their conditions rest on, each provision once."""
        cited = {reason.provision for reason in reasons}
        added: list[Reason] = []
        for reason in reasons:
            if reason.condition is None or reason.role == "declares":
                continue
            lines = list(self._ranked(reason.condition, known, order))
            found = [(provision, "ranks") for provision, _ in lines]
            for text in (reason.condition, *(condition for _, condition in lines)):
                found += [(one, "defines") for one in self._conditions.get(text, ())]
            for provision, role in found:
                if provision not in cited:
                    cited.add(provision)
                    added.append(Reason(provision=provision, role=role, condition=None))
        return (*reasons, *added)

    def _ranked(
        self,
        condition: str,
        known: Mapping[str, Any],
        order: Callable[[Sequence[str]], tuple[int, ...]] | None,
    ) -> Iterator[tuple[str, str]]:
        if order is not None and condition in self._comparing:
            yield from ((provision, "") for provision in self._order)
            for name in _HANDS:
                if name in known:
                    yield self._lines[order(known[name])[0]]
