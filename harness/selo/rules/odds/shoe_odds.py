"""Odds of player and banker from a shoe: rounds in classes that no rule distinguishes.

1. Rounds with the same observables (`round_observables`) of a condition are one class; the
   condition is evaluated once for each class.
2. Where a condition depends on suits, it is evaluated for every assignment of suits.
3. Rounds in which the same conditions hold are settled once by the rules, with their weights.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.clauses.jackpot_share import JACKPOT
from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.odds.bet_classifier import BetClassifier, cards_of
from selo.rules.odds.bet_odds import BetEnd, build_figure
from selo.rules.odds.companion_bets import divisible_stake
from selo.rules.odds.round_observables import HANDS, find_round_observables, holds_at
from selo.rules.odds.shoe_rounds import NO_CARD
from selo.rules.settlement.settlement_models import COMMISSION

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.rules.odds.bet_classifier import ClassifiedEnd
    from selo.rules.odds.bet_odds import BetOdds
    from selo.rules.odds.round_observables import RoundObservables
    from selo.rules.odds.shoe_rounds import ShoeRounds
    from selo.rules.settlement import Game
    from selo.table_values import Options

#: Above every rank, so that labels of places do not collide with ranks.
_UNNAMED_RANKS: Final = len(RANKS)
_BASE: Final = 2 * len(RANKS)

#: The suits of the cards at some places, and the conditions that hold with them.
_SuitAnswers = tuple[tuple[tuple[int, str], ...], tuple[bool, ...]]


class Shoe:
    """A game and all its rounds, under one set of readings."""

    def __init__(
        self, game: Game, rounds: ShoeRounds, *, regimes: Sequence[str], modalities: Sequence[str]
    ) -> None:
        self.game, self.rounds = game, rounds
        self.regimes, self.modalities = regimes, modalities
        self.stake = divisible_stake(game)
        self._class_memo: dict[Hashable, tuple[NDArray[Any], NDArray[Any]]] = {}
        self._values: dict[tuple[str, str], NDArray[Any]] = {}

    def ends(self, name: str, options: Options) -> dict[ClassifiedEnd, Fraction]:
        """Return the ends of a bet, each with the number of orders of six cards that lead to it."""
        classifier = BetClassifier(self.game, name, options, self.stake)
        code = np.zeros(len(self.rounds.cards), dtype=np.int64)
        for condition in classifier.rank_conditions:
            rows, of = self._classes(find_round_observables(self.game, [condition]))
            holds = [classifier.which_hold([condition], row, {})[0] for row in rows]
            code = code * 2 + np.array(holds, dtype=np.int64)[of]
        rows, of = self._classes(find_round_observables(self.game, classifier.suit_conditions))
        suit_answers = self._suit_answers(classifier, rows)
        _, first, inverse = np.unique(code * len(rows) + of, return_index=True, return_inverse=True)
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, inverse, self.rounds.weights)
        sums: dict[ClassifiedEnd, Fraction] = defaultdict(Fraction)
        for at, weight in zip(first, weights, strict=True):
            for (suits, answers), part in suit_answers[of[at]]:
                where = (int(code[at]), answers)
                sums[classifier.end_of_round(where, self.rounds.cards[at], dict(suits))] += (
                    int(weight) * part
                )
        return sums

    def _classes(self, observables: RoundObservables) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return one round for each class, and the class of each round."""
        if observables.name not in self._class_memo:
            self._class_memo[observables.name] = self._classify(observables)
        return self._class_memo[observables.name]

    def _classify(self, observables: RoundObservables) -> tuple[NDArray[Any], NDArray[Any]]:
        cards = self.rounds.cards
        code = np.zeros(len(cards), dtype=np.int64)
        named = np.array([at in observables.named for at in range(len(RANKS))] + [True])
        places = sorted(observables.places)
        for at, place in enumerate(places):
            mine = cards[:, place]
            label = np.where(named[mine], mine, _UNNAMED_RANKS + place)
            for earlier in reversed(places[:at]):
                # An unnamed rank is labelled by its first place.
                again = (cards[:, earlier] == mine) & ~named[mine]
                label = np.where(again, _UNNAMED_RANKS + earlier, label)
            code = code * _BASE + label + 1
        for call in sorted(observables.hand_calls):
            if call not in self._values:
                self._values[call] = self._hand_values(observables.hand_calls[call], HANDS[call[1]])
            values = self._values[call]
            code = code * (int(values.max()) + 1) + values
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        return cards[first], inverse

    def _hand_values(self, function: Any, places: Sequence[int]) -> NDArray[Any]:
        """Return the value of a function of one hand in every round, numbered."""
        held = self.rounds.cards[:, places]
        code = (held[:, 0] * _BASE + held[:, 1]) * _BASE + held[:, 2] + 1
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        numbers: dict[Any, int] = {}
        values = [
            numbers.setdefault(function(cards_of(held[row], SUITS[:1] * len(places))), len(numbers))
            for row in first
        ]
        return np.array(values, dtype=np.int64)[inverse]

    def _suit_answers(
        self, classifier: BetClassifier, rows: NDArray[Any]
    ) -> list[list[tuple[_SuitAnswers, Fraction]]]:
        """Return the values of the conditions on suits in each round, with their probabilities."""
        memo: dict[tuple[int, ...], list[tuple[Sequence[str], tuple[bool, ...], Fraction]]] = {}
        suit_answers = []
        for row in rows:
            there = [(int(row[place]), place) for place in sorted(classifier.suit_places)
                     if row[place] != NO_CARD]  # fmt: skip
            if classifier.unordered:
                there.sort()
            ranks, places = tuple(rank for rank, _ in there), [place for _, place in there]
            weighted_answers = memo.get(ranks) if classifier.unordered else None
            if weighted_answers is None:
                weighted_answers = memo[ranks] = list(
                    self._answers_by_suits(classifier, row, places)
                )
            suit_answers.append(
                [
                    ((tuple(zip(places, suits, strict=True)), answers), part)
                    for suits, answers, part in weighted_answers
                ]
            )
        return suit_answers

    def _answers_by_suits(
        self, classifier: BetClassifier, row: NDArray[Any], places: Sequence[int]
    ) -> Iterator[tuple[Sequence[str], tuple[bool, ...], Fraction]]:
        """Yield each pattern of values, suits that give it, and its probability."""

        def values_with(suits: Sequence[str]) -> tuple[bool, ...]:
            return classifier.which_hold(
                classifier.suit_conditions, row, dict(zip(places, suits, strict=True))
            )

        tried = {values_with(suits): suits for suits in probe_suits(len(places))}
        if len(tried) == 1:
            for answers, suits in tried.items():
                yield suits, answers, Fraction(1)
            return
        parts: dict[tuple[bool, ...], Fraction] = defaultdict(Fraction)
        shown: dict[tuple[bool, ...], Sequence[str]] = {}
        ranks = [int(row[place]) for place in places]
        for suits in product(SUITS, repeat=len(places)):
            part = self._suit_probability(ranks, suits)
            if part:
                answers = values_with(suits)
                parts[answers] += part
                shown.setdefault(answers, suits)
        for answers, part in parts.items():
            yield shown[answers], answers, part

    def _suit_probability(self, ranks: Sequence[int], suits: Sequence[str]) -> Fraction:
        """Return the probability that cards of these ranks have these suits."""
        packs = self.rounds.packs
        ways = math.prod(
            math.perm(packs, times) for times in Counter(zip(ranks, suits, strict=True)).values()
        )
        of = math.prod(math.perm(packs * len(SUITS), times) for times in Counter(ranks).values())
        return Fraction(ways, of)


