"""The scope of an examination: the games, bets and options a vendor offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.protocol.messages import FULL, Level, Via
from selo.rules.checks import list_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.table_values import ANY_STAKE, StakeLimits
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law import Law
    from selo.table_values import Options

#: The option by which a table declares a ceiling on prizes.
CEILING: Final = "highest_prize"


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferedGame:
    """One offered game: its methods, its bets and its authorised options."""

    game: str
    methods: frozenset[str] = frozenset({"settle", "compare"})
    bets: tuple[str, ...] = ()
    #: The authorised values of each offered option.
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    #: Circumstances in which the product cannot answer, as the vendor declares.
    cannot: tuple[str, ...] = ()
    #: What a settlement tells, as the vendor declares.
    level: Level = FULL
    #: Who computes bets and methods, where it is declared.
    via: Mapping[str, Via] = field(default_factory=dict)
    #: Whether cases may state what lies behind them.
    history: bool = False
    #: The stakes that the product takes.
    stake_limits: StakeLimits = ANY_STAKE

    def values(self, option: str, *, most: int = 8) -> list[Any]:
        """Return at most `most` authorised values of an option, evenly spaced with both ends."""
        values = self.options.get(option, ())
        if len(values) <= most:
            return list(values)
        step = (len(values) - 1) / (most - 1)
        # Of a range beyond 2^53 the last step may be rounded up.
        return [values[min(round(at * step), len(values) - 1)] for at in range(most)]

    def allows(self, options: Options) -> bool:
        """Return whether all options of a table are authorised."""
        return all(
            name in self.options and _authorised_value(value) in self.options[name]
            for name, value in options.items()
        )


def _authorised_value(value: Any) -> Any:
    """Return the value that an authorisation names: for a jackpot its modality."""
    return value.get("modality") if isinstance(value, dict) else value


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """All games that a vendor offers."""

    games: tuple[OfferedGame, ...]

    def names(self) -> list[str]:
        """Return the games by name."""
        return [game.game for game in self.games]

    def require_known_games(self, law: Law) -> Scope:
        """Return this scope, or raise if the law does not define one of its games."""
        known = list_games(law)
        for game in self.games:
            if game.game not in known:
                raise user_error("game", name=game.game, known=", ".join(known))
        return self


def tried_values(law: Law, game: str, option: c.Option) -> Sequence[Any] | None:
    """Return the values of an option that cases try, or nothing if it has none."""
    if option.values or not option.option.isidentifier():
        return option.values
    folder = next(folder for folder in law.folders if folder.instrument.game == game)
    return folder.instrument.tries.get(option.option)


def offer_everything(law: Law, wanted: Iterable[str] | None = None) -> Scope:
    """Return a scope that offers all bets and options of the wanted games, or of all games."""
    return Scope(games=tuple(_offer_whole_game(law, game) for game in wanted or list_games(law)))


def _offer_whole_game(law: Law, game: str) -> OfferedGame:
    options: dict[str, list[Any]] = {}
    for read_clause in read_clauses(law, game):
        # No condition can name such an option: it is only authorised or not, and no case uses it.
        if isinstance(read_clause.clause, c.Option) and read_clause.clause.option.isidentifier():
            offered = options.setdefault(read_clause.clause.option, [])
            values = tried_values(law, game, read_clause.clause) or ()
            offered += [value for value in values if value not in offered]
    return OfferedGame(
        game=game,
        bets=tuple(compile_game(law, game, Readings(law)).bets),
        options=options,
        history=True,
    )
