"""Hands beside one another in suits, with cards and in an order that the seed gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.generate.sample_hands import cross_pairs, neighbour_pairs, permute_suits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.generate.sample_hands import Hand
    from selo.cases.group import GeneratorSetting


def shuffled_neighbours(
    setting: GeneratorSetting, group: str, hands: Sequence[Hand]
) -> list[tuple[Hand, Hand]]:
    """Return each hand with itself and with the next in the order, as one pack deals them."""
    pairs = list(permute_suits(neighbour_pairs(hands), setting.chance(f"{group}/suits")))
    return setting.shuffle_by_seed(group, pairs)


def shuffled_cross_pairs(
    setting: GeneratorSetting, group: str, hands: Sequence[Hand], others: Sequence[Hand]
) -> Iterator[tuple[Hand, Hand]]:
    """Yield every one of `hands` with every one of `others`, as far as one pack can deal both."""
    shuffled = setting.shuffle_by_seed(group, hands)
    return permute_suits(cross_pairs(shuffled, others), setting.chance(f"{group}/suits"))
