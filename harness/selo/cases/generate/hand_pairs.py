"""Hands beside one another in suits, with cards and in an order that the seed gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.generate.sample_hands import crossed, neighbours, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.generate.sample_hands import Hand
    from selo.cases.group import Setting


def near(setting: Setting, group: str, hands: Sequence[Hand]) -> list[tuple[Hand, Hand]]:
    """Return each hand with itself and with the next in the order, as one pack deals them."""
    pairs = list(turned(neighbours(hands), setting.chance(f"{group}/suits")))
    return setting.shuffled(group, pairs)


def across(
    setting: Setting, group: str, hands: Sequence[Hand], others: Sequence[Hand]
) -> Iterator[tuple[Hand, Hand]]:
    """Yield every one of `hands` with every one of `others`, as far as one pack can deal both."""
    shuffled = setting.shuffled(group, hands)
    return turned(crossed(shuffled, others), setting.chance(f"{group}/suits"))
