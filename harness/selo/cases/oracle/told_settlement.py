"""What a settlement tells at each level, and its comparison with the law in just those parts.

A vendor declares for each game whether it tells the result of a bet, the net amount, both, or the
full settlement. What it does not tell is not compared, and shows nothing.

The net amount is what the bettor has more or less after the bet: prize less commission, less the
part of the stake that is lost. A stake that stays on the table is not lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import encode_fraction
from selo.protocol.messages import (
    FULL,
    NetSettlement,
    ResultAndNetSettlement,
    ResultSettlement,
    Settlement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.table_values import Bet

    ToldSettlement = Settlement | ResultSettlement | NetSettlement | ResultAndNetSettlement
    Plain = Mapping[str, Any]

_STAKE_KEPT: Final = frozenset({"lose", "stands"})
#: Results after which a stake that is not returned stays on the table.
_STAYING: Final = frozenset({"stands", "void", "refused"})
#: The parts that an answer tells at each level.
TOLD_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "result": ("result",),
    "net": ("net",),
    "result-and-net": ("result", "net"),
    FULL: ("result", "prize", "commission", "stake"),
}
_FORMS: Final[Mapping[str, Any]] = {
    "result": ResultSettlement,
    "net": NetSettlement,
    "result-and-net": ResultAndNetSettlement,
    FULL: Settlement,
}
#: Between the order of two hands and their points, and between the points.
_POINTS: Final = " at "
_BETWEEN: Final = ":"
#: Settlements that do not tell everything.
PARTIAL_SETTLEMENTS: Final = (ResultSettlement, NetSettlement, ResultAndNetSettlement)


def returned_stake(plain: Plain, stake: Any) -> int:
    """Return the amount of a stake that is returned after a settlement as a case writes it."""
    if "stake" in plain:
        return int(plain["stake"])
    # The stake of a refused bet is told as it was sent, which may be anything.
    return 0 if plain["result"] in _STAKE_KEPT else stake


def net_amount(plain: Plain, stake: Any) -> int | list[int]:
    """Return what the bettor has more or less after a settlement as a case writes it."""
    net = _as_fraction(plain["prize"]) - _as_fraction(plain["commission"])
    if plain["result"] not in _STAYING:
        net -= stake - returned_stake(plain, stake)
    return encode_fraction(net)


def told_parts(answer: ToldSettlement) -> dict[str, Any]:
    """Return the parts that a settlement tells."""
    return {part: getattr(answer, part) for part in answer.__struct_fields__}


def lawful_parts(plain: Plain, bet: Bet, parts: Iterable[str]) -> dict[str, Any]:
    """Return the lawful values of some parts of a settlement, from one that a case writes."""
    lawful: dict[str, Any] = {}
    for part in parts:
        if part == "net":
            lawful[part] = net_amount(plain, bet["stake"])
        elif part == "stake":
            lawful[part] = returned_stake(plain, bet["stake"])
        else:
            lawful[part] = plain[part]
    return lawful


def is_told_lawfully(plain: Plain, bet: Bet, answer: ToldSettlement) -> bool:
    """Return whether every part that a settlement tells is lawful."""
    told = told_parts(answer)
    lawful = lawful_parts(plain, bet, told)
    return all(
        value == lawful[part]
        or (part != "result" and _as_fraction(value) == _as_fraction(lawful[part]))
        for part, value in told.items()
    )


def tell_settlement(level: str, plain: Plain, bet: Bet) -> ToldSettlement:
    """Return a settlement as a vendor tells it at `level`."""
    told: ToldSettlement = _FORMS[level](**lawful_parts(plain, bet, TOLD_PARTS[level]))
    return told


def order_parts(answer: str) -> dict[str, Any]:
    """Return the parts of the answer to a comparison: the order, and points that are wrong."""
    order, _, points = answer.partition(_POINTS)
    if not points:
        return {"order": order}
    return {"order": order, "hand_points": [int(number) for number in points.split(_BETWEEN)]}


def join_order(order: str, points: Iterable[int]) -> str:
    """Return the answer to a comparison with points that are wrong."""
    return f"{order}{_POINTS}" + _BETWEEN.join(map(str, points))


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldAnswers:
    """What the answers of one game tell of the product."""

    level: str = FULL
    #: The bets that the product does not settle, and whether it does not compare hands.
    foreign_bets: frozenset[str] = frozenset()
    foreign_order: bool = False

    def differ(self, bet: Bet, plain: Plain, other: Plain) -> bool:
        """Return whether two settlements of a bet differ in a part that the product tells."""
        if plain == other or bet.get("bet") in self.foreign_bets:
            return False
        if self.level == FULL:
            return True
        parts = TOLD_PARTS[self.level]
        return lawful_parts(plain, bet, parts) != lawful_parts(other, bet, parts)


TOLD_EVERYTHING: Final = ToldAnswers()


def _as_fraction(amount: Any) -> Any:
    """Return an amount as a number; anything that is none as it is."""
    if isinstance(amount, list):
        return Fraction(*amount) if amount[1] else amount
    return amount
