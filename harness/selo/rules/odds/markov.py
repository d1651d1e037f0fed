"""Odds of bets over many throws: an absorbing Markov chain with one throw per step.

1. A state is the bet's own point and the point of the round; the throws that led to it stand for
   all that lead there.
2. From each state every throw is tried, and the rules settle the case with one more throw.
3. A bet that stands moves to another state, any other result absorbs it; the chain is solved
   exactly.
4. A bet is placed at the first moment at which the rules accept it, over all earlier throws.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.pack_and_dice import PIPS
from selo.rules.odds.bet_odds import BetEnd, BetOdds, OddsUnknown, build_figure
from selo.rules.odds.companion_bets import choices_of, divisible_stake, end_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.rules.settlement import ThrowingGame
    from selo.rules.settlement.settlement_models import BetRules, BetSettlement
    from selo.table_values import Bet, Outcome

#: The stake of an additional bet: equal to the base bet, or so small that no limit applies.
EQUAL_STAKES: Final = "equal-stakes"
WITHIN_LIMIT: Final = "within-the-limit"
_STANDS, _POINT, _REFUSED = "stands", "point", "refused"
#: A bet that is refused after more throws is always refused.
_MAX_THROWS_BEFORE: Final = 2

Throw = tuple[int, ...]
#: The bet's own point and the point of the round.
ChainState = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedBets:
    """Bets of which the last is measured, each placed after some throws."""

    bets: tuple[Bet, ...]
    stake: int

    @property
    def first_throw(self) -> int:
        """The number of throws before the first of the bets."""
        return int(self.bets[0]["at"])

    @property
    def placed(self) -> int:
        """The number of throws before the last of them."""
        return int(self.bets[-1]["at"])


class BetChain:
    """The Markov chain of a bet."""

    def __init__(self, game: ThrowingGame, dice: int, laid: PlacedBets) -> None:
        self._game, self.laid = game, laid
        self.throws: list[Throw] = list(product(PIPS, repeat=dice))
        self._moves: dict[
            ChainState, tuple[dict[ChainState, Fraction], dict[BetEnd, Fraction]]
        ] = {}
        self._paths: dict[ChainState, Sequence[Throw]] = {}

    def openings(self) -> dict[ChainState, Fraction]:
        """Return the states in which the bet is accepted, with their conditional probabilities."""
        ways_to: dict[ChainState, int] = defaultdict(int)
        for path in product(self.throws, repeat=self.laid.placed):
            if self._settle(path).result == _STANDS:
                state = self._state(path)
                self._paths.setdefault(state, path)
                ways_to[state] += 1
        total = sum(ways_to.values())
        return {state: Fraction(ways, total) for state, ways in ways_to.items()}

    def ends(self, start: Mapping[ChainState, Fraction]) -> dict[BetEnd, Fraction]:
        """Return the probability of each end of the bet, from the states `start`."""
        waiting = list(start)
        for state in waiting:
            if state not in self._moves:
                self._moves[state] = self._step_from(state)
            waiting += [after for after in self._moves[state][0] if after not in waiting]
        visits = _expected_visits(
            waiting, start, {state: self._moves[state][0] for state in waiting}
        )
        sums: dict[BetEnd, Fraction] = defaultdict(Fraction)
        for state, times in visits.items():
            for end, chance in self._moves[state][1].items():
                sums[end] += times * chance
        return dict(sums)

    def _step_from(
        self, state: ChainState
    ) -> tuple[dict[ChainState, Fraction], dict[BetEnd, Fraction]]:
        moves: dict[ChainState, Fraction] = defaultdict(Fraction)
        ends: dict[BetEnd, Fraction] = defaultdict(Fraction)
        each = Fraction(1, len(self.throws))
        for throw in self.throws:
            path = (*self._paths[state], throw)
            settlement = self._settle(path)
            if settlement.result == _STANDS:
                after = self._state(path)
                self._paths.setdefault(after, path)
                moves[after] += each
            else:
                ends[end_of(settlement, self.laid.stake)] += each
        return moves, ends

    def _settle(self, path: Sequence[Throw], bets: Sequence[Any] | None = None) -> BetSettlement:
        outcome: Outcome = {"throws": [list(throw) for throw in path]}
        return self._game.settle({}, outcome, bets or self.laid.bets)[-1]

    def _state(self, path: Sequence[Throw]) -> ChainState:
        own = self._point(path, self.laid.bets[0])
        return own, self._round(path)

    def _point(self, path: Sequence[Throw], bet: Bet) -> int:
        """Return the point of a standing bet: the total of the throw that set it."""
        for many in range(int(bet["at"]), len(path) + 1):
            reasons = self._settle(path[:many], [bet]).reasons
            if any(reason.role == _POINT for reason in reasons):
                return sum(path[many - 1])
        return 0

    def _round(self, path: Sequence[Throw]) -> int:
        """Return the point of the round after some throws, by the line bet."""
        begun = 0
        while True:
            line: Bet = {"bet": self._game.line, "stake": self.laid.stake, "at": begun}
            over = next(
                (many for many in range(begun + 1, len(path) + 1)
                 if self._settle(path[:many], [line]).result != _STANDS),
                None,
            )  # fmt: skip
            if over is None:
                return self._point(path, line)
            begun = over


def thrown_dice_odds(game: ThrowingGame, *, dice: int, only: Collection[str]) -> Iterator[BetOdds]:
    """Yield the odds of the bets `only`; of additional bets, also point by point."""
    stake = divisible_stake(game.game)
    for name, rules in game.bets.items():
        if name not in only:
            continue
        if rules.added_to is not None:
            yield from _additional_bet_odds(game, rules, dice, stake)
            continue
        for choice in choices_of(rules):
            chain = _find_chain(game, dice, [_bet_at_start(name, stake, choice)], stake)
            if chain is not None:
                ends = chain.ends(chain.openings())
                yield build_figure(name, ends.items(), total=1, choice=choice)


def _additional_bet_odds(
    game: ThrowingGame, rules: BetRules, dice: int, stake: int
) -> Iterator[BetOdds]:
    """Yield the odds of an additional bet with equal stakes, and within every limit."""
    highest = max(prize.odds for prize in rules.prizes)
    manners = {EQUAL_STAKES: Fraction(1)}
    if rules.limits and highest > 1:
        manners[WITHIN_LIMIT] = 1 / highest
    for manner, part in manners.items():
        base = stake * max(highest.numerator, 1)
        first = _bet_at_start(str(rules.added_to), base, None)
        begun = _find_chain(game, dice, [first], base)
        if begun is None:
            continue
        added: Bet = {**_bet_at_start(rules.name, int(base * part), None), "to": 0}
        fixed: Bet = {**first, "at": begun.laid.placed}
        chain = _find_chain(game, dice, [fixed, added], int(base * part))
        if chain is None:
            continue
        openings = chain.openings()
        shown = None if len(manners) == 1 else manner
        yield build_figure(rules.name, chain.ends(openings).items(), total=1, manner=shown)
        for point in sorted({own for own, _ in openings}):
            share = sum(chance for (own, _), chance in openings.items() if own == point)
            start = {at: chance / share for at, chance in openings.items() if at[0] == point}
            yield build_figure(
                rules.name, chain.ends(start).items(), total=1, choice=point, manner=shown
            )


def _bet_at_start(name: str, stake: int, choice: Any) -> Bet:
    bet: Bet = {"bet": name, "stake": stake, "at": 0}
    return bet if choice is None else {**bet, "choice": choice}


def _find_chain(game: ThrowingGame, dice: int, bets: Sequence[Bet], stake: int) -> BetChain | None:
    """Return the chain of a bet placed when it is first accepted, if it ever is."""
    for many in range(_MAX_THROWS_BEFORE + 1):
        last: Bet = {**bets[-1], "at": many}
        laid = PlacedBets(bets=(*bets[:-1], last), stake=stake)
        if many < laid.first_throw:
            continue
        chain = BetChain(game, dice, laid)
        if chain.openings():
            return chain
    return None


def _expected_visits(
    states: Sequence[ChainState],
    start: Mapping[ChainState, Fraction],
    moves: Mapping[ChainState, Mapping[ChainState, Fraction]],
) -> dict[ChainState, Fraction]:
    """Return the expected visits of each state, by elimination in exact fractions."""
    size = len(states)
    places = {state: at for at, state in enumerate(states)}
    rows = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    right = [start.get(state, Fraction(0)) for state in states]
    for state, after in moves.items():
        for other, chance in after.items():
            rows[places[other]][places[state]] -= chance
    for at in range(size):
        pivot = next((row for row in range(at, size) if rows[row][at]), None)
        if pivot is None:
            msg = "a bet that may stand for ever has no odds"
            raise OddsUnknown(msg)
        rows[at], rows[pivot] = rows[pivot], rows[at]
        right[at], right[pivot] = right[pivot], right[at]
        for row in range(size):
            if row != at and rows[row][at]:
                times = rows[row][at] / rows[at][at]
                rows[row] = [a - times * b for a, b in zip(rows[row], rows[at], strict=True)]
                right[row] -= times * right[at]
    return {state: right[at] / rows[at][at] for at, state in enumerate(states)}
