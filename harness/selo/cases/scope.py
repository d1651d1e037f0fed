"""What a vendor offers, and so what may be asked: nothing else is ever put into a case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.rules.checks.game_check import games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law.loader import Law

#: Numbers with which options are tried that the law leaves to the table.
_TRIED_NUMBERS: Final[dict[str, Sequence[int]]] = {
    "packs": range(1, 9),
    "highest_prize": (1, 999, 10_000),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferedGame:
    """One game as it is offered: what it can be asked, its bets, and the options authorised."""

    game: str
    methods: frozenset[str] = frozenset({"settle", "compare"})
    bets: tuple[str, ...] = ()
    #: The values authorised for each option; an option that is missing is not offered.
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def values(self, option: str, *, most: int = 8) -> list[Any]:
        """Return some authorised values of an option: all, or the ends and some between."""
        given = self.options.get(option, ())
        if len(given) <= most:
            return list(given)
        step = (len(given) - 1) / (most - 1)
        return [given[round(at * step)] for at in range(most)]

    def allows(self, options: Mapping[str, Any]) -> bool:
        """Return whether all these options of a table are authorised."""
        return all(
            name in self.options and _authorised_value(value) in self.options[name]
            for name, value in options.items()
        )


def _authorised_value(value: Any) -> Any:
    """Return by what a value is authorised: a jackpot by its modality."""
    return value.get("modality") if isinstance(value, dict) else value


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """All games that a vendor offers."""

    games: tuple[OfferedGame, ...]

    def names(self) -> list[str]:
        """Return the games by name."""
        return [game.game for game in self.games]

    def known(self, law: Law) -> Scope:
        """Return this scope, refusing a game that the law does not know."""
        there = games(law)
        for game in self.games:
            if game.game not in there:
                raise user_error("game", name=game.game, known=", ".join(there))
        return self


def offer_everything(law: Law, wanted: Iterable[str] | None = None) -> Scope:
    """Return a scope in which all bets and options of some games, or of all, are offered."""
    return Scope(games=tuple(_offer_whole_game(law, game) for game in wanted or games(law)))


def _offer_whole_game(law: Law, game: str) -> OfferedGame:
    options: dict[str, list[Any]] = {}
    for read_clause in read_clauses(law, game):
        # What a condition could not name is only permitted or not; no case asks for it.
        if isinstance(read_clause.clause, c.Option) and read_clause.clause.option.isidentifier():
            known = options.setdefault(read_clause.clause.option, [])
            found = read_clause.clause.values or _TRIED_NUMBERS[read_clause.clause.option]
            known += [value for value in found if value not in known]
    return OfferedGame(
        game=game,
        bets=tuple(compile_game(law, game, Readings(law)).bets),
        options=options,
    )
