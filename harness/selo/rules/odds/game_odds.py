"""The odds of a whole game: which equipment is counted in which way."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, cast

from selo.rules.checks.game_check import games
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import (
    Bet,
    Combination,
    Commission,
    Define,
    Equipment,
    On,
    Option,
    Prize,
    Rank,
)
from selo.rules.compiler import compile_game
from selo.rules.odds import (
    hand_observables,
    hand_vs_house,
    markov,
    pack_deals,
    raise_strategy,
    shoe_odds,
    shoe_rounds,
)
from selo.rules.odds.companion_bets import choices, end_of, laid, stake_of
from selo.rules.odds.figures import figure
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from selo.law.loader import Law
    from selo.rules.clauses import Written
    from selo.rules.odds.figures import Figure
    from selo.rules.readings import Readings
    from selo.rules.settlement.game import Game


def figures_of(game: Game, *, dice: int, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`, counted over all throws of so many dice."""
    stake = stake_of(game)
    throws = [list(throw) for throw in product(game.tables.faces, repeat=dice)]
    for name, rules in game.bets.items():
        if name not in only:
            continue
        for choice in choices(rules):
            bets = laid(game, name, choice=choice, stake=stake)
            ends = Counter(
                end_of(game.settle({}, {"dice": throw}, bets)[0], stake) for throw in throws
            )
            yield figure(name, ends.items(), total=len(throws), choice=choice)


#: How many packs are taken if nobody says how many: what the games are commonly dealt from.
USUAL_PACKS: Final = {"banker-and-seats": 1, "player-and-banker": 8}
#: Fields of clauses that hold conditions.
_TEXTS: Final = ("means", "wins", "when", "key")
#: Clauses whose conditions speak of cards.
_SETTLING: Final = (Bet, Combination, Commission, Define, On, Prize, Rank)
#: A bet on a hand not yet seen, and the one that the law lets a bettor make once it is.
_ANTE, _RAISE = "ante", "raise"

_by_rank = cache(pack_deals.by_rank)
_by_suit = cache(pack_deals.by_suit)


class Catalogue:
    """The odds of every game of the law."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._rounds: dict[tuple[str, int], shoe_rounds.Rounds] = {}

    def games(self) -> list[str]:
        """Return the games that have bets."""
        return [
            game
            for game in games(self._law)
            if any(
                isinstance(read_clause.clause, Bet) for read_clause in read_clauses(self._law, game)
            )
        ]

    def packs(self, game: str, wanted: int | None) -> int | None:
        """Return how many packs `game` is counted with; a game with one pack, or none, has none."""
        usual = USUAL_PACKS.get(self._equipment(game).equipment)
        return usual if usual is None or wanted is None else wanted

    def figures(
        self,
        game: str,
        readings: Readings,
        *,
        wanted: int | None = None,
        only: Collection[str] | None = None,
    ) -> list[Figure]:
        """Return the odds of the bets `only`, or of all, in the order of the law."""
        compiled = compile_game(self._law, game, readings)
        names = compiled.bets if only is None else [bet for bet in compiled.bets if bet in only]
        if _RAISE not in compiled.bets:
            return list(self._counted(compiled, readings, names, wanted=wanted))
        match = self._duel(cast("Game", compiled), self._written(game, readings), wanted)
        return list(raise_strategy.poker_figures(match, ante=_ANTE, more=_RAISE, only=names))

    def alone(
        self, game: str, readings: Readings, bet: str, clauses: Sequence[Written] | None = None
    ) -> list[Figure]:
        """Return the odds of one bet by itself, if these `clauses` stood in the law files' place.

        A bet that is raised or given up once the hand is seen has none by itself.
        """
        if bet in {_ANTE, _RAISE}:
            return []
        compiled = compile_game(self._law, game, readings, clauses)
        return list(self._counted(compiled, readings, [bet], clauses=clauses))

    def _counted(
        self,
        compiled: Game | ThrowingGame,
        readings: Readings,
        names: Collection[str],
        *,
        wanted: int | None = None,
        clauses: Sequence[Written] | None = None,
    ) -> Iterator[Figure]:
        """Yield the odds of bets about which nobody has to decide anything more."""
        equipment = self._equipment(compiled.name)
        if isinstance(compiled, ThrowingGame):
            yield from markov.figures_of(compiled, dice=_number(equipment.dice), only=names)
        elif equipment.equipment == "figure-dice":
            yield from figures_of(compiled, dice=_number(equipment.dice), only=names)
        elif equipment.equipment == "player-and-banker":
            yield from shoe_odds.figures_of(self._shoe(compiled, readings, wanted), names)
        else:
            written = self._written(compiled.name, readings) if clauses is None else clauses
            yield from hand_vs_house.figures_of(self._duel(compiled, written, wanted), names)

    def _duel(
        self, game: Game, written: Sequence[Written], wanted: int | None
    ) -> hand_vs_house.Duel:
        equipment = self._equipment(game.name)
        table, cards = hand_vs_house.TABLES[equipment.equipment], _number(equipment.cards)
        many = self.packs(game.name, wanted)
        seen = hand_observables.sees_suits(_texts(written), ("hand", table.house))
        if seen and many not in {None, 1}:
            raise wrong("packs-suits", game=game.name)
        deal = _by_suit(cards) if seen else _by_rank(cards, _possible(many))
        return hand_vs_house.Duel(game, deal, table)

    def _shoe(self, game: Game, readings: Readings, wanted: int | None) -> shoe_odds.Shoe:
        many = _possible(self.packs(game.name, wanted))
        reading = readings.of(shoe_rounds.POINT)
        if (reading, many) not in self._rounds:
            drawing = shoe_rounds.Drawing.of(self._law, reading)
            self._rounds[reading, many] = shoe_rounds.rounds(drawing, many)
        options = [
            one.clause for one in self._written(game.name, readings)
            if isinstance(one.clause, Option)
        ]  # fmt: skip
        return shoe_odds.Shoe(
            game,
            self._rounds[reading, many],
            regimes=_values(options, "commission"),
            modalities=_values(options, "jackpot"),
        )

    def _equipment(self, game: str) -> Equipment:
        return next(
            read_clause.clause
            for read_clause in read_clauses(self._law, game)
            if isinstance(read_clause.clause, Equipment)
        )

    def _written(self, game: str, readings: Readings) -> list[Written]:
        return [
            read_clause
            for read_clause in read_clauses(self._law, game)
            if readings.allow(read_clause.clause.under)
        ]


def _texts(written: Iterable[Written]) -> Iterator[str]:
    """Yield the conditions by which bets are settled."""
    for one in written:
        for name in _TEXTS if isinstance(one.clause, _SETTLING) else ():
            text = getattr(one.clause, name, None)
            if isinstance(text, str):
                yield text
            elif isinstance(text, list):
                yield from text


def _values(options: Sequence[Option], name: str) -> list[str]:
    return [value for option in options if option.option == name for value in option.values]


def _number(written: int | None) -> int:
    if written is None:
        msg = "equipment without a number cannot be counted"
        raise LookupError(msg)
    return written


def _possible(many: int | None) -> int:
    if many is None:
        return 1
    if not 1 <= many <= pack_deals.MOST:
        raise wrong("packs", packs=many, most=pack_deals.MOST)
    return many
