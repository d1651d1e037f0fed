"""Reconstructed statements that stand in for missing law, and what depends on them.

1. Tables of reconstructed statements become tables of the game, named ``reconstructed-STATEMENT``.
2. A condition that uses such a table, directly or through a definition, depends on the statement.
3. A clause may name the statement, and not its provision, as the source of its result.

A step that depends on a statement has the role `RECONSTRUCTED` and names the reconstruction, which
is not a provision: nothing can print it as a citation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.settlement.settlement_models import DerivationStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.law import Law
    from selo.law.files.provision_file import Statement
    from selo.rules.equipment.kits import Tables

#: The role of a derivation step that is not law.
RECONSTRUCTED: Final = "reconstructed"
_WORD = re.compile(r'"[^"]*"|[A-Za-z_]\w*')
#: The rows of a statement with values of cards.
_VALUES = "values"


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
                    basis._statements_by_word[f'"{name}"'] = {statement.id}
        return basis

    def without_words(self) -> ReconstructedBasis:
        """Return the same statements for a game that builds no derivations."""
        return ReconstructedBasis(statements=self.statements)

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
            reconstructed |= self._statements_behind(reason.condition or "")
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

    def _statements_behind(self, text: str) -> set[str]:
        statements: set[str] = set()
        for word in _WORD.findall(text):
            statements |= self._statements_by_word.get(word, set())
        return statements
