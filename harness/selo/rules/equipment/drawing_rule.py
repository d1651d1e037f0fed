"""Who draws an additional card at player and banker: the reconstructed drawing rule of Bacará."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law import Law

_RECONSTRUCTION: Final = "bacara-drawing-rule"
#: The cards that each side has before it may draw.
_OPENING: Final = 2
_BANKER_DRAWS_TO_FIVE: Final = "banker-draws-to-five"


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawingRule:
    """The totals and third cards on which each side draws."""

    #: The open point on which the rule depends.
    POINT: ClassVar[str] = "2-2009--drawing-rule-not-held"

    values: Mapping[str, int]
    natural: frozenset[int]
    player: frozenset[int]
    player_stood: frozenset[int]
    against: Mapping[int, frozenset[int]]

    def total(self, ranks: Iterable[str]) -> int:
        """Return the points of a hand: the last digit of the sum of its cards."""
        return sum(self.values[rank] for rank in ranks) % 10

    def departures(self, player: Sequence[str], banker: Sequence[str]) -> tuple[bool, bool]:
        """Return whether the player, and the banker, drew otherwise than by the rule.

        Hands are ranks, the first two dealt at once. The banker is judged by what the player drew,
        right or wrong.
        """
        totals = self.total(player[:_OPENING]), self.total(banker[:_OPENING])
        if self.natural & {*totals}:
            wanted = False, False
        elif len(player) > _OPENING:
            third = self.values[player[_OPENING]]
            wanted = totals[0] in self.player, third in self.against.get(totals[1], frozenset())
        else:
            wanted = totals[0] in self.player, totals[1] in self.player_stood
        return (
            len(player) != _OPENING + wanted[0],
            len(banker) != _OPENING + wanted[1],
        )

    @classmethod
    def of(cls, law: Law, reading: str | None = None) -> DrawingRule:
        """Return the drawing rule of `law` under a reading of the open point, or by default."""
        tables: dict[str, Any] = {
            statement.id: statement.table or {}
            for _, reconstruction in law.reconstructions
            if reconstruction.reconstructed == _RECONSTRUCTION
            for statement in reconstruction.statements
        }
        banker = tables["banker-draws"]
        stood = _as_numbers(banker["when_player_stood"])
        against = {
            int(total): _as_numbers(cards) for total, cards in banker["against_third_card"].items()
        }
        values = {rank: int(value) for rank, value in tables["points"]["values"].items()}
        if reading == _BANKER_DRAWS_TO_FIVE:
            every_value = frozenset(values.values())
            against = {total: every_value for total in against if total in stood}
        return cls(
            values=values,
            natural=_as_numbers(tables["natural"]["stands_on"]),
            player=_as_numbers(tables["player-draws"]["draws_on"]),
            player_stood=stood,
            against=against,
        )


def _as_numbers(texts: Any) -> frozenset[int]:
    return frozenset(int(text) for text in texts)
