"""Bets that live over many throws: a chain of states, each left by one more throw.

1. A state is the bet's own point and the point of the round; the throws that led to it stand for
   all that lead there.
2. From each state all throws are made, and the rules settle the case anew with one throw more.
3. A bet that stands moves to another state, any other result absorbs it; the chain is solved
   exactly.
4. A bet is placed at the first moment at which the rules take it, whatever was thrown before.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.rules.odds.companion_bets import choices, end_of, stake_of
from selo.rules.odds.figures import End, Figure, OddsUnknown, figure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Settlement
    from selo.rules.settlement.throwing_game import ThrowingGame

#: What an ordinary die shows; the law of these games does not describe it.
FACES: Final = range(1, 7)
#: How an additional bet is placed: as large as the first, or so that no limit cuts its prize.
EQUAL: Final = "equal-stakes"
WITHIN: Final = "within-the-limit"
_WAITS, _POINT, _REFUSED = "stands", "point", "refused"
#: A bet that is not taken after so many throws is never taken.
_LATEST: Final = 2

Throw = tuple[int, ...]
#: The bet's own point and the point of the round.
State = tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Laid:
    """Bets of which the last is looked at, and how many throws came before each."""

    bets: tuple[Mapping[str, Any], ...]
    stake: int

    @property
    def first_throw(self) -> int:
        """The number of throws before the first of the bets."""
        return int(self.bets[0]["at"])

    @property
    def placed(self) -> int:
        """The number of throws before the last of them."""
        return int(self.bets[-1]["at"])


class Chain:
    """All that can become of a bet, from the throws before it was placed."""

    def __init__(self, game: ThrowingGame, dice: int, laid: Laid) -> None:
        self._game, self.laid = game, laid
        self.throws: list[Throw] = list(product(FACES, repeat=dice))
        self._moves: dict[State, tuple[dict[State, Fraction], dict[End, Fraction]]] = {}
        self._paths: dict[State, Sequence[Throw]] = {}

    def openings(self) -> dict[State, Fraction]:
        """Return the states in which the bet is taken, and how likely each is if it is taken."""
        found: dict[State, int] = defaultdict(int)
        for path in product(self.throws, repeat=self.laid.placed):
            if self._settle(path).result == _WAITS:
                state = self._state(path)
                self._paths.setdefault(state, path)
                found[state] += 1
        total = sum(found.values())
        return {state: Fraction(ways, total) for state, ways in found.items()}

    def ends(self, start: Mapping[State, Fraction]) -> dict[End, Fraction]:
        """Return how the bet ends from the states `start`, and how likely that is."""
        waiting = list(start)
        for state in waiting:
            if state not in self._moves:
                self._moves[state] = self._moved(state)
            waiting += [one for one in self._moves[state][0] if one not in waiting]
        visits = _visits(waiting, start, {one: self._moves[one][0] for one in waiting})
        sums: dict[End, Fraction] = defaultdict(Fraction)
        for state, times in visits.items():
            for end, chance in self._moves[state][1].items():
                sums[end] += times * chance
        return dict(sums)

    def _moved(self, state: State) -> tuple[dict[State, Fraction], dict[End, Fraction]]:
        moves: dict[State, Fraction] = defaultdict(Fraction)
        ends: dict[End, Fraction] = defaultdict(Fraction)
        each = Fraction(1, len(self.throws))
        for throw in self.throws:
            path = (*self._paths[state], throw)
            settlement = self._settle(path)
            if settlement.result == _WAITS:
                after = self._state(path)
                self._paths.setdefault(after, path)
                moves[after] += each
            else:
                ends[end_of(settlement, self.laid.stake)] += each
        return moves, ends

    def _settle(self, path: Sequence[Throw], bets: Sequence[Any] | None = None) -> Settlement:
        outcome = {"throws": [list(throw) for throw in path]}
        return self._game.settle({}, outcome, bets or self.laid.bets)[-1]

    def _state(self, path: Sequence[Throw]) -> State:
        own = self._point(path, self.laid.bets[0])
        return own, self._round(path)

    def _point(self, path: Sequence[Throw], bet: Mapping[str, Any]) -> int:
        """Return the point of a bet that stands: the total of the throw that gave it one."""
        for many in range(int(bet["at"]), len(path) + 1):
            reasons = self._settle(path[:many], [bet]).reasons
            if any(reason.role == _POINT for reason in reasons):
                return sum(path[many - 1])
        return 0

    def _round(self, path: Sequence[Throw]) -> int:
        """Return the point of the round after some throws, as the bet that opens it has it."""
        begun = 0
        while True:
            line = {"bet": self._game.line, "stake": self.laid.stake, "at": begun}
            over = next(
                (many for many in range(begun + 1, len(path) + 1)
                 if self._settle(path[:many], [line]).result != _WAITS),
                None,
            )  # fmt: skip
            if over is None:
                return self._point(path, line)
            begun = over


def figures_of(game: ThrowingGame, *, dice: int, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`; of additional bets, also point by point."""
    stake = stake_of(game.game)
    for name, rules in game.bets.items():
        if name not in only:
            continue
        if rules.added_to is not None:
            yield from _added(game, rules, dice, stake)
            continue
        for choice in choices(rules):
            chain = _taken(game, dice, [_bet(name, stake, choice)], stake)
            if chain is not None:
                ends = chain.ends(chain.openings())
                yield figure(name, ends.items(), total=1, choice=choice)


def _added(game: ThrowingGame, rules: BetRules, dice: int, stake: int) -> Iterator[Figure]:
    """Yield the odds of an additional bet as large as the first, and within every limit."""
    highest = max(prize.odds for prize in rules.prizes)
    manners = {EQUAL: Fraction(1)}
    if rules.limits and highest > 1:
        manners[WITHIN] = 1 / highest
    for manner, part in manners.items():
        base = stake * max(highest.numerator, 1)
        first = _bet(str(rules.added_to), base, None)
        begun = _taken(game, dice, [first], base)
        if begun is None:
            continue
        added = {**_bet(rules.name, int(base * part), None), "to": 0}
        fixed = {**first, "at": begun.laid.placed}
        chain = _taken(game, dice, [fixed, added], int(base * part))
        if chain is None:
            continue
        openings = chain.openings()
        shown = None if len(manners) == 1 else manner
        yield figure(rules.name, chain.ends(openings).items(), total=1, manner=shown)
        for point in sorted({own for own, _ in openings}):
            share = sum(chance for (own, _), chance in openings.items() if own == point)
            start = {at: chance / share for at, chance in openings.items() if at[0] == point}
            yield figure(rules.name, chain.ends(start).items(), total=1, choice=point, manner=shown)


def _bet(name: str, stake: int, choice: Any) -> dict[str, Any]:
    bet = {"bet": name, "stake": stake, "at": 0}
    return bet if choice is None else {**bet, "choice": choice}


def _taken(
    game: ThrowingGame, dice: int, bets: Sequence[Mapping[str, Any]], stake: int
) -> Chain | None:
    """Return the chain of a bet placed when it is first taken, if it ever is."""
    for many in range(_LATEST + 1):
        last = {**bets[-1], "at": many}
        laid = Laid(bets=(*bets[:-1], last), stake=stake)
        if many < laid.first_throw:
            continue
        chain = Chain(game, dice, laid)
        if chain.openings():
            return chain
    return None


def _visits(
    states: Sequence[State],
    start: Mapping[State, Fraction],
    moves: Mapping[State, Mapping[State, Fraction]],
) -> dict[State, Fraction]:
    """Return how often each state is visited on average, by elimination in exact fractions."""
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
