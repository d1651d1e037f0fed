"""The provisions that define the words of a condition.

A condition such as ``total >= 4`` depends on the provision that defines the total, one such as
``beats(hand, banker)`` on the lines of the order on which the two hands stand. Both belong to the
derivation of a result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.rules.settlement.settlement_models import DerivationStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from selo.rules.language import Expression

#: Functions that use the order of hands.
_COMPARING_FUNCTIONS = frozenset({"beats", "ties", "line"})
#: The variables of hands.
_HAND_NAMES = ("hand", "banker", "croupier")


@dataclass(kw_only=True, slots=True)
class Provenance:
    """The provisions behind each defined name, table and condition."""

    _names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _conditions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _comparing: set[str] = field(default_factory=set)
    _lines: dict[int, tuple[str, str]] = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)

    def add_table(self, name: str, provision: str) -> None:
        """Record that `provision` has rows of a table."""
        self._tables[name] = tuple(dict.fromkeys([*self._tables.get(name, ()), provision]))

    def add_rank_line(self, number: int, provision: str, condition: str) -> None:
        """Record that `provision` is a line of the order of hands, with its condition."""
        self._lines[number] = provision, condition

    def add_order_provision(self, provision: str) -> None:
        """Record that `provision` gives the direction of the order."""
        self._order.append(provision)

    def add_definition(self, name: str, provision: str, expression: Expression) -> None:
        """Record that `provision` defines `name`."""
        self._names[name] = tuple(dict.fromkeys([provision, *self._provisions_behind(expression)]))
        if expression.text in self._comparing:
            self._comparing.add(name)

    def record_condition(self, expression: Expression) -> Expression:
        """Record the provisions behind a condition, and return the condition."""
        self._conditions[expression.text] = tuple(
            dict.fromkeys(self._provisions_behind(expression))
        )
        words = {*expression.called, *expression.names}
        if words & (_COMPARING_FUNCTIONS | self._comparing):
            self._comparing.add(expression.text)
        return expression

    def _provisions_behind(self, expression: Expression) -> Iterator[str]:
        for word in (*expression.names, *expression.called):
            yield from self._names.get(word, ())
        for name, provisions in self._tables.items():
            if f'"{name}"' in expression.text:
                yield from provisions

    def extend_derivation(
        self,
        reasons: Sequence[DerivationStep],
        facts: Mapping[str, Any],
        order: Callable[[Sequence[str]], tuple[int, ...]] | None,
    ) -> tuple[DerivationStep, ...]:
        """Return derivation steps with the provisions behind their conditions, each once."""
        cited = {reason.provision for reason in reasons}
        added: list[DerivationStep] = []
        for reason in reasons:
            if reason.condition is None or reason.role == "declares":
                continue
            lines = list(self._rank_lines(reason.condition, facts, order))
            cited_as = [(provision, "ranks") for provision, _ in lines]
            for text in (reason.condition, *(condition for _, condition in lines)):
                cited_as += [(provision, "defines") for provision in self._conditions.get(text, ())]
            for provision, role in cited_as:
                if provision not in cited:
                    cited.add(provision)
                    added.append(DerivationStep(provision=provision, role=role))
        return (*reasons, *added)

    def _rank_lines(
        self,
        condition: str,
        facts: Mapping[str, Any],
        order: Callable[[Sequence[str]], tuple[int, ...]] | None,
    ) -> Iterator[tuple[str, str]]:
        if order is not None and condition in self._comparing:
            yield from ((provision, "") for provision in self._order)
            for name in _HAND_NAMES:
                if name in facts:
                    yield self._lines[order(facts[name])[0]]