def probe_suits(many: int) -> Iterator[tuple[str, ...]]:
    """Yield assignments of suits that reveal any dependence on suits.

    All of one suit, all but one of one suit, and as many suits as there are.
    """
    first, second = SUITS[0], SUITS[1]
    for suit in SUITS:
        yield (suit,) * many
    for odd in range(many):
        yield tuple(second if at == odd else first for at in range(many))
    yield tuple(SUITS[at % len(SUITS)] for at in range(many))


def shoe_figures(shoe: Shoe, only: Collection[str]) -> Iterator[BetOdds]:
    """Yield the odds of the bets `only`, under each regime or once where regimes do not matter."""
    for name, rules in shoe.game.bets.items():
        if name not in only:
            continue
        if any(rule.combination is not None for rule in rules.results):
            for modality in shoe.modalities:
                yield from _jackpot_figures(shoe, name, modality)
            continue
        figures = [
            build_figure(
                name,
                [(end, weight) for (end, _), weight in ends.items()],
                total=shoe.rounds.total,
                manner=regime,
            )
            for regime in shoe.regimes
            if (ends := _unless_refused(shoe.ends(name, {COMMISSION: regime})))
        ]
        yield from _merge_equal(figures)


def _merge_equal(figures: list[BetOdds]) -> Iterator[BetOdds]:
    """Yield the figures, or a single one without a regime if all are equal."""
    if figures and all(figure.ends == figures[0].ends for figure in figures):
        yield build_figure(figures[0].bet, figures[0].ends.items(), total=1)
        return
    yield from figures


def _unless_refused(ends: dict[ClassifiedEnd, Fraction]) -> dict[ClassifiedEnd, Fraction]:
    """Return `ends`, or nothing if the bet is always refused."""
    return {} if all(end.result == "refused" for end, _ in ends) else ends


def _jackpot_figures(shoe: Shoe, name: str, modality: str) -> Iterator[BetOdds]:
    """Yield the probability of each combination of a modality, and of any.

    The table declares the prizes, so these figures have no edge.
    """
    described = [rule for rule in shoe.game.bets[name].results if rule.combination is not None]
    jackpot = {
        "modality": modality,
        "accumulated": 0,
        "fixed": dict.fromkeys([str(rule.combination) for rule in described], 0),
        "percentage": [0, 1],
    }
    ends = shoe.ends(name, {JACKPOT: jackpot})
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
        yield build_figure(
            name,
            [(BetEnd(result="win"), won), (BetEnd(result="lose"), total - won)],
            total=total,
            choice=combination,
            manner=modality,
            priced=False,
        )
