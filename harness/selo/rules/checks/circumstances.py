"""Circumstances of a case that a product may be unable to do, as the law files list them.

1. A condition may use what the outcome shows, in words of the equipment, and what was bet: the
   names of the bets (`bets`), who made them (`bettors`), the places where they lie (`laid_at`)
   and those to which a hand was dealt (`hands`).
2. Where dice are thrown again and again, one throw that meets the condition is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError
from selo.rules.equipment.kits import BadOutcome, Duel, with_options
from selo.rules.language import BadExpression, compile_expression
from selo.rules.language.vocabulary import BOOL, TEXTS, ConditionVocabulary
from selo.rules.readings import Readings
from selo.rules.settlement import ThrowingGame, compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.law import Law
    from selo.rules.language import Expression
    from selo.rules.settlement import Game
    from selo.table_values import Bet, Options, Outcome
    from selo.text import Words

_BETTOR: Final = "bettor"
#: The variables of what was bet.
_BET_VARIABLES: Final = dict.fromkeys(("bets", "bettors", "laid_at", "hands"), TEXTS)
_MAX_LAWS_CACHED: Final = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseCircumstances:
    """The circumstances of one game, by their ids."""

    words: Mapping[str, Words]
    _conditions: Mapping[str, Expression]
    _game: Game
    _throws: bool

    def hold(self, name: str, options: Options, outcome: Outcome, bets: Sequence[Bet]) -> bool:
        """Return whether a case has the circumstance `name`; an unknown one holds nowhere."""
        condition = self._conditions.get(name)
        if condition is None:
            return False
        return any(condition.on(facts) for facts in self._facts(options, outcome, bets))

    def _facts(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> Iterator[Mapping[str, Any]]:
        kit = self._game.kit
        fields = {rules.place for rules in self._game.bets.values()} - {None, _BETTOR}
        laid = {
            "bets": [str(bet.get("bet")) for bet in bets],
            "bettors": [str(bet[_BETTOR]) for bet in bets if _BETTOR in bet],
            "laid_at": [str(bet.get(field)) for bet in bets for field in fields if field in bet],
            "hands": list(kit.split_hands(outcome)[1]) if isinstance(kit, Duel) else [],
        }
        shown: list[Any] = [with_options(options, outcome)]
        if self._throws:
            shown = [{"throw": throw} for throw in outcome.get("throws", ())]
        for each in shown:
            try:
                yield {**kit.read(each, self._game.tables), **laid}
            except BadOutcome:
                # What the equipment cannot show has no circumstances.
                continue


@lru_cache(maxsize=_MAX_LAWS_CACHED)
def read_circumstances(law: Law, game: str) -> CaseCircumstances:
    """Return the circumstances of `game`; raise for a condition that does not compile."""
    compiled = compile_game(law, game, Readings(law))
    throws = isinstance(compiled, ThrowingGame)
    inner = compiled.game if isinstance(compiled, ThrowingGame) else compiled
    folder = next(folder for folder in law.folders if folder.instrument.game == game)
    vocabulary = ConditionVocabulary.of(
        {**inner.kit.variables, **_BET_VARIABLES}, inner.kit.functions(inner.tables)
    )
    conditions: dict[str, Expression] = {}
    for at, circumstance in enumerate(folder.instrument.circumstances):
        try:
            conditions[circumstance.id] = compile_expression(
                circumstance.when, vocabulary, wanted=BOOL
            )
        except BadExpression as error:
            raise SpecError(
                folder.document.problem(
                    "circumstances", at, "when", problem=str(error), hint="See docs/rules.md."
                )
            ) from error
    return CaseCircumstances(
        words={each.id: each.words for each in folder.instrument.circumstances},
        _conditions=conditions,
        _game=inner,
        _throws=throws,
    )
