"""What the law expects of a case, and whether an answer is what it expects.

Amounts are compared exactly. What goes back of the stake follows from the result: all of it for
``win``, ``push`` and ``refused``, nothing for ``lose`` and ``stands``. The law does not say for
``void`` whether the stake stays on the table, so either is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.cases.oracle.comparison_cache import ComparisonCache
from selo.cases.oracle.fast_settlement import (
    forget_outcomes,
    make_fast_game,
    make_fast_throwing_game,
)
from selo.cases.oracle.settlement_cache import SettlementCache
from selo.cases.oracle.throw_cache import ThrowCache
from selo.protocol.messages import Settlement
from selo.rules.checks import OtherReadings
from selo.rules.equipment.kits import BadOutcome
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.rules.settlement.settlement_models import Reason
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.rules.settlement.tile_game import TileGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.cases.case import Case
    from selo.law.loader import Law
    from selo.rules.settlement.game import Game

    AnyGame = Game | ThrowingGame

Amount = int | list[int]
_STAKE_KEPT: Final = frozenset({"lose", "stands"})
_VOID: Final = "void"
#: After so many outcomes a game forgets those it has seen, which hardly ever come again.
_OUTCOMES_BEFORE_RESET: Final = 2_048


class SettlementAnswer(Protocol):
    """A settlement as a vendor answers it."""

    @property
    def result(self) -> str:
        """What became of the bet."""

    @property
    def prize(self) -> Amount:
        """What is paid on top of the stake."""

    @property
    def commission(self) -> Amount:
        """What the house keeps of the prize."""

    @property
    def stake(self) -> int:
        """What goes back of the stake."""


class ExpectedSettlement(msgspec.Struct, frozen=True, gc=False):
    """What the law expects for one bet."""

    result: str
    prize: Amount
    commission: Amount
    #: What may go back of the stake: any of these is right.
    back: tuple[int, ...]


def matches_expectation(expected: ExpectedSettlement, settlement: SettlementAnswer) -> bool:
    """Return whether a settlement is exactly what is expected."""
    return (
        settlement.result == expected.result
        and is_same_amount(settlement.prize, expected.prize)
        and is_same_amount(settlement.commission, expected.commission)
        and settlement.stake in expected.back
    )


def is_same_amount(one: Amount, other: Amount) -> bool:
    """Return whether two amounts, whole or fractions, are equal."""
    if one == other:
        return True
    if isinstance(one, int) and isinstance(other, int):
        return False
    above, below = (one, 1) if isinstance(one, int) else one
    over, under = (other, 1) if isinstance(other, int) else other
    return bool(below and under) and above * under == over * below


def lawful_stake_returns(result: str, stake: Any) -> tuple[int, ...]:
    """Return what may go back of a stake after a result."""
    if result in _STAKE_KEPT:
        return (0,)
    return (0, stake) if result == _VOID else (stake,)


class Oracle:
    """The law under some rulings, asked case by case; what it remembers does not grow."""

    def __init__(self, law: Law, rulings: Mapping[str, str] | None = None) -> None:
        self._law = law
        self._readings = Readings(law, rulings)
        self._games: dict[str, AnyGame] = {}
        self._terse: dict[str, AnyGame] = {}
        self._alike: dict[str, SettlementCache | ThrowCache | None] = {}
        self._comparing: dict[str, ComparisonCache] = {}
        self._others: dict[str, dict[tuple[str, str], AnyGame]] = {}
        #: The outcome asked about last: cases that share one come one after the other.
        self._last: Mapping[str, Any] | None = None
        self._outcomes = 0

    def game(self, name: str) -> AnyGame:
        """Return a game under the rulings."""
        if name not in self._games:
            self._games[name] = compile_game(self._law, name, self._readings)
        return self._games[name]

    def settle_plain(self, case: Case) -> list[dict[str, Any]]:
        """Return the settlements of a case without what goes back: the fast way."""
        if case.outcome is not self._last:
            self._last = case.outcome
            self._count()
        game = self._terse.get(case.game)
        if game is None:
            game = self._terse[case.game] = make_fast_game(self.game(case.game))
        return game.settle_plain(case.options, case.outcome, case.bets)

    def _count(self) -> None:
        self._outcomes += 1
        if self._outcomes < _OUTCOMES_BEFORE_RESET:
            return
        self._outcomes = 0
        self._terse = {name: forget_outcomes(game) for name, game in self._terse.items()}

    def expected_settlements(self, case: Case) -> list[ExpectedSettlement]:
        """Return what is expected for each bet of a case."""
        return [
            ExpectedSettlement(
                answer["result"], answer["prize"], answer["commission"],
                lawful_stake_returns(answer["result"], bet["stake"]),
            )
            for bet, answer in zip(case.bets, self.settle_plain(case), strict=True)
        ]  # fmt: skip

    def compare(self, case: Case) -> str | None:
        """Return how the hands of a case compare; nothing where the law held does not say."""
        comparing = self._comparing.get(case.game)
        if comparing is None:
            comparing = self._comparing[case.game] = ComparisonCache(self.game(case.game))
        return comparing.order(case.a, case.b)

    def answer(self, case: Case) -> list[Settlement] | str | None:
        """Return what a lawful vendor answers to a case; nothing where the law does not say."""
        return self._settled(case) if case.method == "settle" else self.compare(case)

    def is_exactly_expected(self, case: Case, settlements: Sequence[Settlement]) -> bool:
        """Return whether a settlement is, to the letter, what is expected: the fastest way.

        What is not may still be right: `wrong` looks closely.
        """
        alike = self._alike_of(case.game)
        expected = None if alike is None else alike.expected(case, self._settled)
        return settlements == (self._settled(case) if expected is None else expected)

    def remember(self, case: Case, settlements: Sequence[Settlement]) -> None:
        """Know a settlement again at once that was looked at closely and found right."""
        alike = self._alike_of(case.game)
        if alike is not None:
            alike.remember(case, settlements)

    def _alike_of(self, name: str) -> SettlementCache | ThrowCache | None:
        if name not in self._alike:
            game = self.game(name)
            if isinstance(game, TileGame):
                # Nothing is settled.
                self._alike[name] = None
            elif isinstance(game, ThrowingGame):
                self._alike[name] = ThrowCache(make_fast_throwing_game(game))
            else:
                self._alike[name] = SettlementCache(game)
        return self._alike[name]

    def _settled(self, case: Case) -> list[Settlement]:
        """Return what is expected as a vendor would say it."""
        return [
            Settlement(
                result=answer["result"], prize=answer["prize"], commission=answer["commission"],
                stake=0 if answer["result"] in _STAKE_KEPT else bet["stake"],
            )
            for bet, answer in zip(case.bets, self.settle_plain(case), strict=True)
        ]  # fmt: skip

    def wrong_bets(self, case: Case, settlements: Sequence[SettlementAnswer]) -> list[int]:
        """Return the places of the bets that were not settled as expected.

        Places that one side has and the other has not are wrong too.
        """
        found = _wrong_bets(case, self.settle_plain(case), settlements)
        found += range(min(len(case.bets), len(settlements)), max(len(case.bets), len(settlements)))
        return found

    def derivation_of(self, case: Case, bet: int = 0) -> tuple[Reason, ...]:
        """Return the derivation of what is expected for one bet, or for a comparison."""
        game = self.game(case.game)
        if case.method == "settle":
            return game.settle(case.options, case.outcome, case.bets)[bet].reasons
        if isinstance(game, TileGame):
            return game.reasons(case.a, case.b)
        return () if isinstance(game, ThrowingGame) else _order_reasons(game, case)

    def is_ruled(self, divergence: str) -> bool:
        """Return whether a reading was adopted on an open point."""
        return divergence in self._readings.rulings

    def lawful_readings(
        self, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield each point, and its other reading under which an answer would be lawful.

        Who asks must know which points were ruled on: those are open no more. With `bet` only that
        bet must be as answered.
        """
        for point, game in self.games_under_other_readings(case.game).items():
            if _lawful(game, case, answer, bet):
                yield point

    def games_under_other_readings(self, name: str) -> Mapping[tuple[str, str], AnyGame]:
        """Return a game under each other reading of each open point, all else unchanged."""
        if name not in self._others:
            others = OtherReadings(self._law, name, self._readings)
            # Whether an answer is lawful is asked of many cases, and why of none.
            self._others[name] = {one: make_fast_game(others.game(*one)) for one in others}
        return self._others[name]

    def with_reading(self, divergence: str, reading: str) -> Oracle:
        """Return the law with one more reading adopted, all else unchanged."""
        return Oracle(self._law, {**self._readings.rulings, divergence: reading})

    def reading_of(self, divergence: str) -> str:
        """Return the reading that is followed on an open point."""
        return self._readings.of(divergence)


