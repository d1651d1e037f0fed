"""What of a game rests on material of ours that stands in for law we do not hold.

1. Tables of reconstructed statements become tables of the game, named ``reconstructed-STATEMENT``.
2. A condition that asks such a table, itself or through a definition, rests on the statement.
3. A clause may say itself that a statement, and not the text around it, gives its result.

A reason that rests on a statement has the role `ROLE` and names the reconstruction, which is no
provision: nothing can print it as a citation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.settlement.bet_rules import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.law.files.provision_file import Statement
    from selo.law.loader import Law
    from selo.rules.equipment.kits import Tables

#: The role of a reason that is not law.
ROLE: Final = "reconstructed"
_WORD = re.compile(r'"[^"]*"|[A-Za-z_]\w*')
#: The rows of a statement's table that are values of cards.
_VALUES = "values"


@dataclass(kw_only=True, slots=True)
class Basis:
    """The statements of a game, and the words of conditions that rest on them."""

    statements: dict[str, tuple[str, Statement]] = field(default_factory=dict)
    _words: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, law: Law, game: str, tables: Tables) -> Basis:
        """Return the basis of `game`, its tables added to `tables`."""
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
                    name = f"{ROLE}-{statement.id}"
                    tables.values[name] = {rank: int(value) for rank, value in rows.items()}
                    basis._words[f'"{name}"'] = {statement.id}
        return basis

    def learn(self, name: str, means: str) -> None:
        """Take note of a definition: its name rests on whatever its meaning rests on."""
        found = self._resting(means)
        if found:
            self._words[name] = found

    def provision(self, one: Any) -> str:
        """Return what a written clause rests on: its provision, or the statement it names."""
        if one.clause.reconstructed is None:
            return str(one.held.id)
        wanted = one.clause.reconstructed
        said = self.statements.get(wanted, (None, None))[1]
        bets = [one.clause.on] if isinstance(one.clause.on, str) else one.clause.on
        if said is None or any((said.table or {}).get(bet) != one.clause.result for bet in bets):
            raise one.wrong(
                "reconstructed",
                f"the reconstructed statement '{wanted}' does not say this",
                "See reconstructed/ in the folder of its instrument.",
            )
        return f"{ROLE}/{wanted}"

    def marked(self, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
        """Return `reasons`, with each statement on which they rest as a reason of its own."""
        law, ours = [], set()
        for reason in reasons:
            ours |= self._resting(reason.condition or "")
            role, _, statement = reason.provision.partition("/")
            if role == ROLE:
                ours.add(statement)
            else:
                law.append(reason)
        return (
            *law,
            *(
                Reason(provision=self.statements[one][0], role=ROLE, condition=one)
                for one in sorted(ours)
            ),
        )

    def _resting(self, text: str) -> set[str]:
        found: set[str] = set()
        for word in _WORD.findall(text):
            found |= self._words.get(word, set())
        return found
