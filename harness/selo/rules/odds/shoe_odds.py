"""Player and banker from a shoe: all rounds, gathered into classes that no rule tells apart.

1. Rounds that a condition of a bet sees alike (`view`) are one class; it is asked once for each.
2. Where a condition sees suits, and they can matter, it is asked for every way to fall in suits.
3. Rounds in which the same conditions hold are settled once by the rules, with all their weight.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.odds.bet_classifier import Judge, hand
from selo.rules.odds.companion_bets import stake_of
from selo.rules.odds.figures import End, figure
from selo.rules.odds.pack_deals import RANKS, SUITS
from selo.rules.odds.round_observables import HANDS, holds_at, view
from selo.rules.odds.shoe_rounds import NONE

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.rules.odds.bet_classifier import Ended
    from selo.rules.odds.figures import Figure
    from selo.rules.odds.round_observables import View
    from selo.rules.odds.shoe_rounds import Rounds
    from selo.rules.settlement.game import Game

#: Above every rank, so that no place can be taken for one.
_FRESH: Final = len(RANKS)
_DIGIT: Final = 2 * len(RANKS)

#: The suits of the cards at some places, and which conditions hold with them.
_Fallen = tuple[tuple[tuple[int, str], ...], tuple[bool, ...]]


class Shoe:
    """A game and all its rounds, under one set of readings."""

    def __init__(
        self, game: Game, rounds: Rounds, *, regimes: Sequence[str], modalities: Sequence[str]
    ) -> None:
        self.game, self.rounds = game, rounds
        self.regimes, self.modalities = regimes, modalities
        self.stake = stake_of(game)
        self._known: dict[Hashable, tuple[NDArray[Any], NDArray[Any]]] = {}
        self._values: dict[tuple[str, str], NDArray[Any]] = {}

    def ends(self, name: str, options: Mapping[str, Any]) -> dict[Ended, Fraction]:
        """Return every way in which a bet ends, and how many orders of six cards lead to it."""
        judge = Judge(self.game, name, options, self.stake)
        code = np.zeros(len(self.rounds.cards), dtype=np.int64)
        for condition in judge.blind:
            rows, of = self._classes(view(self.game, [condition]))
            holds = [judge.hold([condition], row, {})[0] for row in rows]
            code = code * 2 + np.array(holds, dtype=np.int64)[of]
        rows, of = self._classes(view(self.game, judge.seeing))
        fallen = self._fallen(judge, rows)
        _, first, inverse = np.unique(code * len(rows) + of, return_index=True, return_inverse=True)
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, inverse, self.rounds.weights)
        sums: dict[Ended, Fraction] = defaultdict(Fraction)
        for at, weight in zip(first, weights, strict=True):
            for (suits, answers), part in fallen[of[at]]:
                where = (int(code[at]), answers)
                sums[judge.end(where, self.rounds.cards[at], dict(suits))] += int(weight) * part
        return sums

    def _classes(self, seeing: View) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return one round for each class of rounds that look alike, and the class of each."""
        if seeing.name not in self._known:
            self._known[seeing.name] = self._sorted(seeing)
        return self._known[seeing.name]

    def _sorted(self, seeing: View) -> tuple[NDArray[Any], NDArray[Any]]:
        cards = self.rounds.cards
        code = np.zeros(len(cards), dtype=np.int64)
        named = np.array([at in seeing.named for at in range(len(RANKS))] + [True])
        places = sorted(seeing.places)
        for at, place in enumerate(places):
            mine = cards[:, place]
            label = np.where(named[mine], mine, _FRESH + place)
            for earlier in reversed(places[:at]):
                # An unnamed rank is known by the first place where it lies.
                again = (cards[:, earlier] == mine) & ~named[mine]
                label = np.where(again, _FRESH + earlier, label)
            code = code * _DIGIT + label + 1
        for asked in sorted(seeing.asked):
            if asked not in self._values:
                self._values[asked] = self._asked(seeing.asked[asked], HANDS[asked[1]])
            values = self._values[asked]
            code = code * (int(values.max()) + 1) + values
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        return cards[first], inverse

    def _asked(self, function: Any, places: Sequence[int]) -> NDArray[Any]:
        """Return the value of a function of one hand in every round, as a number for each value."""
        held = self.rounds.cards[:, places]
        code = (held[:, 0] * _DIGIT + held[:, 1]) * _DIGIT + held[:, 2] + 1
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        numbers: dict[Any, int] = {}
        values = [
            numbers.setdefault(function(hand(held[row], SUITS[:1] * len(places))), len(numbers))
            for row in first
        ]
        return np.array(values, dtype=np.int64)[inverse]

    def _fallen(self, judge: Judge, rows: NDArray[Any]) -> list[list[tuple[_Fallen, Fraction]]]:
        """Return what the conditions that see suits answer in each round, and how often."""
        known: dict[tuple[int, ...], list[tuple[Sequence[str], tuple[bool, ...], Fraction]]] = {}
        fallen = []
        for row in rows:
            there = [(int(row[place]), place) for place in sorted(judge.suited)
                     if row[place] != NONE]  # fmt: skip
            if judge.unordered:
                there.sort()
            ranks, places = tuple(rank for rank, _ in there), [place for _, place in there]
            found = known.get(ranks) if judge.unordered else None
            if found is None:
                found = known[ranks] = list(self._answers(judge, row, places))
            fallen.append(
                [
                    ((tuple(zip(places, suits, strict=True)), answers), part)
                    for suits, answers, part in found
                ]
            )
        return fallen

    def _answers(
        self, judge: Judge, row: NDArray[Any], places: Sequence[int]
    ) -> Iterator[tuple[Sequence[str], tuple[bool, ...], Fraction]]:
        """Yield each pattern of answers, suits that give it, and the part of all suits that do."""

        def asked(suits: Sequence[str]) -> tuple[bool, ...]:
            return judge.hold(judge.seeing, row, dict(zip(places, suits, strict=True)))

        tried = {asked(suits): suits for suits in telling(len(places))}
        if len(tried) == 1:
            for answers, suits in tried.items():
                yield suits, answers, Fraction(1)
            return
        parts: dict[tuple[bool, ...], Fraction] = defaultdict(Fraction)
        shown: dict[tuple[bool, ...], Sequence[str]] = {}
        ranks = [int(row[place]) for place in places]
        for suits in product(SUITS, repeat=len(places)):
            part = self._chance(ranks, suits)
            if part:
                answers = asked(suits)
                parts[answers] += part
                shown.setdefault(answers, suits)
        for answers, part in parts.items():
            yield shown[answers], answers, part

    def _chance(self, ranks: Sequence[int], suits: Sequence[str]) -> Fraction:
        """Return the probability that cards of these ranks have these suits."""
        packs = self.rounds.packs
        ways = math.prod(
            math.perm(packs, times) for times in Counter(zip(ranks, suits, strict=True)).values()
        )
        of = math.prod(math.perm(packs * len(SUITS), times) for times in Counter(ranks).values())
        return Fraction(ways, of)


