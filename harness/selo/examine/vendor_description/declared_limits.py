"""What vendors declare of their answers: what they cannot do, and what a settlement tells.

1. A case may be skipped only for a circumstance that the offer of its game declares in `cannot`.
2. The circumstance must be met in the case, as the law files define it.
3. A settlement tells exactly what the level of the game says.
4. Any other skip is a fault of the adapter. An answer that is given is judged in any case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from selo.protocol.messages import FULL, answer_form
from selo.protocol.schema import game_words
from selo.vendors.faults import FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from selo.cases import Case
    from selo.law import Law
    from selo.protocol.messages import Level
    from selo.vendors.faults import AdapterFault
    from selo.vendors.reply_reader import Reply

    class DeclaringGame(Protocol):
        """A game of an offer, of a plan or of vectors."""

        @property
        def game(self) -> str:
            """The name of the game."""

        @property
        def cannot(self) -> Sequence[str]:
            """What the product cannot do, by the names of the game."""

        @property
        def level(self) -> Level:
            """What a settlement of the game tells."""


class DeclaredLimits:
    """When the games of one vendor may skip cases, and what their settlements tell."""

    def __init__(self, law: Law, games: Iterable[DeclaringGame]) -> None:
        games = list(games)
        self._law = law
        self._cannot = {game.game: frozenset(game.cannot) for game in games}
        self._levels = {game.game: game.level for game in games}

    def form_of(self, game: str, method: str) -> str:
        """Return the form in which a method of a game is answered."""
        return answer_form(method, self._levels.get(game, FULL))

    def check(self, case: Case, reply: Reply) -> Reply:
        """Return a reply, with a fault if it skips a case that no declaration covers."""
        if reply.skipped is None or reply.fault is not None:
            return reply
        fault = self.skip_fault(case, reply.skipped.skipped)
        return reply if fault is None else msgspec.structs.replace(reply, fault=fault)

    def skip_fault(self, case: Case, circumstance: str) -> AdapterFault | None:
        """Return the fault of skipping a case because of a circumstance, or None."""
        problem = None
        if circumstance not in self._cannot.get(case.game, ()):
            problem = "`cannot` does not declare it"
        elif not self.is_met(case, circumstance):
            problem = "it is not met in this case"
        if problem is None:
            return None
        return make_fault(
            FaultKind.SKIPPED_UNDECLARED,
            game=case.game,
            circumstance=circumstance,
            problem=problem,
            path="$.result.skipped",
        )

    def is_met(self, case: Case, circumstance: str) -> bool:
        """Return whether a case has a circumstance."""
        return game_words(self._law, case.game).circumstances.hold(
            circumstance, case.options, case.outcome, case.bets
        )
