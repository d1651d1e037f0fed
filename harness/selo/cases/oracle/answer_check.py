"""Checks of answers: every field is compared, and amounts exactly, by value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.cases.case import AnswerPart
from selo.cases.oracle.comparison_cache import ComparisonCache
from selo.cases.oracle.told_settlement import (
    PARTIAL_SETTLEMENTS,
    is_told_lawfully,
    returned_stake,
)
from selo.rules.settlement.settlement_models import UNSETTLED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.cases.case import Case
    from selo.rules.settlement import Game, ThrowingGame

    AnyGame = Game | ThrowingGame

Amount = int | list[int]
_COMMISSION: Final = AnswerPart.COMMISSION.value
_MONEY_PARTS: Final = ("prize", _COMMISSION, "net")


class SettlementAnswer(Protocol):
    """A settlement as a vendor answers it."""

    @property
    def result(self) -> str:
        """The result of the bet."""

    @property
    def prize(self) -> Amount:
        """The amount paid on top of the stake."""

    @property
    def commission(self) -> Amount:
        """The amount the house keeps of the prize."""

    @property
    def stake(self) -> int:
        """The amount of the stake returned."""


class ExpectedSettlement(msgspec.Struct, frozen=True, gc=False):
    """The lawful settlement of one bet."""

    result: str
    prize: Amount
    commission: Amount
    #: The amount of the stake that is returned.
    stake: int


def matches_expectation(expected: ExpectedSettlement, settlement: SettlementAnswer) -> bool:
    """Return whether a settlement equals the expected one."""
    return (
        settlement.result == expected.result
        and is_same_amount(settlement.prize, expected.prize)
        and is_same_amount(settlement.commission, expected.commission)
        and settlement.stake == expected.stake
    )


def is_same_amount(amount: Amount, other: Amount) -> bool:
    """Return whether two amounts, whole or fractions, are equal."""
    if amount == other:
        return True
    if isinstance(amount, int) and isinstance(other, int):
        return False
    numerator, denominator = (amount, 1) if isinstance(amount, int) else amount
    other_numerator, other_denominator = (other, 1) if isinstance(other, int) else other
    return (
        bool(denominator and other_denominator)
        and numerator * other_denominator == other_numerator * denominator
    )


def find_wrong_bets(
    case: Case, plain: Sequence[Mapping[str, Any]], settlements: Sequence[Any]
) -> list[int]:
    """Return the indices of the bets that were not settled as a case writes it."""
    if settlements and isinstance(settlements[0], PARTIAL_SETTLEMENTS):
        # A vendor that does not tell everything is compared in what it tells.
        return [
            at
            for at, (bet, law, told) in enumerate(zip(case.bets, plain, settlements, strict=False))
            if not is_told_lawfully(law, bet, told)
        ]
    return [
        at
        for at, (bet, law, answer) in enumerate(zip(case.bets, plain, settlements, strict=False))
        if answer.result != law["result"]
        or (answer.prize != law["prize"] and not is_same_amount(answer.prize, law["prize"]))
        or (
            answer.commission != law[_COMMISSION]
            and not is_same_amount(answer.commission, law[_COMMISSION])
        )
        or answer.stake != returned_stake(law, bet["stake"])
    ]


def find_wrong_bets_of(
    game: AnyGame,
    case: Case,
    plain: Sequence[Mapping[str, Any]],
    settlements: Sequence[Any],
    *,
    exact: AnyGame | None = None,
) -> list[int]:
    """Return the bets that `game`, which settles them as `plain`, settles otherwise.

    Where no text says how an amount becomes whole, an answer in exact fractions is right too;
    `exact` is the game without such roundings, if the caller keeps it.
    """
    wrong = find_wrong_bets(case, plain, settlements)
    fractions = {at for at in wrong if holds_fraction(settlements[at])}
    unrounded = (exact or game.without_open_roundings()) if fractions else None
    if unrounded is None:
        return wrong
    unlike = find_wrong_bets(
        case, unrounded.settle_plain(case.options, case.outcome, case.bets), settlements
    )
    return [at for at in wrong if at in unlike or at not in fractions]


def holds_fraction(settlement: Any) -> bool:
    """Return whether an amount of a settlement is an exact fraction that is not whole."""
    amounts = (getattr(settlement, part, None) for part in _MONEY_PARTS)
    return any(isinstance(amount, list) and amount[-1] != 1 for amount in amounts)


def is_answer_of(
    game: AnyGame, case: Case, answer: Sequence[SettlementAnswer] | str, bet: int | None = None
) -> bool:
    """Return whether `game` gives this answer, or with `bet` this settlement of that bet."""
    if isinstance(answer, str):
        return compare_hands(game, case) == answer
    unlike = unlike_bets(game, case, answer)
    return not unlike if bet is None else bet not in unlike


def unlike_bets(game: AnyGame, case: Case, answer: Sequence[SettlementAnswer]) -> frozenset[int]:
    """Return the bets that `game` settles otherwise than `answer`: all if it cannot settle them."""
    if len(answer) != len(case.bets):
        return frozenset(range(max(len(case.bets), len(answer))))
    try:
        plain = game.settle_plain(case.options, case.outcome, case.bets)
    except UNSETTLED:
        # The case is impossible under these readings, or they contradict each other in it.
        return frozenset(range(len(case.bets)))
    return frozenset(find_wrong_bets_of(game, case, plain, answer))


def compare_hands(game: AnyGame, case: Case) -> str | None:
    """Return how the hands of a case compare in `game`, or None where it is silent."""
    return ComparisonCache(game).compare(case.a, case.b)
