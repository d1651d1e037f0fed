"""What stands behind the words of conditions: provisions, and statements that are no law.

1. A condition such as ``total >= 4`` depends on the provision that defines the total, one such as
   ``beats(hand, banker)`` on the lines of the order on which the two hands stand. Both belong to
   the derivation of a result.
2. Tables of reconstructed statements become tables of the game, named ``reconstructed-STATEMENT``.
   A condition that uses such a table, directly or through a definition, depends on the statement.
   A clause may name the statement, and not its provision, as the source of its result.

A step that depends on a statement has the role `RECONSTRUCTED` and names the reconstruction, which
is not a provision: nothing can print it as a citation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language import parse_condition
from selo.rules.settlement.settlement_models import DerivationStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selo.law import Law
    from selo.law.files.provision_file import Statement
    from selo.rules.equipment.kits import Tables
    from selo.rules.language import Expression

#: The role of a derivation step that is not law.
RECONSTRUCTED: Final = "reconstructed"
#: The rows of a statement with values of cards.
_VALUES = "values"
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
            if name in expression.tree.quoted:
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


@dataclass(kw_only=True, slots=True)
class ReconstructedBasis:
    """The statements of a game, and the words of conditions that depend on them."""

    statements: dict[str, tuple[str, Statement]] = field(default_factory=dict)
    _statements_by_word: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, law: Law, game: str, tables: Tables) -> ReconstructedBasis:
        """Return the basis of `game`, and add its tables to `tables`."""
        instruments = {
            folder.instrument.id for folder in law.folders if folder.instrument.game == game
        }
        basis = cls()
        for _, reconstruction in law.reconstructions:
            if reconstruction.instrument not in instruments:
                continue
            for statement in reconstruction.statements:
                basis.statements[statement.id] = (reconstruction.reconstructed, statement)
                rows = (statement.table or {}).get(_VALUES)
                if isinstance(rows, dict):
                    name = f"{RECONSTRUCTED}-{statement.id}"
                    tables.values[name] = {rank: int(value) for rank, value in rows.items()}
                    basis._statements_by_word[name] = {statement.id}
        return basis

    def add_definition(self, name: str, means: str) -> None:
        """Record that a name depends on the statements on which its meaning depends."""
        statements = self._statements_behind(means)
        if statements:
            self._statements_by_word[name] = statements

    def provision_of(self, located: Any) -> str:
        """Return the source of a clause: its provision, or the statement that it names."""
        if located.clause.reconstructed is None:
            return str(located.held.id)
        wanted = located.clause.reconstructed
        statement = self.statements.get(wanted, (None, None))[1]
        bets = [located.clause.on] if isinstance(located.clause.on, str) else located.clause.on
        if statement is None or any(
            (statement.table or {}).get(bet) != located.clause.result for bet in bets
        ):
            raise located.error_at(
                "reconstructed",
                f"the reconstructed statement '{wanted}' does not say this",
                "See reconstructed/ in the folder of its instrument.",
            )
        return f"{RECONSTRUCTED}/{wanted}"

    def mark_steps(self, reasons: Iterable[DerivationStep]) -> tuple[DerivationStep, ...]:
        """Return derivation steps, with a step of its own for each statement behind them."""
        law, reconstructed = [], set()
        for reason in reasons:
            reconstructed |= self._statements_behind(reason.condition)
            role, _, statement = reason.provision.partition("/")
            if role == RECONSTRUCTED:
                reconstructed.add(statement)
            else:
                law.append(reason)
        return (
            *law,
            *(
                DerivationStep(provision=self.statements[id_][0], role=RECONSTRUCTED, condition=id_)
                for id_ in sorted(reconstructed)
            ),
        )

    def _statements_behind(self, text: str | None) -> set[str]:
        if text is None or not self._statements_by_word:
            return set()
        statements: set[str] = set()
        for word in self._statements_by_word.keys() & parse_condition(text).words:
            statements |= self._statements_by_word[word]
        return statements
