"""Descriptions of wrong settlements, each computed once: broken vendors give very many alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from selo.examine.tally.answer_difference import (
    SETTLEMENT_PARTS,
    Difference,
    DifferenceShape,
    settlement_shape,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.table_values import Bet

#: Amounts that differ by less than this part of the stake look alike.
_STAKE_FRACTIONS: Final = 20
#: Descriptions that are remembered at once.
_MAX_REMEMBERED: Final = 20_000


class SettlementDescription(NamedTuple):
    """The shape of a wrong settlement, its amounts relative to the stake, and both in words."""

    shape: DifferenceShape
    amounts: tuple[int | None, ...]
    words: str


class DescriptionMemo:
    """Describes wrong settlements, and remembers the last ones."""

    def __init__(self) -> None:
        self._remembered: dict[Any, SettlementDescription] = {}

    def of(
        self, game: str, bet: Bet, lawful: Mapping[str, Any], observed: Mapping[str, Any]
    ) -> SettlementDescription:
        """Return the description of a wrong settlement of a bet."""
        values = (*lawful.values(), *observed.values())
        key = (
            game, repr(bet.get("bet")), repr(bet.get("choice")), repr(bet.get("stake")),
            *observed, *(tuple(value) if isinstance(value, list) else value for value in values),
        )  # fmt: skip
        described = self._remembered.get(key)
        if described is None:
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            amounts = tuple(
                relative_amount(amount[part], bet["stake"])
                for amount in (lawful, observed)
                for part in observed
                if part != SETTLEMENT_PARTS[0]
            )
            described = self._remembered[key] = SettlementDescription(
                settlement_shape(game, bet["bet"], lawful, observed), amounts,
                Difference.describe_settlement(bet, lawful, observed),
            )  # fmt: skip
        return described


def relative_amount(amount: Any, stake: Any) -> int | None:
    """Return the rough size of an amount relative to a stake; nothing if the stake is invalid."""
    if type(stake) is not int or stake <= 0:
        return None
    above, below = (amount, 1) if isinstance(amount, int) else amount
    return int(above * _STAKE_FRACTIONS // (stake * below)) if below else None