def telling(many: int) -> Iterator[tuple[str, ...]]:
    """Yield ways for cards to fall in suits among which any question about suits shows itself.

    All of one suit, all but one of one suit, and as many suits as there are.
    """
    one, other = SUITS[0], SUITS[1]
    for suit in SUITS:
        yield (suit,) * many
    for odd in range(many):
        yield tuple(other if at == odd else one for at in range(many))
    yield tuple(SUITS[at % len(SUITS)] for at in range(many))


def figures_of(shoe: Shoe, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`: under each regime, or once where regimes do not matter."""
    for name, rules in shoe.game.bets.items():
        if name not in only:
            continue
        if any(rule.combination is not None for rule in rules.results):
            for modality in shoe.modalities:
                yield from _jackpot(shoe, name, modality)
            continue
        found = [
            figure(
                name,
                [(end, weight) for (end, _), weight in ends.items()],
                total=shoe.rounds.total,
                manner=regime,
            )
            for regime in shoe.regimes
            if (ends := _allowed(shoe.ends(name, {"commission": regime})))
        ]
        yield from _once(found)


def _once(found: list[Figure]) -> Iterator[Figure]:
    """Yield figures that differ; where all are equal, one that names no regime."""
    if found and all(one.ends == found[0].ends for one in found):
        yield figure(found[0].bet, found[0].ends.items(), total=1)
        return
    yield from found


def _allowed(ends: dict[Ended, Fraction]) -> dict[Ended, Fraction]:
    """Return `ends`, or nothing if the bet is never taken."""
    return {} if all(end.result == "refused" for end, _ in ends) else ends


def _jackpot(shoe: Shoe, name: str, modality: str) -> Iterator[Figure]:
    """Yield how often each combination of a modality is paid, and how often any is.

    What is paid is for the table to declare, so these figures have no edge.
    """
    described = [rule for rule in shoe.game.bets[name].results if rule.combination is not None]
    jackpot = {
        "modality": modality,
        "accumulated": 0,
        "fixed": dict.fromkeys([str(rule.combination) for rule in described], 0),
        "percentage": [0, 1],
    }
    ends = shoe.ends(name, {"jackpot": jackpot})
    total = shoe.rounds.total
    wanted = [
        str(rule.combination)
        for rule in described
        if rule.condition is not None and holds_at(rule.condition, modality)
    ]
    for combination in (*dict.fromkeys(wanted), "any"):
        won = sum(
            (weight for (end, formed), weight in ends.items()
             if end.result == "win" and (combination in formed or combination == "any")),
            Fraction(0),
        )  # fmt: skip
        yield figure(
            name,
            [(End(result="win"), won), (End(result="lose"), total - won)],
            total=total,
            choice=combination,
            manner=modality,
            priced=False,
        )
