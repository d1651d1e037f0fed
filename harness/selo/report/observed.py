"""The house edge in what a vendor drew: every drawn outcome settled as the law settles it.

Only bets that an outcome decides by itself are settled. A bet that waits for further throws, or on
which a bettor decides when the cards are seen, has no edge in a single outcome.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.terse import terse
from selo.errors import SeloError
from selo.evidence.place import DRAWS
from selo.evidence.reader import Reader
from selo.rules.compiler import compile_game
from selo.rules.game import Game
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from selo.law.reader import Law

_STAKE: Final = 100
#: Results that decide a bet.
_DECIDED: Final = frozenset({"win", "lose", "push"})


class _Line(msgspec.Struct, frozen=True):
    game: str = ""
    answer: dict[str, list[msgspec.Raw]] = {}


class Observed:
    """Outcomes drawn from a vendor's random source, by game, each with how often it came."""

    def __init__(self, folder: Path, law: Law, rulings: Mapping[str, str]) -> None:
        self._law, self._rulings = law, dict(rulings)
        self._drawn: dict[str, Counter[bytes]] = {}
        self._games: dict[str, Game | None] = {}
        if (folder / DRAWS.file).is_file():
            for raw in Reader(folder, book=DRAWS):
                line = msgspec.json.decode(raw, type=_Line)
                outcomes = self._drawn.setdefault(line.game, Counter())
                outcomes.update(bytes(one) for one in line.answer.get("outcomes", []))

    def edge(self, game: str, bet: str, choice: Any) -> Fraction | None:
        """Return what the house kept of such a bet over all outcomes, if each decides it."""
        return self.edges(game, [(bet, choice)])[0]

    def edges(self, game: str, asked: Sequence[tuple[str, Any]]) -> list[Fraction | None]:
        """Return the same of several bets and choices, each laid alone."""
        rules = self._game(game)
        kept: dict[int, int] = {} if rules is None else dict.fromkeys(range(len(asked)), 0)
        laid = [
            {"bet": bet, "stake": _STAKE, **({} if choice is None else {"choice": choice})}
            for bet, choice in asked
        ]
        decided = 0
        for raw, times in self._drawn.get(game, {}).items():
            if rules is None or not kept:
                break
            decided += times
            # What an outcome shows is worked out once, and kept for the other bets on it.
            outcome = msgspec.json.decode(raw)
            for at in list(kept):
                end = _settled(rules, outcome, laid[at])
                if end is None:
                    del kept[at]
                else:
                    kept[at] += times * _kept(end)
        return [
            Fraction(kept[at], decided * _STAKE) if decided and at in kept else None
            for at in range(len(asked))
        ]

    def _game(self, game: str) -> Game | None:
        if game not in self._games:
            rules = None
            if self._drawn.get(game):
                rules = compile_game(self._law, game, Readings(self._law, self._rulings))
            # A game of many throws is not decided by one.
            fast = terse(rules) if isinstance(rules, Game) else None
            self._games[game] = fast if isinstance(fast, Game) else None
        return self._games[game]


def _settled(rules: Game, outcome: Any, laid: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return how a bet ends; nothing if the outcome alone does not decide it."""
    try:
        (end,) = rules.settle_plain({}, outcome, [laid])
    except (SeloError, LookupError, TypeError, ValueError):
        return None
    return end if end["result"] in _DECIDED and isinstance(end["prize"], int) else None


def _kept(end: Mapping[str, Any]) -> int:
    if end["result"] == "lose":
        return _STAKE
    return int(end["commission"]) - int(end["prize"])
