"""The odds of all bets of a game, by the method for its equipment."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, cast

from selo.rules.checks import list_games
from selo.rules.clauses import find_equipment, read_clauses
from selo.rules.clauses.clause_models import (
    UNSETTLED_CLAUSES,
    BetClause,
    Option,
    conditions_of,
)
from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment import DrawingRule
from selo.rules.equipment.kits import HAND_LAYOUTS
from selo.rules.equipment.piece_set import PieceSet
from selo.rules.equipment.played_hands import PlayedHands
from selo.rules.odds import (
    hand_observables,
    hand_vs_house,
    markov,
    pack_deals,
    raise_strategy,
    shoe_odds,
    shoe_rounds,
)
from selo.rules.odds.bet_odds import build_figure
from selo.rules.odds.companion_bets import choices_of, divisible_stake, end_of, place_bet
from selo.rules.odds.decisions import PlayedHandOdds
from selo.rules.settlement import ThrowingGame, compile_game
from selo.rules.settlement.neighbouring_bets import find_raised
from selo.rules.settlement.settlement_models import COMMISSION
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from selo.law import Law
    from selo.rules.clauses import LocatedClause
    from selo.rules.odds.bet_odds import BetOdds
    from selo.rules.readings import Readings
    from selo.rules.settlement import Game


def piece_odds(game: Game, kit: PieceSet, only: Collection[str]) -> Iterator[BetOdds]:
    """Yield the odds of the bets `only`, counted over all outcomes of the pieces."""
    stake = divisible_stake(game)
    throws = kit.throws(game.tables)
    for name, rules in game.bets.items():
        if name not in only:
            continue
        for choice in choices_of(rules):
            bets = place_bet(game, name, choice=choice, stake=stake)
            ends = Counter(end_of(game.settle({}, throw, bets)[0], stake) for throw in throws)
            yield build_figure(name, ends.items(), total=len(throws), choice=choice)


#: The default number of packs: what the games are commonly dealt from.
USUAL_PACKS: Final = {"banker-and-seats": 1, "player-and-banker": 8}

_by_rank = cache(pack_deals.deal_by_rank)
_by_suit = cache(pack_deals.deal_by_suit)


class OddsCatalogue:
    """The odds of every game of the law."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._rounds: dict[tuple[str, int], shoe_rounds.ShoeRounds] = {}

    def games(self) -> list[str]:
        """Return the games with bets that can be counted."""
        return [
            game
            for game in list_games(self._law)
            if any(
                isinstance(located.clause, BetClause) for located in read_clauses(self._law, game)
            )
        ]

    def packs(self, game: str, wanted: int | None) -> int | None:
        """Return the number of packs of `game`, or nothing where it is not variable."""
        usual = USUAL_PACKS.get(find_equipment(self._law, game).equipment)
        return usual if usual is None or wanted is None else wanted

    def figures(
        self,
        game: str,
        readings: Readings,
        *,
        wanted: int | None = None,
        only: Collection[str] | None = None,
    ) -> list[BetOdds]:
        """Return the odds of the bets `only`, or of all, in the order of the law."""
        compiled = compile_game(self._law, game, readings)
        names = compiled.bets if only is None else [bet for bet in compiled.bets if bet in only]
        kit = None if isinstance(compiled, ThrowingGame) else compiled.kit
        if isinstance(kit, PlayedHands):
            return list(PlayedHandOdds(cast("Game", compiled), kit).figures(names))
        raised = next(iter(find_raised(compiled.bets).items()), None)
        if raised is None:
            return list(self._count_figures(compiled, readings, names, wanted=wanted))
        match = self._build_duel(
            cast("Game", compiled), self._clauses_in_force(game, readings), wanted
        )
        return list(raise_strategy.raise_odds(match, ante=raised[1], more=raised[0], only=names))

    def figures_of_bet(
        self,
        game: str,
        readings: Readings,
        bet: str,
        clauses: Sequence[LocatedClause] | None = None,
    ) -> list[BetOdds]:
        """Return the odds of one bet by itself, under the law files or `clauses` in their place.

        A bet that is raised or folded once the hand is seen has no odds by itself, and no bet has
        where hands grow by decisions.
        """
        compiled = compile_game(self._law, game, readings, clauses)
        raised = find_raised(compiled.bets)
        if bet in {*raised, *raised.values()}:
            return []
        return list(self._count_figures(compiled, readings, [bet], clauses=clauses))

    def _count_figures(
        self,
        compiled: Game | ThrowingGame,
        readings: Readings,
        names: Collection[str],
        *,
        wanted: int | None = None,
        clauses: Sequence[LocatedClause] | None = None,
    ) -> Iterator[BetOdds]:
        """Yield the odds of bets without a later decision of the bettor."""
        equipment = find_equipment(self._law, compiled.name)
        if isinstance(compiled, ThrowingGame):
            yield from markov.thrown_dice_odds(
                compiled, dice=_require_number(equipment.dice), only=names
            )
        elif isinstance(compiled.kit, PieceSet):
            yield from piece_odds(compiled, compiled.kit, names)
        elif isinstance(compiled.kit, PlayedHands):
            return
        elif equipment.equipment == "player-and-banker":
            yield from shoe_odds.shoe_figures(self._build_shoe(compiled, readings, wanted), names)
        else:
            if clauses is None:
                clauses = self._clauses_in_force(compiled.name, readings)
            yield from hand_vs_house.duel_odds(self._build_duel(compiled, clauses, wanted), names)

    def _build_duel(
        self, game: Game, clauses: Sequence[LocatedClause], wanted: int | None
    ) -> hand_vs_house.DealtDuel:
        equipment = find_equipment(self._law, game.name)
        table, cards = HAND_LAYOUTS[equipment.equipment], _require_number(equipment.cards)
        packs = self.packs(game.name, wanted)
        suits_matter = hand_observables.sees_suits(_conditions_of(clauses), ("hand", table.house))
        if suits_matter and packs not in {None, 1}:
            raise user_error("packs-suits", game=game.name)
        deal = _by_suit(cards) if suits_matter else _by_rank(cards, _check_packs(packs))
        return hand_vs_house.DealtDuel(game, deal, table)

    def _build_shoe(self, game: Game, readings: Readings, wanted: int | None) -> shoe_odds.Shoe:
        packs = _check_packs(self.packs(game.name, wanted))
        reading = readings.of(DrawingRule.POINT)
        if (reading, packs) not in self._rounds:
            drawing = DrawingRule.of(self._law, reading)
            self._rounds[reading, packs] = shoe_rounds.enumerate_rounds(drawing, packs)
        options = [
            located.clause for located in self._clauses_in_force(game.name, readings)
            if isinstance(located.clause, Option)
        ]  # fmt: skip
        return shoe_odds.Shoe(
            game,
            self._rounds[reading, packs],
            regimes=_option_values(options, COMMISSION),
            modalities=_option_values(options, JACKPOT),
        )

    def _clauses_in_force(self, game: str, readings: Readings) -> list[LocatedClause]:
        return [
            located
            for located in read_clauses(self._law, game)
            if readings.allows(located.clause.under)
        ]


def _conditions_of(clauses: Iterable[LocatedClause]) -> Iterator[str]:
    """Yield the conditions of settlement."""
    for located in clauses:
        if not isinstance(located.clause, UNSETTLED_CLAUSES):
            yield from conditions_of(located.clause)


def _option_values(options: Sequence[Option], name: str) -> list[str]:
    return [value for option in options if option.option == name for value in option.values]


def _require_number(number: int | None) -> int:
    if number is None:
        msg = "equipment without a number cannot be counted"
        raise LookupError(msg)
    return number


def _check_packs(packs: int | None) -> int:
    if packs is None:
        return 1
    if not 1 <= packs <= pack_deals.MAX_PACKS:
        raise user_error("packs", packs=packs, most=pack_deals.MAX_PACKS)
    return packs
