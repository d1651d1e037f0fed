"""The oracle: computes the lawful answer to a case and checks a vendor's answer against it.

Every field of an answer is compared, and amounts exactly. The stake returned follows from the
result: all of it for ``win``, ``push`` and ``refused``, nothing for ``lose`` and ``stands``; for
``void`` the clause that voids the bet says whether it stays on the table or is returned.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle.answer_check import (
    ExpectedSettlement,
    find_wrong_bets,
    find_wrong_bets_of,
    holds_fraction,
    is_answer_of,
    unlike_bets,
)
from selo.cases.oracle.bet_dependence import settles_alone
from selo.cases.oracle.comparison_cache import ComparisonCache, lawful_points, told_order
from selo.cases.oracle.settlement_cache import SettlementCache
from selo.cases.oracle.throw_cache import ThrowCache
from selo.cases.oracle.told_settlement import lawful_parts, returned_stake, tell_settlement
from selo.protocol.messages import FULL, Settlement
from selo.rules.checks import settlement_points
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import MannerClause
from selo.rules.mutants.word_dependence import bets_of_reading
from selo.rules.readings import Readings
from selo.rules.settlement import ThrowingGame, compile_game
from selo.rules.settlement.settlement_models import DerivationStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cases.case import Case
    from selo.cases.oracle.answer_check import SettlementAnswer
    from selo.cases.oracle.told_settlement import ToldSettlement
    from selo.law import Law
    from selo.protocol.messages import Compared
    from selo.rules.settlement import Game
    from selo.table_values import Outcome

    AnyGame = Game | ThrowingGame

#: An open point and one of its readings.
Point = tuple[str, str]
#: Number of outcomes after which the caches of fast games are emptied: outcomes rarely recur.
_OUTCOMES_BEFORE_RESET: Final = 2_048
#: Oracles under other readings that are kept at once: of every point alone, and of many together.
_MAX_VARIANTS: Final = 150


class Oracle:
    """Answers cases by the law under given rulings, with bounded caches."""

    def __init__(
        self,
        law: Law,
        rulings: Mapping[str, str] | None = None,
        levels: Mapping[str, str] | None = None,
    ) -> None:
        """Answer by `law` under `rulings`, as a vendor that tells each game at its level."""
        self._law = law
        self._levels = levels or {}
        self._readings = Readings(law, rulings)
        self._games: dict[str, AnyGame] = {}
        self._fast_games: dict[str, AnyGame] = {}
        #: Games without the roundings that no text prescribes; nothing if there are none.
        self._exact_games: dict[str, AnyGame | None] = {}
        self._settlement_caches: dict[str, SettlementCache | ThrowCache | None] = {}
        self._comparison_caches: dict[str, ComparisonCache] = {}
        #: Oracles with other readings adopted, by these readings.
        self._variants: dict[frozenset[Point], Oracle] = {}
        self._points: dict[str, Mapping[str, Sequence[str]]] = {}
        self._altered: dict[tuple[str, Point], frozenset[str]] = {}
        self._linked: dict[str, frozenset[frozenset[str]]] = {}
        #: The case that was settled last, with the settlement of each bet.
        self._last_settled: tuple[Case | None, list[dict[str, Any]]] = (None, [])
        #: The case that was derived last, with the derivation of each bet.
        self._last_derived: tuple[Case, list[tuple[DerivationStep, ...]]] | None = None
        #: The outcome of the previous case: cases that share an outcome are consecutive.
        self._last_outcome: Outcome | None = None
        self._outcomes_since_reset = 0

    def game(self, name: str) -> AnyGame:
        """Return a game under the rulings."""
        if name not in self._games:
            self._games[name] = compile_game(self._law, name, self._readings)
        return self._games[name]

    def settle_plain(self, case: Case) -> list[dict[str, Any]]:
        """Return the settlements of a case without the stakes returned, computed fast."""
        if case is self._last_settled[0]:
            return self._last_settled[1]
        if case.outcome is not self._last_outcome:
            self._last_outcome = case.outcome
            self._count_outcome()
        plain = self._fast_game(case.game).settle_plain(case.options, case.outcome, case.bets)
        self._last_settled = case, plain
        return plain

    def settle_alone(self, case: Case, bet: int) -> dict[str, Any] | None:
        """Return the settlement of one bet of a case; nothing if it may depend on other bets."""
        game, placed = self._fast_game(case.game), case.bets[bet]
        if case is self._last_settled[0] or not settles_alone(game, placed):
            return None
        return game.settle_plain(case.options, case.outcome, [placed])[0]

    def _fast_game(self, name: str) -> AnyGame:
        game = self._fast_games.get(name)
        if game is None:
            game = self._fast_games[name] = self.game(name).without_reasons()
        return game

    def _count_outcome(self) -> None:
        self._outcomes_since_reset += 1
        if self._outcomes_since_reset < _OUTCOMES_BEFORE_RESET:
            return
        self._outcomes_since_reset = 0
        for game in self._fast_games.values():
            game.forget_outcomes()

    def expected_settlements(self, case: Case) -> list[ExpectedSettlement]:
        """Return the lawful settlement of each bet of a case."""
        return [
            ExpectedSettlement(
                answer["result"], answer["prize"], answer["commission"],
                returned_stake(answer, bet["stake"]),
            )
            for bet, answer in zip(case.bets, self.settle_plain(case), strict=True)
        ]  # fmt: skip

    def expected_parts(self, case: Case, bet: int, parts: Iterable[str]) -> dict[str, Any]:
        """Return the lawful values of some parts of the settlement of one bet."""
        return lawful_parts(self.settle_plain(case)[bet], case.bets[bet], parts)

    def compare(self, case: Case) -> str | None:
        """Return how the hands of a case compare, or None where the law at hand is silent."""
        cache = self._comparison_caches.get(case.game)
        if cache is None:
            cache = self._comparison_caches[case.game] = ComparisonCache(self.game(case.game))
        return cache.compare(case.a, case.b)

    def told_order(self, case: Case, told: Compared) -> str:
        """Return the answer to a comparison as its order, and its points if they are wrong."""
        return (
            told.order if told.hand_points is None else told_order(self.game(case.game), case, told)
        )

    def expected_order(self, case: Case, observed: Mapping[str, Any]) -> dict[str, Any]:
        """Return the lawful answer to a comparison, in the parts that were observed."""
        lawful: dict[str, Any] = {"order": self.compare(case)}
        if "hand_points" in observed:
            lawful["hand_points"] = lawful_points(
                self.game(case.game), case, observed["hand_points"]
            )
        return lawful

    def answer(self, case: Case) -> list[ToldSettlement] | str | None:
        """Return the answer of a lawful vendor to a case, or None where the law is silent.

        It tells what the vendor of this oracle tells.
        """
        if case.method != "settle":
            return self.compare(case)
        level = self._levels.get(case.game, FULL)
        if level == FULL:
            return [*self._settle_as_vendor(case)]
        return [
            tell_settlement(level, plain, bet)
            for bet, plain in zip(case.bets, self.settle_plain(case), strict=True)
        ]

    def is_exactly_expected(self, case: Case, settlements: Sequence[Settlement]) -> bool:
        """Return whether the settlements are literally the expected ones: the fast path.

        Settlements that differ may still be right: `wrong_bets` compares by value.
        """
        if settlements and type(settlements[0]) is not Settlement:
            return not self.wrong_bets(case, settlements)
        cache = self._cache_of(case.game)
        expected = None if cache is None else cache.expected(case, self._settle_as_vendor)
        return settlements == (self._settle_as_vendor(case) if expected is None else expected)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Cache the wording of settlements that `wrong_bets` found right, for the fast path.

        Exact fractions are not cached: they may stand where the law followed rounds.
        """
        if any(map(holds_fraction, settlements)):
            return
        cache = self._cache_of(case.game)
        if cache is not None and type(next(iter(settlements), None)) is Settlement:
            cache.remember(case, settlements)

    def _cache_of(self, name: str) -> SettlementCache | ThrowCache | None:
        if name not in self._settlement_caches:
            game = self.game(name)
            if isinstance(game, ThrowingGame):
                self._settlement_caches[name] = ThrowCache(game.without_reasons())
            else:
                # The law of tiles settles no bets.
                self._settlement_caches[name] = SettlementCache(game) if game.bets else None
        return self._settlement_caches[name]

    def _settle_as_vendor(self, case: Case) -> list[Settlement]:
        """Return the expected settlements in the form of a vendor's answer."""
        return [
            Settlement(
                result=answer["result"], prize=answer["prize"], commission=answer["commission"],
                stake=returned_stake(answer, bet["stake"]),
            )
            for bet, answer in zip(case.bets, self.settle_plain(case), strict=True)
        ]  # fmt: skip

    def wrong_bets(self, case: Case, settlements: Sequence[SettlementAnswer]) -> list[int]:
        """Return the indices of the bets that were not settled as expected.

        Missing and surplus settlements count as wrong.
        """
        wrong = self.find_wrong(case, self.settle_plain(case), settlements)
        wrong += range(min(len(case.bets), len(settlements)), max(len(case.bets), len(settlements)))
        return wrong

    def unrounded_bets(self, case: Case, settlements: Sequence[SettlementAnswer]) -> list[int]:
        """Return the bets that are settled in exact fractions and not as the law followed is."""
        wrong = find_wrong_bets(case, self.settle_plain(case), settlements)
        return [at for at in wrong if holds_fraction(settlements[at])]

    def find_wrong(
        self, case: Case, plain: list[dict[str, Any]], settlements: Sequence[SettlementAnswer]
    ) -> list[int]:
        """Return the bets of a case that were not settled as `plain`, or in exact fractions."""
        game = self._fast_game(case.game)
        if case.game not in self._exact_games:
            self._exact_games[case.game] = game.without_open_roundings()
        exact = self._exact_games[case.game]
        return find_wrong_bets_of(game, case, plain, settlements, exact=exact)

    def derivation_of(self, case: Case, bet: int = 0) -> tuple[DerivationStep, ...]:
        """Return the derivation of the lawful answer for one bet, or for a comparison."""
        game = self.game(case.game)
        if case.method == "settle":
            if self._last_derived is None or self._last_derived[0] is not case:
                settled = game.settle(case.options, case.outcome, case.bets)
                self._last_derived = case, [settlement.reasons for settlement in settled]
            return self._last_derived[1][bet]
        if isinstance(game, ThrowingGame):
            return ()
        if game.pairs is not None:
            return game.pairs.reasons(case.a, case.b)
        return _order_reasons(game, case)

    def stake_rules(self, name: str) -> tuple[str, ...]:
        """Return the provisions on how odds are counted: they say what a winner's stake becomes."""
        return tuple(
            located.held.id
            for located in read_clauses(self._law, name)
            if isinstance(located.clause, MannerClause)
            and located.clause.counts_odds
            and self._readings.allows(located.clause.under)
        )

    def is_ruled(self, divergence: str) -> bool:
        """Return whether a reading was adopted on an open point."""
        return divergence in self._readings.rulings

    def lawful_readings(
        self, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield each open point and other reading under which an answer would be lawful.

        Points that were ruled on are included; the caller filters them. With `bet`, only the
        settlement of that bet must match.
        """
        for point in self.other_readings(case.game):
            if self.under((point,)).gives_answer(case, answer, bet):
                yield point

    def gives_answer(
        self, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None = None
    ) -> bool:
        """Return whether the law gives this answer, or with `bet` this settlement of that bet."""
        if isinstance(answer, str):
            return self.compare(case) == answer
        return is_answer_of(self._fast_game(case.game), case, answer, bet)

    def unlike_bets(self, case: Case, answer: Sequence[SettlementAnswer] | str) -> frozenset[int]:
        """Return the bets that the law settles otherwise; of a comparison, the first."""
        if isinstance(answer, str):
            return frozenset() if self.compare(case) == answer else frozenset({0})
        return unlike_bets(self._fast_game(case.game), case, answer)

    def points_of(self, name: str) -> Mapping[str, Sequence[str]]:
        """Return the open points on which a game depends, with their readings."""
        if name not in self._points:
            self._points[name] = settlement_points(self._law, name)
        return self._points[name]

    def other_readings(self, name: str) -> tuple[Point, ...]:
        """Return every reading of every open point of a game that is not in force."""
        return tuple(
            (point, reading)
            for point, readings in self.points_of(name).items()
            for reading in readings
            if reading != self.reading_of(point)
        )

    def may_alter(self, name: str, point: Point, bet: str) -> bool:
        """Return whether the settlement of a bet of a game can depend on a reading."""
        if (name, point) not in self._altered:
            other = Readings(self._law, {**self._readings.rulings, **dict([point])})
            self._altered[name, point] = bets_of_reading(self._law, name, self._readings, other)
        return bet in self._altered[name, point]

    def linked_points(self, name: str) -> frozenset[frozenset[str]]:
        """Return the pairs of open points of which one clause depends on both."""
        if name not in self._linked:
            self._linked[name] = frozenset(
                frozenset(pair)
                for located in read_clauses(self._law, name)
                # A clause may also stand under a point on which no settlement depends.
                for pair in combinations(
                    sorted({*located.clause.under} & {*self.points_of(name)}), 2
                )
            )
        return self._linked[name]

    def under(self, points: Iterable[Point]) -> Oracle:
        """Return the oracle with some readings adopted as well, all else unchanged."""
        key = frozenset(points)
        if not key:
            return self
        variant = self._variants.get(key)
        if variant is None:
            if len(self._variants) >= _MAX_VARIANTS:
                self._variants.clear()
            rulings = {**self._readings.rulings, **dict(key)}
            variant = self._variants[key] = Oracle(self._law, rulings, self._levels)
        return variant

    def reading_of(self, divergence: str) -> str:
        """Return the reading followed on an open point."""
        return self._readings.of(divergence)


def _order_reasons(game: Game, case: Case) -> tuple[DerivationStep, ...]:
    """Return the provisions that place the two hands in the order of hands."""
    if game.provenance is None:
        return ()
    hands = {"hand": sorted(case.a), "banker": sorted(case.b)}
    reasons: dict[str, DerivationStep] = {}
    for rules in game.bets.values():
        for rule in rules.results:
            if rule.condition is not None:
                condition = DerivationStep(provision="", role="asks", condition=rule.condition.text)
                for reason in game.provenance.extend_derivation((condition,), hands, game.order):
                    if reason.role == "ranks":
                        reasons.setdefault(reason.provision, reason)
    return tuple(reasons.values())