def _wrong_bets(
    case: Case, plain: Sequence[Mapping[str, Any]], settlements: Sequence[SettlementAnswer]
) -> list[int]:
    return [
        at
        for at, (bet, law, given) in enumerate(zip(case.bets, plain, settlements, strict=False))
        if given.result != law["result"]
        or (given.prize != law["prize"] and not is_same_amount(given.prize, law["prize"]))
        or (
            given.commission != law["commission"]
            and not is_same_amount(given.commission, law["commission"])
        )
        or given.stake not in lawful_stake_returns(law["result"], bet["stake"])
    ]


def is_answer_of(
    game: AnyGame, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None = None
) -> bool:
    """Return whether a game, whatever its rules, gives just this answer, or this for one bet."""
    return _lawful(game, case, answer, bet)


def _lawful(
    game: AnyGame, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None
) -> bool:
    if isinstance(answer, str):
        return compare_hands(game, case) == answer
    if len(answer) != len(case.bets):
        return False
    try:
        plain = game.settle_plain(case.options, case.outcome, case.bets)
    except BadOutcome:
        # Under this reading there is no such case.
        return False
    wrong = _wrong_bets(case, plain, answer)
    return not wrong if bet is None else bet not in wrong


def differing_bets(
    game: AnyGame, case: Case, lawful: Sequence[Any], answer: Sequence[SettlementAnswer]
) -> tuple[frozenset[int], frozenset[int]] | None:
    """Return the bets of a case that another game settles otherwise than the law, or the answer.

    Nothing is returned where that game has no such case. `lawful` is what the law has, plain.
    """
    try:
        plain = game.settle_plain(case.options, case.outcome, case.bets)
    except BadOutcome:
        return None
    apart = frozenset(at for at, one in enumerate(lawful) if plain[at] != one)
    return apart, frozenset(_wrong_bets(case, plain, answer))


def compare_hands(game: AnyGame, case: Case) -> str | None:
    """Return how the hands of a case compare in `game`; nothing where it does not say."""
    return ComparisonCache(game).order(case.a, case.b)


def _order_reasons(game: Game, case: Case) -> tuple[Reason, ...]:
    """Return the lines of the order on which two hands stand."""
    if game.meanings is None:
        return ()
    known = {"hand": sorted(case.a), "banker": sorted(case.b)}
    found: dict[str, Reason] = {}
    for rules in game.bets.values():
        for rule in rules.results:
            if rule.condition is not None:
                asked = Reason(provision="", role="asks", condition=rule.condition.text)
                for reason in game.meanings.told((asked,), known, game.order):
                    if reason.role == "ranks":
                        found.setdefault(reason.provision, reason)
    return tuple(found.values())
